// What a person thinks of a run: a thumb and a note; and a run with all that belongs to it, as JSON.

import { get, send } from "./api.js";
import { announce, button, field, h, region } from "./dom.js";

const CALLS = 200;

/** Return the part of a run's page where a person notes an opinion, with `renew(notes)`. */
export function opinion(address, failed) {
  const text = h("textarea", { rows: 2, maxlength: 10000, placeholder: "What is right or wrong with it?" });
  const up = button("Thumbs up", () => keep({ thumb: isOn(up) ? null : "up" }));
  const down = button("Thumbs down", () => keep({ thumb: isOn(down) ? null : "down" }));
  const save = button("Keep the note", () => keep({ note: text.value }));
  let known = null;

  async function keep(body) {
    try {
      renew((await send("POST", `${address}/notes`, body)).notes, "note" in body);
      announce("Kept.");
    } catch (error) {
      failed(error);
    }
  }
  function renew(notes, isMine = false) {
    const mark = JSON.stringify(notes);
    if (mark === known) return;
    known = mark;
    up.setAttribute("aria-pressed", String(notes?.thumb === "up"));
    down.setAttribute("aria-pressed", String(notes?.thumb === "down"));
    if (isMine || document.activeElement !== text) text.value = notes?.note ?? text.value;
  }
  renew(null);
  return { element: region("Your opinion", field("Note", text), h("div", { class: "actions" }, up, down, save)), renew };
}

const isOn = (one) => one.getAttribute("aria-pressed") === "true";

/** Return all calls of a run. */
export async function callsOf(id, signal) {
  const all = [];
  let cursor = "";
  do {
    const page = await get(`/v1/runs/${encodeURIComponent(id)}/calls?limit=${CALLS}${cursor && `&cursor=${cursor}`}`, signal);
    all.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor);
  return all;
}

/** Return a run with its result, its notes and its calls. */
export async function exported(id, signal) {
  const [run, calls] = await Promise.all([get(`/v1/runs/${encodeURIComponent(id)}`, signal), callsOf(id, signal)]);
  return { ...run, calls };
}
