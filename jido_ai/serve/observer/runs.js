// The list of runs: filters, order, figures, pages of a hundred, kept up to date; and what is done with those chosen.

import { againDialog } from "./again.js";
import { get, poll, send } from "./api.js";
import { announce, button, download, h, replace, row, said, setText, table } from "./dom.js";
import { exported } from "./notes.js";
import { startDialog } from "./start.js";
import { age, askedFor, callsIn, count, duration, meaning, money, percent, REASONS, SCORE, share, standing } from "./words.js";

const PAGE = 100;
const EVERY_MS = 1500;
const TYPING_MS = 200;
const MOST_AGAIN = 100;
const STATES = ["all", "queued", "running", "suspended", "completed", "failed", "cancelled"];
const SORTS = [["-created_at", "newest first"], ["created_at", "oldest first"], ["-duration", "slowest first"], ["duration", "fastest first"], ["-cost", "most expensive first"], ["cost", "cheapest first"], ["-score", "best first"], ["score", "worst first"]];
const SAVED = [["All", ""], ["Wait for you", "status=suspended"], ["Worst first", "status=completed&sort=score"], ["Failed", "status=failed"], ["Most expensive", "sort=-cost"]];
const COLUMNS = [["Run", ""], ["Outcome", ""], ["Stopped by", ""], ["Score", "number"], ["Time", "number"], ["Calls", "number"], ["Cost", "number"], ["Age", "number"]];
const SORTED = { Score: "score", Time: "duration", Cost: "cost", Age: "created_at" };

function ownViews() {
  try {
    return JSON.parse(localStorage.getItem("jido-views") ?? "[]").filter((one) => typeof one === "string");
  } catch {
    return []; // storage is blocked, or holds something else
  }
}

function keepViews(views) {
  try {
    localStorage.setItem("jido-views", JSON.stringify(views.slice(-12)));
  } catch {
    // the address has it
  }
}

/** Return a view's name: what its address asks for, "failed, invoice". */
const viewName = (wanted) => [...new URLSearchParams(wanted)].map(([key, value]) => (key === "sort" ? SORTS.find(([name]) => name === value)?.[1] ?? value : value.replaceAll("_", " ").replace(/T\d\d:.*$/, ""))).join(", ");

export function showRuns(stage) {
  const { main, title, signal, failed, query } = stage;
  title.textContent = "Runs";
  const cursors = [""]; // of this page and of those before it
  const chosen = new Map(); // runs by id
  let next = null;
  let asked = 0;
  let typing;

  const search = h("input", { type: "search", "aria-label": "Search runs", placeholder: "Search prompts, answers and ids", autocomplete: "off", spellcheck: "false", value: query.get("q") });
  const select = (key, label, options) => h("select", { "aria-label": label, onchange: again, data: { key } }, options.map(([value, text]) => h("option", { value, selected: value === (query.get(key) ?? "") }, text)));
  const time = (key, label) => h("input", { type: "datetime-local", "aria-label": label, onchange: again, data: { key }, value: local(query.get(key)) });
  const state = select("status", "State", STATES.map((name) => [name === "all" ? "" : name, name]));
  const thing = select("pipeline", "Pipeline", [["", "all"], ...(query.get("pipeline") ? [[query.get("pipeline"), query.get("pipeline")]] : [])]);
  const reason = select("stop_reason", "Stopped by", [["", "all"], ...REASONS.map((name) => [name, name.replaceAll("_", " ")])]);
  const sort = select("sort", "Order", SORTS.map(([value, text]) => [value === "-created_at" ? "" : value, text]));
  const since = time("since", "Since");
  const until = time("until", "Until");
  const filters = [state, thing, reason, since, until, sort];
  const beside = (label, control) => h("label", { class: "beside" }, h("span", { "aria-hidden": "true" }, label), control);

  const views = h("div", { class: "saved", role: "group", "aria-label": "Saved views" });
  const figures = h("dl", { class: "facts" });
  const body = h("tbody", { role: "rowgroup" });
  const list = table("runs", COLUMNS.map(([name, kind]) => [SORTED[name] ? button(name, () => orderBy(SORTED[name]), "plain") : name, kind]), body);
  list.prepend(h("caption", { class: "unseen" }, "Runs"));
  const empty = h("p", { class: "empty", hidden: true });
  const newer = button("Newer runs", () => (cursors.pop(), turn()), "quiet", { hidden: true });
  const older = button("Older runs", () => (cursors.push(next), turn()), "quiet", { hidden: true });
  const place = h("span", { class: "soft" });
  const picked = h("span", { role: "status" });
  const compare = button("Compare", () => (location.hash = `#/compare/${[...chosen.keys()].map(encodeURIComponent).join("/")}`));
  const repeat = button("Run again with …", () => againDialog([...chosen.values()], failed));
  const json = button("JSON", async () => {
    try {
      download("runs.json", await Promise.all([...chosen.keys()].map((id) => exported(id, signal))));
    } catch (error) {
      quiet(error);
    }
  });
  const none = button("Clear selection", () => (chosen.clear(), drawChoice()));
  const choice = h("div", { class: "tools choice", role: "group", "aria-label": "Chosen runs", hidden: true }, picked, compare, repeat, json, none);
  replace(
    main,
    h("div", { class: "head" }, title, button("Start a run", () => startDialog(failed), "main")),
    h("div", { class: "tools" }, search, beside("State", state), beside("Pipeline", thing), beside("Order", sort)),
    views,
    h("details", { class: "filters", open: Boolean(query.get("stop_reason") || query.get("since") || query.get("until")) }, h("summary", {}, "More filters"), h("div", { class: "tools" }, beside("Stopped by", reason), beside("Since", since), beside("Until", until))),
    figures,
    choice,
    h("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "List of runs" }, list),
    empty,
    h("p", { class: "soft" }, SCORE, " Choose two runs to compare them, or some to run their prompts again with another pipeline. Keys: j and k move, Enter opens, / searches; an address keeps its filters."),
    h("div", { class: "pages" }, newer, place, older),
  );

  function asQuery() {
    const found = new URLSearchParams();
    if (search.value.trim()) found.set("q", search.value.trim());
    for (const { dataset, value, type } of filters) if (value) found.set(dataset.key, type === "datetime-local" ? new Date(value).toISOString() : value);
    return found;
  }

  /** Links to the views of all, to your own, and a button that keeps or forgets the one that is shown. */
  function drawViews() {
    const shown = asQuery().toString();
    const mine = ownViews();
    const link = ([name, wanted]) => h("a", { href: `#/runs${wanted && `?${wanted}`}`, "aria-current": shown === wanted ? "page" : null }, said(name, 60));
    const isOwn = mine.includes(shown);
    const keep = button(isOwn ? "Forget this view" : "Keep this view", () => (keepViews(isOwn ? mine.filter((one) => one !== shown) : [...mine, shown]), drawViews()), "plain link", { hidden: SAVED.some(([, wanted]) => wanted === shown) });
    replace(views, SAVED.map(link), mine.map((one) => link([viewName(one), one])), keep);
  }

  const rows = new Map();
  async function look() {
    const mine = (asked += 1);
    const wanted = asQuery();
    const isFiltered = [...wanted.keys()].some((key) => key !== "sort");
    wanted.set("results", "false");
    wanted.set("limit", PAGE);
    if (cursors.at(-1)) wanted.set("cursor", cursors.at(-1));
    const found = await get(`/v1/runs?${wanted}`, signal);
    if (mine !== asked) return; // another search was quicker
    draw(found.data);
    drawFigures(found.figures);
    next = found.next_cursor;
    newer.hidden = cursors.length === 1;
    older.hidden = next === null;
    setText(place, newer.hidden && older.hidden ? "" : `Page ${cursors.length}`);
    empty.hidden = found.data.length > 0;
    setText(empty, isFiltered ? "No run matches." : "There are no runs. Start one, or send one to POST /v1/runs.");
  }

  function draw(runs) {
    const now = Date.now();
    const shown = runs.map((run) => {
      const one = rows.get(run.run_id) ?? newRow(run, (isChosen) => choose(run, isChosen));
      rows.set(run.run_id, one);
      renew(one, run, now, decide);
      return one.element;
    });
    const wanted = new Set(runs.map((run) => run.run_id));
    for (const id of [...rows.keys()]) if (!wanted.has(id)) rows.delete(id);
    const old = body.children;
    if (shown.length !== old.length || shown.some((element, index) => element !== old[index])) keepFocus(() => body.replaceChildren(...shown));
    drawChoice();
  }

  function drawFigures({ runs, failed: wrong, error_rate: rate, p50_s: p50, p95_s: p95 }) {
    const facts = [["Runs", count(runs)], ["Failed", rate === null ? count(wrong) : `${count(wrong)} (${percent(rate)})`], ["Median time (p50)", duration(p50)], ["95th percentile of time (p95)", duration(p95)]];
    const mark = JSON.stringify(facts);
    if (figures.dataset.mark === mark) return;
    figures.dataset.mark = mark;
    replace(figures, facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
  }

  /** Decide in the list; a run that asks several things, or whose text is to be edited, is opened. */
  async function decide(run, decision) {
    try {
      const { waiting } = await get(`/v1/runs/${encodeURIComponent(run.run_id)}`, signal);
      if (decision === null || waiting?.length !== 1) return void (location.hash = `#/runs/${encodeURIComponent(run.run_id)}`);
      await send("POST", `/v1/runs/${encodeURIComponent(run.run_id)}/approvals/${encodeURIComponent(waiting[0].id ?? "revision")}`, { decision });
      announce("Sent.");
      await look();
    } catch (error) {
      quiet(error);
    }
  }

  function choose(run, isChosen) {
    if (isChosen) chosen.set(run.run_id, run);
    else chosen.delete(run.run_id);
    drawChoice();
  }
  function drawChoice() {
    for (const [id, { box }] of rows) box.checked = chosen.has(id);
    choice.hidden = chosen.size === 0;
    setText(picked, `${count(chosen.size)} chosen`);
    compare.disabled = chosen.size !== 2;
    repeat.disabled = chosen.size > MOST_AGAIN;
  }

  function orderBy(key) {
    const current = sort.value || "-created_at";
    const wanted = current === `-${key}` ? key : `-${key}`;
    sort.value = wanted === "-created_at" ? "" : wanted;
    again();
  }
  function drawOrder() {
    const current = sort.value || "-created_at";
    for (const head of list.tHead.rows[0].cells) {
      const key = SORTED[head.textContent];
      if (key && current.endsWith(key)) head.setAttribute("aria-sort", current.startsWith("-") === (key !== "created_at") ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
  }
  function again() {
    cursors.length = 1;
    const wanted = asQuery().toString();
    history.replaceState(null, "", `#/runs${wanted ? `?${wanted}` : ""}`);
    drawOrder();
    drawViews();
    look().catch(quiet);
  }
  function turn() {
    look().catch(quiet);
    main.scrollIntoView();
  }
  const quiet = (error) => signal.aborted || failed(error);
  addEventListener("keydown", (event) => {
    const step = { j: 1, k: -1 }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, textarea, select, dialog") || !(step || event.key === "/")) return;
    event.preventDefault();
    if (!step) return search.focus();
    const links = [...body.querySelectorAll("a.id")];
    const at = links.findIndex((link) => body.contains(document.activeElement) && link.closest("tr").contains(document.activeElement));
    links[Math.min(links.length - 1, Math.max(0, at < 0 ? 0 : at + step))]?.focus();
  }, { signal });
  search.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(again, TYPING_MS);
  });
  drawOrder();
  drawViews();
  poll(look, EVERY_MS, signal, failed);
  get("/v1/things", signal)
    .then(({ data }) => {
      for (const { name } of data) if (![...thing.options].some((option) => option.value === name)) thing.append(h("option", { value: name }, said(name, 80).textContent));
    })
    .catch(quiet);
}

/** Return a time as its input wants it: in the zone of this machine. */
function local(iso) {
  const at = iso ? new Date(iso) : null;
  return at && !Number.isNaN(at.getTime()) ? new Date(at.getTime() - at.getTimezoneOffset() * 60000).toISOString().slice(0, 16) : null;
}

function keepFocus(change) {
  const held = document.activeElement;
  change();
  if (held?.isConnected && held !== document.activeElement) held.focus({ preventScroll: true });
}

function newRow(run, choose) {
  const text = askedFor(run);
  const link = h("a", { href: `#/runs/${encodeURIComponent(run.run_id)}`, class: "id" }, said(run.run_id));
  const box = h("input", { type: "checkbox", "aria-label": "Choose", onchange: () => choose(box.checked) });
  const opinion = h("span", {});
  const decision = h("div", { class: "decision", hidden: true });
  const about = h("div", { class: "about" }, h("b", { class: "clip" }, said(text, 240)), h("div", { class: "clip soft" }, link, " · ", said(run.name, 60), opinion));
  const element = row(COLUMNS, [h("div", { class: "pick" }, box, about), [stateMark(run.status), decision], "", "", "", "", "", ""]);
  return { element, cells: [...element.cells], box, opinion, decision };
}

/** Return a state as a word with its colour. */
export function stateMark(status, colour = status) {
  return h("span", { class: "state", data: { state: colour } }, status);
}

function renew({ cells, opinion, decision }, run, now, decide) {
  const sum = run.summary ?? {};
  const mark = cells[1].firstChild;
  const isOpen = run.status === "running" || run.status === "queued";
  const [word, colour] = standing(run);
  setText(mark, word);
  mark.dataset.state = colour;
  decision.hidden = run.status !== "suspended";
  if (!decision.hidden && !decision.childElementCount) decision.append(button("Approve", () => decide(run, true), "small"), button("Edit", () => decide(run, null), "small"), button("Refuse", () => decide(run, false), "small"));
  const reason = isOpen || sum.stop_reason === run.status || sum.stop_reason === word ? "" : (sum.stop_reason ?? "");
  setText(cells[2], reason.replaceAll("_", " "));
  cells[2].title = meaning(reason);
  if (cells[3].dataset.score !== String(sum.score)) {
    cells[3].dataset.score = String(sum.score);
    replace(cells[3], sum.score === null || sum.score === undefined ? "–" : [h("meter", { min: 0, max: 1, value: sum.score, "aria-hidden": "true" }), share(sum.score)]);
  }
  setText(cells[4], duration(isOpen ? (now - Date.parse(run.created_at)) / 1000 : sum.duration_s));
  setText(cells[5], sum.calls ? count(sum.calls) : callsIn(sum));
  cells[5].title = callsIn(sum);
  setText(cells[6], run.summary ? money(sum.cost_usd) : "–");
  setText(cells[7], age(run.created_at, now));
  const noted = run.notes ? `${run.notes.thumb ?? ""} ${run.notes.note}` : "";
  if (opinion.dataset.noted === noted) return;
  opinion.dataset.noted = noted;
  replace(opinion, noted ? [" · ", run.notes.thumb ? h("span", { class: run.notes.thumb === "up" ? "better" : "worse" }, `thumbs ${run.notes.thumb} `) : "", said(run.notes.note, 80)] : []);
}
