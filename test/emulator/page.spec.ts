import { request as httpRequest } from "node:http";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import type { EmulatorOptions } from "../../sdk/emulator/service";
import { startBrowser } from "../harness/browser";
import { type Client, createPod, emulate } from "./client";
import { busyAccount } from "./scene";

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

/** A page, and the errors that occurred on it. */
interface Visit {
  page: Page;
  errors: string[];
}

async function visit(url: string, more: Parameters<Browser["newPage"]>[0] = {}): Promise<Visit> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...more });
  page.setDefaultTimeout(10_000);
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(url);
  await page.getByText("live", { exact: true }).waitFor();
  return { page, errors };
}

async function open(options: EmulatorOptions = {}): Promise<Client & Visit> {
  const client = await emulate(options);
  return { ...client, ...(await visit(client.emulator.pageUrl)) };
}

afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});

/** Presses Tab until the control with this name has the focus, like a user without a mouse. */
async function tabTo(page: Page, name: string): Promise<void> {
  const wanted = page.getByLabel(name, { exact: true }).or(page.getByRole("button", { name })).first();
  for (let presses = 0; presses < 60; presses++) {
    if ((await wanted.and(page.locator(":focus")).count()) > 0) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${name}`);
}

describe("the emulator's page", () => {
  test("shows a pod as it comes, boots and goes, without being asked", async () => {
    const client = await open();
    const { id } = await createPod(client, { name: "<b>trainer</b>" });
    const pod = client.page.getByRole("button", { name: "pod <b>trainer</b>" });
    await pod.getByText("PROVISIONING").waitFor();
    client.clock.advance(3_000);
    await pod.getByText("RUNNING").waitFor();
    expect(await client.page.locator("#news").textContent()).toBe("pod <b>trainer</b> is RUNNING");
    await client.rest("DELETE", `/pods/${id}`);
    await pod.waitFor({ state: "detached" });
    expect(client.errors).toEqual([]);
  });

  test("shows requests with what became of them, and counts none of its own", async () => {
    const { page, rest, emulator } = await open({ rateLimit: { minute: 60, enforce: true } });
    await rest("GET", "/pods");
    await rest("GET", "/pods/nobody");
    const rows = page.locator("#requests-rows tr");
    await rows.getByText("404").waitFor();
    expect(await rows.allTextContents()).toEqual([
      expect.stringContaining("GET /v2/pods/nobody"),
      expect.stringContaining("GET /v2/pods"),
    ]);
    await page.getByText("58 of 60 left this minute").waitFor();
    await tabTo(page, "Filter");
    await page.keyboard.type("404");
    await page.getByText("1 of 2 latest").waitFor();
    expect(await rows.count()).toBe(1);
    await page.reload();
    await rows.first().waitFor();
    expect(emulator.requests).toHaveLength(2);
  });

  test("takes a fault by keyboard, shows who met it, and ends it", async () => {
    const { page, rest, errors } = await open();
    await tabTo(page, "Status");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("503");
    await tabTo(page, "Times");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("0");
    await tabTo(page, "Path");
    await page.keyboard.type("/pods");
    await page.keyboard.press("Enter");
    await page.getByText("fault-1: status 503 before /pods, until ended").waitFor();
    expect((await rest("GET", "/pods")).status).toBe(503);
    await page.getByText("fault-1 met GET /v2/pods").waitFor();
    await tabTo(page, "End fault-1");
    await page.keyboard.press("Enter");
    await page.getByText("none planned").waitFor();
    // The focused button is gone. The focus must move, so that keyboard users keep their place.
    expect(await page.locator(":focus").textContent()).toBe("Faults");
    expect((await rest("GET", "/pods")).status).toBe(200);
    expect(errors).toEqual([]);
  });

  test("plans everything that it offers", async () => {
    const { page, emulator } = await open();
    const what = page.locator("#faults-form [name=what]");
    const offered = await what.locator("option").allTextContents();
    for (const [index, label] of offered.entries()) {
      await what.selectOption({ label });
      await page.getByRole("button", { name: "Add fault" }).click();
      await page.getByText(`fault-${index + 1} is planned`).waitFor();
    }
    const planned = emulator.faults.plan.map(({ fault }) => fault.what);
    expect(planned).toEqual(
      expect.arrayContaining([
        { status: 502 },
        { reset: true },
        { rateLimited: { retryAfter: 5 } },
        { later: 30_000 },
        { later: 30_000, reset: true },
        { lag: 5_000 },
        { answer: { status: 204 } },
        { answer: { status: 200, body: {} } },
        { answer: { status: 404, text: expect.stringContaining("<h1>"), type: "text/html" } },
      ]),
    );
    await page.getByText("status 504 before any request, once, effect 30000 ms later").waitFor();
    await page.getByText("reset before any request, once, effect 30000 ms later").waitFor();
    await page.getByText("answer 404 before any request, once").waitFor();
  });

  test("says why a fault is refused", async () => {
    const { page } = await open();
    await tabTo(page, "Path");
    await page.keyboard.type("pods");
    await page.keyboard.press("Enter");
    await page.getByText("match.path").waitFor();
  });

  test("leads by keyboard from a resource to what it hangs together with, and back", async () => {
    const client = await open();
    const body = { name: "models", size: 10, dataCenter: "EU-RO-1" };
    const { id: volumeId } = (await client.rest("POST", "/network-volumes", body)).body;
    await createPod(client, { mounts: { network: [{ volumeId, path: "/models" }] } });
    const { page } = client;
    await page.locator("#picture path[data-relation=mounts]").waitFor({ state: "attached" });
    await tabTo(page, "pod p");
    await page.keyboard.press("Enter");
    await page.getByText("1 × NVIDIA GeForce RTX 4090").waitFor();
    await tabTo(page, "mounts models");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "models" }).waitFor();
    await page.keyboard.press("Escape");
    expect(await page.locator(":focus").textContent()).toContain("models");
  });

  test("gets no secret: no value, no variable, no body, no key", async () => {
    const client = await open({ apiKey: "key" });
    const { emulator, page, clock } = client;
    emulator.service.secrets.create({ name: "token", value: "SECRET-1" });
    const registry = { name: "ghcr", username: "SECRET-2", password: "SECRET-3" };
    await client.rest("POST", "/registries", registry);
    await createPod(client, { name: "last", env: { TOKEN: "SECRET-4" }, args: "--token SECRET-5" });
    await client.graphql("query { myself { id } }");
    await fetch(`${emulator.graphqlUrl}?api%5Fkey=SECRET-6`, { method: "POST" });
    emulator.faults.add({ match: {}, when: "before", what: { status: 500 }, times: 0 });
    await client.rest("POST", "/registries", { ...registry, name: "other" });
    clock.advance(3_000);
    await page.getByText("fault-1 met POST /v2/registries").waitFor();
    const events = await stream(emulator.pageUrl, "event: limits");
    expect(events).toContain("last");
    expect(`${events}${await page.content()}`).not.toMatch(/SECRET-\d/);
  });

  test.each([
    ["light", 1280],
    ["dark", 400],
  ] as const)("is accessible and readable in %s, %i pixels wide", async (colorScheme, width) => {
    const emulator = await busyAccount();
    try {
      const viewport = { width, height: 800 };
      const { page, errors } = await visit(emulator.pageUrl, {
        viewport,
        colorScheme,
        reducedMotion: "reduce",
      });
      await page.getByRole("button", { name: /^endpoint chat/ }).press("Enter");
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      expect((await page.screenshot()).length).toBeGreaterThan(30_000);
      expect(await doubts(page)).toEqual([]);
      expect(errors).toEqual([]);
    } finally {
      await emulator.close();
    }
  });

  test.each(["/", "/page/events", "/faults"])(
    "keeps %s from names that a site can point here",
    async (path) => {
      const { emulator } = await emulate();
      expect(await statusFor(emulator.port, path, "rebound.example:80")).toBe(403);
      expect(await statusFor(emulator.port, path, `localhost:${emulator.port}`)).toBe(200);
      expect(await statusFor(emulator.port, path, `[::1]:${emulator.port}`)).toBe(200);
    },
  );
});

test("a page of another site can neither plan a fault nor read the plan", async () => {
  const { emulator } = await emulate();
  const url = `http://127.0.0.1:${emulator.port}/faults`;
  const headers = { Origin: "https://other.example", "Content-Type": "text/plain" };
  const fault = JSON.stringify({ match: {}, when: "before", what: { reset: true } });
  // A browser sends this POST without a preflight request, and the OPTIONS request as a preflight.
  expect((await fetch(url, { method: "POST", headers, body: fault })).status).toBe(400);
  expect((await fetch(url, { method: "OPTIONS", headers })).ok).toBe(false);
  expect((await fetch(url, { headers })).headers.has("access-control-allow-origin")).toBe(false);
  expect(emulator.faults.plan).toEqual([]);
});

/** What axe finds wrong or cannot decide. It is evaluated, because the page's policy allows no injected script. */
async function doubts(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations, incomplete } = await page.evaluate<axe.AxeResults>("axe.run()");
  return [...violations, ...incomplete].flatMap(({ help, nodes }) =>
    nodes.map(({ html }) => `${help}: ${html}`),
  );
}

/** The page's event stream up to the first occurrence of `last`. */
async function stream(pageUrl: string, last: string): Promise<string> {
  const { body } = await fetch(`${pageUrl}page/events`);
  let text = "";
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes(last)) break;
  }
  return text;
}

function statusFor(port: number, path: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    httpRequest({ host: "127.0.0.1", port, path, headers: { Host: host } }, (response) => {
      response.destroy();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
}
