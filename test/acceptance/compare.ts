import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../provider/value";
import type { Exchange } from "./recorder";
import type { Replayed } from "./replay";

/** In what the service and the emulator differ. */
export type Aspect =
  | "status"
  | "header"
  | "field"
  | "value"
  | "variable"
  | "order"
  | "lag"
  | "state"
  | "time"
  | "no change";

/** One thing in which the service differs from what podlumi and its emulator assume. */
export interface Difference {
  readonly aspect: Aspect;
  /** `GET /pods/{id}`. */
  readonly operation: string;
  /** The header, the field, the variable, or the state. */
  readonly path: string;
  /** What the service does. */
  readonly service: string;
  /** What the emulator does with the same requests. */
  readonly emulator: string;
  /** The steps that show it. */
  readonly steps: readonly string[];
  /** How many requests show it. */
  readonly count: number;
}

/** Compares each recorded answer with the emulator's answer to the same request. */
export function compare(exchanges: readonly Exchange[], replayed: readonly Replayed[]): Difference[] {
  const found = new Map<string, Difference>();
  const tell: Tell = ({ step }, aspect, operation, path, service, emulator) => {
    const key = JSON.stringify([aspect, operation, path, service, emulator]);
    const { steps = [], count = 0 } = found.get(key) ?? {};
    const all = steps.includes(step) ? steps : [...steps, step];
    found.set(key, { aspect, operation, path, service, emulator, steps: all, count: count + 1 });
  };
  exchanges.forEach((exchange, index) => {
    const other = replayed[index];
    if (other !== undefined) compareOne(exchange, other, tell);
  });
  compareLags(exchanges, replayed, tell);
  compareTimes(exchanges, replayed, tell);
  return [...found.values()];
}

type Tell = (
  exchange: Exchange,
  aspect: Aspect,
  operation: string,
  path: string,
  service: string,
  emulator: string,
) => void;

/** The operation of a request: `GET /pods/{id}`, `GraphQL secretCreate`. */
export function operationOf({ interface: face, method, path, body }: Exchange): string {
  if (face === "graphql") {
    const query = String(Object(body).query ?? "");
    return `GraphQL ${/\{\s*(\w+)/.exec(query)?.[1] ?? ""}`;
  }
  const [address = ""] = path.split("?");
  const parts = address.split("/").map((part) => (/^<id-|^acceptance-/.test(part) ? "{id}" : part));
  return `${method} ${parts.join("/")}`;
}

const shown = (value: unknown) => (value === undefined ? "nothing" : JSON.stringify(value));

function compareOne(exchange: Exchange, other: NonNullable<Replayed>, tell: Tell): void {
  const operation = operationOf(exchange);
  const say = (aspect: Aspect, path: string, service: unknown, emulator: unknown) =>
    tell(exchange, aspect, operation, path, String(service), String(emulator));
  if (exchange.status !== other.status) {
    say("status", "", exchange.status, other.status);
    return;
  }
  for (const name of new Set([...Object.keys(exchange.headers), ...Object.keys(other.headers)])) {
    const [one, two] = [exchange.headers[name], other.headers[name]];
    // An answer may name the character set or leave it out.
    if (withoutCharset(one) !== withoutCharset(two)) say("header", name, one ?? "nothing", two ?? "nothing");
  }
  compareValues(exchange.answer, other.answer, "", say);
}

const withoutCharset = (value: string | undefined) => value?.replace(/;\s*charset=.*/, "");

/** Fields that follow from the state of a pod. While the states differ, a difference of these proves nothing. */
const followsState = [
  "status",
  "actions",
  "runtime",
  "startedAt",
  "cost",
  "ssh",
  "cudaVersion",
  "dataCenterId",
  "desiredStatus",
];

type Say = (aspect: Aspect, path: string, service: unknown, emulator: unknown) => void;

function compareValues(one: unknown, two: unknown, path: string, say: Say): void {
  if (isDeepStrictEqual(one, two)) return;
  if (isRecord(one) && isRecord(two)) {
    const otherState =
      typeof one.status === "string" && typeof two.status === "string" && one.status !== two.status;
    for (const key of new Set([...Object.keys(one), ...Object.keys(two)])) {
      const inner = path === "" ? key : `${path}.${key}`;
      if (otherState && followsState.includes(key)) continue;
      const isVariable = /(^|\.)env$/.test(path);
      if (!(key in one) || !(key in two)) {
        const [has, lacks] = [short(one[key]), short(two[key])];
        say(
          isVariable ? "variable" : "field",
          isVariable ? key : inner,
          key in one ? has : "nothing",
          key in two ? lacks : "nothing",
        );
      } else compareValues(one[key], two[key], inner, say);
    }
    return;
  }
  if (Array.isArray(one) && Array.isArray(two)) {
    compareLists(one, two, path, say);
    return;
  }
  const [a, b] = [typeOf(one), typeOf(two)];
  if (a !== b) say("field", path, `${a}: ${short(one)}`, `${b}: ${short(two)}`);
  else say("value", path, shown(one), shown(two));
}

function compareLists(one: readonly unknown[], two: readonly unknown[], path: string, say: Say): void {
  const [ours, theirs] = [idsOf(one), idsOf(two)];
  if (ours.length + theirs.length === 0 && !one.some(isRecord) && !two.some(isRecord))
    say("value", path, shown(one), shown(two));
  else if (ours.length + theirs.length === 0) {
    for (let index = 0; index < Math.max(one.length, two.length); index++) {
      if (index < Math.min(one.length, two.length)) compareValues(one[index], two[index], `${path}[]`, say);
      else say("field", `${path}[]`, short(one[index]), short(two[index]));
    }
  }
  // If only one of the two lists an object, that is a lag. `compareTimes` measures lags.
  const common = ours.filter((id) => theirs.includes(id));
  const order = (ids: readonly string[]) => {
    const numbers = ids.filter((id) => common.includes(id)).map((id) => Number(/\d+/.exec(id)?.[0]));
    if (numbers.every((number, index) => index === 0 || number > Number(numbers[index - 1])))
      return "oldest first";
    if (numbers.every((number, index) => index === 0 || number < Number(numbers[index - 1])))
      return "newest first";
    return "in another order";
  };
  if (order(ours) !== order(theirs)) say("order", path, order(ours), order(theirs));
  for (const id of common) compareValues(itemOf(one, id), itemOf(two, id), `${path}[]`, say);
}

const itemOf = (list: readonly unknown[], id: string) =>
  list.find((item) => isRecord(item) && item.id === id);

function idsOf(list: readonly unknown[]): string[] {
  return list.flatMap((item) => (isRecord(item) && typeof item.id === "string" ? [item.id] : []));
}

function typeOf(value: unknown): string {
  if (value === null || value === undefined) return String(value ?? "nothing");
  if (Array.isArray(value)) return "list";
  return value === "<number>" ? "number" : typeof value;
}

function short(value: unknown): string {
  const text = shown(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

/** Whether lists and reads show an object, over the time after the request that made or deleted it. */
function compareLags(exchanges: readonly Exchange[], replayed: readonly Replayed[], tell: Tell): void {
  for (const id of new Set(exchanges.flatMap(({ answer }) => madeIn(answer)))) {
    const made = exchanges.findIndex(
      (one) => one.method === "POST" && one.status < 300 && madeIn(one.answer).includes(id),
    );
    const gone = exchanges.findIndex(
      (one) => one.method === "DELETE" && one.status < 300 && one.path.endsWith(id),
    );
    /** The last look that shows a difference, for what was made and for what was deleted. */
    const last = new Map<number, { exchange: Exchange; lists: boolean }>();
    exchanges.forEach((exchange, index) => {
      const other = replayed[index];
      if (other === undefined || index <= made || exchange.method !== "GET") return;
      const [one, two] = [listsIt(exchange.answer, id), listsIt(other.answer, id)];
      if (one === undefined || two === undefined || one === two) return;
      last.set(gone >= 0 && index > gone ? gone : made, { exchange, lists: one });
    });
    for (const [since, { exchange, lists }] of last) {
      const what = since === gone ? "deleted" : "made";
      const says = (listed: boolean) => `${listed ? "lists" : "does not list"} what was ${what}`;
      const seconds = Math.ceil((exchange.at - Number(exchanges[since]?.at)) / 1000);
      tell(exchange, "lag", operationOf(exchange), "", `${says(lists)} ${seconds} s ago`, says(!lists));
    }
  }
}

const madeIn = (answer: unknown): string[] =>
  isRecord(answer) && typeof answer.id === "string" && answer.id.startsWith("<id-") ? [answer.id] : [];

/** Whether a list has an object; undefined where the answer is no list of objects. */
function listsIt(answer: unknown, id: string): boolean | undefined {
  if (!isRecord(answer) || "id" in answer) return undefined;
  const lists = Object.values(answer).filter((value) => Array.isArray(value));
  return lists.length === 0 ? undefined : lists.some((list) => idsOf(list).includes(id));
}

/** The states of an object after a change, each with the milliseconds until it was seen. */
type Phase = [state: string, after: number][];

/** Milliseconds by which times may differ, because both are only seen when somebody looks. */
const grain = 4_000;

function compareTimes(exchanges: readonly Exchange[], replayed: readonly Replayed[], tell: Tell): void {
  for (const id of new Set(exchanges.flatMap(({ answer }) => madeIn(answer)))) {
    let change: Exchange | undefined;
    let [one, two]: [Phase, Phase] = [[], []];
    // Once one of the two is behind, its later states prove nothing.
    let isAbreast = true;
    const end = () => {
      if (change !== undefined && isAbreast) comparePhase(change, one, two, tell);
      isAbreast &&= one.at(-1)?.[0] === two.at(-1)?.[0];
      [one, two] = [[], []];
    };
    exchanges.forEach((exchange, index) => {
      const [state, other] = [stateIn(exchange.answer, id), stateIn(replayed[index]?.answer, id)];
      if (
        exchange.method !== "GET" &&
        (exchange.path.includes(id) || state !== undefined) &&
        exchange.status < 300
      ) {
        end();
        change = exchange;
      }
      note(one, state, exchange.at - (change?.at ?? 0));
      note(two, other, exchange.at - (change?.at ?? 0));
    });
    end();
  }
}

function note(phase: Phase, state: string | undefined, after: number): void {
  if (state !== undefined && phase.at(-1)?.[0] !== state) phase.push([state, after]);
}

function comparePhase(change: Exchange, one: Phase, two: Phase, tell: Tell): void {
  const operation = operationOf(change);
  // A state that was short may be missed, because looks are rare.
  const lasting = (phase: Phase, other: Phase) =>
    phase
      .filter(([state, after], index) => {
        const next = phase[index + 1];
        return next === undefined || next[1] - after > grain || other.some(([known]) => known === state);
      })
      .map(([state]) => state);
  const [states, others] = [lasting(one, two), lasting(two, one)];
  const seconds = (after: number | undefined) =>
    after === undefined ? "later" : `after ${Math.round(after / 1000)} s`;
  const when = (phase: Phase, wanted: string | undefined) => phase.find(([state]) => state === wanted)?.[1];
  // Nobody looks any more once the service has the wanted state. So one of the two may show fewer states.
  const length = Math.min(states.length, others.length);
  if (states.slice(0, length).join() !== others.slice(0, length).join()) {
    tell(change, "state", operation, "status", states.join(", "), others.join(", "));
    return;
  }
  const next = states[length] ?? others[length];
  if (next !== undefined && length > 0 && !states.slice(0, length).includes(next))
    tell(change, "time", operation, next, seconds(when(one, next)), seconds(when(two, next)));
  for (const [state, after] of one) {
    const other = when(two, state);
    if (other !== undefined && Math.abs(after - other) > Math.max(grain, 0.4 * Math.max(after, other)))
      tell(change, "time", operation, state, seconds(after), seconds(other));
  }
}

function stateIn(answer: unknown, id: string): string | undefined {
  if (!isRecord(answer)) return undefined;
  if (answer.id === id) return typeof answer.status === "string" ? answer.status : undefined;
  for (const value of Object.values(answer)) {
    const item = Array.isArray(value) ? itemOf(value, id) : undefined;
    if (isRecord(item)) return stateIn(item, id);
  }
  return undefined;
}
