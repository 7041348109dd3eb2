import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";
import { build } from "../conformance/build";
import { ENDPOINT } from "../emulator/client";
import { emulated } from "./emulated";

const account = emulated({ features: { pagination: true } });

function pod() {
  const { id } = account.emulator.service.pods.create({
    name: "p",
    image: "i",
    gpu: { id: "NVIDIA L4", count: 1 },
  });
  account.clock.advance(2_000);
  return id;
}

test("a pod is stopped, started, restarted and terminated, and what is done already is done", async () => {
  const id = pod();
  expect(await podlumi.stopPod(id)).toMatchObject({ id, status: "EXITED", desiredStatus: "EXITED" });
  expect((await podlumi.stopPod(id)).status).toBe("EXITED");
  expect((await podlumi.startPod(id)).status).toMatch(/PROVISIONING|STARTING/);
  account.clock.advance(2_000);
  expect((await podlumi.startPod(id)).status).toBe("RUNNING");
  expect((await podlumi.restartPod(id)).status).toBe("STARTING");
  await podlumi.terminatePod(id);
  await podlumi.terminatePod(id);
  expect(account.emulator.service.pods.list()).toEqual([]);
});

test("what the service refuses is told in its words", async () => {
  const id = pod();
  await podlumi.stopPod(id);
  await expect(podlumi.restartPod(id)).rejects.toThrow(/^restartPod: POST \/pods\/.*\/action answered 409/);
  await podlumi.terminatePod(id);
});

test("the name of a pod in place of its id fails, and tells the id: the pod would run on", async () => {
  const id = pod();
  const { startPod, stopPod, restartPod, terminatePod } = podlumi;
  for (const [name, act] of Object.entries({ startPod, stopPod, restartPod, terminatePod })) {
    await expect(act("p")).rejects.toThrow(
      `${name}: there is no pod with the id "p" in this account, but one of that name, with the id "${id}" [PODLUMI-NOT-FOUND]`,
    );
  }
  expect(account.emulator.service.pods.get(id).status).toBe("RUNNING");
  await podlumi.terminatePod(id);
});

test("where nobody can tell whether the pod exists, the words of the service stay", async () => {
  account.emulator.faults.add({
    match: { method: "GET", path: "/pods" },
    when: "before",
    what: { answer: { status: 403 } },
    times: 9,
  });
  await expect(podlumi.startPod("nobody")).rejects.toThrow(
    /^startPod: POST \/pods\/nobody\/action answered 404/,
  );
  account.emulator.faults.clear();
});

test("a preview changes nothing", async () => {
  const id = pod();
  jest.spyOn(pulumi.runtime, "isDryRun").mockReturnValue(true);
  expect((await podlumi.stopPod(id)).status).toBe("RUNNING");
  await podlumi.terminatePod(id);
  jest.restoreAllMocks();
  expect(account.emulator.service.pods.get(id).status).toBe("RUNNING");
  await podlumi.terminatePod(id);
});

test.each(["", ".", "..", undefined, null, {}])("an action on %j fails, in a preview too", async (id) => {
  for (const preview of [false, true]) {
    jest.spyOn(pulumi.runtime, "isDryRun").mockReturnValue(preview);
    await expect(podlumi.terminatePod(id as string)).rejects.toThrow(
      /^terminatePod: \/pods\/ needs an id, not .*\[PODLUMI-INVALID\]$/,
    );
    for (const act of [podlumi.startPod, podlumi.stopPod, podlumi.restartPod])
      await expect(act(id as string)).rejects.toThrow(/\[PODLUMI-INVALID\]$/);
  }
  jest.restoreAllMocks();
});

test("workers and releases of an endpoint are told, all pages of them", async () => {
  const { endpoints } = account.emulator.service;
  const { id: endpointId } = endpoints.create({ ...ENDPOINT, image: "app:0", workers: { min: 1 } });
  account.clock.advance(2_000);
  const { workers, summary } = await podlumi.getWorkers({ endpointId });
  expect(summary.total).toBe(1);
  expect(workers[0]).toMatchObject({ isStale: false, dataCenterId: expect.any(String) });
  for (let n = 1; n <= 1_100; n++) endpoints.update(endpointId, { image: `app:${n}` });
  const { releases, rollout, endpointVersion } = await podlumi.getReleases({ endpointId });
  expect(releases).toHaveLength(1_101);
  expect(releases[0]).toMatchObject({ version: endpointVersion, diff: [{ field: "template.imageName" }] });
  expect(rollout.inProgress).toBe(true);
  expect(await pulumi.isSecret(podlumi.getReleasesOutput({ endpointId }).releases)).toBe(true);
});

test("a function about an endpoint tells the id of the one whose name it got", async () => {
  const { id } = account.emulator.service.endpoints.create({ ...ENDPOINT, name: "chat", image: "app:0" });
  const endpointId = "chat";
  const asking = {
    getWorkers: () => podlumi.getWorkers({ endpointId }),
    getReleases: () => podlumi.getReleases({ endpointId }),
    getBuilds: () => podlumi.getBuilds({ endpointId }),
    getBuild: () => podlumi.getBuild({ endpointId, buildId: "b" }),
    getWorkerLogs: () => podlumi.getWorkerLogs({ endpointId, workerId: "w" }),
    workerLogs: () => podlumi.workerLogs(endpointId, "w").next(),
  };
  for (const [name, ask] of Object.entries(asking)) {
    await expect(ask()).rejects.toThrow(
      `${name}: there is no serverless endpoint with the id "chat" in this account, but one of that name, with the id "${id}" [PODLUMI-NOT-FOUND]`,
    );
  }
});

test("a function about a worker or a build tells that the endpoint has none with this id", async () => {
  const { id: endpointId } = account.emulator.service.endpoints.create({
    ...ENDPOINT,
    name: "parts",
    image: "app:0",
  });
  const has = `the serverless endpoint ${endpointId} has no`;
  const worker = `${has} worker "w", or no longer: getWorkers tells which workers it has [PODLUMI-NOT-FOUND]`;
  await expect(podlumi.getWorkerLogs({ endpointId, workerId: "w" })).rejects.toThrow(
    `getWorkerLogs: ${worker}`,
  );
  await expect(podlumi.workerLogs(endpointId, "w").next()).rejects.toThrow(`workerLogs: ${worker}`);
  await expect(podlumi.getBuild({ endpointId, buildId: "b" })).rejects.toThrow(
    `getBuild: ${has} build "b": getBuilds tells which builds it has [PODLUMI-NOT-FOUND]`,
  );
});

test("the builds of an endpoint are told, and one of them by its id", async () => {
  const { endpoints, builds } = account.emulator.service;
  const { id: endpointId } = endpoints.create({ ...ENDPOINT, name: "b", image: "app:0" });
  expect(await podlumi.getBuilds({ endpointId })).toEqual([]);
  for (let n = 1; n <= 120; n++) builds.add(endpointId, { ...build, id: `build_${n}` });
  const all = await podlumi.getBuilds({ endpointId });
  expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 120 }, (_, n) => `build_${120 - n}`));
  expect(await podlumi.getBuild({ endpointId, buildId: "build_7" })).toEqual({ ...build, id: "build_7" });
});

test.each([null, {}, { message: "ok" }])("a response without its list is none: %j", async (body) => {
  const what = { answer: { status: 200, body } };
  for (const path of [
    "/serverless/*/workers",
    "/serverless/*/releases",
    "/serverless/*/builds",
    "/billing/pods",
  ])
    account.emulator.faults.add({ match: { path }, when: "after", what });
  const unreadable = /answered 200 with a body that cannot be read: it has no list of \w+/;
  await expect(podlumi.getWorkers({ endpointId: "e" })).rejects.toThrow(unreadable);
  await expect(podlumi.getReleases({ endpointId: "e" })).rejects.toThrow(unreadable);
  await expect(podlumi.getBuilds({ endpointId: "e" })).rejects.toThrow(unreadable);
  await expect(podlumi.getPodBilling()).rejects.toThrow(unreadable);
  account.emulator.faults.clear();
});
