// Queues of workers: what waits, who carries it out, and what was handed over or given up.

import { get, poll } from "./api.js";
import { h, region, replace, said } from "./dom.js";
import { count, many } from "./words.js";

const EVERY_MS = 3000;

/** Add the view to the navigation if the server has queues and the caller may see them. */
export async function offerQueues(navigation) {
  const { data } = await get("/v1/queues").catch(() => ({ data: [] })); // no right to see them, or no connection
  if (data.length && !navigation.querySelector('[href="#/queues"]')) {
    const link = h("a", { href: "#/queues" }, "Queues");
    if (location.hash.startsWith("#/queues")) link.setAttribute("aria-current", "page");
    navigation.append(link);
  }
}

export function showQueues({ main, title, signal, failed }) {
  title.textContent = "Queues";
  const body = h("div", {});
  replace(main, h("div", { class: "head" }, title), body);
  poll(
    async () => {
      const { data } = await get("/v1/queues", signal);
      replace(body, data.length ? data.map(shown) : h("p", { class: "empty" }, "No queues. `jido worker` makes one in the store that it shares with this server."));
    },
    EVERY_MS,
    signal,
    failed,
  );
}

function shown(queue) {
  const lost = queue.given_up ?? []; // which earlier servers do not tell
  const living = queue.workers.filter((one) => one.status === "running");
  const places = living.reduce((sum, one) => sum + one.concurrency, 0);
  const facts = [["Waiting", count(queue.waiting)], ["Running", `${count(queue.running)} of ${count(places)}`], ["Workers", count(living.length)], ["Handed over", count(queue.handovers.length)], ["Given up", count(lost.length)]];
  return region(
    said(queue.name, 100),
    queue.waiting && !living.length ? h("div", { class: "verdict", "data-reason": "suspended" }, h("p", { class: "reason" }, `${many(queue.waiting, "run")} wait${queue.waiting === 1 ? "s" : ""}, and no worker is running.`)) : null,
    h("dl", { class: "facts" }, facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    queue.workers.length ? table("Workers", ["Worker", "State", "Runs", "Release", "Carries out"], queue.workers.map(worker)) : null,
    queue.handovers.length ? h("h3", {}, "Recently handed over") : null,
    queue.handovers.length ? table("Hand-overs", ["Run", "From", "To", "Ago"], queue.handovers.map(handover)) : null,
    lost.length ? h("h3", {}, "Recently given up") : null,
    lost.length ? table("Given up", ["Run", "Workers that ended with it", "Ago"], lost.map(givenUp)) : null,
  );
}

const TONE = { running: "done", silent: "waiting", gone: "failed" };
const WORD = { running: "alive", gone: "gone" };

function worker(one) {
  const state = h("span", { class: "state", "data-state": TONE[one.status] }, WORD[one.status] ?? `silent for ${Math.round(one.silent_s)} s`);
  return h("tr", {}, h("th", { scope: "row" }, said(one.id, 80)), h("td", {}, state), h("td", {}, `${count(one.running)} of ${count(one.concurrency)}`), h("td", {}, said(one.release, 40)), h("td", {}, said(one.names.join(", "), 200)));
}

function handover(one) {
  return h("tr", {}, h("th", { scope: "row" }, said(one.run_id, 80)), h("td", {}, said(one.from, 80)), h("td", {}, said(one.by, 80)), h("td", {}, ago(one.seconds_ago)));
}

function givenUp(one) {
  return h("tr", {}, h("th", { scope: "row" }, said(one.run_id, 80)), h("td", {}, count(one.attempts)), h("td", {}, ago(one.seconds_ago)));
}

function ago(seconds) {
  if (seconds < 90) return `${seconds} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

function table(label, columns, rows) {
  return h("div", { class: "wide", tabindex: "0", role: "region", "aria-label": label }, h("table", {}, h("thead", {}, h("tr", {}, columns.map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, rows)));
}
