// One run: followed by its events, drawn at most ten times a second.

import { events, get, pause, poll, Problem, send, Unreachable } from "./api.js";
import { callName, Calls, failure, isOfNone } from "./calls.js";
import { announce, button, dialog, download, field, h, named, region, replace, row, said, table, wide } from "./dom.js";
import { graphPicture } from "./graph_picture.js";
import { Candidates, diff, findings, lessons, usage as usageOf } from "./loop_parts.js";
import { callsOf, exported, opinion } from "./notes.js";
import { bestOf, judged, loopAt, newLoop, newState, scoreOf, take, takeResult } from "./run_state.js";
import { stateMark } from "./runs.js";
import { scorePicture } from "./score_picture.js";
import { age, answerOf, askedFor, callsIn, count, duration, evidencePairs, evidenceSentence, formatted, meaning, money, SCORE, SEVERITY, share, standing, textOf, tokensOf } from "./words.js";

const DRAW_MS = 100;
const LOOK_MS = 2000;
const OPEN = new Set(["queued", "running"]);
const CALLS_MS = 1500;
const MOST_SHOWN = 20000;
const TITLE_CHARS = 120;
const NODES = [["Node", ""], ["State", ""], ["Score", "number"], ["Stopped by", ""], ["Calls", "number"], ["Cost", "number"], ["Time", "number"]];

export async function showRun(stage, id) {
  const { main, title, signal, failed } = stage;
  replace(title, said(id));
  const page = new RunPage(stage, id);
  replace(main, h("div", { class: "head of-run" }, h("div", {}, h("a", { href: "#/runs", class: "back" }, "All runs"), title, page.outcome), h("div", { class: "actions" }, page.buttons, page.links)), page.body);
  try {
    await page.begin();
  } catch (error) {
    if (!signal.aborted) failed(error instanceof Problem && error.status === 404 ? new Error(`There is no run ${id}.`) : error);
  }
}

class RunPage {
  constructor({ signal, failed, title }, id) {
    Object.assign(this, { signal, failed, id, run: null, state: newState(), path: "", isFollowing: false, lastAnnounced: "" });
    this.address = `/v1/runs/${encodeURIComponent(id)}`;
    this.buttons = h("div", { class: "actions" });
    this.body = h("div", { class: "run" }, h("p", { class: "empty" }, "Reading …"));
    this.title = title;
    this.outcome = h("p", {});
    this.links = h("div", { class: "actions" }, button("Copy link", () => this.copy()), button("JSON", () => this.save()));
    this.opinion = opinion(this.address, failed);
    this.timer = null;
    this.calls = [];
    this.callsAt = 0;
    addEventListener("resize", () => this.drawSoon(), { signal });
  }

  get isOver() {
    return this.state.isOver || !OPEN.has(this.run.status);
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(location.href);
      announce("The link is copied.");
    } catch {
      const address = h("input", { value: location.href, readonly: true });
      dialog("Link to this run", field("Address", address), h("form", { method: "dialog", class: "actions" }, h("button", { class: "quiet" }, "Close")));
      address.select();
    }
  }

  async save() {
    try {
      download(`${this.id}.json`, await exported(this.id, this.signal));
    } catch (error) {
      if (!this.signal.aborted) this.failed(error);
    }
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
    this.answer = h("div", { class: "text" });
    this.picture = h("div", { class: "picture" });
    this.candidates = new Candidates((call) => this.callList.show(call));
    this.findings = h("div", {});
    this.lessons = h("div", {});
    this.callList = new Calls((call) => !isOfNone(call) && Boolean(this.state.loops.get(call.path)?.iterations[call.iteration]), (call) => this.showIteration(call));
    this.usage = h("div", {});
    this.score = h("section", { class: "card", "aria-label": "Score" }, this.picture);
    this.regions = { candidates: region("Candidates", this.candidates.element), findings: region("Findings", this.findings), lessons: region("Lessons", this.lessons) };
    const graph = this.isGraph ? await this.buildGraph() : [];
    replace(
      this.body,
      this.question,
      h(
        "div",
        { class: "first" },
        h("div", {}, region("Task", this.asked), region("Answer", this.answer)),
        h("div", {}, h("section", { class: "card", "aria-label": "Outcome" }, this.verdict, this.facts, h("p", { class: "soft" }, SCORE, " ", SEVERITY))),
        this.opinion.element,
      ),
      graph,
      this.score,
      this.regions.candidates,
      this.regions.findings,
      region("Calls", this.callList.element, this.usage),
      this.regions.lessons,
    );
    const task = askedFor(this.run).slice(0, TITLE_CHARS) || this.run.name;
    replace(this.title, said(task), " ", h("small", { class: "soft" }, said(this.id), " · ", said(this.run.name, 80)));
    document.title = `${task} · jido`;
    const asked = this.isGraph ? Object.entries(this.run.inputs ?? {}) : [["", this.run.prompt]];
    replace(this.asked, asked.map(([name, value]) => h("div", { class: "text" }, name ? h("h3", {}, said(name)) : null, said(textOf(value), MOST_SHOWN))));
  }

  async buildGraph() {
    this.nodes = h("tbody", { role: "rowgroup" });
    this.nodeRows = new Map();
    this.choice = h("select", { onchange: () => ((this.path = this.choice.value), (this.isChosen = true), this.renewLoop()) });
    this.outputs = h("div", { class: "candidates" });
    const [graph, things] = await Promise.all([
      graphPicture(this.run.name, this.signal, (name) => this.showNode(name)).catch((error) => {
        if (!(error instanceof Problem)) throw error;
        return null; // the graph is not served any more; its nodes are listed
      }),
      get("/v1/things", this.signal),
    ]);
    this.graph = graph;
    this.edges = things.data.find((one) => one.name === this.run.name)?.edges;
    this.chooser = h("div", { class: "tools" }, field("Loop of node", this.choice));
    const picture = graph && h("div", { class: "wide pictured", tabindex: "0", role: "region", "aria-label": "Picture of the graph" }, graph.element);
    return [region("Graph", picture, wide("Nodes", table("nodes", NODES, this.nodes))), region("Outputs of nodes", this.outputs), this.chooser];
  }

  /** Open what a node gave, and its loop, and go there. */
  showNode(name) {
    const part = this.nodeRows.get(name);
    if (!part) return;
    part.box.open = true;
    part.box.scrollIntoView({ block: "start" });
    part.box.firstElementChild.focus({ preventScroll: true });
    if (!this.state.loops.has(name)) return;
    Object.assign(this, { path: name, isChosen: true });
    this.choice.value = name;
    this.renewLoop();
  }

  /** Go to the iteration of a call, in the loop of its node. */
  showIteration({ path, iteration }) {
    if (this.isGraph && path !== this.path) {
      Object.assign(this, { path, isChosen: true });
      this.choice.value = path;
      this.renewLoop();
    }
    this.candidates.show(iteration);
  }

  /** Read the calls when there may be more of them. */
  async readCalls() {
    const mark = `${this.state.seq} ${this.run.updated_at} ${this.run.status}`;
    if (mark === this.callsMark || this.isReading || Date.now() - this.callsAt < CALLS_MS) return;
    this.isReading = true;
    try {
      this.calls = await callsOf(this.id, this.signal);
      this.callsMark = mark;
      this.callsAt = Date.now();
      if (this.calls.length) this.callList.renew(this.calls);
      this.callList.element.hidden = !this.calls.length;
      this.usage.hidden = this.calls.length > 0;
      this.verdictMark = null; // its error may have a call now
      this.drawSoon();
    } catch (error) {
      if (!this.signal.aborted && !(error instanceof Unreachable)) this.failed(error);
    } finally {
      this.isReading = false;
    }
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
    this.renewAnswer();
    this.renewLoop();
    this.opinion.renew(this.run.notes);
    this.readCalls();
  }

  renewAnswer() {
    const loop = loopAt(this.state, "");
    const text = answerOf(this.run, this.state.result) ?? (this.isGraph ? null : (bestOf(loop)?.candidate.content ?? null));
    const mark = `${this.isOver} ${text}`;
    if (mark === this.answerMark) return;
    this.answerMark = mark;
    const isUnjudged = this.isOver && !this.isGraph && text !== null && !this.state.result?.best_candidate;
    replace(this.answer, isUnjudged ? h("p", { class: "soft" }, "No critic judged this text.") : null, text === null ? h("p", { class: "empty" }, this.isOver ? "There is no answer." : "It is being made.") : said(formatted(text), MOST_SHOWN));
  }

  get loop() {
    return this.state.loops.get(this.path) ?? newLoop();
  }

  renewLoop() {
    const loop = this.isGraph ? this.loop : loopAt(this.state, "");
    const width = Math.max(340, Math.min(1080, this.picture.clientWidth || 760));
    const mark = `${this.path} ${width} ${judged(loop).length} ${loop.result?.stop_reason} ${this.state.seq} ${this.isOver} ${this.calls.length}`;
    if (mark === this.mark) return;
    if (this.mark?.split(" ")[0] !== this.path) this.candidates.element.replaceChildren(), this.candidates.shown.clear();
    this.mark = mark;
    const isJudged = judged(loop).length > 0;
    replace(this.picture, isJudged ? scorePicture(loop, width) : []);
    this.candidates.renew(loop, this.isOver, this.calls.filter((one) => one.path === this.path));
    replace(this.findings, findings(loop));
    replace(this.lessons, lessons(loop));
    replace(this.usage, usageOf(loop));
    this.score.hidden = !isJudged;
    this.regions.candidates.hidden = this.isOver && !isJudged && !loop.made.size;
    this.regions.findings.hidden = !isJudged;
    this.regions.lessons.hidden = !isJudged && !loop.lessons.length && !loop.examples.length;
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
    const outcome = standing({ ...run, status, summary: { ...sum, stop_reason: this.state.result?.stop_reason ?? sum.stop_reason } });
    replace(this.outcome, stateMark(...outcome));
    const facts = [
      ["Outcome", stateMark(...outcome)],
      ["Score", gain === null ? share(score) : [share(score), h("span", { class: gain >= 0 ? "better" : "worse" }, ` ${gain >= 0 ? "+" : "−"}${Math.abs(gain).toFixed(2)}`)]],
      ...(best ? [["Severity", share(best.critique.severity)]] : []),
      ["Iterations", count(iterations?.length ?? sum.iterations)],
      ["Calls", callsIn({ calls: usage?.calls ?? sum.calls, failed_calls: this.calls.filter((one) => one.reply === null && !one.usage.calls).length || sum.failed_calls })],
      ["Tokens", count(usage ? tokensOf(usage) : sum.tokens)],
      ["Cost", money(usage ? usage.cost_usd : sum.cost_usd, usage?.unpriced_calls)],
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
    if (!isOver) return replace(this.verdict, h("p", { class: "reason" }, h("b", {}, this.run.status === "queued" ? "Waiting for its turn" : "Running"), this.run.status === "queued" ? "." : " — no rule has stopped it so far."));
    const error = result?.error ?? this.run.error;
    const word = this.run.status === "cancelled" ? "cancelled" : (reason ?? this.run.status);
    const sentence = this.isGraph ? "" : evidenceSentence(reason, result?.evidence);
    const pairs = evidencePairs(result?.evidence);
    this.verdict.dataset.reason = word;
    replace(
      this.verdict,
      h("h2", {}, "Why it stopped"),
      h("p", { class: "reason" }, this.isGraph || word === "accepted" || !result?.stop_reason ? "" : "Not accepted. ", "Stopped: ", h("b", {}, (result?.evidence?.rule ?? word).replaceAll("_", " ")), meaning(word) ? ` — ${meaning(word)}` : ""),
      sentence ? h("p", {}, `${sentence[0].toUpperCase()}${sentence.slice(1)}.`) : null,
      pairs.length ? h("dl", { class: "evidence" }, pairs.map(([name, value]) => h("div", {}, h("dt", {}, said(name, 60)), " ", h("dd", {}, said(value, 300))))) : null,
      error ? h("p", { class: "problem" }, said(`${error.component ? `${error.component}: ` : ""}${error.kind}: ${error.message}`, 2000)) : null,
      error ? this.guilty() : null,
    );
  }

  /** Return a way to the call that an error came from: the last one that failed. */
  guilty() {
    const call = this.calls.findLast((one) => failure(one) !== null);
    if (!call) return null;
    return h("p", {}, "It came from ", button(said(`call ${callName(call)}`, 200), () => this.callList.show(call), "plain link"), call.model ? [" to ", said(call.model, 80)] : null, call.host ? [" at ", said(call.host, 80)] : null, ".");
  }

  /** Show what a person is to decide about: the revision, or what the waiting node is given. */
  renewQuestion() {
    const questions = this.run.status === "suspended" ? (this.run.waiting ?? []) : [];
    const mark = JSON.stringify(questions.map(({ id }) => id));
    if (mark === this.questionMark) return;
    this.questionMark = mark;
    const parts = questions.map(({ node, text, note, candidate }) => {
      const base = loopAt(this.state, "").iterations.find((one) => one?.candidate.id === candidate?.parent_id)?.candidate;
      const texts = candidate ? [base ? diff(base.content, candidate.content) : said(candidate.content, MOST_SHOWN)] : said(text, MOST_SHOWN);
      return h("div", {}, h("p", {}, this.isGraph ? ["Node ", h("b", {}, named(node)), " waits"] : "The revision waits", ` for a person to approve or refuse it; waiting for ${age(this.run.updated_at)}.`, note ? ` It is ${note}.` : ""), h("div", { class: "text quote", tabindex: "0", role: "group", "aria-label": "Text" }, texts));
    });
    replace(this.question, questions.length ? region("Waiting for a decision", parts) : null);
  }

  // -- a graph -------------------------------------------------------------------------------------

  renewGraph() {
    const { nodes } = this.state;
    this.graph?.colour(nodes);
    for (const [path, node] of nodes) {
      const mark = `${node.status} ${node.score} ${node.stop_reason} ${node.usage?.calls} ${this.state.loops.get(path)?.iterations.length}`;
      const part = this.nodeRows.get(path);
      if (part?.mark === mark) continue;
      const word = String(node.status ?? "running").replaceAll("_", " ");
      const state = () => h("span", { class: "state", data: { state: node.status ?? "" } }, word);
      const fresh = row(NODES, [button(named(path), () => this.showNode(path), "plain link"), state(), share(node.score), (node.stop_reason ?? "").replaceAll("_", " "), node.usage ? count(node.usage.calls) : "–", node.usage ? money(node.usage.cost_usd, node.usage.unpriced_calls) : "–", duration(node.duration_s)]);
      const box = part?.box ?? h("details", { class: "candidate" }, h("summary", {}), h("div", { class: "body" }));
      replace(box.firstElementChild, h("span", { class: "which" }, named(path)), state());
      replace(box.lastElementChild, this.given(node));
      if (part) part.element.replaceWith(fresh);
      else this.nodes.append(fresh), this.outputs.append(box);
      this.nodeRows.set(path, { mark, element: fresh, box });
    }
    const paths = [...this.state.loops.keys()].filter(Boolean);
    if (paths.length !== this.choice.options.length) replace(this.choice, paths.map((path) => h("option", { value: path }, path)));
    if (!this.isChosen) this.path = paths.at(-1) ?? "";
    if (this.path) this.choice.value = this.path;
    this.chooser.hidden = paths.length === 0;
  }

  /** Return what a node gave, or why it gave nothing. */
  given(node) {
    const output = node.output === null || node.output === undefined ? null : textOf(node.output);
    return [
      node.error ? h("p", { class: "problem" }, said(`${node.error.component ? `${node.error.component}: ` : ""}${node.error.kind}: ${node.error.message}`, 2000)) : null,
      node.status === "skipped" && node.skipped_by ? h("p", { class: "soft" }, "Skipped by ", named(node.skipped_by), ".") : null,
      output === null ? h("p", { class: "empty" }, { running: "It is running.", waiting: "It waits for a person.", not_reached: "It was not reached: an input is missing." }[node.status] ?? "It gave no output.") : h("div", { class: "text" }, said(formatted(output), MOST_SHOWN)),
    ];
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
    const names = waiting.length ? ["Approve", ...(waiting.length === 1 ? ["Edit"] : []), "Refuse", "Cancel"] : isOpen ? ["Cancel"] : status === "failed" || status === "cancelled" ? ["Resume"] : [];
    const mark = [...names, ...waiting].join();
    if (mark === this.buttonMark) return;
    this.buttonMark = mark;
    const act = {
      Cancel: () => this.act("cancel"),
      Resume: () => this.act("resume"),
      Approve: () => this.decide(waiting, true),
      Edit: () => this.edit(waiting[0]),
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

  /** Let a person write the text that goes on in place of the one that waits. */
  edit(node) {
    const question = this.run.waiting?.find((one) => one.node === node) ?? this.run.waiting?.[0];
    const text = h("textarea", { rows: 12, maxlength: 200000 });
    text.value = question?.candidate?.content ?? textOf(question?.text ?? "");
    const box = dialog(
      "Edit and approve",
      field("Text", text),
      h("div", { class: "actions" }, h("button", { type: "button", class: "quiet", onclick: () => box.close() }, "Close"), h("button", { type: "button", class: "main", onclick: () => (box.close(), this.act(`approvals/${encodeURIComponent(question?.id ?? node)}`, { decision: text.value })) }, "Approve this text")),
    );
  }

  /** Send a decision; where several nodes wait, ask which is meant. */
  decide(waiting, decision) {
    const idOf = (node) => this.run.waiting?.find((one) => one.node === node)?.id ?? node; // of the text that is shown
    const to = (node) => this.act(`approvals/${encodeURIComponent(idOf(node))}`, { decision });
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
