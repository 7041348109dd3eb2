import * as fc from "fast-check";
import { convert, type Kind, kinds } from "../../sdk/v1";
import { samples } from "./bodies";
import { checked } from "./definitions";

type Entries = [key: string, value: unknown][];

/** Bodies with any of a kind's keys, and with unknown keys, whose values must never be shown. */
function bodies(kind: Kind): fc.Arbitrary<{ known: Entries; unknown: Entries }> {
  const entries = Object.entries(samples[kind]).map(([key, values]) =>
    fc.constantFrom(...values).map((value): [string, unknown] => [key, value]),
  );
  const strange = fc.oneof(
    fc.constantFrom("passwrd", "constructor", "__proto__", "image-name"),
    fc.string().map((text) => `x-${text}`),
  );
  return fc.record({
    known: fc.tuple(...entries).chain((all) => fc.subarray(all)),
    unknown: fc.uniqueArray(fc.tuple(strange, fc.constantFrom("hunter22", ["hunter22"])), {
      maxLength: 3,
      selector: ([key]) => key,
    }),
  });
}

describe.each(kinds)("of a %s of REST v1", (kind) => {
  const result = (entries: Entries) => convert(kind, Object.fromEntries(entries));

  test("every key is noted, or decides something of the arguments", () => {
    const accountedFor = (entries: Entries, [key, value]: Entries[number]) => {
      const { notes } = result(entries);
      if (notes.some(({ path }) => path === key || path.startsWith(`${key}[`))) return true;
      const [one, two] = samples[kind][key] as readonly [unknown, unknown];
      const changed = entries.map((entry): Entries[number] =>
        entry[0] === key ? [key, value === one ? two : one] : entry,
      );
      return JSON.stringify(result(changed)) !== JSON.stringify(result(entries));
    };
    fc.assert(
      fc.property(bodies(kind), ({ known, unknown }) => {
        const entries = [...known, ...unknown];
        expect(known.filter((entry) => !accountedFor(entries, entry))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test("the arguments pass podlumi's check, unless a note leaves something to decide", () => {
    fc.assert(
      fc.property(bodies(kind), ({ known }) => {
        const { args, notes } = result(known);
        fc.pre(!notes.some((note) => note.kind === "decide"));
        expect(checked(kind, args)).toEqual([]);
      }),
      { numRuns: 50, maxSkipsPerRun: 10_000 },
    );
  });

  test("unknown keys are told, and no value that may be secret is", () => {
    fc.assert(
      fc.property(bodies(kind), ({ known, unknown }) => {
        const { notes } = result([...known, ...unknown]);
        const told = notes.filter((note) => note.kind === "unknown").map(({ path }) => path);
        expect(told).toEqual(Object.keys(Object.fromEntries(unknown)));
        expect(JSON.stringify(notes)).not.toContain("hunter22");
      }),
      { numRuns: 100 },
    );
  });
});
