import type { ResourceProvider } from "@pulumi/pulumi/dynamic";
import { onBehalfOf } from "../engine/log";
import { adoptField } from "./adopt";
import { checker } from "./check";
import type { Kind } from "./definition";
import type { Run } from "./run";
import { check } from "./verbs/check";
import { create } from "./verbs/create";
import { remove } from "./verbs/delete";
import { diff } from "./verbs/diff";
import { read } from "./verbs/read";
import { update } from "./verbs/update";

/** The verbs that the engine calls, for one kind. */
export function handler(definition: Kind, run: Run): ResourceProvider {
  const fields = definition.single ? definition.fields : { ...definition.fields, adopt: adoptField };
  const kind = { ...definition, fields, faults: checker(fields, definition.rules) };
  run.kinds.push(kind);
  return {
    configure: async ({ config }) => run.configure(config),
    check: (olds, news) => onBehalfOf(news.__urn, () => check(kind, run, olds, news)),
    diff: (id, olds, news) => diff(kind, run, id, olds, news),
    create: (inputs) => create(kind, run, inputs),
    read: (id, props) => read(kind, run, id, props),
    update: (id, olds, news) => update(kind, run, id, olds, news),
    delete: (id, props) => remove(kind, run, id, props),
  };
}
