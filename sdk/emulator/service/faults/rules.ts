import type { LoggedRequest } from "../emulator";
import { badRequest, noCapacity, type Problem } from "../state/problem";
import { registryInUse, registryNameTaken } from "../state/registries";
import { secretNameTaken } from "../state/secrets";
import { templateInUse, templateNameTaken } from "../state/templates";
import { volumeInUse } from "../state/volumes";
import type { What } from "./fault";

export type BrokenRule = Extract<What, { capacity: true } | { inUse: true } | { nameTaken: true }>;

interface Rules {
  about: RegExp;
  inUse: () => Problem;
  nameTaken: (name: string) => Problem;
}

/** For kinds of objects for which the service has no such rule. */
const inUse = () => badRequest("resource is in use");
const nameTaken = (name: string) => badRequest(`name '${name}' already exists`);

const RULES: Rules[] = [
  { about: /volume/i, inUse: volumeInUse, nameTaken },
  { about: /template/i, inUse: templateInUse, nameTaken: templateNameTaken },
  { about: /regist/i, inUse: registryInUse, nameTaken: registryNameTaken },
  { about: /secret/i, inUse, nameTaken: secretNameTaken },
];

/** The service's own refusal for the kind of object that the request is about. */
export function brokenRule(what: BrokenRule, request: LoggedRequest): Problem {
  if ("capacity" in what) return noCapacity();
  const subject = request.operation ?? request.path;
  const rules = RULES.find(({ about }) => about.test(subject)) ?? { inUse, nameTaken };
  return "inUse" in what ? rules.inUse() : rules.nameTaken(nameIn(request.body));
}

interface Named {
  name?: string;
  variables?: { input?: { name?: string } };
}

/** The name in a REST body or in GraphQL's `input` variable. */
function nameIn(body: unknown): string {
  const { name, variables } = (body ?? {}) as Named;
  return name ?? variables?.input?.name ?? "";
}
