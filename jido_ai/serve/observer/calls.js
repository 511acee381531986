// The calls of models of a run: when each began and how long it took, and on request what was sent and what came back.

import { button, h, replace, row, s, said, setText, table, wide } from "./dom.js";
import { count, duration, many, money } from "./words.js";

const MOST_SHOWN = 20000;
const BAR = 200;
const COLUMNS = [["Call", ""], ["When", ""], ["Time", "number"], ["Tokens in", "number"], ["Tokens out", "number"], ["Cost", "number"]];

export const failure = (call) => (call.reply === null && call.tries.length ? call.tries.at(-1).error : null);

/** Tell whether a call belongs to no iteration. */
export const isOfNone = (call) => call.role === "reflector" || call.role === "judge";

const WORDS = { critiquer: "critic" };

/** Return where a call belongs, in words: "call 3, critic of iteration 2". */
export function callName(call) {
  const of = isOfNone(call) ? "" : `, iteration ${call.iteration + 1}`;
  return `${call.seq}: ${call.path ? `${call.path}, ` : ""}${WORDS[call.role] ?? (call.role || "call")}${of}`;
}

/** The list of calls; what is open stays open. `goTo` goes to a call's iteration, `hasIteration` tells whether it is shown. */
export class Calls {
  constructor(hasIteration, goTo) {
    Object.assign(this, { hasIteration, goTo });
    this.note = h("p", { class: "soft" });
    this.body = h("tbody", { role: "rowgroup" });
    this.foot = h("tfoot", { role: "rowgroup" });
    this.element = h("div", {}, this.note, wide("List of calls", table("calls", COLUMNS, this.body, this.foot)));
    this.shown = new Map();
    this.calls = [];
  }

  renew(calls) {
    this.calls = calls;
    const begin = Math.min(...calls.map((one) => Date.parse(one.started)));
    const whole = Math.max(0.001, ...calls.map((one) => (Date.parse(one.started) - begin) / 1000 + one.duration_s));
    for (const call of calls) {
      const mark = `${whole} ${call.duration_s} ${call.reply === null}`;
      const old = this.shown.get(call.seq);
      if (old?.mark === mark) continue;
      const fresh = this.line(call, (Date.parse(call.started) - begin) / 1000, whole);
      if (old) {
        fresh.setAttribute("aria-expanded", old.toggle.getAttribute("aria-expanded"));
        old.element.replaceWith(fresh.closest("tr"));
      } else this.body.append(fresh.closest("tr"));
      this.shown.set(call.seq, { mark, toggle: fresh, element: fresh.closest("tr"), detail: old?.detail ?? null });
    }
    const known = calls.map((one) => one.cost_usd).filter((one) => one !== null);
    const unknown = calls.length - known.length;
    const failed = calls.filter((one) => failure(one) !== null).length;
    const sum = (name) => calls.reduce((total, one) => total + (one.usage?.[name] ?? 0), 0);
    const cost = known.reduce((total, one) => total + one, 0);
    const scale = h("div", { class: "scale soft" }, ["0", duration(whole / 2), duration(whole)].map((mark) => h("span", {}, mark)));
    replace(this.foot, row(COLUMNS, [many(calls.length, "call"), scale, duration(whole), count(sum("input_tokens")), count(sum("output_tokens")), money(cost, unknown)]));
    setText(this.note, `Open a call for its prompt and its reply.${failed ? ` ${many(failed, "call")} failed.` : ""}`);
  }

  line(call, at, whole) {
    const id = `call-${call.seq}`;
    const error = failure(call);
    const retried = error === null && call.tries.length ? h("span", { class: "badge wait" }, `${many(call.tries.length, "failed try").replace("trys", "tries")}`) : null;
    const toggle = button([h("span", { class: "which" }, said(callName(call), 200))], () => this.toggle(call), "plain twisty", { id, "aria-expanded": "false" });
    const bar = s(
      "svg",
      { class: "bar-line", viewBox: `0 0 ${BAR} 10`, preserveAspectRatio: "none", "aria-hidden": "true" },
      s("rect", { class: "track", x: 0, y: 4, width: BAR, height: 2 }),
      s("rect", { class: error === null ? "bar" : "bar bad", x: (BAR * at) / whole, y: 0, width: Math.max(1.5, (BAR * call.duration_s) / whole), height: 10 }),
    );
    row(COLUMNS, [
      [toggle, h("div", { class: "soft" }, said(call.model ?? "model unknown", 80), call.host ? [" at ", said(call.host, 80)] : null, call.cached ? " · from a cache" : null), retried, error === null ? null : h("span", { class: "badge bad" }, "failed")],
      [bar, h("span", { class: "soft" }, `after ${duration(at)}`)],
      duration(call.duration_s),
      count(call.usage?.input_tokens),
      count(call.usage?.output_tokens),
      money(call.cost_usd),
    ]);
    return toggle;
  }

  /** Open or close a call. */
  toggle(call, isOpen = null) {
    const part = this.shown.get(call.seq);
    const open = isOpen ?? part.toggle.getAttribute("aria-expanded") !== "true";
    part.toggle.setAttribute("aria-expanded", String(open));
    if (!open) {
      part.detail?.remove();
      part.detail = null;
    } else if (!part.detail) {
      part.detail = h("tr", { role: "row", class: "detail" }, h("td", { role: "cell", colspan: COLUMNS.length }, this.way(call), exchange(this.calls.find((one) => one.seq === call.seq) ?? call)));
      part.element.after(part.detail);
    }
  }

  /** Return the way to the iteration that a call belongs to. */
  way(call) {
    return this.hasIteration(call) ? h("p", {}, button(`To iteration ${call.iteration + 1}`, () => this.goTo(call), "plain link")) : null;
  }

  /** Show a call: open it and go there. */
  show(call) {
    this.toggle(call, true);
    const { toggle } = this.shown.get(call.seq);
    toggle.scrollIntoView({ block: "center" });
    toggle.focus({ preventScroll: true });
  }
}

/** Return all that is known of a call. */
export function exchange(call) {
  const error = failure(call);
  const facts = [
    ["Finish reason", call.finish_reason],
    ["First token", call.first_token_s === null ? null : duration(call.first_token_s)],
    ...Object.entries(call.parameters ?? {}).map(([name, value]) => [name.replaceAll("_", " "), typeof value === "string" ? value : JSON.stringify(value)]),
    ["Refused by the model, and left out", call.dropped?.join(", ")],
    ["Lessons shown", call.lessons_shown?.join(", ")],
  ].filter(([, value]) => value !== null && value !== undefined && value !== "");
  return h(
    "div",
    { class: "exchange" },
    error === null ? null : h("p", { class: "problem" }, said(error, 4000)),
    call.tries?.length ? [h("h3", {}, "Tries that failed"), h("ol", {}, call.tries.map((one) => h("li", {}, said(one.error, 2000), one.waited_s ? h("span", { class: "soft" }, ` then waited ${duration(one.waited_s)}`) : null)))] : null,
    call.messages.map((message) => [h("h3", {}, `Sent as ${message.role}`), text(message.content)]),
    call.messages.length ? null : h("p", { class: "empty" }, "What was sent is not kept."),
    call.thoughts ? [h("h3", {}, "Thoughts"), text(call.thoughts)] : null,
    [h("h3", {}, "Reply"), call.reply === null ? h("p", { class: "empty" }, "No reply came.") : text(call.reply)],
    call.truncated ? h("p", { class: "soft" }, "A text of more than 100,000 characters was cut when it was kept.") : null,
    facts.length ? h("dl", { class: "evidence" }, facts.map(([name, value]) => h("div", {}, h("dt", {}, said(name, 60)), " ", h("dd", {}, said(value, 500))))) : null,
  );
}

function text(content) {
  const more = content.length - MOST_SHOWN;
  return h("div", { class: "text quote", tabindex: "0", role: "group", "aria-label": "Text" }, said(content, MOST_SHOWN), more > 0 ? h("p", { class: "soft" }, `${count(more)} more characters: the JSON of this run has them.`) : null);
}
