import type { Api } from "../client/api";
import type { LogLine, LogSource } from "../client/logs";
import { path } from "../client/rest";
import { isAlwaysOfPlatform } from "../core/state/platform";
import { inLine } from "../mask";
import { filtered, isRecord, type Properties } from "../value";

/** Whose lines they are. */
interface Speaker {
  /** In words: `Its last lines`. */
  readonly title: string;
  /** The path of the log. */
  readonly path: string;
  /** The id by which the command line shows the log. */
  readonly id: string;
  /** The variables of the container, those of its template among them, as the service returns them. */
  readonly env: unknown;
}

/**
 * The last lines of a container, for the end of a message; empty where it has said nothing. The state keeps messages, so the lines hide
 * what is secret in the container. Where this run does not know all of that, it quotes none.
 */
export async function lastLines(api: Api, { title, path, id, env }: Speaker): Promise<string> {
  const lines = await api.rest.lastLines(path, 20);
  if (lines.length === 0) return "";
  const [unknown] = isRecord(env) ? api.secrets.unknownIn(env) : ["its variables"];
  if (unknown === undefined) {
    const hidden = (text: string) => api.secrets.hidden(text, variablesToHide(env));
    return ` ${title}:\n${quoted(lines, hidden)}`;
  }
  const what = isRecord(env) ? `the value of the secret "${inLine(unknown)}"` : unknown;
  return ` ${title} are not quoted: they may contain ${what}, which this run does not know. \`npx podlumi logs ${id}\` shows them.`;
}

export function lastLinesOfPod(api: Api, id: string, env: unknown): Promise<string> {
  return lastLines(api, { title: "Its last lines", path: path`/pods/${id}/logs`, id, env });
}

/** The lines as `source: line`. What is secret is hidden before, since it can go over several lines. */
function quoted(lines: readonly LogLine[], hidden: (text: string) => string): string {
  const texts: { readonly source: LogSource; text: string }[] = [];
  for (const { source, line } of lines) {
    const last = texts.at(-1);
    if (last?.source === source) last.text += `\n${line}`;
    else texts.push({ source, text: line });
  }
  const told = texts.flatMap(({ source, text }) =>
    hidden(text)
      .split("\n")
      .map((line) => `${source}: ${line}`),
  );
  return told.join("\n");
}

/** The variables whose values a quotation hides. What the platform tells each container is no secret, and messages have the id. */
export function variablesToHide(env: unknown): Properties {
  return filtered(isRecord(env) ? env : {}, (name) => !isAlwaysOfPlatform(name));
}
