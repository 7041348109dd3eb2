import { readFile } from "node:fs/promises";

/** The text of an OpenAPI file, from a file or an address. */
export async function load(place: string): Promise<string> {
  if (!/^https?:/.test(place)) return readFile(place, "utf8");
  const answer = await fetch(place).catch(({ cause, message }: Error) => {
    throw new Error(
      `no answer from ${place}: ${(cause as NodeJS.ErrnoException | undefined)?.code ?? message}`,
    );
  });
  if (!answer.ok) throw new Error(`${place} answers ${answer.status}`);
  return answer.text();
}
