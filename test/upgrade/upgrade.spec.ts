import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Deployment } from "@pulumi/pulumi/automation";
import * as dynamic from "podlumi";
import * as plugin from "podlumi/plugin";
import { runsAll } from "../engine/runs-all";
import { clock, emulatedStack, emulator, stack } from "../harness/emulated";
import { type Recorded, replay } from "./account";
import { declare } from "./program";

// Every release takes over the stacks of the ones before it: main.ts keeps a state of each.

const faces = { dynamic, plugin };
const kept = readdirSync(__dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name: version }) =>
    readdirSync(join(__dirname, version)).map((file) => ({
      version,
      face: file.replace(".json", "") as keyof typeof faces,
      text: readFileSync(join(__dirname, version, file), "utf8"),
    })),
  );

emulatedStack("each");

/** The program, with the addresses of its objects as outputs of the stack. No release of that time told them. */
function declareShown(podlumi: typeof dynamic) {
  const shown: Record<string, unknown> = {};
  class Pod extends podlumi.Pod {
    constructor(name: string, ...more: [dynamic.PodArgs]) {
      super(name, ...more);
      shown[name] = this.urls;
    }
  }
  class ServerlessEndpoint extends podlumi.ServerlessEndpoint {
    constructor(name: string, ...more: [dynamic.ServerlessEndpointArgs]) {
      super(name, ...more);
      shown[name] = this.openaiBaseUrl;
    }
  }
  class NetworkVolume extends podlumi.NetworkVolume {
    constructor(name: string, ...more: [dynamic.NetworkVolumeArgs]) {
      super(name, ...more);
      shown[name] = this.s3Endpoint;
    }
  }
  declare({ ...podlumi, NetworkVolume, Pod, ServerlessEndpoint } as typeof dynamic);
  return shown;
}

test.each(kept.filter(({ face }) => runsAll || face === "plugin"))(
  "a stack of $version with the $face face continues unchanged",
  async ({ face, text }) => {
    const { requests, state } = JSON.parse(text) as { requests: Recorded[]; state: Deployment };
    await stack.takeIn((await replay(emulator, requests, state)) as Deployment);
    const program = () => declareShown(faces[face]);
    const before = emulator.requests.length;
    const changes = async (of: () => void) =>
      (await stack.preview(of)).steps.filter(({ op }) => op !== "same");
    expect(await changes(program)).toEqual([]);
    // It may move to the plugin at once.
    expect(await changes(() => declare(plugin))).toEqual([]);
    const { outputs } = await stack.up(program);
    const [trainer] = emulator.service.snapshot().pods.filter(({ name }) => name.startsWith("trainer"));
    expect(outputs).toEqual({
      data: "https://s3api-eu-ro-1.runpod.io",
      trainer: { 8888: `https://${trainer?.id}-8888.proxy.runpod.net` },
      keeper: {},
      llm: expect.stringMatching(/\/v2\/\w+\/openai\/v1$/),
    });
    clock.pass(60_000);
    const { results } = await stack.refresh();
    expect(
      results.filter(({ op, differs }) => !["same", "update"].includes(op) || differs.length > 0),
    ).toEqual([]);
    // Programs in other languages have only what the state has.
    const kept = (await stack.resources()).find(({ urn }) => urn.endsWith("::trainer"));
    expect(kept?.outputs.urls).toEqual(outputs.trainer);
    const sent = emulator.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
    expect(sent.filter((request) => !/^GET|graphql/.test(request))).toEqual([]);
    expect(await changes(program)).toEqual([]);
    await stack.destroy();
    expect(emulator.service.isEmpty()).toBe(true);
  },
);
