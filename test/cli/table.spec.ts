import { table } from "../../sdk/cli/output";

const id = "h8lhnbn98a".repeat(3);
const rows = [
  [id, "trainer", "RUNNING", "Pod::trainer"],
  [id, "n".repeat(60), "RUNNING", "m".repeat(50)],
];
const given = { heading: ["ID", "NAME", "STATUS", "MADE FOR"], rows, free: ["NAME", "MADE FOR"] };
const on = (most: number, more = {}) => table({ ...given, most, ...more }).split("\n");

test("on a terminal, the widest columns of free text are cut so that a line fits, and nothing else is", () => {
  const [heading, short, long] = on(120);
  expect(heading).toMatch(/ID +NAME +STATUS +MADE FOR/);
  expect(short).toContain(`${id}  trainer `);
  expect(long).toHaveLength(120);
  expect(long).toMatch(new RegExp(`^${id}  n{37}…  RUNNING  m{38}…$`));
  expect(on(140)[2]).toMatch(new RegExp(`^${id}  n{48}…  RUNNING  m{47}…$|^${id}  n{47}…  RUNNING  m{48}…$`));
  expect(on(200)[2]).toContain(`${"n".repeat(60)}  RUNNING  ${"m".repeat(50)}`);
});

test("a name keeps 16 characters, also where the line does not fit", () => {
  expect(on(20)[2]).toBe(`${id}  ${"n".repeat(15)}…  RUNNING  ${"m".repeat(15)}…`);
  expect(on(20)[1]).toBe(`${id}  trainer           RUNNING  Pod::trainer`);
});

test("no half of a character is left", () => {
  const face = "\u{1f600}";
  expect(on(10, { heading: ["NAME"], rows: [[`a${face.repeat(10)}`]] })[1]).toBe(`a${face.repeat(7)}…`);
  expect(on(10, { heading: ["NAME"], rows: [[face.repeat(10)]] })[1]).toBe(`${face.repeat(7)}…`);
});

test("a letter of East Asia takes two columns", () => {
  const rows = [
    ["训练", "RUNNING"],
    ["trainer", "EXITED"],
    ["가".repeat(20), "EXITED"],
  ];
  expect(on(29, { heading: ["NAME", "STATUS"], rows })).toEqual([
    expect.stringMatching(/NAME {18}STATUS/),
    `训练${" ".repeat(18)}RUNNING`,
    `trainer${" ".repeat(15)}EXITED`,
    `${"가".repeat(9)}…   EXITED`,
  ]);
});

test("everything is whole where the terminal does not tell its width", () => {
  expect(on(0)[2]).toContain("n".repeat(60));
});
