import { Secret } from "podlumi";
import type { Emulator, EmulatorOptions } from "../../sdk/emulator/service";
import { describeLong } from "../harness/long";
import { type Drift, type Edit, lifeCycle } from "./life-cycle";

const rename: Edit = { title: "another name", to: { name: "renamed" }, op: "replace", shows: ["name"] };
const newValue: Omit<Edit, "op"> = {
  title: "another value",
  to: { value: "battery staple" },
  holds: { value: "battery staple" },
};

const descriptions: readonly Edit[] = [
  {
    title: "a description",
    to: { description: "of CI" },
    op: "update",
    shows: ["description"],
    holds: { description: expect.stringMatching(/^of CI podlumi: /) },
  },
  {
    title: "no description any more",
    from: { description: "of CI" },
    to: {},
    op: "update",
    shows: ["description"],
    holds: { description: expect.stringMatching(/^podlumi: /) },
  },
];

function through(
  title: string,
  features: EmulatorOptions["features"],
  edits: readonly Edit[],
  drifts: readonly Drift[] = [],
): void {
  describe(title, () => {
    lifeCycle({
      kind: "secret",
      collection: "account/secrets",
      resource: Secret,
      base: { value: "correct horse" },
      full: {
        args: { name: "hf/token.v1", description: "of CI" },
        holds: { name: "hf/token.v1", value: "correct horse" },
      },
      edits,
      drifts,
      look,
      lose: ({ service }, id) => service.secrets.delete(id) ?? true,
      emulator: { features },
    });
  });
}

function look({ service }: Emulator, id: string): Record<string, unknown> | undefined {
  const secret = service.secrets.list().find((candidate) => candidate.id === id);
  return secret && { ...secret, value: service.secrets.valueOf(id) };
}

through(
  "over REST, which is used when the service has it",
  { graphql: false },
  [rename, { ...newValue, op: "update" }, ...descriptions],
  [
    {
      title: "a value",
      behind: { value: "theirs" },
      shows: ["value"],
      holds: { value: "correct horse" },
    },
  ],
);

describeLong("where REST has no secrets,", () => {
  through("over GraphQL", { restSecrets: false, graphqlExtras: true }, [
    rename,
    { ...newValue, op: "replace" },
  ]);
});
