// Score and severity over the iterations, with the rule that stopped the run drawn where it spoke.

import { s } from "./dom.js";
import { bestOf, judged, scoreOf } from "./run_state.js";
import { figure, many, share } from "./words.js";

const HEIGHT = 220;
const MARGIN = { top: 30, right: 118, bottom: 34, left: 40 };
const MOST_POINTS = 40;

/** Return the picture of a loop for a width in pixels. */
export function scorePicture(loop, width) {
  const iterations = judged(loop);
  const inner = { left: MARGIN.left, right: width - MARGIN.right, top: MARGIN.top, bottom: HEIGHT - MARGIN.bottom };
  const last = iterations.at(-1)?.index ?? 0;
  const x = (index) => (last ? inner.left + 14 + ((inner.right - inner.left - 28) * index) / last : (inner.left + inner.right) / 2);
  const y = (value) => inner.bottom - (inner.bottom - inner.top) * value;
  const place = { x, y, inner, last, iterations };
  return s(
    "svg",
    { class: "scores", viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: "img", "aria-label": inWords(loop, iterations) },
    grid(place),
    loop.result ? evidence(loop.result, place) : null,
    line("severity", iterations.map((one) => [one.index, one.critique.severity]), place),
    line("score", iterations.map((one) => [one.index, scoreOf(one)]), place),
    best(loop, place),
    ends(place),
    loop.result ? stop(loop.result, place) : null,
  );
}

function inWords(loop, iterations) {
  if (!iterations.length) return "score and severity: nothing was judged yet";
  const [first, last] = [iterations[0], iterations.at(-1)];
  const reason = loop.result?.stop_reason;
  return (
    `score and severity over ${many(iterations.length, "iteration")}: score ${share(scoreOf(first))} to ${share(scoreOf(last))}, ` +
    `severity ${share(first.critique.severity)} to ${share(last.critique.severity)}${reason ? `; stopped: ${reason}` : "; still running"}`
  );
}

function grid({ x, y, inner, last }) {
  const parts = [];
  for (const value of [0, 0.5, 1]) {
    parts.push(s("line", { class: "grid", x1: inner.left, x2: inner.right, y1: y(value), y2: y(value) }));
    parts.push(s("text", { class: "tick", x: inner.left - 10, y: y(value) + 4, "text-anchor": "end" }, String(value)));
  }
  const step = [1, 2, 5, 10, 20, 50].find((one) => last / one <= 12) ?? 100;
  for (let index = 0; index <= last; index += step) {
    parts.push(s("text", { class: "tick", x: x(index), y: inner.bottom + 20, "text-anchor": "middle" }, String(index + 1)));
  }
  parts.push(s("text", { class: "tick", x: inner.right + 10, y: inner.bottom + 20 }, "iteration"));
  return parts;
}

function line(kind, points, { x, y }) {
  const path = points.map(([index, value], place) => `${place ? "L" : "M"}${x(index).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  const dots = points.length > MOST_POINTS ? [] : points.map(([index, value]) => s("circle", { class: `dot ${kind}`, cx: x(index), cy: y(value), r: 3.5 }, s("title", {}, `iteration ${index + 1}: ${kind} ${share(value)}`)));
  return s("g", {}, s("path", { class: `line ${kind}`, d: path || "M0 0" }), dots);
}

function best(loop, { x, y }) {
  const one = bestOf(loop);
  if (!one) return null;
  return s("circle", { class: "best", cx: x(one.index), cy: y(scoreOf(one)), r: 8 }, s("title", {}, `best: iteration ${one.index}`));
}

/** Label the lines at their ends, so that no legend is needed. */
function ends({ iterations, x, y, inner }) {
  const one = iterations.at(-1);
  if (!one) return null;
  const labels = [["score", scoreOf(one)], ["severity", one.critique.severity]].map(([kind, value]) => ({ kind, value, at: y(value) + 4 })).sort((a, b) => a.at - b.at);
  if (labels[1].at - labels[0].at < 17) {
    const middle = (labels[0].at + labels[1].at) / 2;
    labels[0].at = middle - 8.5;
    labels[1].at = middle + 8.5;
  }
  const left = Math.min(inner.right + 2, x(one.index) + 16);
  return labels.map(({ kind, value, at }) => s("text", { class: `label ${kind}`, x: left, y: Math.min(at, inner.bottom + 2) }, `${kind} ${share(value)}`));
}

// -- the rule's evidence ---------------------------------------------------------------------------

function evidence(result, place) {
  const given = result.evidence ?? {};
  const draw = { accepted: threshold, severity_plateau: severityPlateau, score_plateau: scorePlateau, regression, cycle, minimal_change: lastStep, no_expected_gain: lastStep }[result.stop_reason];
  const parts = draw?.(given, place) ?? null;
  return parts && s("g", { class: "evidence" }, parts);
}

const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

function level(value, text, { y, inner }) {
  return [
    s("line", { class: "rule", x1: inner.left, x2: inner.right, y1: y(value), y2: y(value) }),
    s("text", { class: "note", x: inner.left + 6, y: y(value) - 6 }, text),
  ];
}

function threshold({ severity_threshold: value }, place) {
  if (!isNumber(value)) return null;
  const { inner, y } = place;
  return [s("rect", { class: "zone", x: inner.left, width: inner.right - inner.left, y: y(value), height: inner.bottom - y(value) }), ...level(value, `severity threshold ${figure(value)}`, place)];
}

function band(from, to, lowest, highest, { x, y, inner }) {
  const left = Math.max(inner.left, x(from) - 10);
  const top = y(Math.min(1, highest));
  return s("rect", { class: "zone", x: left, width: Math.min(inner.right, x(to) + 10) - left, y: top, height: y(Math.max(0, lowest)) - top });
}

function severityPlateau({ severity_before: before, severity, score_threshold: least }, place) {
  if (![before, severity, least].every(isNumber)) return null;
  const { iterations, y } = place;
  const from = iterations.at(-2)?.index ?? 0;
  return [band(from, place.last, before - least, before, place), note(`severity fell by ${figure(before - severity)}, threshold ${figure(least)}`, y(Math.max(0, before - least)) + 18, place)];
}

function scorePlateau({ best_before: best, patience, score_threshold: least }, place) {
  if (![best, patience, least].every(isNumber)) return null;
  const from = place.iterations.at(-1 - patience)?.index ?? 0;
  return [band(from, place.last, best - least, best + least, place), note(`within ${figure(least)} of the best before, ${figure(best)}`, place.y(Math.min(1, best + least)) - 8, place)];
}

function regression({ best_score: best, score_threshold: least }, place) {
  if (![best, least].every(isNumber)) return null;
  return level(Math.max(0, best - least), `a fall: below ${figure(best - least)} (best ${figure(best)}, threshold ${figure(least)})`, place);
}

function cycle({ iteration, equals }, place) {
  if (![iteration, equals].every(isNumber)) return null;
  const { x, y, inner } = place;
  const top = inner.top + 6;
  return [s("path", { class: "rule", d: `M${x(equals)} ${y(0.9)} C${x(equals)} ${top} ${x(iteration)} ${top} ${x(iteration)} ${y(0.9)}` }), note(`the same text as iteration ${equals + 1}`, top + 2, place)];
}

function lastStep(given, place) {
  const from = place.iterations.at(-2)?.index ?? 0;
  const text = isNumber(given.change) ? `change ${figure(given.change)}, threshold ${figure(given.change_threshold)}` : `expected gain ${figure(given.expected_gain)}, price ${figure(given.price)}`;
  return [band(from, place.last, 0, 1, place), note(text, place.inner.top + 16, place)];
}

function note(text, at, { x, inner, last }) {
  return s("text", { class: "note", x: x(last) - 8, y: Math.min(inner.bottom - 6, Math.max(inner.top + 12, at)), "text-anchor": "end" }, text);
}

function stop({ stop_reason: reason }, { x, inner, last }) {
  const at = x(last);
  return s(
    "g",
    { class: "stop" },
    s("line", { x1: at, x2: at, y1: inner.top - 8, y2: inner.bottom }),
    s("text", { x: at, y: inner.top - 14, "text-anchor": last ? "end" : "middle" }, `stopped: ${reason.replaceAll("_", " ")}`),
  );
}
