"""The functions of the vendor's Python SDK, against the emulator. Prints one JSON object of what they answered."""

import asyncio
import json
import os

import runpod
from runpod import AsyncioEndpoint, Endpoint

runpod.api_key = os.environ["RUNPOD_API_KEY"]

out = {}
out["user"] = runpod.get_user()
out["settings"] = runpod.update_user_settings("ssh-ed25519 AAAA one@host")
out["gpus"] = len(runpod.get_gpus())
out["gpu"] = runpod.get_gpu("NVIDIA L4", 2)
auth = runpod.create_container_registry_auth("ghcr", "bot", "one")
runpod.update_container_registry_auth(auth["id"], "bot", "two")

pod = runpod.create_pod(
    "trainer", "org/app:1", "NVIDIA L4", volume_in_gb=20, ports="8888/http, 22/tcp", env={"MODE": "fast"},
    country_code="SE", allowed_cuda_versions=["12.6", "12.8"], min_download=100, min_upload=100,
)
cpu = runpod.create_pod("cpu", "org/app:1", instance_id="cpu3c-2-4")
out["pods"] = sorted(one["name"] for one in runpod.get_pods())
out["pod"] = runpod.get_pod(pod["id"])
out["stopped"] = runpod.stop_pod(pod["id"])["desiredStatus"]
out["resumed"] = runpod.resume_pod(pod["id"], 1)["desiredStatus"]
for one in (pod, cpu):
    runpod.terminate_pod(one["id"])
out["left"] = runpod.get_pods()
out["gone"] = runpod.get_pod(pod["id"])
try:
    runpod.terminate_pod(pod["id"])
except runpod.error.QueryError as error:
    out["refusal"] = str(error)

one = runpod.create_template("one", "org/one:1", is_serverless=True, env={"LEVEL": "info"}, registry_auth_id=auth["id"])
two = runpod.create_template("two", "org/two:1", is_serverless=True)
made = runpod.create_endpoint("llm", one["id"], "ADA_24", flashboot=True, workers_min=1, allowed_cuda_versions="12.6,12.8")
runpod.update_endpoint_template(made["id"], two["id"])
out["made"] = made
out["endpoints"] = runpod.get_endpoints()

endpoint = Endpoint(made["id"])
job = endpoint.run({"prompt": "Hello"})
out["output"] = job.output(timeout=20)
out["status"] = job.status()
out["sync"] = endpoint.run_sync({"prompt": "Hello"}, timeout=20)
out["stream"] = list(endpoint.run({"prompt": "stream"}).stream())
waiting = endpoint.run({"prompt": "wait"})
out["cancelled"] = waiting.cancel()["status"]
out["health"] = endpoint.health()
out["purged"] = endpoint.purge_queue()


async def later():
    from aiohttp import ClientSession

    async with ClientSession() as session:
        work = await AsyncioEndpoint(made["id"], session).run({"prompt": "Hello"})
        return await work.output(timeout=20)


out["asyncio"] = asyncio.run(later())
runpod.delete_container_registry_auth(auth["id"])
print(json.dumps(out))
