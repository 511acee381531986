// The prompts of some runs once more with another pipeline, and both side by side: does it pay?

import { get, poll, send } from "./api.js";
import { button, dialog, field, h, replace, row, said, setText, table, visible, wide } from "./dom.js";
import { stateMark } from "./runs.js";
import { askedFor, count, duration, many, money, SCORE, share } from "./words.js";

const EVERY_MS = 1500;
const AT_ONCE = 8;
const OPEN = new Set(["queued", "running"]);
const COLUMNS = [["Prompt", ""], ["Before", ""], ["Score", "number"], ["Time", "number"], ["Cost", "number"], ["Now", ""], ["Score now", "number"], ["Time now", "number"], ["Cost now", "number"]];

/** Ask which pipeline, start the runs, and show them in pairs. */
export async function againDialog(runs, failed) {
  const mine = runs.filter((run) => run.kind === "pipeline");
  let names;
  try {
    names = (await get("/v1/things")).data.filter((one) => one.kind === "pipeline").map((one) => one.name);
  } catch (error) {
    return failed(error);
  }
  const key = crypto.getRandomValues(new Uint32Array(2)).join("-"); // a second click starts no second run
  const choice = h("select", {}, names.map((name) => h("option", { value: name }, visible(name))));
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  const submit = h("button", { type: "submit", class: "main", disabled: !mine.length }, "Run again");
  const start = async (event) => {
    event.preventDefault();
    submit.disabled = true;
    try {
      const pairs = [];
      for (let first = 0; first < mine.length; first += AT_ONCE) pairs.push(...(await Promise.all(mine.slice(first, first + AT_ONCE).map((run) => once(run, choice.value, key)))));
      box.close();
      location.hash = `#/again/${pairs.map((pair) => pair.map(encodeURIComponent).join("/")).join("/")}`;
    } catch (error) {
      submit.disabled = false;
      problem.hidden = false;
      replace(problem, said(error.message));
    }
  };
  const left = runs.length - mine.length;
  const box = dialog(
    "Run again with another pipeline",
    h("form", { onsubmit: start }, h("p", {}, `${many(mine.length, "prompt")}, each once.${left ? ` ${many(left, "run")} of a graph ${left === 1 ? "is" : "are"} left out.` : ""}`), field("Pipeline", choice), problem, h("div", { class: "actions" }, button("Close", () => box.close()), submit)),
  );
}

async function once(run, pipeline, key) {
  const body = { pipeline, prompt: run.prompt, metadata: { again: run.run_id } };
  if (run.initial_candidate !== null) body.initial_candidate = run.initial_candidate;
  const made = await send("POST", "/v1/runs", body, { "idempotency-key": `again-${key}-${pipeline}-${run.run_id}`.slice(0, 255) });
  return [run.run_id, made.run_id];
}

export function showPairs({ main, title, signal, failed, ids }) {
  title.textContent = "Before and now";
  const pairs = [];
  for (let index = 0; index + 1 < ids.length; index += 2) pairs.push([ids[index], ids[index + 1]]);
  const sum = h("p", { class: "reason", role: "status" });
  const body = h("tbody", { role: "rowgroup" });
  replace(main, h("div", { class: "head" }, h("div", {}, h("a", { href: "#/runs", class: "back" }, "All runs"), title)), sum, wide("Pairs of runs", table("pairs", COLUMNS, body)), h("p", { class: "soft" }, SCORE, " Scores of different critics do not measure the same."));
  const known = new Map();
  let drawn = "";
  const read = async (id) => {
    const run = known.get(id);
    if (!run || OPEN.has(run.status)) known.set(id, await get(`/v1/runs/${encodeURIComponent(id)}?results=false`, signal));
  };
  poll(
    async () => {
      const all = pairs.flat();
      for (let first = 0; first < all.length; first += AT_ONCE) await Promise.all(all.slice(first, first + AT_ONCE).map(read));
      const both = pairs.map((pair) => pair.map((id) => known.get(id)));
      const mark = JSON.stringify(both.flat().map((run) => [run.status, run.updated_at]));
      if (mark === drawn) return;
      drawn = mark;
      replace(body, both.map(line));
      setText(sum, verdict(both));
    },
    EVERY_MS,
    signal,
    failed,
  );
}

function line([before, now]) {
  const figures = (run) => [share(run.summary?.score), duration(run.summary?.duration_s), run.summary ? money(run.summary.cost_usd) : "–"];
  const link = (run) => [h("a", { href: `#/runs/${encodeURIComponent(run.run_id)}` }, said(run.name, 60)), " ", stateMark(run.status)];
  const compare = h("a", { href: `#/compare/${[before, now].map((run) => encodeURIComponent(run.run_id)).join("/")}` }, "Compare");
  return row(COLUMNS, [[h("b", { class: "clip" }, said(askedFor(before), 200)), compare], link(before), ...figures(before), link(now), ...figures(now)]);
}

function verdict(both) {
  const open = both.filter(([, now]) => OPEN.has(now.status)).length;
  const judged = both.filter((pair) => pair.every((run) => typeof run.summary?.score === "number" && !OPEN.has(run.status)));
  const gain = judged.map(([before, now]) => now.summary.score - before.summary.score);
  const better = gain.filter((one) => one > 0.005).length;
  const worse = gain.filter((one) => one < -0.005).length;
  const total = (place, name) => both.reduce((sum, pair) => (sum === null || pair[place].summary?.[name] === undefined || pair[place].summary[name] === null ? null : sum + pair[place].summary[name]), 0);
  const costs = [0, 1].map((place) => money(total(place, "cost_usd")));
  const words = `Score: better in ${count(better)}, worse in ${count(worse)}, the same in ${count(judged.length - better - worse)} of ${count(both.length)}. Cost: ${costs[0]} before, ${costs[1]} now.`;
  return open ? `${many(open, "run")} not finished. ${words}` : words;
}
