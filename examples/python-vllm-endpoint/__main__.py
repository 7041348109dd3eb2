import podlumi
import pulumi

config = pulumi.Config()

token = podlumi.Secret("huggingface_token", value=config.require_secret("huggingFaceToken"))

worker = podlumi.Template(
    "vllm",
    image=config.require("image"),
    disk=60,
    serverless=True,
    env={"MODEL_NAME": config.require("model"), "MAX_MODEL_LEN": "8192", "HF_TOKEN": token.reference},
)

# An edit of the template rolls out, and the deployment waits until the new release has answered a prompt.
endpoint = podlumi.ServerlessEndpoint(
    "chat",
    type=podlumi.EndpointType.QUEUE,
    template_id=worker.id,
    template_revision=worker.revision,
    gpu={"pools": ["AMPERE_24", "ADA_24"]},
    workers={"min": 0, "max": 3, "idle_timeout": 30},
    scaling={"type": "QUEUE_DELAY", "queue_delay": 4},
    flashboot=podlumi.FlashBoot.FLASHBOOT,
    verify={
        "input": {"prompt": "Say hello.", "sampling_params": {"max_tokens": 16}},
        "expect": {"$contains": {"choices": {"$minItems": 1}}},
        "timeout": 1200,
    },
)

pulumi.export("endpointId", endpoint.id)
pulumi.export("runSync", endpoint.request_urls.run_sync)
# The base URL for clients of OpenAI's API. Their key is that of the account.
pulumi.export("openAiUrl", endpoint.openai_base_url)
pulumi.export("verifiedRelease", endpoint.verified_release)
