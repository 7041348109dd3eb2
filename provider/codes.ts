/** `code` names the entry in docs/troubleshooting.md. */
export function withCode(text: string, code: string): string {
  return `${text}${text.includes("\n") ? "\n" : " "}[${code}]`;
}
