// What a loop consists of, as regions: candidates with what their critics said, findings, lessons, usage.

import { button, h, named, replace, row, said, table, visible, wide } from "./dom.js";
import { bestOf, findingsOf, judged, scoreOf } from "./run_state.js";
import { count, duration, formatted, many, money, share } from "./words.js";
import { wordDiff } from "./word_diff.js";

const MOST_OPEN = 6;
const MOST_CELLS = 60;
const MOST_SHOWN = 20000;

// -- candidates ------------------------------------------------------------------------------------

/** Keeps the list of candidates; what is open stays open. `open` opens a call. */
export class Candidates {
  constructor(open) {
    this.open = open;
    this.element = h("div", { class: "candidates" });
    this.shown = new Map();
  }

  /** Draw what is new. `calls` are those of the loop. */
  renew(loop, isOver = false, calls = []) {
    this.judging = calls.filter((one) => one.role === "critiquer");
    const all = judged(loop);
    const best = bestOf(loop);
    const known = new Map(all.map((one) => [one.candidate.id, one]));
    const ids = new Set(known.keys());
    for (const one of all) this.one(one.candidate, one, loop, known, one === best, all.length, isOver);
    for (const candidate of loop.made.values()) {
      if (ids.has(candidate.id) || candidate.content === undefined) continue;
      ids.add(candidate.id);
      this.one(candidate, null, loop, known, false, all.length, isOver);
    }
    for (const [id, part] of this.shown) if (!ids.has(id)) part.box.remove(), this.shown.delete(id);
    if (!ids.size) replace(this.element, h("p", { class: "empty" }, isOver ? "No candidate was made." : "The first candidate is being made."));
    else this.element.querySelector(":scope > .empty")?.remove();
  }

  one(candidate, iteration, loop, known, isBest, total, isOver) {
    let part = this.shown.get(candidate.id);
    if (!part) {
      part = { summary: h("summary", {}), body: h("div", { class: "body" }), mark: null };
      part.box = h("details", { class: "candidate" }, part.summary, part.body);
      part.box.addEventListener("toggle", () => part.box.open && part.draw?.());
      this.shown.set(candidate.id, part);
      this.element.append(part.box);
      part.box.open = total <= MOST_OPEN;
    }
    if (isBest && loop.result && !part.wasBest) part.box.open = part.wasBest = true;
    const judging = this.judging.filter((one) => one.iteration === iteration?.index);
    const mark = `${iteration?.index} ${isBest} ${!iteration && isOver} ${judging.length}`;
    if (part.mark !== mark) {
      part.mark = mark;
      part.box.classList.toggle("is-best", isBest);
      replace(part.summary, head(candidate, iteration, isBest, isOver));
      part.body.replaceChildren(); // its judgement may have come
    }
    part.draw = () => {
      part.draw = null;
      const parent = known.get(candidate.parent_id)?.candidate ?? loop.made.get(candidate.parent_id);
      replace(part.body, h("div", { class: "text" }, parent?.content === undefined ? said(formatted(candidate.content), MOST_SHOWN) : diff(parent.content, candidate.content)), iteration ? verdicts(iteration.critique, (critic) => this.links(critic, judging)) : null);
    };
    if (part.box.open && !part.body.firstChild) part.draw();
    part.index = iteration?.index;
  }

  /** Return ways to the calls that a verdict came from: those to its model, or the only ones there are. */
  links(critique, judging) {
    const models = new Set(judging.map((one) => one.model));
    const own = judging.filter((one) => one.model && [one.model, `model:${one.model}`].includes(critique.source));
    const calls = own.length || models.size > 1 ? own : judging;
    return calls.length ? h("span", { class: "soft" }, "said in ", calls.map((call, index) => [index ? ", " : "", button(`call ${call.seq}`, () => this.open(call), "plain link")])) : null;
  }

  /** Open the candidate of an iteration and go there; tell whether there is one. */
  show(index) {
    const part = [...this.shown.values()].find((one) => one.index === index);
    if (!part) return false;
    part.box.open = true;
    part.box.scrollIntoView({ block: "start" });
    part.box.firstElementChild.focus({ preventScroll: true });
    return true;
  }
}

function head(candidate, iteration, isBest, isOver) {
  if (!iteration) return [h("span", { class: "which" }, isOver ? "Made, not judged" : "Made, and being judged")];
  const figures = [`score ${share(scoreOf(iteration))}`, `severity ${share(iteration.critique.severity)}`];
  if (iteration.change !== null && iteration.change !== undefined) figures.push(`change ${share(iteration.change)}`);
  if (iteration.gain !== null && iteration.gain !== undefined) figures.push(`gain ${iteration.gain < 0 ? "−" : "+"}${Math.abs(iteration.gain).toFixed(2)}`);
  return [
    h("span", { class: "which" }, `Iteration ${iteration.index + 1}`),
    isBest ? h("span", { class: "badge" }, "best") : null,
    iteration.broken?.length ? h("span", { class: "badge bad" }, `breaks ${many(iteration.broken.length, "check")}`) : null,
    h("span", { class: "figures" }, figures.join(" · ")),
  ];
}

/** Return what the critic said, in its own words, and what each member of a panel said. `links` gives the way to a verdict's call. */
export function verdicts(critique, links = () => null) {
  const parts = critique.parts?.length ? critique.parts : [];
  return h("div", { class: "verdicts" }, parts.length ? [verdict(critique, true), parts.map((one) => verdict(one, false, links))] : verdict(critique, false, links));
}

function verdict(critique, isSum, links = () => null) {
  const name = critique.source && critique.source !== "unknown" ? critique.source : "critic";
  const criteria = Object.entries(critique.criterion_scores ?? {});
  const issues = isSum ? [] : (critique.issues ?? []);
  return h(
    "div",
    { class: isSum ? "critic sum" : "critic" },
    h("h3", {}, said(isSum ? "All critics together" : name, 120), h("span", { class: "figures" }, `severity ${share(critique.severity)} · score ${share(critique.score)}${critique.confidence === null || critique.confidence === undefined ? "" : ` · confidence ${share(critique.confidence)}`}`), links(critique)),
    critique.feedback && !isSum ? h("blockquote", {}, said(critique.feedback, MOST_SHOWN)) : null,
    issues.length ? h("ul", {}, issues.map((issue) => h("li", {}, told(issue), h("span", { class: "soft" }, ` severity ${share(issue.severity)}`)))) : isSum ? null : h("p", { class: "soft" }, critique.feedback ? "It listed no finding." : "It found nothing, and said no more."),
    critique.suggestions?.length && !isSum ? [h("p", { class: "soft" }, "It suggested:"), h("ul", {}, critique.suggestions.map((one) => h("li", {}, said(one, 2000))))] : null,
    criteria.length ? h("p", { class: "soft" }, criteria.map(([criterion, score], index) => [index ? " · " : "", said(criterion, 80), ` ${share(score)}`])) : null,
  );
}

/** Return the words of a finding after its place: a line of a file, or a path into JSON such as items[2].price. */
function told({ location, message }) {
  const where = [location?.path, location?.line].filter((one) => one !== null && one !== undefined).join(":");
  if (!where) return said(message, 2000);
  return [h("code", {}, named(where)), " ", said(message.startsWith(`${where}: `) ? message.slice(where.length + 2) : message, 2000)];
}

export function diff(from, to) {
  const [before, after] = [formatted(from), formatted(to)];
  const old = visible(before).slice(0, MOST_SHOWN);
  const fresh = visible(after).slice(0, MOST_SHOWN);
  const parts = wordDiff(old, fresh).map(([kind, text]) => (kind === "=" ? text : h(kind === "+" ? "ins" : "del", {}, text)));
  return h("bdi", { dir: "auto" }, parts, after.length > MOST_SHOWN ? "…" : null);
}

// -- findings --------------------------------------------------------------------------------------

const ORDER = ["regressed", "open", "disputed", "fixed"];

const LEDGER = [["Finding", "message"], ["State", ""], ["Severity", "number"], ["Iterations", ""]];

export function findings(loop) {
  const all = findingsOf(loop).sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status) || a.first_iteration - b.first_iteration);
  if (!all.length) return h("p", { class: "empty" }, judged(loop).length ? "Nothing was found." : "Nothing was judged.");
  const total = judged(loop).length;
  const sums = ORDER.map((status) => [status, all.filter((one) => one.status === status).length]).filter(([, number]) => number);
  return [
    h("p", { class: "soft" }, sums.map(([status, number]) => `${number} ${status}`).join(" · ")),
    wide("Ledger of findings", table("ledger", LEDGER, h("tbody", { role: "rowgroup" }, all.map((one) => finding(one, total))))),
  ];
}

function finding({ issue, status, at, first_iteration: first, last_iteration: last }, total) {
  const by = [issue.rule ?? issue.kind, issue.source].filter(Boolean);
  return row(LEDGER, [
    [told(issue), by.length ? h("div", { class: "soft" }, by.map((one, index) => [index ? " · " : "", said(one, 200)])) : null],
    h("span", { class: "finding", data: { status } }, status),
    share(issue.severity),
    [total <= MOST_CELLS ? cells(at, total) : null, h("span", { class: "soft" }, first === last ? `${first + 1}` : `${first + 1}–${last + 1}`)],
  ]);
}

/** One small square per iteration, filled where the finding was reported. */
function cells(at, total) {
  return h("span", { class: "cells", "aria-hidden": "true" }, Array.from({ length: total }, (_, index) => h("i", { class: at.has(index) ? "on" : null })));
}

// -- lessons ---------------------------------------------------------------------------------------

export function lessons(loop) {
  const stored = loop.result?.lessons_stored ?? [];
  const reflections = stored.length ? [] : loop.reflections.filter(Boolean);
  return [
    h("h3", {}, `Used (${loop.lessons.length})`),
    loop.lessons.length ? h("ul", { class: "lessons" }, loop.lessons.map(lesson)) : h("p", { class: "empty" }, "No lesson was offered."),
    loop.examples.length ? h("p", { class: "soft" }, `Shown with ${loop.examples.length === 1 ? "an example" : `${loop.examples.length} examples`}: `, said(loop.examples.join(", "), 1000)) : null,
    loop.result?.held_out ? h("p", { class: "soft" }, "Held out: nothing remembered was shown, to tell whether the memory helps.") : null,
    h("h3", {}, `Stored (${stored.length})`),
    stored.length ? h("ul", { class: "lessons" }, stored.map(lesson)) : null,
    reflections.length ? h("ul", { class: "lessons" }, reflections.map((one) => h("li", {}, said(one.lesson, 1000)))) : null,
    stored.length || reflections.length ? null : h("p", { class: "empty" }, "No lesson was stored."),
  ];
}

function lesson(entry) {
  const helped = entry.use_count ? ` · shown in ${entry.use_count} earlier runs, ${entry.success_count} went well` : "";
  return h("li", {}, said(entry.correction || entry.mistake || entry.prompt, 1000), h("div", { class: "soft" }, `${entry.kind} · importance ${share(entry.importance)}${helped}`));
}

// -- usage, where the calls themselves are not kept -----------------------------------------------

const USAGE = [["Step", ""], ["Time", "number"], ["Calls", "number"], ["Tokens in", "number"], ["Tokens out", "number"], ["Cost", "number"]];

export function usage(loop) {
  const rows = judged(loop).flatMap((iteration) => callsOf(iteration, loop.times));
  const listed = judged(loop).map((one) => one.usage).reduce(added, {});
  const total = loop.result?.usage ?? listed;
  const others = (total.calls ?? 0) - (listed.calls ?? 0);
  if (others > 0) rows.push({ what: "Outside of iterations", seconds: null, usage: { ...less(total, listed), calls: others } });
  if (!rows.length) return h("p", { class: "empty" }, "No model was called.");
  const all = { what: "All", seconds: loop.result?.duration_s ?? null, usage: total };
  return [
    rows.some((one) => one.usage.calls) ? h("p", { class: "soft" }, "Prompts and replies of these calls are not kept: the components do not record them, or recording is off.") : null,
    wide("List of calls", table("calls", USAGE, h("tbody", { role: "rowgroup" }, rows.map(step)), h("tfoot", { role: "rowgroup" }, step(all)))),
  ];
}

function step({ what, seconds, usage: of, model }) {
  return row(USAGE, [[what, model ? h("span", { class: "soft" }, " ", said(model, 80)) : null], duration(seconds), count(of.calls), count(of.input_tokens), count(of.output_tokens), money(of.cost_usd, of.unpriced_calls)]);
}

/** Return what making and judging took; as one row where the parts do not tell their usage. */
function callsOf(iteration, times) {
  const { candidate, critique, index, usage } = iteration;
  const made = candidate.metadata?.usage;
  const judges = critique.parts?.length ? critique.parts : [critique];
  const judgeUsages = judges.map((one) => one.metadata?.usage);
  const known = [made, ...judgeUsages].filter(Boolean);
  const makeS = times.get(`make ${candidate.id}`) ?? null;
  const judgeS = times.get(`judge ${candidate.id}`) ?? null;
  const verb = candidate.parent_id ? "Revise" : "Generate";
  if (!known.length || known.reduce((sum, one) => sum + (one.calls ?? 0), 0) !== usage.calls) {
    return [{ what: `${index + 1}: ${verb} and critique`, seconds: iteration.duration_s, usage, model: candidate.model }];
  }
  const rows = made ? [{ what: `${index + 1}: ${verb}`, seconds: makeS ?? iteration.duration_s, usage: made, model: candidate.model }] : [];
  judges.forEach((one, place) => {
    if (judgeUsages[place]) rows.push({ what: `${index + 1}: Critique`, seconds: judgeS ?? iteration.duration_s, usage: judgeUsages[place], model: one.source === "unknown" ? null : one.source });
  });
  return rows;
}

function added(sum, usage) {
  const result = { ...sum };
  for (const [name, value] of Object.entries(usage ?? {})) result[name] = value === null || result[name] === null ? null : (result[name] ?? 0) + value;
  return result;
}

const less = (all, some) => Object.fromEntries(Object.entries(all).map(([name, value]) => [name, value === null || some[name] === null ? null : Math.max(0, value - (some[name] ?? 0))]));
