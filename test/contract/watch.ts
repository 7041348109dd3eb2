import { changes } from "./changes";
import { contractOf, contractOfDigest, digestText } from "./digest";
import { gaps } from "./gaps";

export interface Report {
  /** Markdown. */
  readonly text: string;
  /** Whether there is anything that was not there when the digest was accepted. */
  readonly news: boolean;
}

/** What the repository keeps of the contract that podlumi was built for. */
interface Accepted {
  /** What of that contract podlumi lacked. */
  readonly gaps: string[];
  readonly contract: object;
}

/** What to keep of an OpenAPI file. */
export function accept(text: string): string {
  const contract = contractOf(text);
  const known = gaps(contract).map((gap) => `    ${JSON.stringify(gap)}`);
  return `{
  "gaps": [
${known.join(",\n")}
  ],
  "contract": ${digestText(contract).trim()}
}
`;
}

/** Compares an OpenAPI file with what was accepted, and with podlumi. */
export function watch(accepted: string, text: string): Report {
  const known = JSON.parse(accepted) as Accepted;
  const old = contractOfDigest(JSON.stringify(known.contract));
  const present = contractOf(text);
  const differs = changes(old, present).map(({ what, places, here }) =>
    [`- **${what}**`, ...[placesIn(places), ...here].map((line) => `  - ${line}`)].join("\n"),
  );
  const all = gaps(present);
  const fresh = all.filter((gap) => !known.gaps.includes(gap));
  const closed = known.gaps.filter((gap) => !all.includes(gap));
  const sections = [
    section(
      `What differs from the contract that podlumi was built for (${old.version}, now ${present.version})`,
      differs,
    ),
    section("What podlumi lacks or has differently", bullets(fresh)),
    section(
      "The same, known when the contract was accepted",
      bullets(all.filter((gap) => known.gaps.includes(gap))),
    ),
    section("Known then, and gone", bullets(closed)),
  ];
  return { text: sections.filter((one) => one !== "").join("\n"), news: differs.length + fresh.length > 0 };
}

const bullets = (lines: readonly string[]) => lines.map((line) => `- ${line}`);

function section(title: string, lines: readonly string[]): string {
  if (lines.length > 0) return `## ${title}: ${lines.length}\n\n${lines.join("\n")}\n`;
  return title.startsWith("What") ? `## ${title}: nothing\n` : "";
}

/** At most five places: shared schemas stand in many operations. */
function placesIn(places: readonly string[]): string {
  const more = places.length > 5 ? `, and ${places.length - 5} more` : "";
  return `in ${places.slice(0, 5).join(", ")}${more}`;
}
