// The picture of a graph: the server draws it, the page copies what it knows of it and colours the nodes.

import { getText } from "./api.js";
import { s } from "./dom.js";

const KNOWN = {
  g: ["class"],
  rect: ["class", "x", "y", "width", "height", "rx"],
  path: ["class", "d", "marker-end"],
  text: ["class", "x", "y"],
  title: [],
  defs: [],
  marker: ["id", "viewBox", "refX", "refY", "markerWidth", "markerHeight", "markerUnits", "orient"],
};

/** Return `{ element, colour(nodes) }`; raises what the request raises. */
export async function graphPicture(name, signal, show = () => {}) {
  const text = await getText(`/v1/things/${encodeURIComponent(name)}/picture`, signal);
  const plain = text.replace(/<style[^]*?<\/style>/g, ""); // our own style sheet colours it; theirs is forbidden here
  const read = new DOMParser().parseFromString(plain, "image/svg+xml").documentElement;
  const element = s("svg", { class: "graph-picture", viewBox: read.getAttribute("viewBox"), width: read.getAttribute("width"), height: read.getAttribute("height"), role: "img", "aria-label": "graph" });
  element.append(...[...read.children].map(copied).filter(Boolean));
  const groups = [...element.querySelectorAll("g.node")];
  for (const group of groups) { // the list of nodes has the same links for keys and screen readers
    const node = group.querySelector("title")?.textContent.replace(/: [^]*/, "");
    group.addEventListener("click", () => show(node));
  }
  return {
    element,
    colour(nodes) {
      for (const group of groups) {
        const title = group.querySelector("title").textContent;
        const found = [...nodes.values()].find((node) => title.startsWith(`${node.name}: `));
        const status = found?.status ?? "none";
        if (group.dataset.status !== status) group.dataset.status = status;
        const state = group.querySelector(".state");
        const said = found ? `${found.status === "not_reached" ? "" : found.status}${found.score === null || found.score === undefined ? "" : ` ${found.score.toFixed(2)}`}` : "";
        if (state && state.textContent !== said) state.textContent = said;
      }
      const states = [...nodes.values()].filter((node) => !node.name.includes("/")).map((node) => `${node.name} ${String(node.status).replaceAll("_", " ")}`);
      element.setAttribute("aria-label", `graph: ${states.join(", ") || "not started"}`);
    },
  };
}

function copied(node) {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
  const names = KNOWN[node.localName];
  if (names === undefined) return null;
  const properties = Object.fromEntries(names.filter((one) => node.hasAttribute(one)).map((one) => [one, node.getAttribute(one)]));
  return s(node.localName, properties, [...node.childNodes].map(copied));
}
