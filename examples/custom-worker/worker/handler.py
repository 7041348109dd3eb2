import runpod

# A worker loads its model here, once. What the handler does, it does for each job.


def handler(job):
    text = job["input"].get("text")
    if not isinstance(text, str):
        return {"error": "input.text must be a text"}
    return {"words": len(text.split())}


runpod.serverless.start({"handler": handler})
