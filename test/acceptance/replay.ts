import { type EmulatorOptions, ManualClock, startEmulator } from "../../sdk/emulator/service";
import { isShapeOnly, Masker, maskedHeaders } from "./mask";
import { type Exchange, madeBy, madeOverGraphql, parsed } from "./recorder";

/** The emulator's answer to a recorded request; undefined where the emulator cannot be asked the same. */
export type Replayed = Pick<Exchange, "at" | "status" | "headers" | "answer"> | undefined;

/** Sends recorded requests, at their times, to an emulator of its own. Nothing waits: its clock moves along. */
export async function replay(
  exchanges: readonly Exchange[],
  options: EmulatorOptions = {},
): Promise<Replayed[]> {
  const clock = new ManualClock();
  const emulator = await startEmulator({ ...options, clock });
  const masker = new Masker();
  const answers: Replayed[] = [];
  const key = emulator.env.RUNPOD_API_KEY;
  let now = 0;
  try {
    for (const { interface: face, method, path, body, keyless, at, answer: recorded } of exchanges) {
      clock.advance(at - now);
      now = at;
      const rest = face === "rest";
      const sent = body === undefined ? undefined : masker.back(JSON.stringify(body));
      const where = masker.back(path);
      if (/<id-\d+>/.test(where + sent)) {
        answers.push(undefined);
        continue;
      }
      const url = rest ? encodeURI(emulator.apiUrl + where) : `${emulator.graphqlUrl}?api_key=${key}`;
      const answer = await fetch(url, {
        method,
        headers: {
          ...(rest && !keyless && { authorization: `Bearer ${key}` }),
          ...(sent !== undefined && { "content-type": "application/json" }),
        },
        body: sent,
      });
      const content = parsed(await answer.text());
      const made = rest ? madeBy(method, where, answer.status, content) : madeOverGraphql(content);
      if (made !== undefined) masker.learnId(made.id, idOf(recorded) ?? `<id-only-here-${answers.length}>`);
      masker.learn(sent === undefined ? undefined : JSON.parse(sent));
      answers.push({
        at,
        status: answer.status,
        headers: maskedHeaders(Object.fromEntries(answer.headers)),
        ...(content !== undefined && {
          answer: isShapeOnly(path) ? masker.shape(content) : masker.answer(content),
        }),
      });
    }
  } finally {
    await emulator.close();
  }
  return answers;
}

/** The placeholder of what a recorded request made. */
function idOf(recorded: unknown): string | undefined {
  const { id, data } = Object(recorded) as {
    id?: unknown;
    data?: { secretCreate?: { id?: unknown } | null };
  };
  const found = id ?? data?.secretCreate?.id;
  return typeof found === "string" ? found : undefined;
}
