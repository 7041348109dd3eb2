import { existsSync, readFileSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import type { Api } from "../../provider/client/api";
import { ExpectedError } from "../../provider/client/errors";
import { placeOf, stackDigits } from "../../provider/core/mark";
import { markOf } from "../../provider/core/ownership";
import { holders, output, resourcesIn } from "../../provider/core/stack-state";
import { definitionOf, type Listed, type ListedKind, listed } from "./kinds";

/** An object that carries the mark of a stack. */
export interface Marked extends Listed {
  /** Digits of the stack. */
  readonly mark: string;
  /** The resource that it was made for, `Pod::web`; null where the object has no room for it. */
  readonly resource: string | null;
  /** Whether Pulumi's state has it; null where no state of the stack was found. */
  readonly inState: boolean | null;
}

/** What one stack of a name has in the account. Another backend, or a stack that was made anew, has another mark. */
export interface StackObjects {
  readonly mark: string;
  /** The names under which it made objects: more than one after a rename. */
  readonly names: readonly string[];
  readonly objects: readonly Marked[];
}

/** `project/stack`, or the name of a stack of the project in this folder. */
export function stackName(text: string): string {
  const parts = text.split("/");
  if (parts.some((part) => part === "")) throw new InvalidArgumentError("It is project/stack.");
  if (parts.length > 1) return parts.slice(-2).join("/");
  const file = "Pulumi.yaml";
  const project = existsSync(file)
    ? /^name:\s*["']?([\w.-]+)/m.exec(readFileSync(file, "utf8"))?.[1]
    : undefined;
  if (project === undefined) {
    throw new InvalidArgumentError("It is project/stack: there is no Pulumi.yaml here that names a project.");
  }
  return `${project}/${text}`;
}

/** Everything in the account that carries the mark of a stack of this name. */
export async function objectsOfStacks(
  api: Api,
  stack: string,
  kinds: readonly ListedKind[],
): Promise<{ stacks: StackObjects[]; complete: boolean }> {
  const { all, complete } = await listed(api, kinds);
  const marked = all.flatMap((one) => {
    const mark = markOf(definitionOf(one.kind), one.object);
    return mark === undefined ? [] : [{ one, mark }];
  });
  const place = placeOf(stack);
  const marks = new Set(marked.filter(({ mark }) => mark.place === place).map(({ mark }) => mark.stack));
  const states = marks.size === 0 ? [] : await statesOf(stack);
  const stacks = [...marks].map((digits): StackObjects => {
    const own = marked.filter(({ mark }) => mark.stack === digits);
    const state = states.find(({ marks }) => marks.has(digits));
    const objects = own.map(({ one, mark }) => ({
      ...one,
      mark: digits,
      resource: mark.told?.resource ?? null,
      inState: state === undefined ? null : state.ids.has(one.id),
    }));
    return { mark: digits, names: [...new Set(own.flatMap(({ mark }) => mark.told?.stack ?? []))], objects };
  });
  return { stacks, complete };
}

/** A state: which marks its providers stand for, and which objects it has. */
interface State {
  readonly marks: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
}

/** The states of stacks of this name that Pulumi knows here; none where it knows none, or is not to be asked. */
async function statesOf(stack: string): Promise<State[]> {
  const list = await output(["stack", "ls", "--all", "--json", "--fully-qualify-stack-names"]);
  const names = namesIn(list).filter((name) => name.endsWith(`/${stack}`));
  return Promise.all(
    names.map(async (name) => {
      const exported = await output(["stack", "export", "--stack", name]);
      if (exported === undefined) {
        throw new ExpectedError(
          `Pulumi has a stack ${name}, and \`pulumi stack export --stack ${name}\` failed: what of it is live cannot be told`,
        );
      }
      const resources = resourcesIn(exported);
      const providers = resources.filter(({ type }) => type.startsWith("pulumi:providers:"));
      return {
        marks: new Set(providers.map(({ id }) => stackDigits(id ?? ""))),
        ids: new Set(holders(resources).keys()),
      };
    }),
  );
}

function namesIn(list: string | undefined): string[] {
  try {
    return JSON.parse(list ?? "[]").map(({ name }: { name: unknown }) => String(name));
  } catch {
    return [];
  }
}
