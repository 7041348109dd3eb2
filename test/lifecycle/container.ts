import { runsAll } from "../engine/runs-all";
import type { Drift, Edit } from "./life-cycle";

/** Edits of the container settings that pods, endpoints and templates share. Needs `$registry` in `prepare`. */
export const containerEdits: readonly Edit[] = [
  {
    title: "another name",
    to: { name: "renamed" },
    op: "update",
    shows: ["name"],
    holds: { name: "renamed" },
  },
  {
    title: "another image",
    to: { image: "org/new:2" },
    op: "update",
    shows: ["image"],
    holds: { image: "org/new:2" },
  },
  { title: "arguments", to: { args: "-v" }, op: "update", shows: ["args"], holds: { args: "-v" } },
  { title: "arguments cleared", from: { args: "-v" }, to: {}, op: "update", holds: { args: "" } },
  {
    title: "a list in place of one text",
    from: { args: "-v" },
    to: { entrypoint: ["sh", "-c"], cmd: ["a b"] },
    op: "update",
    shows: ["args", "cmd", "entrypoint"],
    holds: { entrypoint: ["sh", "-c"], cmd: ["a b"] },
  },
  {
    title: "one text in place of a list",
    from: { entrypoint: ["sh"], cmd: ["-v"] },
    to: { args: "-v" },
    op: "update",
    holds: { args: "-v", entrypoint: [] },
  },
  {
    title: "arguments in another order, for the image's own entrypoint",
    from: { entrypoint: ["sh"], cmd: ["a", "b"] },
    to: { cmd: ["b", "a"] },
    op: "update",
    shows: ["cmd", "entrypoint"],
    holds: { entrypoint: [], cmd: ["b", "a"] },
  },
  {
    title: "a part of what one text said",
    from: { args: '{"entrypoint":["sh"],"cmd":["a"]}' },
    to: { cmd: ["b"] },
    op: "update",
    holds: { entrypoint: [], cmd: ["b"] },
  },
  { title: "a list cleared", from: { cmd: ["a"] }, to: {}, op: "update", holds: { args: "", cmd: [] } },
  { title: "another disk", from: { disk: 10 }, to: { disk: 30 }, op: "update", holds: { disk: 30 } },
  { title: "the disk no longer declared", from: { disk: 15 }, to: {}, op: "same", holds: { disk: 15 } },
  {
    title: "another variable",
    from: { env: { A: "1" } },
    to: { env: { A: "2" } },
    op: "update",
    holds: { env: { A: "2" } },
  },
  {
    title: "a variable removed",
    from: { env: { A: "1", B: "2" } },
    to: { env: { A: "1" } },
    op: "update",
    holds: { env: { A: "1" } },
  },
  {
    title: "variables cleared",
    from: { env: { A: "1" } },
    to: {},
    op: "update",
    holds: { env: expect.not.objectContaining({ A: "1" }) },
  },
  {
    title: "ports",
    from: { ports: ["80/http"] },
    to: { ports: ["22/tcp"] },
    op: "update",
    holds: { ports: ["22/tcp"] },
  },
  {
    title: "ports in another order",
    from: { ports: ["80/http", "22/tcp"] },
    to: { ports: ["22/tcp", "80/http"] },
    op: "same",
  },
  { title: "ports cleared", from: { ports: ["80/http"] }, to: {}, op: "update", holds: { ports: [] } },
  { title: "a credential", to: { registry: "$registry" }, op: "update", holds: { registry: "$registry" } },
  {
    title: "the credential cleared",
    from: { registry: "$registry" },
    to: {},
    op: "update",
    holds: { registry: null },
  },
];

/** Drift of the same settings. `image` is the program's image. */
export function containerDrifts(image: string): readonly Drift[] {
  return [
    {
      title: "a name",
      behind: { name: "theirs" },
      shows: ["name"],
      holds: { name: expect.stringMatching(/^r0-/) },
    },
    { title: "an image", behind: { image: "evil:1" }, shows: ["image"], holds: { image } },
    {
      title: "arguments",
      args: { args: "-v" },
      behind: { args: "" },
      shows: ["args"],
      holds: { args: "-v" },
    },
    {
      title: "the order of arguments",
      args: { cmd: ["a", "b"] },
      behind: { cmd: ["b", "a"] },
      shows: ["cmd"],
      holds: { cmd: ["a", "b"] },
    },
    { title: "a disk", args: { disk: 20 }, behind: { disk: 99 }, shows: ["disk"], holds: { disk: 20 } },
    {
      title: "a variable",
      args: { env: { A: "1" } },
      behind: { env: { A: "2", THEIRS: "3" } },
      shows: ["env"],
      holds: { env: { A: "1", THEIRS: "3" } },
    },
    {
      title: "a variable that is gone",
      args: { env: { A: "1" } },
      behind: { env: {} },
      shows: ["env"],
      holds: { env: { A: "1" } },
    },
    {
      title: "ports",
      args: { ports: ["80/http"] },
      behind: { ports: ["81/http"] },
      shows: ["ports"],
      holds: { ports: ["80/http"] },
    },
    {
      title: "a credential",
      args: { registry: "$registry" },
      behind: { registry: null },
      shows: ["registry"],
      holds: { registry: "$registry" },
    },
  ];
}

/** The same for endpoints and templates, which have the rules of pods: `npm test` runs those of pods alone. */
export const sharedEdits = runsAll ? containerEdits : [];
export const sharedDrifts = runsAll ? containerDrifts : () => [];

/** Edits of the time limit, for kinds that change it in place. */
export const timeLimitEdits: readonly Edit[] = [
  {
    title: "a time limit",
    to: { expiresAfter: "8h" },
    op: "update",
    shows: ["expiresAfter"],
    holds: {
      env: expect.objectContaining({
        PODLUMI_EXPIRES: expect.stringMatching(/^2\d{3}-.*Z 8h [0-9a-f]{7}$/),
      }),
    },
  },
  {
    title: "another time limit",
    from: { expiresAfter: "8h" },
    to: { expiresAfter: "90m" },
    op: "update",
    shows: ["expiresAfter"],
  },
  {
    title: "no time limit any more",
    from: { expiresAfter: "8h" },
    to: {},
    op: "update",
    shows: ["expiresAfter"],
    holds: { env: expect.not.objectContaining({ PODLUMI_EXPIRES: expect.anything() }) },
  },
];
