import { $, badge, element, show, timeOfDay } from "./dom.js";

/** @import { FaultReport } from "../state" */

/** What a proxy between client and service might send. */
const PAGE = "<!doctype html><title>Not found</title><h1>Not found</h1>";

/**
 * The faults that the form offers: `text` is the label, `unit` and `value` describe the number that it takes, if any.
 * `what` makes the fault from the number. Default: the number (or true) under the fault's name.
 *
 * @type {Record<string, { text: string, unit?: string, value?: number, what?: (value?: number) => object }>}
 */
const WHATS = {
  status: { text: "answer a status", unit: "Status", value: 502 },
  reset: { text: "cut the connection" },
  delay: { text: "delay", unit: "ms", value: 3000 },
  hang: { text: "never answer" },
  later: { text: "error now (504), effect later", unit: "ms", value: 30_000 },
  laterReset: {
    text: "connection cut now, effect later",
    unit: "ms",
    value: 30_000,
    what: (later) => ({ later, reset: true }),
  },
  lag: { text: "read what was", unit: "ms", value: 5000 },
  answer: { text: "empty answer", unit: "Status", value: 204, what: (status) => ({ answer: { status } }) },
  answerObject: {
    text: "answer of {}",
    unit: "Status",
    value: 200,
    what: (status) => ({ answer: { status, body: {} } }),
  },
  answerPage: {
    text: "answer of an HTML page",
    unit: "Status",
    value: 404,
    what: (status) => ({ answer: { status, text: PAGE, type: "text/html" } }),
  },
  rateLimited: {
    text: "rate limited (429)",
    unit: "Seconds",
    value: 5,
    what: (retryAfter) => ({ rateLimited: { retryAfter } }),
  },
  capacity: { text: "no room for a pod" },
  inUse: { text: "refuse: in use" },
  nameTaken: { text: "refuse: name taken" },
  malformed: { text: "answer that is no JSON" },
  truncated: { text: "answer cut in the middle" },
  oversized: { text: "oversized answer", unit: "Bytes", value: 100_000_000 },
  nested: { text: "deeply nested answer", unit: "Depth", value: 100_000 },
  gzipBomb: { text: "compressed bomb", unit: "Bytes", value: 100_000_000 },
};

const form = /** @type {HTMLFormElement} */ ($("#faults-form"));
const what = /** @type {HTMLSelectElement} */ (form.elements.namedItem("what"));
const value = /** @type {HTMLInputElement} */ (form.elements.namedItem("value"));

what.append(...Object.entries(WHATS).map(([name, { text }]) => element("option", { value: name }, text)));
what.addEventListener("change", suggestValue);
suggestValue();

function suggestValue() {
  const { unit, value: usual } = WHATS[what.value] ?? {};
  $("#faults-unit").textContent = unit ?? "Value";
  value.value = usual === undefined ? "" : String(usual);
  value.disabled = unit === undefined;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  await send("POST", "", fault());
});
$("#faults-clear").addEventListener("click", () => send("DELETE", ""));

function fault() {
  const data = new FormData(form);
  const text = (/** @type {string} */ name) => String(data.get(name) ?? "").trim() || undefined;
  const number = (/** @type {string} */ name) => (text(name) === undefined ? undefined : Number(text(name)));
  return {
    match: {
      interface: text("interface"),
      method: text("method"),
      path: text("path"),
      operation: text("operation"),
    },
    when: text("when"),
    what: WHATS[what.value]?.what?.(number("value")) ?? { [what.value]: number("value") ?? true },
    times: number("times"),
    skip: number("skip"),
    probability: number("probability"),
  };
}

/** @param {string} method @param {string} path below /faults @param {object} [body] */
async function send(method, path, body) {
  const answer = $("#faults-answer");
  try {
    const response = await fetch(`faults${path}`, {
      method,
      ...(body && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    });
    const { ids = [], error = "" } = response.status === 204 ? {} : await response.json();
    answer.textContent = response.ok ? (ids.length > 0 ? `${ids} is planned` : "ended") : error;
  } catch {
    answer.textContent = "the emulator does not answer";
  }
}

/** @param {FaultReport} report */
export function showFaults({ plan, injected }) {
  $("#faults-count").textContent = plan.length > 0 ? `${plan.length} planned` : "none planned";
  show($("#faults-plan"), plan, {
    key: ({ id }) => id,
    create: ({ id }) => {
      const end = element("button", { type: "button", "aria-label": `End ${id}` }, "End");
      end.addEventListener("click", () => send("DELETE", `/${id}`));
      return element("li", { class: "line" }, element("span", {}), end);
    },
    fill: (item, { id, text, injected: times, isOver }) =>
      item.firstElementChild?.replaceChildren(
        badge(isOver ? "OVER" : "PLANNED"),
        ` ${id}: ${text}`,
        element("span", { class: "quiet" }, ` – met by ${times}`),
      ),
  });
  show($("#faults-injected"), injected, {
    key: ({ request }) => request,
    create: () => element("li", {}),
    fill: (item, { at, id, method, path }) =>
      item.replaceChildren(
        element("span", { class: "quiet" }, `${timeOfDay(at)} `),
        `${id} met ${method} ${path}`,
      ),
  });
}
