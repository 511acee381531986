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

export function field(label, control) {
  control.id ||= `field-${(ids += 1)}`;
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control);
}
