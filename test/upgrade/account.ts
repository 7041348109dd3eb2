import type { Emulator, LoggedRequest } from "../../sdk/emulator/service";
import { mutates } from "../harness/account";

/** A request that changed an account, and the id of the object that it made or changed. */
export interface Recorded {
  readonly method: string;
  /** Below the address of the emulator, without the API key. */
  readonly path: string;
  readonly body?: unknown;
  readonly id?: string;
}

/** Stands for the address of the emulator, whose port is another one each time. */
const address = "http://emulator";

/** Records every request that changes an account from now on. */
export function record(emulator: Emulator): Recorded[] {
  const recorded: Recorded[] = [];
  emulator.on("after", {}, (request, answer) => {
    if (answer === undefined || answer.status >= 300 || !mutates(request)) return;
    const { method, path, body } = request;
    recorded.push({ method, path, body, id: idIn(request, String(answer.body)) });
  });
  return recorded;
}

/** Sends recorded requests to an empty account. Returns a state of the first account as one of this account. */
export async function replay(
  emulator: Emulator,
  recorded: readonly Recorded[],
  state: unknown,
): Promise<unknown> {
  const ids = new Map<string, string>();
  const here = <T>(value: T): T => {
    let text = JSON.stringify(value);
    for (const [old, id] of ids) text = text.replaceAll(old, id);
    return JSON.parse(text.replaceAll(address, emulator.pageUrl.slice(0, -1)));
  };
  for (const request of recorded) {
    const { method, path, body } = here(request);
    const answer = await fetch(new URL(path, emulator.pageUrl), {
      method,
      headers: { authorization: "Bearer key", "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    const id = idIn({ operation: undefined, ...emulator.requests.at(-1) }, text);
    if (request.id !== undefined && id !== undefined) ids.set(request.id, id);
  }
  return here(state);
}

/** An exported state without what it says of this machine: the emulator's address, and the files of the program. */
export function withoutMachine(emulator: Emulator, state: string): unknown {
  const isFile = (key: string) => key === "sourcePosition" || key === "stackTrace";
  return JSON.parse(state.replaceAll(emulator.pageUrl.slice(0, -1), address), (key, value) =>
    isFile(key) ? undefined : value,
  );
}

function idIn({ operation }: Pick<LoggedRequest, "operation">, body: string): string | undefined {
  const answer = body === "" ? undefined : JSON.parse(body);
  return operation === undefined ? answer?.id : answer?.data?.[operation]?.id;
}
