// Elements from values. Texts become text nodes; nothing here parses markup.

const SVG = "http://www.w3.org/2000/svg";
// Control characters, and those that change the direction of what follows, are shown instead of obeyed.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]/gu;

export function visible(text) {
  return String(text ?? "").replace(HIDDEN, (sign) => {
    return `[U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}]`;
  });
}

/** Return a text of a person, model or tool, isolated from the text around it. */
export function said(text, most = Infinity) {
  const whole = visible(text);
  const bdi = document.createElement("bdi");
  bdi.dir = "auto";
  bdi.textContent = whole.length > most ? `${whole.slice(0, most - 1)}…` : whole;
  return bdi;
}

/** Return a name that may wrap between its words: after a dot, a dash, an underscore, a slash. */
export function named(text, most = 200) {
  const bdi = said("");
  bdi.className = "name";
  bdi.append(...visible(text).slice(0, most).split(/(?<=[._/:-])/).flatMap((part, index) => (index ? [document.createElement("wbr"), part] : [part])));
  return bdi;
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "data") Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function h(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

export function s(tag, properties, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

export function replace(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
}

/** Set a text only where it changes: what does not change is not laid out again, nor read again. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function announce(text) {
  document.getElementById("announcer").textContent = text;
}

let ids = 0;
/** Return a region with a heading as its name. */
export function region(title, ...children) {
  const id = `region-${(ids += 1)}`;
  return h("section", { "aria-labelledby": id, class: "card" }, h("h2", { id }, title), ...children);
}

/** Return a dialog with a heading as its name; it leaves the page when it closes. */
export function dialog(title, ...children) {
  const id = `dialog-${(ids += 1)}`;
  const box = h("dialog", { "aria-labelledby": id }, h("h2", { id }, title), ...children);
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}

/** Return a table whose rows are stacked on narrow screens: cells then carry the name of their column. */
export function table(name, columns, ...rows) {
  const heads = columns.map(([title, kind]) => h("th", { scope: "col", role: "columnheader", class: kind || null }, title));
  return h("table", { class: `stack ${name}`, role: "table" }, h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, heads)), ...rows);
}

export function row(columns, cells, properties) {
  return h("tr", { role: "row", ...properties }, cells.map((cell, index) => h(index ? "td" : "th", { scope: index ? null : "row", role: index ? "cell" : "rowheader", class: columns[index][1] || null, data: { column: columns[index][0] } }, cell)));
}

/** Return a frame that scrolls sideways, with a name, for what may be wider than the page. */
export const wide = (name, ...children) => h("div", { class: "wide", tabindex: "0", role: "region", "aria-label": name }, ...children);

export function button(text, onclick, kind = "quiet", more = {}) {
  return h("button", { type: "button", class: kind, onclick, ...more }, text);
}

/** Offer a value as a file of JSON. */
export function download(name, value) {
  const address = URL.createObjectURL(new Blob([JSON.stringify(value, null, 1)], { type: "application/json" }));
  h("a", { href: address, download: name.replace(/[^\w.-]/g, "_").slice(0, 100) }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

export function field(label, control) {
  control.id ||= `field-${(ids += 1)}`;
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control);
}

/** Return the width of a picture in a card of an element that is so many pixels wide: its text is never made small. */
export const pictureWidth = (room) => Math.max(320, Math.min(1068, (room || 1100) - 32));
