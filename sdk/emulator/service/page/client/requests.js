import { $, element, show, timeOfDay } from "./dom.js";

/** @import { RequestRow } from "../state" */

/** @type {RequestRow[]} */
let rows = [];
const filter = /** @type {HTMLInputElement} */ ($("#requests-filter"));
filter.addEventListener("input", render);

/** @param {RequestRow[]} latest newest first */
export function showRequests(latest) {
  rows = latest;
  render();
}

function render() {
  const words = filter.value.toLowerCase().split(/\s+/);
  // Leaves times out: their digits would match a status by chance.
  const fitting = rows.filter(({ at, duration, ...row }) => {
    const text = Object.values(row).join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
  $("#requests-count").textContent =
    fitting.length === rows.length ? `${rows.length} latest` : `${fitting.length} of ${rows.length} latest`;
  show($("#requests-rows"), fitting, { key: ({ id }) => id, create: () => element("tr", {}), fill });
}

/** @param {HTMLElement} line @param {RequestRow} row */
function fill(line, { at, interface: name, method, path, operation, status, duration, fault }) {
  const ended = duration !== undefined;
  const answer = status === 0 ? (ended ? "cut" : "waits") : String(status);
  const subject = element("td", {}, element("b", {}, method), ` ${operation ?? path}`);
  if (fault) subject.append(" ", element("span", { class: "badge", "data-status": "FAULT" }, fault));
  line.replaceChildren(
    element("td", {}, timeOfDay(at)),
    element("td", {}, name),
    subject,
    element(
      "td",
      { class: "answer", "data-class": status === 0 && !ended ? "wait" : answer.charAt(0) },
      answer,
    ),
    element("td", { class: "number" }, ended ? duration.toFixed(duration < 10 ? 1 : 0) : ""),
  );
}
