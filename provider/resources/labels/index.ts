import * as z from "zod";
import type { Api } from "../../client/api";
import { ExpectedError } from "../../client/errors";
import { HalfDoneError, RefusedError } from "../../core/errors";
import type { Definition, Observed, Unready } from "../../core/kind";
import { declaration, isDeclared } from "../../core/state/declared";
import { unfinishedIn } from "../../core/state/unfinished";
import type { Failure } from "../../schema/failure";
import { type ChangeRule, change, type Fields } from "../../schema/field";
import { covers, filtered, isEmpty, isRecord, isUnknown, type Properties } from "../../value";
import { noLabels } from "../../words/requests";
import { trimmed } from "../container";
import { areMissing, attach, detach, type Label, noTags, type Target } from "./api";
import type { LabelArgs } from "./types";

/** Fails in the preview where the service has no such labels. */
const changed =
  (property: Label["property"]): ChangeRule =>
  async (from, to, { api }) => {
    // An object that a killed run has left shows its tags as the service lists them. Any other has them from a state or a read.
    if (Array.isArray(from) && covers(shown(from), to)) return "none";
    const failure = isUnknown(to) ? undefined : await lacking(api, { [property]: to });
    if (failure !== undefined) throw new RefusedError(`${property}: ${failure.reason}`, noTags);
    return "update";
  };

/** (API: Tags, create) */
const key = trimmed(191).refine(
  (text) => !/^runpod:/i.test(text),
  "must not begin with runpod:, which the platform keeps for itself",
);

/** (API: Cost centers, create) */
const costCenter = trimmed(50);

const rules = { notInBody: true, inPlace: true } as const;

const labelFields: Fields<LabelArgs> = {
  tags: change(z.record(key, z.string().max(191)).optional(), changed("tags"), {
    ...rules,
    cleared: {},
    exact: true,
  }),
  costCenter: change(costCenter.optional(), changed("costCenter"), { ...rules, cleared: undefined }),
};

/** A kind whose objects have tags and a cost center. They get them once they have an id, before they become ready. */
export function labelled<Args extends LabelArgs>(
  type: Target["type"],
  kind: Definition<Omit<Args, keyof LabelArgs>>,
): Definition<Args> {
  const { advice, readiness } = kind;
  return {
    ...kind,
    fields: { ...kind.fields, ...labelFields } as Fields<Args>,
    advice: {
      ...advice,
      conflict: async (api, inputs) => (await advice?.conflict?.(api, inputs)) ?? lacking(() => api, inputs),
    },
    async read(api, id, state, reading) {
      const found = await kind.read(api, id, state, reading);
      return found && { ...found, ...labelsRead(found, state, reading?.isWhole) };
    },
    readiness: {
      ...readiness,
      async make(unready) {
        const { observed } = unready;
        const labels = await settle(unready, type);
        try {
          const ready = await (readiness?.make(unready) ?? observed);
          return { ...ready, ...labels };
        } catch (error) {
          const last = error instanceof HalfDoneError ? error.observed : observed;
          throw HalfDoneError.of(error, { ...last, ...labels });
        }
      },
    },
  };
}

/** The property that the service certainly cannot set. */
async function lacking(api: () => Api, inputs: Properties): Promise<Failure | undefined> {
  for (const property of ["tags", "costCenter"] as const)
    if (!isEmpty(inputs[property]) && (await areMissing(api, property)))
      return { property, reason: noLabels(property), code: noTags };
  return undefined;
}

/** Those of a state, with the values that the service shows. It shows no cost center, and tags only of some kinds. */
function labelsRead({ tags }: Observed, state: Properties, isWhole = false): Properties {
  // Of an object that is to be adopted, what is there says the program alone: nobody has attached that.
  const known = isDeclared(state) ? state : {};
  const own: Properties = { ...Object(declaration(state).tags), ...Object(state.tags) };
  const isAll = isWhole || (!isDeclared(state) && isEmpty(own));
  const seen = Array.isArray(tags) ? filtered(shown(tags), (one) => isAll || one in own) : known.tags;
  return { tags: isEmpty(seen) ? undefined : seen, costCenter: known.costCenter };
}

/** Attaches what the program says, and detaches what it dropped. Tags of other keys are other people's. */
async function settle(
  { api, id, wanted, observed, before }: Unready,
  type: Target["type"],
): Promise<Properties> {
  // An object that podlumi takes over has no state yet.
  const ofProgram = () => filtered(shown(observed.tags), (one) => one in Object(wanted.tags));
  const present = labelsOf({ ...before, tags: isRecord(before.tags) ? before.tags : ofProgram() });
  const all = labelsOf(wanted);
  const dropped = [...present].filter(([text]) => !all.has(text));
  // The state of a failed attempt has empty values of tags also where they are missing.
  const missing = [...all].filter(([text]) => unfinishedIn(before).isNotReady || !present.has(text));
  // A resource is in one cost center at most, so it leaves that first. (API: Cost centers)
  for (const [text, label] of [...dropped, ...missing])
    try {
      await (all.has(text) ? attach : detach)(api, label, { type, id });
      if (all.has(text)) present.set(text, label);
      else present.delete(text);
    } catch (error) {
      if (!(error instanceof ExpectedError)) throw error;
      const seen = { ...observed, ...outputsOf(present) };
      // Without the cause: the state has what is attached, so that nothing about it is unclear.
      throw new HalfDoneError(`${label.property}: ${error.message}`, error.code, seen);
    }
  return outputsOf(present);
}

/** By their texts, which are the same for the same label. */
function labelsOf({ tags, costCenter }: Properties): Map<string, Label> {
  const all = Object.entries(Object(tags)).map(([key, value]): Label => ({ property: "tags", key, value }));
  if (costCenter !== undefined) all.push({ property: "costCenter", value: costCenter });
  return new Map(all.map((label) => [JSON.stringify(label), label]));
}

function outputsOf(labels: ReadonlyMap<string, Label>): Properties {
  const all = [...labels.values()];
  const tags = shown(all.filter(({ property }) => property === "tags"));
  const center = all.find(({ property }) => property === "costCenter");
  return { tags: isEmpty(tags) ? undefined : tags, costCenter: center?.value };
}

/** Tags by their keys. A response lists them. */
function shown(tags: unknown): Properties {
  const all = Array.isArray(tags) ? tags.filter(isRecord) : [];
  return Object.fromEntries(all.map(({ key, value }) => [key, value]));
}
