// One run: followed by its events, drawn at most ten times a second.

import { events, get, pause, poll, Problem, send, Unreachable } from "./api.js";
import { announce, dialog, field, h, region, replace, said } from "./dom.js";
import { graphPicture } from "./graph_picture.js";
import { Candidates, calls, diff, findings, lessons } from "./loop_parts.js";
import { bestOf, judged, loopAt, newLoop, newState, scoreOf, take, takeResult } from "./run_state.js";
import { stateMark } from "./runs.js";
import { scorePicture } from "./score_picture.js";
import { age, count, duration, evidencePairs, evidenceSentence, meaning, money, share, tokensOf } from "./words.js";

const DRAW_MS = 100;
const LOOK_MS = 2000;
const OPEN = new Set(["queued", "running"]);
const NUMBERS = new Set(["Score", "Calls", "Cost", "Time"]);

export async function showRun(stage, id) {
  const { main, title, signal, failed } = stage;
  replace(title, said(id));
  const page = new RunPage(stage, id);
  replace(main, h("div", { class: "head" }, h("div", {}, h("a", { href: "#/runs", class: "back" }, "All runs"), title), page.buttons), page.body);
  try {
    await page.begin();
  } catch (error) {
    if (!signal.aborted) failed(error instanceof Problem && error.status === 404 ? new Error(`There is no run ${id}.`) : error);
  }
}

class RunPage {
  constructor({ signal, failed }, id) {
    Object.assign(this, { signal, failed, id, run: null, state: newState(), path: "", isFollowing: false, lastAnnounced: "" });
    this.address = `/v1/runs/${encodeURIComponent(id)}`;
    this.buttons = h("div", { class: "actions" });
    this.body = h("div", { class: "run" }, h("p", { class: "empty" }, "Reading …"));
    this.timer = null;
    addEventListener("resize", () => this.drawSoon(), { signal });
  }

  get isGraph() {
    return this.run.kind === "graph";
  }

  async begin() {
    await this.look();
    await poll(() => this.look(), LOOK_MS, this.signal, this.failed);
  }

  /** Read the run, and follow it if there is more to hear. */
  async look() {
    const isFirst = this.run === null;
    if (!isFirst) {
      const brief = await get(`${this.address}?results=false`, this.signal);
      const isSame = brief.updated_at === this.run.updated_at && brief.status === this.run.status;
      if (isSame || (OPEN.has(brief.status) && this.isFollowing)) {
        this.run = { ...brief, result: this.run.result, waiting: this.run.waiting };
        this.drawSoon();
        return;
      }
    }
    const run = await get(this.address, this.signal).catch((error) => {
      if (isFirst && error instanceof Unreachable) return null; // it is tried again
      throw error;
    });
    if (run === null) throw new Unreachable("the server cannot be reached");
    this.run = run;
    takeResult(this.state, run.result, this.isGraph);
    this.isSettled = !OPEN.has(run.status);
    if (isFirst) await this.build();
    this.drawSoon();
    if (!this.isFollowing) this.follow();
  }

  async follow() {
    this.isFollowing = true;
    let wait = 500;
    try {
      while (!this.signal.aborted) {
        try {
          for await (const event of events(`${this.address}/events`, this.state.seq, this.signal)) {
            take(this.state, event);
            wait = 500;
            this.drawSoon();
          }
          if (this.state.isOver || !OPEN.has(this.run.status)) break;
        } catch (error) {
          if (this.signal.aborted) return;
          if (!(error instanceof Unreachable)) throw error;
        }
        await pause(wait, this.signal);
        wait = Math.min(4000, wait * 1.6);
      }
      if (this.state.isOver && OPEN.has(this.run.status)) await this.look();
    } catch (error) {
      if (!this.signal.aborted && !(error instanceof Unreachable)) this.failed(error);
    } finally {
      this.isFollowing = false;
    }
  }

  // -- parts ---------------------------------------------------------------------------------------

  async build() {
    this.facts = h("dl", { class: "facts" });
    this.verdict = h("div", { class: "verdict", role: "group", "aria-label": "Why it stopped" });
    this.question = h("div", {});
    this.asked = h("div", { class: "asked" });
    this.picture = h("div", { class: "picture" });
    this.candidates = new Candidates();
    this.findings = h("div", {});
    this.lessons = h("div", {});
    this.calls = h("div", {});
    const parts = [this.facts, this.verdict, this.question];
    if (this.isGraph) parts.push(...(await this.buildGraph()));
    parts.push(
      h("section", { class: "card", "aria-label": "Score" }, this.picture),
      region("Candidates", this.candidates.element),
      region("Findings", this.findings),
      region("Lessons", this.lessons),
      region("Calls", this.calls),
      region("Task", this.asked),
    );
    replace(this.body, parts);
    const asked = this.isGraph ? Object.entries(this.run.inputs ?? {}) : [["", this.run.prompt]];
    replace(this.asked, asked.map(([name, value]) => h("div", { class: "text" }, name ? h("h3", {}, said(name)) : null, said(typeof value === "string" ? value : JSON.stringify(value), 20000))));
  }

  async buildGraph() {
    this.nodes = h("tbody", {});
    this.nodeRows = new Map();
    this.choice = h("select", { onchange: () => ((this.path = this.choice.value), (this.isChosen = true), this.renewLoop()) });
    this.output = h("div", { class: "text" });
    const box = h("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Picture of the graph" });
    const table = h(
      "table",
      { class: "nodes" },
      h("thead", {}, h("tr", {}, ["Node", "State", "Score", "Stopped by", "Calls", "Cost", "Time"].map((name) => h("th", { scope: "col", class: NUMBERS.has(name) ? "number" : null }, name)))),
      this.nodes,
    );
    this.graph = await graphPicture(this.run.name, this.signal).catch((error) => {
      if (!(error instanceof Problem)) throw error;
      return null; // the graph is not served any more; its nodes are listed
    });
    if (this.graph) box.append(this.graph.element);
    const things = await get("/v1/things", this.signal);
    this.edges = things.data.find((one) => one.name === this.run.name)?.edges;
    this.chooser = h("div", { class: "tools" }, field("Loop of node", this.choice));
    return [region("Graph", this.graph ? box : null, h("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Nodes" }, table)), region("Output", this.output), this.chooser];
  }

  drawSoon() {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      if (!this.signal.aborted && this.facts) this.draw();
    }, this.drawn ? DRAW_MS : 0);
    this.drawn = true;
  }

  draw() {
    if (this.isGraph) this.renewGraph();
    this.renewFacts();
    this.renewVerdict();
    this.renewQuestion();
    this.renewButtons();
    this.renewLoop();
  }

  get loop() {
    return this.state.loops.get(this.path) ?? newLoop();
  }

  renewLoop() {
    const loop = this.isGraph ? this.loop : loopAt(this.state, "");
    const width = Math.max(340, Math.min(1080, this.picture.clientWidth || 760));
    const mark = `${this.path} ${width} ${judged(loop).length} ${loop.result?.stop_reason} ${this.state.seq}`;
    if (mark === this.mark) return;
    if (this.mark?.split(" ")[0] !== this.path) this.candidates.element.replaceChildren(), this.candidates.shown.clear();
    this.mark = mark;
    replace(this.picture, scorePicture(loop, width));
    this.candidates.renew(loop);
    replace(this.findings, findings(loop));
    replace(this.lessons, lessons(loop));
    replace(this.calls, calls(loop));
  }

  renewFacts() {
    const { run } = this;
    const sum = run.summary ?? {};
    const loop = this.isGraph ? null : loopAt(this.state, "");
    const isOpen = OPEN.has(run.status) && !this.state.isOver;
    const usage = this.state.result?.usage;
    const iterations = loop ? judged(loop) : null;
    const best = loop && bestOf(loop);
    const score = best ? scoreOf(best) : sum.score;
    const first = iterations?.[0];
    const gain = best && first && best !== first ? scoreOf(best) - scoreOf(first) : null;
    const status = isOpen && run.status === "queued" && this.state.seq ? "running" : run.status;
    const facts = [
      ["State", stateMark(status)],
      ["Score", gain === null ? share(score) : [share(score), h("span", { class: gain >= 0 ? "better" : "worse" }, ` ${gain >= 0 ? "+" : "−"}${Math.abs(gain).toFixed(2)}`)]],
      ["Iterations", count(iterations?.length ?? sum.iterations)],
      ["Calls", count(usage?.calls ?? sum.calls)],
      ["Tokens", count(usage ? tokensOf(usage) : sum.tokens)],
      ["Cost", money(usage?.cost_usd ?? sum.cost_usd, usage?.unpriced_calls)],
      ["Time", duration(isOpen ? (Date.now() - Date.parse(run.created_at)) / 1000 : (this.state.result?.duration_s || sum.duration_s))],
      ["Started", `${age(run.created_at)} ago`],
      [this.isGraph ? "Graph" : "Pipeline", said(run.name, 80)],
    ];
    replace(this.facts, facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
    if (status !== this.lastAnnounced) {
      if (this.lastAnnounced) announce(`The run is ${status}.`);
      this.lastAnnounced = status;
    }
  }

  renewVerdict() {
    const { result } = this.state;
    const isOver = this.state.isOver || !OPEN.has(this.run.status);
    const reason = this.isGraph ? result?.status : result?.stop_reason;
    const mark = JSON.stringify([isOver, this.run.status, reason, result?.evidence, this.run.error]);
    if (mark === this.verdictMark) return;
    this.verdictMark = mark;
    if (!isOver) return replace(this.verdict, h("p", { class: "reason" }, h("b", {}, this.run.status === "queued" ? "Waiting for its turn" : "Going on"), " — no rule has stopped it yet."));
    const error = result?.error ?? this.run.error;
    const word = this.run.status === "cancelled" ? "cancelled" : (reason ?? this.run.status);
    const sentence = this.isGraph ? "" : evidenceSentence(reason, result?.evidence);
    const pairs = evidencePairs(result?.evidence);
    this.verdict.dataset.reason = word;
    replace(
      this.verdict,
      h("p", { class: "reason" }, "Stopped: ", h("b", {}, word), meaning(word) ? ` — ${meaning(word)}` : ""),
      sentence ? h("p", {}, `${sentence[0].toUpperCase()}${sentence.slice(1)}.`) : null,
      pairs.length ? h("dl", { class: "evidence" }, pairs.map(([name, value]) => h("div", {}, h("dt", {}, said(name, 60)), " ", h("dd", {}, said(value, 300))))) : null,
      error ? h("p", { class: "problem" }, said(`${error.component ? `${error.component}: ` : ""}${error.kind}: ${error.message}`, 2000)) : null,
    );
  }

  /** Show what a person is to decide about: the revision, or what the waiting node is given. */
  renewQuestion() {
    const questions = this.run.status === "suspended" ? (this.run.waiting ?? []) : [];
    const mark = JSON.stringify(questions.map(({ node }) => node));
    if (mark === this.questionMark) return;
    this.questionMark = mark;
    const parts = questions.map(({ node, candidate }) => {
      const base = loopAt(this.state, "").iterations.find((one) => one?.candidate.id === candidate?.parent_id)?.candidate;
      const texts = candidate ? [base ? diff(base.content, candidate.content) : said(candidate.content, 20000)] : this.given(node);
      return h("div", { class: "text" }, this.isGraph ? h("h3", {}, said(node)) : null, texts);
    });
    replace(this.question, questions.length ? region("Waiting for a decision", parts) : null);
  }

  given(node) {
    const outputs = (this.edges ?? []).filter(([, target]) => target === node).map(([source]) => this.state.nodes.get(source)?.output);
    return outputs.filter((one) => one !== null && one !== undefined).map((one) => h("p", {}, said(typeof one === "string" ? one : JSON.stringify(one), 20000)));
  }

  // -- a graph -------------------------------------------------------------------------------------

  renewGraph() {
    const { nodes } = this.state;
    this.graph?.colour(nodes);
    for (const [path, node] of nodes) {
      const mark = `${node.status} ${node.score} ${node.stop_reason} ${node.usage?.calls} ${this.state.loops.get(path)?.iterations.length}`;
      const row = this.nodeRows.get(path);
      if (row?.mark === mark) continue;
      const fresh = h(
        "tr",
        {},
        h("th", { scope: "row" }, said(path, 200)),
        h("td", {}, h("span", { class: "state", data: { state: node.status ?? "" } }, String(node.status ?? "running").replaceAll("_", " "))),
        [share(node.score), (node.stop_reason ?? "").replaceAll("_", " "), node.usage ? count(node.usage.calls) : "–", node.usage ? money(node.usage.cost_usd, node.usage.unpriced_calls) : "–", duration(node.duration_s)].map((text, index) => h("td", { class: index === 1 ? null : "number" }, text)),
      );
      if (row) row.element.replaceWith(fresh);
      else this.nodes.append(fresh);
      this.nodeRows.set(path, { mark, element: fresh });
    }
    const paths = [...this.state.loops.keys()].filter(Boolean);
    if (paths.length !== this.choice.options.length) replace(this.choice, paths.map((path) => h("option", { value: path }, path)));
    if (!this.isChosen) this.path = paths.at(-1) ?? "";
    if (this.path) this.choice.value = this.path;
    this.chooser.hidden = paths.length === 0;
    const { output } = this.state.result ?? {};
    const text = output === null || output === undefined ? null : typeof output === "string" ? output : JSON.stringify(output, null, 1);
    if (text !== this.outputText) replace(this.output, text ? said(text, 20000) : h("p", { class: "empty" }, "No output yet."));
    this.outputText = text;
  }

  waiting() {
    return [...this.state.nodes.entries()].filter(([, node]) => node.status === "waiting");
  }

  // -- buttons -------------------------------------------------------------------------------------

  renewButtons() {
    const { status } = this.run;
    const isOver = this.state.isOver;
    const waiting = status === "suspended" ? (this.isGraph ? this.waiting().map(([path]) => path) : ["revision"]) : [];
    const isOpen = OPEN.has(status) && !isOver;
    const names = waiting.length ? ["Approve", "Refuse", "Cancel"] : isOpen ? ["Cancel"] : status === "failed" || status === "cancelled" ? ["Resume"] : [];
    const mark = [...names, ...waiting].join();
    if (mark === this.buttonMark) return;
    this.buttonMark = mark;
    const act = {
      Cancel: () => this.act("cancel"),
      Resume: () => this.act("resume"),
      Approve: () => this.decide(waiting, true),
      Refuse: () => this.decide(waiting, false),
    };
    replace(this.buttons, names.map((name) => h("button", { type: "button", class: name === "Approve" || name === "Resume" ? "main" : "quiet", onclick: act[name] }, name)));
  }

  async act(what, body) {
    for (const button of this.buttons.children) button.disabled = true;
    this.buttonMark = null;
    try {
      await send("POST", `${this.address}/${what}`, body);
      this.isSettled = this.state.isOver = false;
      announce("Sent.");
      await this.look();
    } catch (error) {
      if (!this.signal.aborted) this.failed(error);
    }
    this.drawSoon();
  }

  /** Send a decision; where several nodes wait, ask which is meant. */
  decide(waiting, decision) {
    const to = (node) => this.act(`approvals/${encodeURIComponent(node)}`, { decision });
    if (waiting.length === 1) return to(waiting[0]);
    const choice = h("select", {}, waiting.map((path) => h("option", { value: path }, path)));
    const word = decision ? "Approve" : "Refuse";
    const box = dialog(
      `${word} which node?`,
      field("Node", choice),
      h("div", { class: "actions" }, h("button", { type: "button", class: "quiet", onclick: () => box.close() }, "Close"), h("button", { type: "button", class: "main", onclick: () => (box.close(), to(choice.value)) }, `${word} it`)),
    );
  }
}
