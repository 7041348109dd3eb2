import type { KindName } from "../../provider/identity";
import { kindNames, type Step, steps } from "./kinds";
import { faces } from "./life";
import { type KindCalls, measureKinds } from "./measure-kinds";

/**
 * The most requests that one resource of each kind takes. A refresh lists every kind that costs money, and a destroy
 * lists those once more at its end, because nobody else would tell of what an interrupted run left.
 */
const most: Record<KindName, Record<Step, number>> = {
  Cluster: { preview: 1, up: 4, again: 0, update: 2, refresh: 5, destroy: 7 },
  NetworkVolume: { preview: 1, up: 3, again: 0, update: 1, refresh: 4, destroy: 6 },
  Pod: { preview: 1, up: 3, again: 0, update: 1, refresh: 4, destroy: 6 },
  RegistryAuth: { preview: 1, up: 2, again: 0, update: 2, refresh: 5, destroy: 6 },
  RegistryDelegation: { preview: 0, up: 2, again: 0, update: 3, refresh: 5, destroy: 6 },
  Secret: { preview: 1, up: 2, again: 0, update: 2, refresh: 5, destroy: 6 },
  ServerlessEndpoint: { preview: 1, up: 3, again: 0, update: 1, refresh: 4, destroy: 6 },
  SshKeys: { preview: 1, up: 3, again: 0, update: 3, refresh: 5, destroy: 4 },
  Template: { preview: 1, up: 2, again: 0, update: 1, refresh: 5, destroy: 6 },
};

// The plugin starts faster. What is asked is decided in the core, so that the faces differ only in when they ask.
const measured = faces.filter((face) => face === "plugin" || process.env.PODLUMI_TEST_ALL === "1");

describe.each(measured)("the requests for one resource of each kind, by %s", (face) => {
  let calls: KindCalls;

  beforeAll(async () => {
    calls = await measureKinds(face);
  }, 480_000);

  test.each(kindNames)("a %s takes no more than it needs", (kind) => {
    const excess = steps.filter((step) => calls[kind][step].length > most[kind][step]);
    // A specification that fails names the requests.
    expect(Object.fromEntries(excess.map((step) => [step, calls[kind][step]]))).toEqual({});
  });
});
