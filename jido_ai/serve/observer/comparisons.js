// Comparisons of strategies: the tables, what they mean, and the tasks that were lost.

import { get } from "./api.js";
import { h, region, replace, row, said, table, wide } from "./dom.js";
import { age, count, duration, many, money, percent } from "./words.js";

/** Add the view to the navigation if the memory has comparisons and the caller may see them. */
export async function offerComparisons(navigation) {
  const { data } = await get("/v1/comparisons").catch(() => ({ data: [] })); // no right to see them, or no connection
  if (data.length && !navigation.querySelector('[href="#/comparisons"]')) {
    const link = h("a", { href: "#/comparisons" }, "Comparisons");
    if (location.hash.startsWith("#/comparisons")) link.setAttribute("aria-current", "page");
    navigation.append(link);
  }
}

export async function showComparisons({ main, title, signal, failed }) {
  title.textContent = "Comparisons";
  const body = h("div", {}, h("p", { class: "empty" }, "Reading …"));
  replace(main, h("div", { class: "head" }, title), body);
  try {
    const { data } = await get("/v1/comparisons", signal);
    replace(body, data.length ? data.map(shown) : h("p", { class: "empty" }, "No comparisons. `jido compare` with this memory makes one."));
  } catch (error) {
    if (!signal.aborted) failed(error);
  }
}

function shown(one) {
  const columns = [["Strategy"], ["Passed", "number"], ["95 %", "number"], ["Against", "number"], ["Calls", "number"], ["Tokens", "number"], ["Cost", "number"], ["p50", "number"], ["p95", "number"]];
  return region(
    said(one.run_id, 100),
    h("p", { class: "soft" }, `${many(one.tasks, "task")}, ${age(one.at)} ago; against `, said(one.baseline, 100)),
    h("div", { class: "verdict" }, h("p", { class: "reason" }, said(one.recommendation))),
    wide("Strategies", table("strategies", columns, h("tbody", { role: "rowgroup" }, one.rows.map((each) => row(columns, cells(each)))))),
    one.remarks.length ? h("ul", {}, one.remarks.map((remark) => h("li", {}, said(remark)))) : null,
    one.lost.map(lost),
  );
}

function cells(each) {
  const [low, high] = each.interval;
  const against = each.against === null ? "–" : `+${each.against.gained} −${each.against.lost}, p = ${each.against.p.toPrecision(2)}`;
  const passed = each.weight === each.total ? `${count(each.passed)} of ${count(each.total)}` : `${count(each.passed)} of ${count(each.weight)} by weight`;
  return [said(each.name, 200), passed, `${percent(low)} to ${percent(high)}`, against, count(each.calls), count(each.tokens), money(each.cost_usd), duration(each.p50_s), duration(each.p95_s)];
}

function lost({ strategy, tasks, of }) {
  return h("details", {}, h("summary", {}, said(strategy, 200), ` lost ${many(of, "task")}`), h("ul", {}, tasks.map(({ id, prompt }) => h("li", {}, h("b", {}, said(id, 100)), " ", said(prompt, 200)))), of > tasks.length ? h("p", { class: "soft" }, `and ${count(of - tasks.length)} more`) : null);
}
