import { Secret } from "podlumi";
import { emulatedStack, emulator, stack } from "../harness/emulated";

emulatedStack("all", { features: { restSecrets: false, graphqlExtras: false } });

/** A server with only the operations of the specification. It can neither list nor update secrets. */
test("a secret lives on a server that can only create and delete it", async () => {
  const program = (value: string) => () => ({ id: new Secret("token", { value }).id });

  const { outputs, printed } = await stack.up(program("first"));
  expect(printed).toContain("REST has no secrets here, so GraphQL is used for them");
  const preview = await stack.preview(program("second"));
  expect(preview.steps.map(({ op }) => op)).toContain("replace");
  const replaced = await stack.up(program("second"));
  expect(replaced.outputs.id).not.toBe(outputs.id);
  expect(emulator.service.secrets.list()).toHaveLength(1);
  expect(emulator.service.secrets.valueOf(String(replaced.outputs.id))).toBe("second");

  // No read can tell whether the secret still exists, so a refresh keeps it.
  emulator.service.secrets.delete(String(replaced.outputs.id));
  const refreshed = await stack.refresh();
  expect(refreshed.results.map(({ op }) => op)).toEqual(["same"]);
});
