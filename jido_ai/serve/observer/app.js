// The page: the address after # names the view.

import { get } from "./api.js";
import { announce, h, replace, said } from "./dom.js";
import { showPairs } from "./again.js";
import { showComparison } from "./compare.js";
import { offerComparisons, showComparisons } from "./comparisons.js";
import { showCost } from "./cost.js";
import { showMemory } from "./memory.js";
import { showProgress } from "./progress.js";
import { offerQueues, showQueues } from "./queues.js";
import { showRun } from "./run.js";
import { showRuns } from "./runs.js";
import { showTree } from "./tree.js";

const VIEWS = { runs: showRuns, tree: showTree, memory: showMemory, progress: showProgress, cost: showCost, queues: showQueues, comparisons: showComparisons, compare: showComparison, again: showPairs };
const WITHIN = { compare: "runs", again: "runs" };
const main = document.getElementById("main");
let leaving = new AbortController();
let isFirst = true;
const WAITING_MS = 5000;

function open() {
  if (location.hash === "#main") return; // the link to skip the navigation
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, ...ids] = path.split("/");
  const view = name in VIEWS ? name : "runs";
  leaving.abort();
  leaving = new AbortController();
  for (const link of document.querySelectorAll("#views a")) {
    if (link.hash === `#/${WITHIN[view] ?? view}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const title = h("h1", {});
  replace(main);
  const stage = { main, title, signal: leaving.signal, failed: fail, ids: ids.map(idIn), query: new URLSearchParams(query) };
  if (view === "runs" && ids[0]) showRun(stage, idIn(ids[0]));
  else VIEWS[view](stage);
  document.title = `${title.textContent} · jido`;
  scrollTo(0, 0);
  if (!isFirst) {
    main.focus({ preventScroll: true });
    announce(title.textContent);
  }
  isFirst = false;
}

function idIn(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // typed by hand
  }
}

/** Show in the view that something did not work; null: that it works again. */
function fail(error) {
  let place = main.querySelector(":scope > .problem");
  if (error === null) {
    place?.remove();
    return;
  }
  if (place === null) {
    place = h("p", { class: "problem", role: "alert" });
    main.append(place);
  }
  replace(place, said(error.message ?? error));
}

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
addEventListener("hashchange", open);
open();

/** Say on every view how many runs wait for a person. */
async function tellWaiting() {
  const found = await get("/v1/runs?status=suspended&results=false&limit=100").catch(() => null); // said by the view itself
  const waiting = found?.data.length ?? 0;
  const link = document.getElementById("waiting");
  link.hidden = waiting === 0;
  link.textContent = `${waiting}${found?.next_cursor ? "+" : ""} wait${waiting === 1 ? "s" : ""} for you`;
}
tellWaiting();
setInterval(tellWaiting, WAITING_MS);
offerQueues(document.getElementById("views"));
offerComparisons(document.getElementById("views"));
