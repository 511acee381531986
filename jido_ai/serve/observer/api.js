// The server: requests with the session's token, streams of events, and whether it can be reached.

import { dialog, field, h, setText } from "./dom.js";

const KEY = "jido-token";
const LONGEST_PAUSE_MS = 4000;
const ROOT = new URL("..", import.meta.url); // of the server, which may be under a prefix
const SILENCE_MS = 40000; // the server sends a sign of life every 15 s
let asking = null;

export class Problem extends Error {
  constructor(status, detail, fieldName) {
    super(detail);
    this.status = status;
    this.field = fieldName;
  }
}
/** The server could not be reached. */
export class Unreachable extends Error {}

function token() {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null; // storage is blocked: the token is asked for again
  }
}

function told(isReached) {
  const place = document.getElementById("connection");
  setText(place, isReached ? "" : "Connection lost. The server is offline or cannot be reached; trying to connect again …");
}

async function ask(path, { headers = {}, ...options }) {
  const known = token();
  let response;
  try {
    response = await fetch(new URL(path.slice(1), ROOT), { ...options, headers: { ...headers, ...(known ? { authorization: `Bearer ${known}` } : {}) }, cache: "no-store" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    told(false);
    throw new Unreachable("the server cannot be reached");
  }
  told(true);
  if (response.status === 401) {
    await askForToken(known !== null);
    return ask(path, { headers, ...options });
  }
  if (!response.ok) {
    const body = await response.json().catch(() => ({}));
    throw new Problem(response.status, body.detail ?? `the server answered ${response.status}`, body.field);
  }
  return response;
}

export async function get(path, signal) {
  return read(await ask(path, { signal }));
}

export async function send(method, path, body, headers = {}) {
  const content = body === undefined ? {} : { body: JSON.stringify(body), headers: { ...headers, "content-type": "application/json" } };
  return read(await ask(path, { method, headers, ...content }));
}

async function read(response) {
  try {
    return await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Unreachable("the answer broke off");
  }
}

/** Return the text of an address that has no JSON. */
export async function getText(path, signal) {
  return (await ask(path, { signal })).text();
}

export const pause = (ms, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });

/** Call `look` now and again and again until the signal; slower where it takes long or the server cannot be reached. */
export async function poll(look, everyMs, signal, failed) {
  let wait = everyMs;
  let hasFailed = false;
  while (!signal.aborted) {
    const began = performance.now();
    try {
      if (!document.hidden || hasFailed) await look();
      wait = Math.max(everyMs, 4 * (performance.now() - began));
      if (hasFailed) failed(null);
      hasFailed = false;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Unreachable)) {
        hasFailed = true;
        failed(error);
      }
      wait = Math.min(LONGEST_PAUSE_MS, Math.max(1000, wait * 1.5));
    }
    await pause(wait, signal);
  }
}

/** Yield the events of a run after a number, until the stream ends. Raises Unreachable if it breaks off. */
export async function* events(path, after, signal) {
  const response = await ask(path, { signal, headers: { accept: "text/event-stream", ...(after ? { "last-event-id": String(after) } : {}) } });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    while (true) {
      const { done, value } = await within(reader.read(), SILENCE_MS);
      if (done) return;
      const blocks = (rest + value).split(/\r?\n\r?\n/);
      rest = blocks.pop();
      for (const block of blocks) {
        const data = block.split(/\r?\n/).filter((line) => line.startsWith("data:")).map((line) => line.slice(5).replace(/^ /, ""));
        if (data.length) yield JSON.parse(data.join("\n"));
      }
    }
  } catch (error) {
    if (signal.aborted || error instanceof SyntaxError) throw error;
    told(false);
    throw new Unreachable("the stream broke off");
  } finally {
    reader.cancel().catch(() => {}); // it is over already
  }
}

function within(promise, ms) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Unreachable("silence")), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function askForToken(wasWrong) {
  asking ??= new Promise((resolve) => {
    const input = h("input", { type: "password", autocomplete: "off", required: true });
    const keep = (event) => {
      event.preventDefault();
      if (!input.value.trim()) return;
      sessionStorage.setItem(KEY, input.value.trim());
      box.close();
    };
    const form = h(
      "form",
      { onsubmit: keep },
      h("p", {}, wasWrong ? "The server refused this token." : "This server asks for a token. It is kept until this tab is closed."),
      field("Token", input),
      h("div", { class: "actions" }, h("button", { type: "submit", class: "main" }, "Use this token")),
    );
    const box = dialog("Token", form);
    box.addEventListener("cancel", (event) => event.preventDefault());
    box.addEventListener("close", () => {
      asking = null;
      resolve();
    });
  });
  return asking;
}
