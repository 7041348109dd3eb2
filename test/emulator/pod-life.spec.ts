import type { Pod } from "../../sdk/emulator/service/state/pod";
import { createPod, emulate, runningPod } from "./client";

describe("the life of a pod", () => {
  test("goes from PROVISIONING through STARTING to RUNNING as time passes", async () => {
    const client = await emulate();
    const created = await createPod(client, { ports: ["22/tcp", "80/http"] });
    expect(created).toMatchObject({
      status: "PROVISIONING",
      actions: ["stop", "terminate"],
      runtime: null,
      startedAt: null,
    });
    client.clock.advance(1_000);
    expect((await client.rest("GET", `/pods/${created.id}`)).body.status).toBe("STARTING");
    client.clock.advance(2_000 + 5_000);
    const { body } = await client.rest<Pod>("GET", `/pods/${created.id}`);
    expect(body).toMatchObject({
      status: "RUNNING",
      actions: ["stop", "restart", "terminate"],
      startedAt: "2026-06-01T12:00:03Z",
      runtime: {
        uptime: 5,
        ports: [
          { private: 22, type: "tcp" },
          { private: 80, public: null, ip: null },
        ],
      },
      ssh: { direct: { username: "root", port: body.runtime?.ports[0]?.public } },
    });
  });

  test("costs nothing and has neither runtime nor direct SSH while it is stopped", async () => {
    const client = await emulate();
    const pod = await runningPod(client, { ports: ["22/tcp"] });
    expect((await client.rest("POST", `${pod}/action`, { action: "stop" })).body).toMatchObject({
      status: "EXITED",
      actions: ["start", "terminate"],
      cost: 0,
      runtime: null,
      ssh: { direct: null },
      dataCenterId: "US-KS-2",
      cudaVersion: "13.0",
    });
  });

  test("maps its ports anew after a stop and a start", async () => {
    const client = await emulate();
    const pod = await runningPod(client, { ports: ["22/tcp"] });
    const before = (await client.rest<Pod>("GET", pod)).body.ssh.direct?.port;
    await client.rest("POST", `${pod}/action`, { action: "stop" });
    expect((await client.rest("POST", `${pod}/action`, { action: "start" })).body.status).toBe(
      "PROVISIONING",
    );
    client.clock.advance(3_000);
    expect((await client.rest<Pod>("GET", pod)).body.ssh.direct?.port).not.toBe(before);
  });

  test("maps a port from 70000 on to one with the same number inside and outside", async () => {
    const client = await emulate();
    const pod = await runningPod(client, { ports: ["70000/tcp", "70001/tcp"] });
    const { ports, runtime } = (await client.rest<Pod>("GET", pod)).body;
    expect(ports).toEqual(["70000/tcp", "70001/tcp"]);
    expect(runtime?.ports.map((port) => port.private)).toEqual(runtime?.ports.map((port) => port.public));
    expect(new Set(runtime?.ports.map((port) => port.public)).size).toBe(2);
  });

  test("stays RUNNING until the stop has taken its time", async () => {
    const client = await emulate({ timings: { stopping: 500 } });
    const pod = await runningPod(client);
    expect((await client.rest("POST", `${pod}/action`, { action: "stop" })).body.status).toBe("RUNNING");
    client.clock.advance(500);
    expect((await client.rest("GET", pod)).body.status).toBe("EXITED");
  });

  test.each(["start", "restart"])("refuses %s while it is being provisioned", async (action) => {
    const client = await emulate();
    const { id } = await createPod(client);
    expect((await client.rest("POST", `/pods/${id}/action`, { action })).status).toBe(409);
  });

  test("refuses unknown actions, reset among them, with 422", async () => {
    const client = await emulate();
    const { id } = await createPod(client);
    expect((await client.rest("POST", `/pods/${id}/action`, { action: "reset" })).status).toBe(422);
  });

  test("can be started again after an error", async () => {
    const client = await emulate();
    const pod = await runningPod(client);
    client.emulator.service.pods.fail(pod.slice("/pods/".length));
    expect((await client.rest("GET", pod)).body).toMatchObject({
      status: "ERROR",
      actions: ["start", "terminate"],
    });
    expect((await client.rest("POST", `${pod}/action`, { action: "start" })).status).toBe(200);
  });

  test("cannot be stopped or restarted while it is locked", async () => {
    const client = await emulate();
    const pod = await runningPod(client);
    const { body } = await client.rest("PATCH", pod, { locked: true });
    expect(body).toMatchObject({ locked: true, status: "RUNNING", actions: ["terminate"] });
    expect((await client.rest("POST", `${pod}/action`, { action: "stop" })).status).toBe(409);
    await client.rest("PATCH", pod, { locked: false });
    expect((await client.rest("POST", `${pod}/action`, { action: "stop" })).status).toBe(200);
  });

  test.each(["delete", "terminate"])("ends with %s, and is not there any more", async (way) => {
    const client = await emulate();
    const pod = await runningPod(client);
    const end =
      way === "delete" ? client.rest("DELETE", pod) : client.rest("POST", `${pod}/action`, { action: way });
    expect(await end).toMatchObject({ status: 204, body: undefined });
    expect((await client.rest("GET", pod)).status).toBe(404);
    expect((await client.rest("GET", "/pods")).body.pods).toEqual([]);
  });
});
