import { readFile } from "node:fs/promises";

/** The text of an OpenAPI file, from a file or an address. */
export async function load(place: string): Promise<string> {
  if (!/^https?:/.test(place)) return readFile(place, "utf8");
  const answer = await fetch(place);
  if (!answer.ok) throw new Error(`${place} answers ${answer.status}`);
  return answer.text();
}
