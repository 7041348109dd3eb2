import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";
import { ENDPOINT } from "../emulator/client";
import { apiKey, emulated } from "./emulated";

const account = emulated();

function podWithLines(...lines: string[]) {
  const { service } = account.emulator;
  const { id } = service.pods.create({ name: "p", image: "i", gpu: { id: "NVIDIA L4", count: 1 } });
  account.clock.advance(3_000);
  for (const line of lines) service.logs.write(id, "container", line);
  return id;
}

async function all(log: AsyncIterable<podlumi.LogLine>): Promise<string[]> {
  const lines: string[] = [];
  for await (const { line } of log) lines.push(line);
  return lines;
}

test("the lines that there are come and it ends", async () => {
  const id = podWithLines("one", "two", `the key is ${apiKey}`);
  expect(await all(podlumi.podLogs(id, { source: "container", tail: 2 }))).toEqual([
    "two",
    "the key is [secret]",
  ]);
});

test("a function answers the same lines, which are a secret output", async () => {
  const podId = podWithLines("one", "two", `the key is ${apiKey}`);
  const { lines } = await podlumi.getPodLogs({ podId, source: "container", tail: 2 });
  expect(lines.map(({ line }) => line)).toEqual(["two", "the key is [secret]"]);
  expect(await pulumi.isSecret(podlumi.getPodLogsOutput({ podId }).lines)).toBe(true);
  await expect(podlumi.getPodLogs({ podId, tail: 5_001 })).rejects.toThrow(
    /^getPodLogs: tail: .*\[PODLUMI-INVALID\]$/,
  );
  await expect(podlumi.getPodLogs({ podId: "nobody" })).rejects.toThrow(
    /^getPodLogs: there is no pod with the id "nobody" in this account/,
  );
});

test("lines to come are followed, until the signal", async () => {
  const id = podWithLines("one");
  const stop = new AbortController();
  const seen: string[] = [];
  for await (const { line } of podlumi.podLogs(id, {
    source: "container",
    tail: 1,
    follow: true,
    signal: stop.signal,
  })) {
    seen.push(line);
    if (line === "two") stop.abort();
    account.emulator.service.logs.write(id, "container", "two");
    setTimeout(() => account.clock.advance(1_000), 50);
  }
  expect(seen).toEqual(["one", "two"]);
});

test("a pod that is deleted ends its log, one that never was is an error", async () => {
  const id = podWithLines("one");
  const seen: string[] = [];
  for await (const { line } of podlumi.podLogs(id, { tail: 1, follow: true })) {
    seen.push(line);
    account.emulator.service.pods.delete(id);
    setTimeout(() => account.clock.advance(1_000), 50);
  }
  expect(seen).toEqual(["one"]);
  await expect(all(podlumi.podLogs(id))).rejects.toThrow(
    `podLogs: there is no pod with the id "${id}" in this account`,
  );
  await expect(all(podlumi.podLogs(podWithLines(), { tail: 5_001 }))).rejects.toThrow(/answered 422/);
});

test("a worker has a log of its own", async () => {
  const { endpoints } = account.emulator.service;
  const { id } = endpoints.create({ ...ENDPOINT, workers: { min: 1 } });
  account.clock.advance(2_000);
  const [worker] = (await podlumi.getWorkers({ endpointId: id })).workers;
  expect(await all(podlumi.workerLogs(id, String(worker?.id)))).toEqual([
    "worker is starting",
    "worker is ready",
  ]);
});

describe("a stream", () => {
  /** Answers one connection. `resumed` collects the Last-Event-ID headers. */
  type Connection = (response: ServerResponse) => void;
  let connections: Connection[];
  let resumed: (string | undefined)[];
  const server = createServer((request, response) => {
    resumed.push(request.headers["last-event-id"] as string | undefined);
    connections.shift()?.(response);
  });
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    process.env.RUNPOD_API_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    resumed = [];
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const event = (line: string) =>
    `id: ${line}-id\ndata: ${JSON.stringify({ ts: "t", source: "system", line })}\n\n`;
  const sending =
    (...chunks: (string | Buffer)[]): Connection =>
    (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const chunk of chunks) response.write(chunk);
    };
  const cut =
    (...chunks: string[]): Connection =>
    (response) => {
      sending(...chunks)(response);
      setTimeout(() => response.destroy(), 50);
    };
  const problem = { title: "Not Found", status: 404, detail: "Pod not found." };
  const gone: Connection = (response) => response.writeHead(404).end(JSON.stringify(problem));

  test("that is cut is resumed behind its last event, and half an event is none", async () => {
    connections = [
      cut(event("one"), event("two"), "id: three-id\ndata: {"),
      (response) => response.writeHead(503).end("{}"),
      cut(": nothing new\n\n"),
      cut(event("three")),
      gone,
    ];
    expect(await all(podlumi.podLogs("p", { follow: true }))).toEqual(["one", "two", "three"]);
    expect(resumed).toEqual([undefined, "two-id", "two-id", "two-id", "three-id"]);
  });

  test("that the service ends is complete where nothing to come is wanted", async () => {
    const ended: Connection = (response) => response.writeHead(200).end(event("one"));
    connections = [ended, gone];
    expect(await all(podlumi.podLogs("p"))).toEqual(["one"]);
    connections = [ended, ended, gone];
    expect(await all(podlumi.podLogs("p", { follow: true }))).toEqual(["one", "one"]);
    expect(resumed).toEqual([undefined, undefined, "one-id", "one-id"]);
  });

  test("that goes on and on ends where nothing to come is wanted", async () => {
    const chatty: Connection = (response) => {
      sending(event("one"))(response);
      const write = () => response.write(event("to come").replace('"t"', `"${new Date().toISOString()}"`));
      const timer = setInterval(write, 100);
      response.on("close", () => clearInterval(timer));
    };
    connections = [chatty];
    const lines = await all(podlumi.podLogs("p"));
    expect(lines.slice(0, 2)).toEqual(["one", "to come"]);
  });

  test("has all lines that there are, also of a host whose clock is ahead of the service's", async () => {
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    connections = [sending(...["one", "two"].map((line) => event(line).replace('"t"', `"${ahead}"`)))];
    expect(await all(podlumi.podLogs("p"))).toEqual(["one", "two"]);
  });

  test("that is always cut before a line comes is an error where nothing to come is wanted", async () => {
    connections = Array(20).fill(cut(": nothing\n\n"));
    await expect(all(podlumi.podLogs("p"))).rejects.toThrow(
      /^podLogs: the connection was cut 5 times in a row .*\[PODLUMI-NO-ANSWER\]$/,
    );
  });

  test("that is cut twice is resumed behind its last event with an id", async () => {
    const withoutId = event("two").replace(/^id: .*\n/, "");
    connections = [cut(event("one")), cut(withoutId), gone];
    expect(await all(podlumi.podLogs("p", { follow: true }))).toEqual(["one", "two"]);
    expect(resumed).toEqual([undefined, "one-id", "one-id"]);
  });

  test("is read whatever its chunks and its line ends are", async () => {
    const bytes = Buffer.from(`\r\n: hello\r\n${event("größer").replaceAll("\n", "\r\n")}`);
    connections = [
      (response) => {
        response.writeHead(200);
        for (const [index, byte] of bytes.entries()) setTimeout(() => response.write(Buffer.of(byte)), index);
        setTimeout(() => response.end(`data: no JSON\n\n${event("last")}`), bytes.length + 50);
      },
      gone,
    ];
    expect(await all(podlumi.podLogs("p", { follow: true }))).toEqual(["größer", "last"]);
  });

  test("whose line does not end is an error and not a full memory", async () => {
    connections = [sending("data: ", "x".repeat(3 * 1024 * 1024))];
    await expect(all(podlumi.podLogs("p", { follow: true }))).rejects.toThrow(
      /longer than 1048576 characters/,
    );
  });

  test("is not read ahead of who takes its lines", async () => {
    let sent = 0;
    let full = false;
    connections = [
      (response) => {
        response.writeHead(200);
        const more = () => {
          while (response.write(event("x".repeat(10_000)))) sent++;
          full = true;
          response.once("drain", more);
        };
        more();
      },
    ];
    const log = podlumi.podLogs("p", { follow: true });
    await log.next();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(full).toBe(true);
    expect(sent * 10_000).toBeLessThan(20 * 1024 * 1024);
    await log.return(undefined);
  });

  test("that cannot be had ends with the signal, not with the patience for the service", async () => {
    connections = [];
    const log = all(podlumi.podLogs("p", { signal: AbortSignal.timeout(300) }));
    expect(await log).toEqual([]);
  });
});
