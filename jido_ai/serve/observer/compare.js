// Two runs side by side: answers, how each came about, findings, calls.

import { get } from "./api.js";
import { callName, exchange } from "./calls.js";
import { h, region, replace, said } from "./dom.js";
import { diff, findings, verdicts } from "./loop_parts.js";
import { callsOf } from "./notes.js";
import { judged, loopAt, newState, scoreOf, takeResult } from "./run_state.js";
import { stateMark } from "./runs.js";
import { answerOf, askedFor, callsIn, count, duration, formatted, many, meaning, money, SCORE, SEVERITY, share } from "./words.js";

const MOST_SHOWN = 20000;

export async function showComparison({ main, title, signal, failed, ids }) {
  title.textContent = "Two runs compared";
  const body = h("div", {}, h("p", { class: "empty" }, "Reading …"));
  replace(main, h("div", { class: "head" }, h("div", {}, h("a", { href: "#/runs", class: "back" }, "All runs"), title)), body);
  try {
    if (ids.length !== 2) throw new Error("Choose two runs in the list.");
    const runs = await Promise.all(ids.map(async (id) => {
      const [run, calls] = await Promise.all([get(`/v1/runs/${encodeURIComponent(id)}`, signal), callsOf(id, signal)]);
      const state = newState();
      takeResult(state, run.result, run.kind === "graph");
      return { run, calls, loops: run.kind === "graph" ? [...state.loops].filter(([path]) => path) : [["", loopAt(state, "")]] };
    }));
    replace(body, parts(runs));
  } catch (error) {
    if (!signal.aborted) failed(error);
  }
}

function parts(runs) {
  const both = (draw) => h("div", { class: "pair" }, runs.map((one, index) => h("div", {}, h("p", { class: "whose soft" }, said(one.run.run_id)), draw(one, index))));
  const [first, second] = runs.map(({ run }) => answerOf(run));
  return [
    both(({ run }) => [h("h2", {}, h("a", { href: `#/runs/${encodeURIComponent(run.run_id)}` }, said(run.run_id))), h("p", {}, h("b", {}, said(askedFor(run), 2000))), outcome(run)]),
    h("p", { class: "soft" }, SCORE, " ", SEVERITY),
    region("Answers", both(({ run }) => text(answerOf(run))), first !== null && second !== null ? [h("h3", {}, "From the first answer to the second"), first === second ? h("p", {}, "They are the same.") : h("div", { class: "text" }, diff(first, second))] : null),
    region("Candidates", both(({ loops }) => loops.map(([path, loop]) => [path ? h("h3", {}, said(path)) : null, judged(loop).map(candidate)]))),
    region("Findings", both(({ loops }) => loops.map(([path, loop]) => [path ? h("h3", {}, said(path)) : null, findings(loop)]))),
    region("Calls", both(({ calls }) => (calls.length ? calls.map(call) : h("p", { class: "empty" }, "No call is kept.")))),
  ];
}

function outcome(run) {
  const sum = run.summary ?? {};
  const reason = sum.stop_reason ?? run.status;
  const facts = [["State", stateMark(run.status)], ["Stopped by", [reason.replaceAll("_", " "), meaning(reason) ? h("span", { class: "soft" }, ` ${meaning(reason)}`) : null]], ["Score", share(sum.score)], ["Severity", share(sum.severity)], ["Iterations", count(sum.iterations)], ["Calls", callsIn(sum)], ["Tokens", count(sum.tokens)], ["Cost", run.summary ? money(sum.cost_usd) : "–"], ["Time", duration(sum.duration_s)], ["By", said(run.name, 80)]];
  return [
    h("dl", { class: "facts small" }, facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    run.error ? h("p", { class: "problem" }, said(`${run.error.kind}: ${run.error.message}`, 2000)) : null,
    run.notes ? h("p", {}, run.notes.thumb ? h("b", {}, `Thumbs ${run.notes.thumb}. `) : "", said(run.notes.note, 2000)) : null,
  ];
}

const text = (content) => (content === null ? h("p", { class: "empty" }, "There is no answer.") : h("div", { class: "text" }, said(formatted(content), MOST_SHOWN)));

function candidate(iteration) {
  return folded([h("span", { class: "which" }, `Iteration ${iteration.index + 1}`), h("span", { class: "figures" }, `score ${share(scoreOf(iteration))} · severity ${share(iteration.critique.severity)}`)], () => [text(iteration.candidate.content), verdicts(iteration.critique)]);
}

function call(one) {
  return folded([h("span", { class: "which" }, said(callName(one), 200)), h("span", { class: "figures" }, `${duration(one.duration_s)} · ${many((one.usage?.input_tokens ?? 0) + (one.usage?.output_tokens ?? 0), "token")} · ${money(one.cost_usd)}`)], () => exchange(one));
}

function folded(summary, draw) {
  const body = h("div", { class: "body" });
  const box = h("details", { class: "candidate" }, h("summary", {}, summary), body);
  box.addEventListener("toggle", () => box.open && !body.firstChild && replace(body, [draw()].flat()));
  return box;
}
