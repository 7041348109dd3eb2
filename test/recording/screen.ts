/** The style of a text. `colour` is the terminal's colour number. */
export interface Style {
  readonly colour?: number;
  readonly bold?: boolean;
  readonly underline?: boolean;
}

/** Neighbouring cells of the same style. */
export interface Run extends Style {
  readonly column: number;
  readonly text: string;
}

interface Cell {
  readonly character: string;
  readonly style: Style;
}

/** One token: an escape sequence with parameters (CSI), one with text (OSC), a short one, or any character. */
const token = new RegExp(
  ["\\x1b\\[([0-9;?]*)([A-Za-z])", "\\x1b\\][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)", "\\x1b.", "[^]"].join("|"),
  "gu",
);

/** A terminal screen, with the features that Pulumi and npm use. */
export class Screen {
  private readonly lines: Cell[][] = [[]];
  private row = 0;
  private column = 0;
  private style: Style = {};

  constructor(
    readonly columns: number,
    readonly rows: number,
  ) {}

  write(text: string): void {
    for (const [all, parameters, command] of text.matchAll(token)) {
      if (command !== undefined) this.obey(command, parameters ?? "");
      else if (!all.startsWith("\x1b")) this.put(all);
    }
  }

  /** The visible lines, each as runs. */
  visible(): Run[][] {
    return this.lines.slice(this.top).map(runs);
  }

  private get top(): number {
    return Math.max(0, this.lines.length - this.rows);
  }

  private put(character: string): void {
    if (character === "\r") this.column = 0;
    else if (character === "\b") this.column = Math.max(0, this.column - 1);
    else if (character === "\n") this.down();
    else if (character >= " ") {
      if (this.column === this.columns) {
        this.column = 0;
        this.down();
      }
      this.line[this.column++] = { character, style: this.style };
    }
  }

  private down(): void {
    this.row++;
    this.lines[this.row] ??= [];
  }

  private get line(): Cell[] {
    return this.lines[this.row] as Cell[];
  }

  private obey(command: string, parameters: string): void {
    const count = Number(parameters || 1);
    if (command === "A") this.row = Math.max(this.top, this.row - count);
    if (command === "B") this.row = Math.min(this.lines.length - 1, this.row + count);
    if (command === "G") this.column = count - 1;
    if (command === "K" && parameters === "2") this.line.length = 0;
    if (command === "K" && parameters !== "2") this.line.length = Math.min(this.line.length, this.column);
    if (command === "J") this.lines.length = this.row + 1;
    if (command === "m") this.restyle(parameters.split(";").map(Number));
  }

  private restyle([code = 0, ...more]: number[]): void {
    if (code === 0) this.style = {};
    if (code === 1) this.style = { ...this.style, bold: true };
    if (code === 4) this.style = { ...this.style, underline: true };
    if (code === 22) this.style = { ...this.style, bold: false };
    if (code >= 30 && code <= 37) this.style = { ...this.style, colour: code - 30 };
    if (code === 38) this.style = { ...this.style, colour: more[1] };
    if (code === 39) this.style = { ...this.style, colour: undefined };
    if (code !== 38 && more.length > 0) this.restyle(more);
  }
}

const blank: Cell = { character: " ", style: {} };

function runs(line: readonly Cell[]): Run[] {
  const found: Run[] = [];
  for (let column = 0; column < line.length; column++) {
    const { character, style } = line[column] ?? blank;
    const last = found.at(-1);
    if (last !== undefined && looks(last) === looks(style))
      found[found.length - 1] = { ...last, text: last.text + character };
    else found.push({ ...style, column, text: character });
  }
  return found.map((run) => ({ ...run, text: run.text.trimEnd() })).filter((run) => run.text !== "");
}

const looks = ({ colour, bold, underline }: Style) => `${colour ?? ""} ${!!bold} ${!!underline}`;
