import { warn } from "../../engine/log";
import { completed } from "../../schema/check";
import type { Failure } from "../../schema/failure";
import { unknownValue } from "../../value";
import { adoptedWithoutMark, removeAdopt } from "../../words/whose";
import { type Checking, impatiently, type Resource } from "../call";
import { contradiction } from "../compare/contradiction";
import { ownMark } from "../compare/match";
import { tellRestart } from "../compare/update-notes";
import { RefusedError } from "../errors";
import { isMarkedByName } from "../kind/naming";
import { adoptedFrom } from "../mark/mark";
import { freeName, provisionalName } from "../names/naming";
import { warnIfNameTaken } from "../names/taken-names";
import { objectToAdopt } from "../own/adopt";
import { leftoverOf } from "../own/leftover";

export interface Preview {
  /** The name that the program gives, or the one that podlumi makes up. */
  readonly name: unknown;
  readonly failures: readonly Failure[];
  /** It gets an object that there is already, so that the service creates nothing. */
  readonly takesOver?: boolean;
}

/** A short look at the service for a resource that has no object yet. The create will look again. */
export async function previewOf(checking: Checking): Promise<Preview> {
  const { kind, run, before, inputs, provisional } = checking;
  const unseen = { name: provisional.name, failures: [] };
  if (before !== undefined) return unseen;
  const resource = impatiently({ ...checking, inputs: completed(kind.fields, inputs) });
  return run.look(kind, () => previewOfNew(resource), unseen);
}

/** Finds an object to take over, or what prevents the create. */
async function previewOfNew(resource: Resource): Promise<Preview> {
  const { kind, record, inputs, api } = resource;
  const isAdopted = record.willAdopt(inputs);
  try {
    if (isAdopted) return await previewOfAdoption(resource);
    const match = await leftoverOf(resource, provisionalName(resource));
    record.noteFound(match?.id);
    if (match !== undefined) {
      tellRestart(kind, match.state, inputs, match.changes);
      return { name: inputs.name ?? match.observed.name, failures: [], takesOver: true };
    }
    const name = await freeName(resource);
    // The object to replace has gone by then.
    const replaced = record.compared?.isReplaced ? record.compared.id : undefined;
    await warnIfNameTaken({ ...resource, inputs: { ...inputs, name } }, replaced);
    const failure = await kind.advice?.conflict?.(api(), { ...inputs, name });
    return { name, failures: failure === undefined ? [] : [failure] };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    const property = isAdopted ? "adopt" : "";
    return {
      name: provisionalName(resource),
      failures: [{ property, reason: error.message, code: error.code }],
    };
  }
}

async function previewOfAdoption(resource: Resource): Promise<Preview> {
  const { kind, run, record, urn, inputs } = resource;
  const match = await objectToAdopt(resource);
  if (match === undefined) return { name: inputs.name ?? unknownValue, failures: [] };
  // A resource that has the object in the state may come later in this run. Its diff then finds this one.
  run.holders.claim(kind, match.id, urn);
  record.noteFound(match.id);
  const writes = match.rewritesMark && kind.naming?.mark !== undefined ? { [kind.naming.mark]: ownMark } : {};
  tellRestart(kind, match.state, inputs, match.changes, writes);
  const refused = contradiction(kind, match.state, inputs, match.changes, removeAdopt);
  const failures = refused === undefined ? [] : [refused];
  // Where the name carries the mark of another resource, it has to change.
  const isInName = match.rewritesMark && isMarkedByName(kind);
  const name = inputs.name ?? (isInName ? provisionalName(resource, adoptedFrom) : match.observed.name);
  // The stack that had the object sees its adoption only by another mark.
  if (isInName && inputs.name !== undefined) warn(urn, adoptedWithoutMark(match.id), "PODLUMI-FOREIGN-MARK");
  return { name, failures };
}
