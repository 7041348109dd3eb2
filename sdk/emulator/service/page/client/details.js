import { $, element, show } from "./dom.js";

/** @import { Account, Fact } from "../state" */

const panel = $("#details");
const title = $("#details-title");

/** @type {Account} */
let account = { things: [], links: [] };
/** The id of the chosen thing. @type {string | undefined} */
let chosen;

/** @param {Account} now */
export function showDetails(now) {
  account = now;
  render();
}

/** Shows the details of a thing, and moves the focus to them. @param {string} id */
export function choose(id) {
  chosen = id;
  render();
  for (const button of document.querySelectorAll("#picture button")) {
    if (button.getAttribute("data-id") === id) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
  $("#picture").dispatchEvent(new Event("choose"));
  title.focus();
}

panel.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape" || chosen === undefined) return;
  const button = document.querySelector(`#picture [data-id="${CSS.escape(chosen)}"]`);
  if (button instanceof HTMLElement) button.focus();
});

function render() {
  if (chosen === undefined) return;
  const thing = account.things.find(({ id }) => id === chosen);
  if (thing) title.textContent = thing.name;
  $("#details-kind").textContent = thing ? thing.kind : "is gone";
  $("#details-hint").hidden = thing !== undefined;
  /** @type {Fact[]} */
  const facts = thing
    ? [
        ["Id", thing.id],
        ...(thing.status ? [/** @type {Fact} */ (["Status", thing.status])] : []),
        ...thing.facts,
        ...(thing.workers ?? []).map(
          ({ id, status, version }) =>
            /** @type {Fact} */ ([`Worker ${id}`, `${status}, version ${version}`]),
        ),
      ]
    : [];
  show($("#details-facts"), facts, {
    key: ([label], index) => `${index} ${label}`,
    create: () => element("div", {}),
    fill: (row, [label, text]) => row.replaceChildren(element("dt", {}, label), element("dd", {}, text)),
  });
  show($("#details-links"), relations(), {
    key: ({ id, text }) => `${id} ${text}`,
    create: ({ id }) => {
      const button = element("button", { type: "button" });
      button.addEventListener("click", () => choose(id));
      return element("li", {}, button);
    },
    fill: (item, { text, name }) =>
      item.firstElementChild?.replaceChildren(`${text} `, element("b", {}, name)),
  });
}

const PASSIVE = {
  mounts: "mounted by",
  "made from": "the origin of",
  "pulls with": "pulled with by",
  "uses secret": "used by",
};

/** The things that the chosen one uses or that use it, with the relation in words. */
function relations() {
  const nameOf = (/** @type {string} */ id) => account.things.find((thing) => thing.id === id)?.name ?? id;
  return account.links.flatMap(({ from, relation, to }) => {
    if (from === chosen) return [{ id: to, text: relation, name: nameOf(to) }];
    return to === chosen ? [{ id: from, text: PASSIVE[relation], name: nameOf(from) }] : [];
  });
}
