// What runs cost: by day, and by what was run.

import { get, poll } from "./api.js";
import { h, pictureWidth, region, replace, row, s, said, table, wide } from "./dom.js";
import { count, many, money } from "./words.js";

const EVERY_MS = 5000;
const COLUMNS = [["Name"], ["Runs", "number"], ["Calls", "number"], ["Tokens", "number"], ["Cost", "number"], ["Share", "number"]];
const DAY_MS = 86400000;

export function showCost({ main, title, signal, failed }) {
  title.textContent = "Cost";
  const body = h("div", {});
  const days = h("select", { "aria-label": "Days" }, [7, 30, 90, 366].map((number) => h("option", { value: number, selected: number === 30 }, `${number} days`)));
  replace(main, h("div", { class: "head" }, title, days), body);
  let drawn = "";
  const look = async () => {
    const report = await get(`/v1/cost?days=${days.value}`, signal);
    const mark = JSON.stringify(report);
    if (mark === drawn) return;
    drawn = mark;
    draw(body, report);
  };
  days.addEventListener("change", () => look().catch((error) => signal.aborted || failed(error)));
  poll(look, EVERY_MS, signal, failed);
}

function draw(body, { days, by_day: byDay, by_name: byName, total }) {
  const facts = [["Cost", money(total.cost_usd)], ["Runs", count(total.runs)], ["Calls", count(total.calls)], ["Tokens", count(total.tokens)], ["Cost per run", total.runs ? money(total.cost_usd === null ? null : total.cost_usd / total.runs) : "–"]];
  replace(
    body,
    h("dl", { class: "facts" }, facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    region("By day", picture(days, byDay, total, body.clientWidth)),
    region("By pipeline and graph", byName.length ? wide("Cost by name", byNameTable(byName)) : h("p", { class: "empty" }, "No runs yet.")),
  );
}

function picture(days, byDay, total, room) {
  const [width, height, top, bottom] = [pictureWidth(room), 210, 26, 24];
  const known = new Map(byDay.map((one) => [one.day, one]));
  const isPriced = total.known_usd > 0;
  const valueOf = (one) => (isPriced ? one?.known_usd : one?.tokens) ?? 0;
  const label = (value) => (isPriced ? money(value) : `${count(value)} tokens`);
  const today = Date.parse(`${new Date().toISOString().slice(0, 10)}T00:00:00Z`);
  const names = Array.from({ length: days }, (_, index) => new Date(today - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10));
  const most = Math.max(...byDay.map(valueOf), 0);
  const step = width / days;
  const bars = names.map((day, index) => {
    const value = valueOf(known.get(day));
    if (!value) return null;
    const tall = Math.max(2, ((height - top - bottom) * value) / most);
    return s("rect", { class: "bar", x: index * step + step * 0.12, width: Math.min(36, step * 0.76), y: height - bottom - tall, height: tall, rx: Math.min(3, step * 0.2) }, s("title", {}, `${day}: ${label(value)}, ${many(known.get(day).runs, "run")}`));
  });
  const peak = byDay.find((one) => valueOf(one) === most);
  return s(
    "svg",
    { class: "scores", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `cost of ${days} days: ${money(total.cost_usd)}, ${count(total.tokens)} tokens${peak && most ? `; most on ${peak.day}, ${label(most)}` : ""}` },
    s("line", { class: "grid", x1: 0, x2: width, y1: height - bottom, y2: height - bottom }),
    bars,
    most ? s("text", { class: "tick", x: 0, y: 12 }, `at most ${label(most)} a day`) : s("text", { class: "tick", x: 0, y: 12 }, total.cost_usd === null ? "cost unknown" : "nothing spent"),
    s("text", { class: "tick", x: 0, y: height - 6 }, names[0]),
    s("text", { class: "tick", x: width, y: height - 6, "text-anchor": "end" }, "today"),
  );
}

function byNameTable(rows) {
  const max = Math.max(...rows.map((one) => one.known_usd), 0) || 1;
  const cells = (one) => [said(one.name, 200), count(one.runs), count(one.calls), count(one.tokens), money(one.cost_usd), h("meter", { min: 0, max, value: one.known_usd, "aria-hidden": "true" })];
  return table("costs", COLUMNS, h("tbody", { role: "rowgroup" }, rows.map((one) => row(COLUMNS, cells(one)))));
}
