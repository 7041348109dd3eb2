import { NetworkVolume, Secret } from "podlumi";
import { emulatedStack, emulator, stack } from "../harness/emulated";
import { TestStack } from "../harness/stack";

emulatedStack("each", {
  rateLimit: { minute: 20, minuteSeconds: 6, enforce: true },
  graphqlRateLimit: { minute: 10, minuteSeconds: 6, enforce: true, headers: false },
  features: { restSecrets: false },
});

test("two ups at once share the quotas of REST and of GraphQL, and neither fails", async () => {
  const other = await TestStack.create(emulator.env);
  const each = 15;
  const program = (team: string) => () => {
    for (let number = 0; number < each; number++) {
      new NetworkVolume(`${team}${number}`, { size: 10, dataCenter: "EU-RO-1" });
      new Secret(`${team}${number}`, { value: `value ${number}` });
    }
  };
  try {
    await Promise.all([stack.up(program("a")), other.up(program("b"))]);
    const { networkVolumes, secrets } = emulator.service.snapshot();
    expect([networkVolumes.length, secrets.length]).toEqual([2 * each, 2 * each]);
    // Neither quota was enough for both at once.
    for (const [of, quota] of [
      ["rest", 20],
      ["graphql", 10],
    ] as const) {
      const accepted = emulator.requests.filter(({ interface: one, status }) => one === of && status < 300);
      const took = Number(accepted.at(-1)?.at) - Number(accepted[0]?.at);
      expect(took).toBeGreaterThan((Math.ceil(accepted.length / quota) - 2) * 6_000);
    }
  } finally {
    other.remove();
  }
});
