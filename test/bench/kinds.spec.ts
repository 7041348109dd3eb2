import type { KindName } from "../../provider/identity";
import { describeLong } from "../harness/long";
import { kindNames, type Step, steps } from "./kinds";
import { faces } from "./life";
import { type KindCalls, measureKinds } from "./measure-kinds";

/**
 * The most requests that one resource of each kind takes. A refresh lists every kind that costs money, and a destroy
 * lists those once more at its end, because nobody else would tell of what an interrupted run left.
 *
 * A change asks for the account once in a run, since nothing else of its check shows whether the service takes the key. So does
 * the first preview of a stack, for a kind that it does not list.
 * What costs money asks for limits and balance instead, in an up too, since the engine need not have previewed it. What may hold
 * data lists its kind in a preview, since where the account has none of it, nothing can be replaced. A change lists
 * the kind, because the mark shows whether another stack has adopted the object since. With the deletion of a secret or a
 * credential, the templates are listed, too, which may refer to it. A create asks for the account, since the state keeps whose key it
 * used. Another image replaces a delegation: what may use it is listed before that, and once more before the deletion.
 */
const most: Record<KindName, Record<Step, number>> = {
  Cluster: { preview: 4, up: 7, again: 0, update: 4, refresh: 6, destroy: 8 },
  GlobalVolume: { preview: 1, up: 3, again: 0, update: 3, refresh: 5, destroy: 7 },
  NetworkVolume: { preview: 2, up: 4, again: 0, update: 3, refresh: 5, destroy: 7 },
  Pod: { preview: 4, up: 6, again: 0, update: 3, refresh: 5, destroy: 7 },
  RegistryAuth: { preview: 1, up: 3, again: 0, update: 4, refresh: 6, destroy: 8 },
  RegistryDelegation: { preview: 1, up: 3, again: 0, update: 12, refresh: 6, destroy: 9 },
  Secret: { preview: 1, up: 3, again: 0, update: 3, refresh: 6, destroy: 8 },
  ServerlessEndpoint: { preview: 3, up: 6, again: 0, update: 3, refresh: 5, destroy: 7 },
  SshKeys: { preview: 2, up: 4, again: 0, update: 4, refresh: 6, destroy: 5 },
  Template: { preview: 1, up: 3, again: 0, update: 3, refresh: 6, destroy: 7 },
};

// 120 commands of the engine. What a whole stack asks is counted in bench.spec.ts.
describeLong.each(faces)("the requests for one resource of each kind, by %s", (face) => {
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
