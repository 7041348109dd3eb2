import { showDetails } from "./details.js";
import { $, tell, timeOfDay } from "./dom.js";
import { showFaults } from "./faults.js";
import { showJobs } from "./jobs.js";
import { showPicture } from "./picture.js";
import { showRequests } from "./requests.js";

/** @import { LimitReport, PageState } from "../state" */

/** @type {{ [Section in keyof PageState]: (state: PageState[Section]) => void }} */
const sections = {
  account: (account) => {
    showPicture(account);
    showDetails(account);
  },
  requests: showRequests,
  jobs: showJobs,
  faults: showFaults,
  limits: showLimits,
};

// Not every browser lets the keyboard reach elements that scroll.
for (const section of document.querySelectorAll("section")) section.tabIndex = 0;

const events = new EventSource("page/events");
for (const [name, render] of Object.entries(sections)) {
  events.addEventListener(name, (event) => render(JSON.parse(event.data)));
}
events.addEventListener("open", () => connection("live", "live"));
events.addEventListener("error", () => connection("lost", "connection lost, trying again"));

/** @param {string} state @param {string} text */
function connection(state, text) {
  const place = $("#connection");
  place.dataset.state = state;
  place.textContent = text;
}

/** @param {LimitReport} report */
function showLimits({ windows }) {
  const texts = windows.map(
    ({ name, quota, left, resetsAt }) =>
      `${left} of ${quota} left this ${name}, until ${timeOfDay(resetsAt * 1000)}`,
  );
  const used = windows.find(({ left }) => left === 0);
  $("#limits").textContent = texts.length > 0 ? `Rate limit: ${texts[0]}` : "";
  $("#limits").title = texts.join("\n");
  if (used) tell(`The rate limit of this ${used.name} is used up`);
}
