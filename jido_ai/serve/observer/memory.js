// Lessons: search, usefulness, conflicts, forget.

import { get, poll, send } from "./api.js";
import { announce, dialog, h, replace, said, visible } from "./dom.js";
import { age, count, percent, share } from "./words.js";

const PAGE = 50;
const EVERY_MS = 5000;

export function showMemory({ main, title, signal, failed }) {
  title.textContent = "Memory";
  const search = h("input", { type: "search", "aria-label": "Search memory", placeholder: "A prompt or an error; Enter searches", autocomplete: "off", spellcheck: "false" });
  const facts = h("dl", { class: "facts" });
  const list = h("ul", { class: "entries" });
  const empty = h("p", { class: "empty", hidden: true });
  const more = h("button", { type: "button", class: "quiet", hidden: true, onclick: () => look(true).catch(failed) }, "More lessons");
  let entries = [];
  let cursor = null;
  let query = "";
  let asked = 0; // of several questions only the last one's answer counts: an older one may still show what was forgotten
  replace(main, h("div", { class: "head" }, title), facts, h("form", { class: "tools", role: "search", onsubmit: (event) => (event.preventDefault(), find()) }, search, h("button", { type: "submit", class: "quiet" }, "Search")), list, empty, more);
  search.addEventListener("search", () => search.value === "" && query !== "" && find());

  function find() {
    query = search.value.trim();
    entries = [];
    look().then(() => announce(`${count(entries.length)} lessons`)).catch((error) => signal.aborted || failed(error));
  }

  async function look(isMore = false) {
    const mine = (asked += 1);
    if (query) {
      const found = await get(`/v1/memory/search?top_k=20&query=${encodeURIComponent(query)}`, signal);
      if (mine !== asked) return;
      entries = found.data.map(({ entry, similarity }) => ({ ...entry, similarity, counts: found.counts[entry.id] }));
      cursor = null;
    } else {
      const from = isMore && cursor ? `&cursor=${cursor}` : "";
      const found = await get(`/v1/memory/entries?limit=${isMore ? PAGE : Math.min(1000, Math.max(PAGE, entries.length))}${from}`, signal);
      if (mine !== asked) return;
      const listed = found.data.map((entry) => ({ ...entry, counts: found.counts[entry.id] }));
      entries = isMore ? [...entries, ...listed] : listed;
      cursor = found.next_cursor;
    }
    draw();
    const stats = await get("/v1/memory/stats", signal);
    const rows = [["Lessons", count(stats.entries)], ["Shown in runs", count(stats.uses)], ["Of these succeeded", stats.uses ? percent(stats.successes / stats.uses) : "–"], ["Conflicts", count(stats.conflicts)], ...Object.entries(stats.kinds).map(([kind, number]) => [kind, count(number)])];
    replace(facts, rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
  }

  let drawn = "";
  function draw() {
    const mark = JSON.stringify(entries);
    if (mark === drawn) return;
    drawn = mark;
    const held = document.activeElement?.dataset?.entry;
    replace(list, entries.map((entry) => item(entry, forget)));
    if (held) [...list.querySelectorAll("[data-entry]")].find((one) => one.dataset.entry === held)?.focus();
    more.hidden = cursor === null;
    empty.hidden = entries.length > 0;
    empty.textContent = query ? "No lesson matches." : "No lessons yet. Runs store what they learn here.";
  }

  function forget(entry) {
    const away = async () => {
      box.close();
      try {
        await send("DELETE", `/v1/memory/entries?id=${encodeURIComponent(entry.id)}`);
        entries = entries.filter((one) => one.id !== entry.id);
        draw();
        announce("Forgotten.");
        search.focus();
        await look();
      } catch (error) {
        if (!signal.aborted) failed(error);
      }
    };
    const box = dialog("Forget this lesson?", h("p", {}, said(lessonOf(entry), 300)), h("div", { class: "actions" }, h("button", { type: "button", class: "quiet", onclick: () => box.close() }, "Keep it"), h("button", { type: "button", class: "main bad", onclick: away }, "Forget it")));
  }

  poll(() => (query ? Promise.resolve() : look()), EVERY_MS, signal, failed);
}

const lessonOf = (entry) => entry.answer || entry.correction || entry.mistake || entry.prompt;

function item(entry, forget) {
  const conflicts = (entry.links ?? []).filter((link) => link.type === "contradicts");
  const notes = [entry.answer ? "example" : entry.kind, `importance ${share(entry.importance)}`, entry.similarity === undefined ? null : `similarity ${share(entry.similarity)}`, entry.frequency > 1 ? `learned ${entry.frequency} times` : null, `${age(entry.timestamp)} ago`].filter(Boolean);
  return h(
    "li",
    { class: "card entry" },
    h("div", { class: "lesson" }, said(lessonOf(entry), 3000)),
    entry.correction && entry.mistake && !entry.answer ? h("div", { class: "soft" }, "Instead of: ", said(entry.mistake, 1000)) : null,
    h("div", { class: "soft" }, entry.answer ? "Accepted answer to: " : "For: ", said(entry.prompt, 300)),
    h(
      "div",
      { class: "foot" },
      entry.counts ? h("span", { class: "helped", data: { good: { better: "true", worse: "false" }[entry.counts.compared.verdict] ?? "" } }, said(entry.counts.in_words, 300)) : null,
      h("span", { class: "soft" }, notes.join(" · ")),
      entry.tags?.length ? h("span", { class: "soft" }, said(entry.tags.join(", "), 200)) : null,
      conflicts.length ? h("span", { class: "badge bad" }, "conflicts with ", said(conflicts.map((link) => link.id).join(", "), 200)) : null,
      h("button", { type: "button", class: "quiet small", "aria-label": `Forget ${visible(lessonOf(entry)).slice(0, 80)}`, data: { entry: entry.id }, onclick: () => forget(entry) }, "Forget"),
    ),
  );
}
