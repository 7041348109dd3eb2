import { $, badge, element, show, timeOfDay } from "./dom.js";

/** @import { JobRow } from "../state" */

/** @param {JobRow[]} jobs newest first */
export function showJobs(jobs) {
  const open = jobs.filter(({ status }) => status === "IN_QUEUE" || status === "IN_PROGRESS").length;
  $("#jobs-count").textContent = jobs.length > 0 ? `${open} open, ${jobs.length - open} over` : "none";
  show($("#jobs-rows"), jobs, { key: ({ id }) => id, create: () => element("li", {}), fill });
}

/** @param {HTMLElement} item @param {JobRow} job */
function fill(item, { id, endpoint, status, at, duration, worker }) {
  const how = [
    timeOfDay(at),
    ...(duration === undefined ? [] : [`${Math.round(duration)} ms`]),
    worker ?? "",
  ];
  item.replaceChildren(
    element("span", { class: "line" }, element("b", {}, endpoint), badge(status)),
    element(
      "span",
      { class: "line quiet" },
      element("code", { title: id }, id),
      element("span", {}, how.join(" ")),
    ),
  );
}
