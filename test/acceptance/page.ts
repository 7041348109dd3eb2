import type { Finding, Result } from "./acceptance";
import type { Aspect } from "./compare";
import { operationOf } from "./compare";

/** What each aspect is, in the order of the page. */
const aspects: Record<Aspect, string> = {
  "no change": "Objects that podlumi would change although nobody has changed them",
  status: "Statuses",
  field: "Fields: there or not, and their types",
  value: "Values: defaults, and what errors look like",
  header: "Headers",
  variable: "Variables that the platform adds",
  order: "Order of lists",
  lag: "Lag: how long lists and reads show what was before",
  state: "States that objects pass through",
  time: "Times",
};

/** The page of a run, as Markdown. */
export function page(result: Result, of: string): string {
  const { findings, outcomes, exchanges, before, after, ended, usd } = result;
  const parts = [
    `# First contact: ${of}`,
    `${exchanges.length} requests, ${findings.length} differences, about ${usd.toFixed(4)} USD by the prices of the catalog.`,
    table(
      ["Step", "USD", "Ended"],
      outcomes.map(({ step, usd, failed }) => [step, usd.toFixed(4), failed ?? "as it should"]),
    ),
    ended === undefined ? "" : `Left out: ${ended}.`,
    ...before.deleted.map((one) => `Left by an earlier run, and swept: ${one}.`),
    ...after.deleted.map((one) => `Left by a step, and swept: ${one}.`),
    ...after.left.map((one) => `**Still there, look at once:** ${one}.`),
    "## Differences",
    findings.length === 0 ? "None: the emulator answers all of these requests as the service does." : "",
    ...Object.entries(aspects).flatMap(([aspect, title]) => {
      const found = findings.filter((finding) => finding.aspect === aspect);
      return found.length === 0 ? [] : [`### ${title}`, differences(found)];
    }),
    "## Requests",
    "What the service answered, beside what the emulator answers to the same request at the same time.",
    ...requests(result),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function differences(findings: readonly Finding[]): string {
  return table(
    ["Request", "What", "The service", "The emulator", "Assumed in", "Seen"],
    findings.map(({ operation, path, service, emulator, lines, count, steps }) => [
      code(operation),
      path === "" ? "" : code(path),
      service,
      emulator,
      lines.map(({ file, number, text }) => `${file}:${number} ${code(text)}`).join("<br>") ||
        "no line says so",
      `${count} × in ${steps.join(", ")}`,
    ]),
  );
}

function requests({ exchanges, replayed }: Result): string[] {
  const steps = [...new Set(exchanges.map(({ step }) => step))];
  return steps.flatMap((step) => {
    const rows = exchanges.flatMap((exchange, index) => {
      if (exchange.step !== step) return [];
      const other = replayed[index];
      const here = other === undefined ? "not asked: it knows no such object" : `${other.status}`;
      const { at, duration, probe, path, status, answer } = exchange;
      const seconds = `${(at / 1000).toFixed(1)} s`;
      const same = other !== undefined && JSON.stringify(other.answer) === JSON.stringify(answer);
      return [
        [
          seconds,
          `${code(operationOf(exchange))}${probe ? "" : " by podlumi"}`,
          path.includes("?") ? code(path.slice(path.indexOf("?"))) : "",
          `${status} in ${duration} ms`,
          `${here}${same ? ", the same body" : ""}`,
          same ? "" : code(cut(answer)),
          same ? "" : code(cut(other?.answer)),
        ],
      ];
    });
    return [
      `### ${step}`,
      table(["At", "Request", "Query", "Service", "Emulator", "Its answer", "The emulator's"], rows),
    ];
  });
}

const cut = (answer: unknown) => {
  const text = answer === undefined ? "" : JSON.stringify(answer);
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
};

const code = (text: string) => (text === "" ? "" : `\`${text.replaceAll("`", "'")}\``);

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}
