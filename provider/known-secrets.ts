import { masked } from "./mask";

/** A reference to a secret of the account. (API: Secrets, references) */
const reference = /\{\{\s*RUNPOD_SECRET_([^{}]+?)\s*\}\}/g;

/** Shorter words of a secret are common ones, such as `serve`. */
const shortestWord = 8;

/** The names of the secrets of the account to which these variables refer. */
export function secretsNamedIn(env: object): string[] {
  return Object.values(env).flatMap((value) =>
    [...String(value).matchAll(reference)].map(([, name = ""]) => name),
  );
}

/** The secrets of containers that this process knows. A container can log them, and a message that quotes its log gets into the state. */
export class KnownSecrets {
  private readonly texts = new Set<string>();
  /** Names of the secrets of the account whose values are among the texts. */
  private readonly names = new Set<string>();

  /** A container gets a secret command word by word, and may say a single word of it. */
  note(texts: readonly string[]): void {
    const words = texts
      .flatMap((text) => text.split(/[\s"'=]+/))
      .filter((word) => word.length >= shortestWord);
    for (const text of [...texts, ...words]) this.texts.add(text);
  }

  /** Notes that the value of this secret is known. Names that differ in case alone are the same to the service. (API: Secrets, name rules) */
  noteName(name: string): void {
    this.names.add(name.toLowerCase());
  }

  /** The secrets to which these variables refer, and whose values this process does not know. */
  unknownIn(env: object): string[] {
    return [...new Set(secretsNamedIn(env))].filter((name) => !this.names.has(name.toLowerCase()));
  }

  /** Hides the known secrets, and the variables of the container that `text` quotes. */
  hidden(text: string, env: object): string {
    return masked(text, [...this.texts, ...Object.values(env).map(String)]);
  }
}
