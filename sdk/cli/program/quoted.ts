import { inLine } from "../../../provider/mask";

/** A plain value as TypeScript writes it. No character of it changes how the line looks to a person who reviews it. */
export const quoted = (value: unknown) => inLine(JSON.stringify(value));

/** The same in the longer escapes of Python and YAML: `\U0000202e` for `\u{202e}`. */
export function quotedWithLongEscapes(value: unknown): string {
  return quoted(value).replace(/\\\\|\\u\{(\w+)\}/g, (all, hex) =>
    hex === undefined ? all : `\\U${hex.padStart(8, "0")}`,
  );
}
