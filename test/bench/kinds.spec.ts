import { kindNames, samples, steps } from "../kinds";
import { type KindCalls, measureKinds } from "./measure-kinds";

/**
 * The most requests that one resource of each kind takes (`most` in test/kinds.ts), by the rules that docs/performance.md shows: the list
 * of its kind, and the request itself.
 *
 * What is beside these:
 * - The check of what costs money asks for limits, balance and catalog, also in an up, since the engine need not have previewed it.
 * - Any other change, and the first preview of a stack, asks for the account, since nothing else of it shows whether the service takes the
 *   key. So does a create, since the state keeps whose key it used.
 * - A cluster shows its pods, which have a list of their own; its deletion waits for their end.
 * - What may name a secret or a credential is listed before that is deleted: pods, clusters, endpoints and templates.
 * - A credential changes in place where the service can do that, by its OpenAPI document. A delegation is replaced by any change.
 * - A preview lists volumes and clusters whose name the program gives: the one of that name may be what a killed run has left.
 * - The SSH keys are one list, which is read once more just before it is written.
 */
// What a whole stack asks is counted in bench.spec.ts, with both faces.
describe("the requests for one resource of each kind", () => {
  let calls: KindCalls;

  beforeAll(async () => {
    calls = await measureKinds("podlumi");
  }, 240_000);

  test.each(kindNames)("a %s takes no more than it needs", (kind) => {
    const excess = steps.filter((step) => calls[kind][step].length > samples[kind].most[step]);
    // A specification that fails names the requests.
    expect(Object.fromEntries(excess.map((step) => [step, calls[kind][step]]))).toEqual({});
  });
});
