import type { Emulator } from "../../sdk/emulator/service";
import { resourceTypes } from "../../sdk/emulator/service/state/labels";
import type { Drift, Edit } from "./life-cycle";

/** Arguments of a resource with tags and a cost center, and what the service must then have. */
export const labels = { tags: { team: "ml", note: "" }, costCenter: "research" };
export const attached = { tagged: { team: "ml", note: "" }, center: ["research"] };

/** What an object carries, by the book of the service: not every kind shows it. */
export function labelsOf({ service }: Emulator, id: string): { tagged: object; center: string[] } {
  const of = (one: "tags" | "costCenters") => resourceTypes.flatMap((type) => service[one].of({ type, id }));
  return {
    tagged: Object.fromEntries(of("tags").map(({ key, value }) => [key, value])),
    center: of("costCenters").map(({ value }) => value),
  };
}

/** Edits of the tags and the cost center that four kinds share. */
export const labelEdits: readonly Edit[] = [
  {
    title: "tags and a cost center",
    to: labels,
    op: "update",
    shows: ["costCenter", "tags"],
    holds: attached,
  },
  {
    title: "other tags and another cost center",
    from: labels,
    to: { tags: { team: "web", app: "x" }, costCenter: "sales" },
    op: "update",
    shows: ["costCenter", "tags"],
    holds: { tagged: { team: "web", app: "x" }, center: ["sales"] },
  },
  {
    title: "tags and the cost center dropped",
    from: labels,
    to: {},
    op: "update",
    shows: ["costCenter", "tags"],
    holds: { tagged: {}, center: [] },
  },
  {
    title: "tags in another order",
    from: labels,
    to: { tags: { note: "", team: "ml" }, costCenter: "research" },
    op: "same",
  },
];

/** Somebody gives the object another value of a key, and a tag of their own. Only some kinds show that. */
export const labelDrift: Drift = {
  title: "a tag",
  args: { tags: { team: "ml" } },
  behind: ({ service: { tags } }, id) => {
    for (const type of ["POD", "NETWORK_VOLUME"] as const) {
      const resource = { type, id };
      for (const one of tags.of(resource)) {
        const found = (key: string, value: string) =>
          tags.list().find((label) => label.key === key && label.value === value) ??
          tags.create({ key, value });
        tags.detach(one.id, resource);
        tags.attach(found("team", "theirs").id, resource);
        tags.attach(found("owner", "ada").id, resource);
      }
    }
  },
  shows: ["tags"],
  holds: { tagged: { team: "ml", owner: "ada" } },
};
