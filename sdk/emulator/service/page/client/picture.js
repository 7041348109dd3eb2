import { choose } from "./details.js";
import { $, badge, element, show, tell } from "./dom.js";

/** @import { Account, Link, Thing } from "../state" */

const SVG = "http://www.w3.org/2000/svg";
const picture = $("#picture");
const lists = [...picture.querySelectorAll("ul")];

/** @type {Link[]} */
let links = [];
/** @type {Map<string, string | undefined> | undefined} */
let statuses;

/** @param {Account} account */
export function showPicture(account) {
  for (const list of lists) {
    const kinds = list.dataset.kinds?.split(" ") ?? [];
    const things = account.things.filter(({ kind }) => kinds.includes(kind));
    show(list, things, { key: ({ id }) => id, create, fill });
  }
  links = account.links;
  draw();
  announce(account.things);
}

/** @param {Thing} thing */
function create({ id }) {
  const button = element("button", { type: "button", "data-id": id });
  button.addEventListener("click", () => choose(id));
  return element("li", {}, button);
}

/** @param {HTMLElement} item @param {Thing} thing */
function fill(item, { id, kind, name, status, workers }) {
  const button = item.firstElementChild;
  if (!button) return;
  const lines = [
    element("span", { class: "line" }, element("b", { title: name }, name), status ? badge(status) : ""),
    element("span", { class: "line quiet" }, element("code", {}, id), workers ? workersOf(workers) : ""),
  ];
  button.replaceChildren(element("span", { class: "unseen" }, `${kind} `), ...lines);
}

const MOST_WORKERS = 12;

/** @param {NonNullable<Thing["workers"]>} workers */
function workersOf(workers) {
  const count = workers.length === 1 ? "1 worker" : `${workers.length} workers`;
  const marks = workers
    .slice(0, MOST_WORKERS)
    .map(({ id, status }) => element("i", { "data-status": status, title: `${id} ${status}` }));
  return element("span", { class: "workers" }, ...marks, ` ${count}`);
}

/** Pixels from the middle at which a line of each kind ends, so that the lines of one thing do not overlap. */
const ENDS = { "pulls with": -9, "made from": -3, "uses secret": 3, mounts: 9 };

/** Draws a line from each thing that is used, on the left, to its user. */
function draw() {
  const svg = $("#picture > svg");
  const origin = picture.getBoundingClientRect();
  svg.setAttribute("width", String(picture.scrollWidth));
  svg.setAttribute("height", String(picture.scrollHeight));
  svg.replaceChildren(
    ...links.flatMap(({ from, relation, to }) => {
      const [start, end] = [boxOf(to), boxOf(from)];
      if (!start || !end) return [];
      const [x1, y1] = [start.right - origin.left, start.top + start.height / 2 - origin.top];
      const [x2, y2] = [end.left - origin.left, end.top + end.height / 2 + ENDS[relation] - origin.top];
      const bend = Math.min(90, (x2 - x1) / 2);
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("d", `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`);
      path.dataset.relation = relation;
      path.dataset.ends = `${from} ${to}`;
      path.toggleAttribute("data-inherited", isInherited({ from, relation, to }));
      return [path];
    }),
  );
  highlight();
}

/** Whether the template has the same line. Such a line shows only while it is highlighted. @param {Link} link */
function isInherited({ from, relation, to }) {
  const template = links.find((link) => link.from === from && link.relation === "made from")?.to;
  return links.some((link) => link.from === template && link.relation === relation && link.to === to);
}

/** @param {string} id */
const boxOf = (id) => picture.querySelector(`[data-id="${CSS.escape(id)}"]`)?.getBoundingClientRect();

/** Highlights the lines of the thing that has the focus, is under the pointer or was chosen. */
function highlight() {
  const of = ["button:focus-visible", "button:hover", "button[aria-current]"]
    .map((state) => picture.querySelector(state)?.getAttribute("data-id"))
    .find((id) => id);
  picture.toggleAttribute("data-highlights", of !== undefined);
  for (const path of picture.querySelectorAll("path")) {
    path.toggleAttribute("data-lit", of !== undefined && path.dataset.ends?.split(" ").includes(of ?? ""));
  }
}

for (const event of ["focusin", "focusout", "pointerover", "pointerout", "choose"])
  picture.addEventListener(event, () => requestAnimationFrame(highlight));
new ResizeObserver(draw).observe(picture);

/** @param {Thing[]} things */
function announce(things) {
  const before = statuses;
  statuses = new Map(things.map(({ id, status }) => [id, status]));
  if (!before) return;
  const changed = things.filter(({ id, status }) => status !== undefined && before.get(id) !== status);
  if (changed.length > 0)
    tell(changed.map(({ kind, name, status }) => `${kind} ${name} is ${status}`).join(", "));
}
