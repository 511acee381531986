// Figures and stop reasons in words.

const grouped = new Intl.NumberFormat("en");

export const count = (number) => grouped.format(number ?? 0);
export const many = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
export const share = (number) => (number === null || number === undefined ? "–" : number.toFixed(2));
export const percent = (number) => `${Math.round(number * 100)} %`;
/** Return a figure without noise of floating point: 0.3, 0.12. */
export const figure = (number) => (Number.isInteger(number) ? count(number) : String(Number(number.toPrecision(3))));

/** Return how many calls a run made: those that may have been billed, and those that failed before that. */
export function callsIn(sum) {
  const failed = sum.failed_calls ? `${count(sum.failed_calls)} failed` : "";
  return failed && sum.calls ? `${count(sum.calls)} + ${failed}` : failed || count(sum.calls);
}

/** Return a cost; one that is unknown, or partly so, never looks like a known one. */
export function money(usd, unpriced = 0) {
  if (usd === null || usd === undefined) return "unknown";
  if (!usd) return unpriced ? "unknown" : "$0";
  const text = usd >= 100 ? usd.toFixed(0) : usd >= 0.1 ? usd.toFixed(2) : usd >= 0.0001 ? usd.toFixed(4) : "< 0.0001";
  return `$${text}${unpriced ? "+" : ""}`;
}

export function duration(seconds) {
  if (seconds === null || seconds === undefined || Number.isNaN(seconds)) return "–";
  if (seconds < 1) return `${Math.max(0, Math.round(seconds * 1000))} ms`;
  if (seconds < 90) return `${seconds.toFixed(1)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

export function age(iso, now = Date.now()) {
  const seconds = Math.max(0, (now - Date.parse(iso)) / 1000);
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86400)} d`;
}

export const SCORE = "Score: how good a text is, from 0 to 1; the loop wants it to rise.";
export const SEVERITY = "Severity: how bad its worst finding is, from 0 (nothing is wrong) to 1 (unusable); a text below the threshold is good enough.";

/** Return what a person asked for: a conversation before it is told apart. */
export function askedFor(run) {
  if (run.prompt === undefined || run.prompt === null) return Object.values(run.inputs ?? {}).map(textOf).join(" · ");
  return run.prompt.replace(/^\s*<conversation>[^]*?<\/conversation>\s*/, "") || run.prompt;
}
/** Return how a run stands, in words, and the colour of that: accepted or not comes before everything else. */
export function standing(run) {
  const reason = run.summary?.stop_reason;
  if (run.status === "suspended") return ["waits for you", "suspended"];
  if (run.status !== "completed" || run.kind === "graph" || !reason) return [run.status, run.status];
  return reason === "accepted" ? ["accepted", "accepted"] : ["not accepted", "unaccepted"];
}
export const textOf = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 1));

const INDENT = "  ";

/** Return a text that is a JSON object or array with a line for each part, its values as they were written; any other text as it is. */
export function formatted(text) {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let depth = 0;
  const line = () => `\n${INDENT.repeat(depth)}`;
  return text.trim().replace(/"(?:[^"\\]|\\.)*"|[[{]\s*[\]}]|[[{\]},:]|\s+/g, (part) => {
    if (part === "[" || part === "{") return (depth += 1), part + line();
    if (part === "]" || part === "}") return (depth -= 1), line() + part;
    if (part === ",") return part + line();
    if (part === ":") return ": ";
    return part[0] === '"' ? part : part.replace(/\s+/g, "");
  });
}

/** Return the answer of a run as text; null without one. */
export function answerOf(run, result = run.result) {
  const answer = run.kind === "graph" ? result?.output : (result?.best_candidate ?? result?.unjudged)?.content;
  return answer === null || answer === undefined ? null : textOf(answer);
}

export const tokensOf = (usage) => (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0);

const MEANING = {
  accepted: "the result is good enough",
  cycle: "a revision repeated an earlier text",
  regression: "revisions made it worse",
  minimal_change: "the last revision changed too little",
  severity_plateau: "the worst issue remains",
  score_plateau: "the score no longer improves",
  rule: "a rule of your own ended it",
  no_expected_gain: "another revision is not expected to help",
  declined: "no reviser can fix the remaining issues",
  max_iterations: "the iteration limit was reached",
  budget: "the budget is used up",
  deadline: "it ran out of time",
  cancelled: "it was cancelled",
  error: "a component failed",
  suspended: "it is waiting for a decision",
  completed: "every node is done",
  partial: "there is an output, but a node failed or was refused",
  failed: "there is no output",
};
export const meaning = (reason) => MEANING[reason] ?? "";
export const REASONS = Object.keys(MEANING);

const SENTENCES = {
  accepted: (e) => `severity ${figure(e.severity)} is below the threshold ${figure(e.severity_threshold)}; ${many(e.open_issues, "open issue")}`,
  cycle: (e) => `the text of iteration ${e.iteration + 1} equals that of iteration ${e.equals + 1}`,
  regression: (e) =>
    `${many(e.consecutive_falls, "fall")} in a row with patience ${e.patience}: score ${figure(e.score)} against the best score ${figure(e.best_score)}, threshold ${figure(e.score_threshold)}`,
  minimal_change: (e) =>
    `change ${figure(e.change)} of the text is below the threshold ${figure(e.change_threshold)}, and gain ${figure(e.gain)} is below the threshold ${figure(e.score_threshold)}`,
  severity_plateau: (e) =>
    `severity ${figure(e.severity)} after ${figure(e.severity_before)}: the drop is below the threshold ${figure(e.score_threshold)}, without a new issue`,
  score_plateau: (e) =>
    `score ${e.scores.map(figure).join(", ")} after a best of ${figure(e.best_before)}: the gain is below the threshold ${figure(e.score_threshold)} with patience ${e.patience}`,
  no_expected_gain: (e) => `expected gain ${figure(e.expected_gain)} is not above the price ${figure(e.price)} of ${many(e.calls, "call")}`,
};

/** Return why a rule spoke as a sentence; "" where the evidence does not have what it needs. */
export function evidenceSentence(reason, evidence) {
  try {
    return SENTENCES[reason]?.(evidence) ?? "";
  } catch {
    return ""; // a rule of the user's own may give other evidence under a known name
  }
}

/** Return evidence as pairs of words. */
export function evidencePairs(evidence) {
  return Object.entries(evidence ?? {}).map(([name, value]) => [name.replaceAll("_", " "), plain(COUNTED.has(name) ? value + 1 : value)]);
}

const COUNTED = new Set(["iteration", "equals"]); // people count from 1

function plain(value) {
  if (value === null || value === undefined) return "unknown";
  if (typeof value === "number") return figure(value);
  if (Array.isArray(value)) return value.length ? value.map(plain).join(", ") : "none";
  if (value !== null && typeof value === "object") return evidencePairs(value).map(([name, one]) => `${name} ${one}`).join(", ");
  return String(value);
}
