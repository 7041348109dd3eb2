import { begin, declared, emulator, existing, type Kind, provider, urnOf } from "./process";

/** A state that an alias gives to a resource of another kind. */
async function aliased(from: Kind, to: Kind) {
  const { id, outs = {} } = await begin(provider()[from], from);
  return { id, state: { ...outs, __urn: urnOf(from) }, news: declared(to, { name: outs.name }) };
}

test.each<[Kind, Kind, string]>([
  ["pod", "serverlessEndpoint", "pod"],
  ["networkVolume", "pod", "network volume"],
  ["networkVolume", "template", "network volume"],
])("the state of a %s is none of a %s: no verb acts on it", async (from, to, noun) => {
  const { id, state, news } = await aliased(from, to);
  const of = provider()[to];
  const refusal = `by the state it is the ${noun} ${id}. An alias must`;
  await expect(of.diff?.(id, state, news)).rejects.toThrow(refusal);
  await expect(of.update?.(id, state, news)).rejects.toThrow(refusal);
  await expect(of.read?.(id, state)).rejects.toThrow(refusal);
  await expect(of.delete?.(id, state)).rejects.toThrow(refusal);
  expect(existing()).toEqual([id]);
});

test("the other face is no other kind", async () => {
  const { id, state } = await aliased("pod", "serverlessEndpoint");
  const plugin = state.__urn.replace("pulumi-nodejs:dynamic/podlumi:Pod", "podlumi:index:Pod");
  await provider().pod.delete(id, { ...state, __urn: plugin });
  expect(emulator.service.pods.list()).toEqual([]);
});
