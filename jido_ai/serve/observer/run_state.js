// A run as its events tell it: loops by their path ("" is the run itself), nodes of a graph. Pure.

export function newState() {
  return { seq: 0, loops: new Map(), nodes: new Map(), result: null, isOver: false };
}

export function newLoop() {
  return { prompt: null, made: new Map(), iterations: [], lessons: [], examples: [], reflections: [], restarts: [], result: null, times: new Map(), last: null };
}

export function loopAt(state, path) {
  if (!state.loops.has(path)) state.loops.set(path, newLoop());
  return state.loops.get(path);
}

/** Take one event in; return whether it was new. */
export function take(state, event) {
  if (event.seq <= state.seq) return false;
  state.seq = event.seq;
  const path = String(event.path ?? "").split("/iteration ")[0];
  const at = Date.parse(event.at);
  switch (event.type) {
    case "GraphStarted":
      state.isOver = false;
      break;
    case "NodeStarted":
      state.nodes.set(path, { name: path, status: "running" });
      break;
    case "NodeStopped":
      takeNode(state, path, event.result);
      break;
    case "NodeWarned":
      break;
    case "GraphStopped":
      if (event.path) break;
      state.isOver = true;
      takeResult(state, event.result, true);
      break;
    default:
      takeLoop(state, loopAt(state, path), event, at);
  }
  return true;
}

function takeLoop(state, loop, event, at) {
  const since = loop.last === null ? null : Math.max(0, at - loop.last) / 1000;
  loop.last = at;
  switch (event.type) {
    case "RunStarted":
      loop.prompt = event.prompt ?? loop.prompt;
      loop.result = null;
      if (!event.path) state.isOver = false;
      break;
    case "LessonsRetrieved":
      loop.lessons = event.lessons ?? [];
      loop.examples = event.examples ?? [];
      break;
    case "CandidateGenerated":
    case "Revised":
      loop.made.set(event.candidate.id, event.candidate);
      loop.times.set(`make ${event.candidate.id}`, since);
      break;
    case "Critiqued":
      if (event.iteration.candidate === undefined) break; // its text is not kept any more
      loop.iterations[event.iteration.index] = event.iteration;
      loop.times.set(`judge ${event.iteration.candidate.id}`, since);
      if (event.path) state.nodes.set(event.path.split("/iteration ")[0], { ...state.nodes.get(event.path.split("/iteration ")[0]), score: event.iteration.candidate.score });
      break;
    case "Reflected":
      if (event.reflection) loop.reflections[event.index] = event.reflection;
      break;
    case "ComponentRestarted":
      loop.restarts.push(event);
      break;
    case "RunStopped":
      if (event.result) loop.result = event.result;
      if (!event.path) {
        state.isOver = true;
        state.result = event.result ?? state.result;
      }
      break;
    default: // an event of a later version
  }
}

/** Take a result in, whole or partial, as the server gives it. */
export function takeResult(state, result, isGraph) {
  if (!result) return;
  state.result = result;
  if (isGraph) {
    for (const [name, node] of Object.entries(result.nodes ?? {})) takeNode(state, name, node);
    return;
  }
  takeLoopResult(loopAt(state, ""), result);
}

function takeLoopResult(loop, result) {
  for (const iteration of result.iterations ?? []) loop.iterations[iteration.index] = iteration;
  if (result.lessons_used?.length) loop.lessons = result.lessons_used;
  if (result.examples_used?.length) loop.examples = result.examples_used;
  if (result.stop_reason) loop.result = result;
  loop.prompt ??= result.prompt ?? null;
}

function takeNode(state, path, node) {
  state.nodes.set(path, node);
  if (node.result?.iterations) takeLoopResult(loopAt(state, path), node.result);
  (node.items ?? []).forEach((item) => takeNode(state, item.name.startsWith(path) ? item.name : `${path}/${item.name}`, item));
  for (const [name, inner] of Object.entries(node.nodes ?? {})) takeNode(state, `${path}/${name}`, inner);
}

/** Return the judged iterations without holes. */
export const judged = (loop) => loop.iterations.filter((one) => one?.critique);

export function bestOf(loop) {
  const id = loop.result?.best_candidate?.id;
  const all = judged(loop);
  const standing = all.filter((one) => !one.broken?.length);
  const pool = standing.length ? standing : all;
  return all.find((one) => one.candidate.id === id) ?? pool.reduce((best, one) => (best === null || scoreOf(one) > scoreOf(best) ? one : best), null);
}

export const scoreOf = (iteration) => iteration.candidate.score ?? iteration.critique.score ?? 1 - iteration.critique.severity;

const keyOf = (issue) =>
  [issue.source, issue.rule ?? issue.kind, issue.location?.path, issue.message.normalize("NFKC").toLowerCase().replace(/[`'"‘’“”«»]/g, "").replace(/\d+(\.\d+)?/g, "#").replace(/\s+/g, " ").replace(/[ .!]+$/, "")].join("\0");

/** Return the findings with the iterations that reported each: the server's where the run is over, else our own count. */
export function findingsOf(loop) {
  const seen = new Map();
  const iterations = judged(loop);
  for (const iteration of iterations) {
    for (const issue of iteration.critique.issues ?? []) {
      const key = keyOf(issue);
      if (!seen.has(key)) seen.set(key, { issue, at: new Set() });
      seen.get(key).at.add(iteration.index);
    }
  }
  if (loop.result?.findings) {
    return loop.result.findings.map((one) => ({ ...one, at: seen.get(keyOf(one.issue))?.at ?? new Set([one.first_iteration, one.last_iteration]) }));
  }
  const best = bestOf(loop)?.index ?? 0;
  return [...seen.values()].map(({ issue, at }) => {
    const order = [...at];
    const isHere = at.has(best);
    const hadGap = isHere && order.some((index) => index < best) && iterations.some((one) => one.index > order[0] && one.index < best && !at.has(one.index));
    return { issue, at, status: hadGap ? "regressed" : isHere ? "open" : "fixed", first_iteration: order[0], last_iteration: order.at(-1) };
  });
}
