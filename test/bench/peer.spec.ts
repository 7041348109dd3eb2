import { phases } from "./life";
import { measurePeer, peerOf } from "./measure-peer";

test("another provider is measured beside podlumi, with the kinds that both have", async () => {
  const lives = await measurePeer(
    "dist/plugin/pulumi-resource-podlumi",
    { faces: ["plugin"], sizes: [2], latency: 0, runs: 1 },
    () => undefined,
  );
  expect(lives.map(({ provider }) => provider)).toEqual(["plugin", "pulumi-resource-podlumi"]);
  const [plugin, other] = lives;
  // It is the same plugin, so that it asks the same.
  expect(other?.calls).toEqual(plugin?.calls);
  expect(phases.map((phase) => other?.seconds[phase].length)).toEqual([1, 1, 1, 1]);
}, 180_000);

test("a provider that the table does not have is told where to add it", () => {
  expect(() => peerOf("/bin/pulumi-resource-unheard-of")).toThrow(/add others to test\/bench\/peers\.ts/);
});
