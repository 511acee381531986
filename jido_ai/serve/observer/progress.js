// How attempts develop by task type, and whether lessons help.

import { get, poll } from "./api.js";
import { h, pictureWidth, region, replace, row, s, said, table, wide } from "./dom.js";
import { count, figure, percent, share } from "./words.js";

const EVERY_MS = 5000;
const MOST_SCORES = 200;
const VERIFIED = { with_lessons: "runs with lessons", without_lessons: "runs without", rate_with: "succeeded with lessons", rate_without: "succeeded without", low: "difference, at least", high: "difference, at most" };
const REFLECTION = { total: "attempts", triggered: "reflected on", rate_percent: "share reflected on, in percent", mean_reward: "mean reward", threshold: "reflected on below a reward of" };
const MEMORY = [["What"], ["Task type"], ["Passed first, with", "number"], ["Passed first, without", "number"], ["Calls, with", "number"], ["Calls, without", "number"], ["Verdict"]];
const TYPES = [["Task type"], ["Attempts judged", "number"], ["First score", "number"], ["Mean score", "number"], ["Last score", "number"], ["Success", "number"]];
const RATES = new Set(["rate_with", "rate_without", "low", "high"]);

export function showProgress({ main, title, signal, failed }) {
  title.textContent = "Progress";
  const body = h("div", {});
  replace(main, h("div", { class: "head" }, title), body);
  let drawn = "";
  poll(
    async () => {
      const report = await get("/v1/progress", signal);
      const mark = JSON.stringify(report);
      if (mark === drawn) return;
      drawn = mark;
      draw(body, report);
    },
    EVERY_MS,
    signal,
    failed,
  );
}

function draw(body, report) {
  const types = report.task_types.map((one) => ({ ...one, title: one.task_type || "no task type", scores: one.scores.filter((score) => score !== null) }));
  replace(
    body,
    types.length ? null : h("p", { class: "empty" }, "No attempts yet. Every run that keeps a memory is one."),
    memoryFacts(report.memory || []),
    verdict(report.verified),
    region("Scores of attempts, oldest first", picture(types, body.clientWidth), types.length ? wide("Task types", typesTable(types)) : null),
    reflectionFacts(report.reflection),
  );
}

function memoryFacts(rows) {
  const told = rows.filter((row) => row.with.runs || row.without.runs);
  if (!told.length) return null;
  const group = (one) => `${count(one.passed)} of ${count(one.runs)}`;
  const calls = (one) => (one.calls === null ? "–" : figure(one.calls));
  const cells = (one) => [one.of, one.task_type === null ? "all" : said(one.task_type, 200), group(one.with), group(one.without), calls(one.with), calls(one.without), said(one.paused ? `${one.text}; paused` : one.text, 200)];
  return region(
    "Does the memory help? Runs that were shown it, beside runs held out at random",
    wide("Memory", table("trials", MEMORY, h("tbody", { role: "rowgroup" }, told.map((one) => row(MEMORY, cells(one)))))),
  );
}

function verdict(verified) {
  const told = { better: "Runs with lessons did better than the others", worse: "Runs with lessons did worse than the others" }[verified.verdict] ?? "Too few runs to tell whether those with lessons do better";
  return h("div", { class: "verdict" }, h("p", { class: "reason" }, h("b", {}, told), verified.verdict in { better: 0, worse: 0 } ? "; they were not chosen at random." : "."), pairs(verified, ["verdict"], VERIFIED));
}

function reflectionFacts(reflection) {
  return reflection && Object.keys(reflection).length ? region("Reflection", pairs(reflection, [], REFLECTION)) : null;
}

function pairs(map, without, words = {}) {
  const rows = Object.entries(map).filter(([name, value]) => !without.includes(name) && (typeof value === "number" || typeof value === "string" || typeof value === "boolean"));
  return h("dl", { class: "evidence" }, rows.map(([name, value]) => h("div", {}, h("dt", {}, words[name] ?? name.replaceAll("_", " ")), " ", h("dd", {}, said(typeof value !== "number" ? value : RATES.has(name) ? percent(value) : figure(value), 200)))));
}

function picture(types, room) {
  const [width, tall, left] = [pictureWidth(room), 72, 26];
  const height = Math.max(48, types.length * tall + 18);
  const parts = types.map(({ scores, title }, index) => {
    const shown = scores.slice(-MOST_SCORES);
    const top = index * tall + 10;
    const x = (place) => left + 6 + ((width - 150 - left) * place) / Math.max(1, shown.length - 1);
    const y = (score) => top + 44 - 40 * score;
    const path = shown.map((score, place) => `${place ? "L" : "M"}${x(place).toFixed(1)} ${y(score).toFixed(1)}`).join("");
    const end = shown.at(-1);
    return s("g", {}, [0, 1].map((score) => [s("line", { class: "grid", x1: left, x2: width - 140, y1: y(score), y2: y(score) }), s("text", { class: "tick", x: 0, y: y(score) + 4 }, score)]), s("text", { class: "tick", x: left + 6, y: top + 58 }, scores.length > MOST_SCORES ? `attempt ${count(scores.length - MOST_SCORES + 1)}` : "attempt 1"), shown.length > 1 ? s("text", { class: "tick", x: width - 190, y: top + 58 }, `attempt ${count(scores.length)}`) : null, s("path", { class: "line score", d: path || "M0 0" }), end === undefined ? null : s("circle", { class: "dot score", cx: x(shown.length - 1), cy: y(end), r: 3.5 }), s("text", { class: "label", x: width - 126, y: top + 20 }, title.length > 16 ? `${title.slice(0, 15)}…` : title), s("text", { class: "tick", x: width - 126, y: top + 38 }, end === undefined ? "not judged" : `last ${share(end)}`));
  });
  return s("svg", { class: "scores", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `progress of ${types.length} task types: ${types.map(({ title, scores }) => `${title} ${share(scores[0])} to ${share(scores.at(-1))}`).join(", ") || "no attempts"}` }, parts.length ? parts : s("line", { class: "grid", x1: 0, x2: width, y1: 40, y2: 40 }));
}

function typesTable(types) {
  const rate = (scores) => (scores.length ? share(scores.reduce((sum, score) => sum + score, 0) / scores.length) : "–");
  const cells = (one) => [said(one.title, 200), count(one.scores.length), share(one.scores[0]), rate(one.scores), share(one.scores.at(-1)), one.success_rate === undefined || one.success_rate === null ? "–" : percent(one.success_rate)];
  return table("types", TYPES, h("tbody", { role: "rowgroup" }, types.map((one) => row(TYPES, cells(one)))));
}
