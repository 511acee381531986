// The list of runs: pages of a hundred, kept up to date.

import { get, poll } from "./api.js";
import { h, replace, said, setText } from "./dom.js";
import { startDialog } from "./start.js";
import { age, count, meaning, money, share } from "./words.js";

const PAGE = 100;
const EVERY_MS = 1500;
const TYPING_MS = 200;
const STATES = ["all", "queued", "running", "suspended", "completed", "failed", "cancelled"];
const COLUMNS = [["Run", ""], ["State", ""], ["Stopped by", ""], ["Score", "number"], ["Calls", "number"], ["Cost", "number"], ["Age", "number"]];

export function showRuns(stage) {
  const { main, title, signal, failed } = stage;
  title.textContent = "Runs";
  const cursors = [""]; // of this page and of those before it
  let next = null;
  let asked = 0;
  let typing;

  const search = h("input", { type: "search", "aria-label": "Search runs", placeholder: "Search prompts and ids", autocomplete: "off", spellcheck: "false" });
  const state = h("select", { "aria-label": "State" }, STATES.map((name) => h("option", { value: name }, name)));
  const start = h("button", { type: "button", class: "main", onclick: () => startDialog(failed) }, "Start a run");
  const body = h("tbody", {});
  const table = h(
    "table",
    { class: "runs" },
    h("caption", { class: "unseen" }, "Runs, the one that changed last first"),
    h("thead", {}, h("tr", {}, COLUMNS.map(([name, kind]) => h("th", { scope: "col", class: kind }, name)))),
    body,
  );
  const empty = h("p", { class: "empty", hidden: true });
  const newer = h("button", { type: "button", class: "quiet", hidden: true, onclick: () => (cursors.pop(), turn()) }, "Newer runs");
  const older = h("button", { type: "button", class: "quiet", hidden: true, onclick: () => (cursors.push(next), turn()) }, "Older runs");
  const place = h("span", { class: "soft" });
  replace(
    main,
    h("div", { class: "head" }, title, start),
    h("div", { class: "tools" }, search, h("label", { class: "beside" }, h("span", { "aria-hidden": "true" }, "State"), state)),
    h("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "List of runs" }, table),
    empty,
    h("div", { class: "pages" }, newer, place, older),
  );

  const rows = new Map();
  async function look() {
    const mine = (asked += 1);
    const query = new URLSearchParams({ results: "false", limit: PAGE });
    if (cursors.at(-1)) query.set("cursor", cursors.at(-1));
    if (state.value !== "all") query.set("status", state.value);
    if (search.value.trim()) query.set("q", search.value.trim());
    const found = await get(`/v1/runs?${query}`, signal);
    if (mine !== asked) return; // another search was quicker
    draw(found.data);
    next = found.next_cursor;
    newer.hidden = cursors.length === 1;
    older.hidden = next === null;
    setText(place, newer.hidden && older.hidden ? "" : `Page ${cursors.length}`);
    empty.hidden = found.data.length > 0;
    setText(empty, search.value || state.value !== "all" ? "No run fits." : "No runs yet. Start one, or send one to POST /v1/runs.");
  }

  function draw(runs) {
    const now = Date.now();
    const shown = runs.map((run) => {
      const row = rows.get(run.run_id) ?? newRow(run);
      rows.set(run.run_id, row);
      renew(row, run, now);
      return row.element;
    });
    const wanted = new Set(runs.map((run) => run.run_id));
    for (const id of [...rows.keys()]) if (!wanted.has(id)) rows.delete(id);
    const old = body.children;
    if (shown.length !== old.length || shown.some((element, index) => element !== old[index])) keepFocus(() => body.replaceChildren(...shown));
  }

  function again() {
    cursors.length = 1;
    look().catch(quiet);
  }
  function turn() {
    look().catch(quiet);
    main.scrollIntoView();
  }
  const quiet = (error) => signal.aborted || failed(error);
  search.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(again, TYPING_MS);
  });
  state.addEventListener("change", again);
  poll(look, EVERY_MS, signal, failed);
}

function keepFocus(change) {
  const held = document.activeElement;
  change();
  if (held?.isConnected && held !== document.activeElement) held.focus({ preventScroll: true });
}

function newRow(run) {
  const cells = COLUMNS.map(([, kind], index) => h(index ? "td" : "th", { class: kind, scope: index ? null : "row" }));
  const text = run.prompt ?? Object.values(run.inputs ?? {}).map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join(" · ");
  const link = h("a", { href: `#/runs/${encodeURIComponent(run.run_id)}`, class: "id" }, said(run.run_id));
  cells[0].append(h("div", { class: "clip" }, link), h("div", { class: "clip soft" }, said(run.name, 60), " · ", said(text, 240)));
  cells[1].append(stateMark(run.status));
  return { element: h("tr", {}, cells), cells };
}

/** Return a state as a word with its colour. */
export function stateMark(status) {
  return h("span", { class: "state", data: { state: status } }, status);
}

function renew({ cells }, run, now) {
  const sum = run.summary ?? {};
  const mark = cells[1].firstChild;
  setText(mark, run.status);
  mark.dataset.state = run.status;
  const reason = run.status === "running" || run.status === "queued" ? "" : (sum.stop_reason ?? "");
  setText(cells[2], reason.replaceAll("_", " "));
  cells[2].title = meaning(reason);
  if (cells[3].dataset.score !== String(sum.score)) {
    cells[3].dataset.score = String(sum.score);
    replace(cells[3], sum.score === null || sum.score === undefined ? "–" : [h("meter", { min: 0, max: 1, value: sum.score, "aria-hidden": "true" }), share(sum.score)]);
  }
  setText(cells[4], count(sum.calls));
  setText(cells[5], money(sum.cost_usd));
  setText(cells[6], age(run.created_at, now));
}
