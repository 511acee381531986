// The supervision tree, live.

import { get, poll } from "./api.js";
import { h, replace, said, setText } from "./dom.js";
import { count, many } from "./words.js";

const EVERY_MS = 500; // a crash is seen within a second
const ALWAYS_OPEN = 2;

export function showTree({ main, title, signal, failed }) {
  title.textContent = "Tree";
  const sums = h("p", { class: "soft", role: "status" });
  const tree = h("ul", { role: "tree", "aria-label": "Supervision tree", class: "tree" });
  const view = new TreeView(tree);
  replace(main, h("div", { class: "head" }, title), sums, tree);
  poll(
    async () => {
      const root = await get("/v1/tree", signal);
      view.renew(root);
      const all = walk(root);
      const restarts = all.reduce((sum, node) => sum + node.restarts, 0);
      setText(sums, `${many(all.length, "process").replace("processs", "processes")} · ${many(restarts, "restart")} · ${count(all.reduce((sum, node) => sum + node.mailbox, 0))} queued · ${many(view.rate, "message")} a second`);
    },
    EVERY_MS,
    signal,
    failed,
  );
}

/** Tell whether nothing below a part needs a look: it stays folded until a person opens it. */
const isWell = (node) => node.children.every((one) => (one.status === "running" || one.status === "idle") && one.restarts === 0 && isWell(one));

const walk = (node) => [node, ...node.children.flatMap(walk)];

class TreeView {
  constructor(tree) {
    this.tree = tree;
    this.items = new Map();
    this.chosen = new Map(); // by key: whether a person opened or closed it
    this.rate = 0; // messages a second, of all
    this.renewedAt = 0;
    this.current = null;
    tree.addEventListener("keydown", (event) => this.key(event));
    tree.addEventListener("focusin", (event) => this.hold(event.target.closest("[role=treeitem]")));
    tree.addEventListener("click", (event) => {
      const item = event.target.closest("[role=treeitem]");
      if (!item) return;
      if (event.target.closest(".twist")) this.toggle(item);
      item.focus();
    });
  }

  renew(root) {
    const seen = new Set();
    const now = performance.now();
    this.passed = (now - this.renewedAt) / 1000;
    this.renewedAt = now;
    this.rate = 0;
    this.place(this.tree, [root], "", 1, seen);
    for (const [key, item] of this.items) if (!seen.has(key)) item.element.remove(), this.items.delete(key);
    if (!this.current?.isConnected) this.hold(this.tree.firstElementChild);
  }

  place(list, nodes, above, level, seen) {
    let before = null;
    const names = new Map();
    for (const node of nodes) {
      const nth = names.get(node.name) ?? 0;
      names.set(node.name, nth + 1);
      const key = `${above}/${node.name}#${nth}`;
      seen.add(key);
      const item = this.items.get(key) ?? this.add(key, level);
      const at = before ? before.nextElementSibling : list.firstElementChild;
      if (at !== item.element) list.insertBefore(item.element, at);
      before = item.element;
      item.rate = this.rateOf(item, node);
      this.rate += item.rate;
      this.write(item, node);
      if (node.children.length) {
        if (!item.group) item.element.append((item.group = h("ul", { role: "group" })));
        const isOpen = this.chosen.get(key) ?? (level < ALWAYS_OPEN || !isWell(node));
        item.element.setAttribute("aria-expanded", String(isOpen));
        this.place(item.group, node.children, key, level + 1, seen);
      } else if (item.group) {
        item.group.remove();
        item.group = null;
        item.element.removeAttribute("aria-expanded");
      }
    }
  }

  add(key, level) {
    const parts = { twist: h("span", { class: "twist", "aria-hidden": "true" }), name: h("span", { class: "name" }), kind: h("span", { class: "soft" }), state: h("span", { class: "state" }), restarts: h("span", { class: "restarts" }), mailbox: h("span", { class: "soft" }), rate: h("span", { class: "soft" }), more: h("span", { class: "soft" }), reason: h("span", { class: "why" }) };
    const row = h("div", { class: "row" }, parts.twist, parts.name, parts.state, parts.restarts, parts.mailbox, parts.rate, parts.kind, parts.more, parts.reason);
    const element = h("li", { role: "treeitem", tabindex: "-1", "aria-level": level, data: { key } }, row);
    const item = { element, parts, group: null };
    this.items.set(key, item);
    return item;
  }

  /** Return the messages a second since the last look; one that was restarted counts anew. */
  rateOf(item, node) {
    const before = item.messages ?? node.messages;
    item.messages = node.messages;
    return Math.round((node.messages - (node.messages < before ? 0 : before)) / this.passed);
  }

  write({ element, parts, rate }, node) {
    if (parts.name.dataset.text !== node.name) {
      parts.name.dataset.text = node.name;
      replace(parts.name, said(node.name, 200));
    }
    setText(parts.kind, node.kind);
    setText(parts.state, node.status);
    parts.state.dataset.state = node.status;
    setText(parts.restarts, `restarts ${node.restarts}`);
    parts.restarts.classList.toggle("is-some", node.restarts > 0);
    setText(parts.mailbox, `mailbox ${node.mailbox}`);
    setText(parts.rate, rate ? `${count(rate)} msg/s` : "");
    const hidden = (node.count ?? 0) - node.children.length;
    const within = walk(node).length - 1;
    setText(parts.more, [hidden > 0 ? `${count(hidden)} not shown` : "", element.getAttribute("aria-expanded") === "false" && within ? `${count(within)} within, all well` : ""].filter(Boolean).join(" · "));
    if (parts.reason.dataset.text !== node.reason) {
      parts.reason.dataset.text = node.reason ?? "";
      replace(parts.reason, node.reason ? ["restarted: ", said(node.reason, 500)] : []);
    }
    const name = `${node.name}, ${node.kind}, ${node.status}, restarts ${node.restarts}, mailbox ${node.mailbox}${node.reason ? `, restarted: ${node.reason}` : ""}`;
    if (element.getAttribute("aria-label") !== name) element.setAttribute("aria-label", name);
  }

  // -- keys, as the pattern of a tree says ---------------------------------------------------------

  hold(item) {
    if (!item || item === this.current) return;
    this.current?.setAttribute("tabindex", "-1");
    item.setAttribute("tabindex", "0");
    this.current = item;
  }

  toggle(item, isOpen = item.getAttribute("aria-expanded") !== "true") {
    if (!item.hasAttribute("aria-expanded")) return;
    this.chosen.set(item.dataset.key, isOpen);
    item.setAttribute("aria-expanded", String(isOpen));
  }

  key(event) {
    const item = event.target.closest("[role=treeitem]");
    const shown = [...this.tree.querySelectorAll("[role=treeitem]")].filter((one) => !one.parentElement.closest('[aria-expanded="false"]'));
    const at = shown.indexOf(item);
    const isOpen = item.getAttribute("aria-expanded") === "true";
    const moves = {
      ArrowDown: () => shown[at + 1]?.focus(),
      ArrowUp: () => shown[at - 1]?.focus(),
      Home: () => shown[0].focus(),
      End: () => shown.at(-1).focus(),
      ArrowRight: () => (isOpen ? shown[at + 1]?.focus() : this.toggle(item, true)),
      ArrowLeft: () => (isOpen ? this.toggle(item, false) : item.parentElement.closest("[role=treeitem]")?.focus()),
      Enter: () => this.toggle(item),
      " ": () => this.toggle(item),
    };
    if (!(event.key in moves)) return;
    event.preventDefault();
    moves[event.key]();
  }
}
