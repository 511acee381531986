// The dialog that starts a run: of a pipeline or graph that the server names, and nothing else.

import { get, send } from "./api.js";
import { dialog, field, h, replace, said, visible } from "./dom.js";

export async function startDialog(failed) {
  let things;
  try {
    things = (await get("/v1/things")).data;
  } catch (error) {
    failed(error);
    return;
  }
  const key = newKey(); // a second click starts no second run
  const choice = h("select", {}, things.map((one) => h("option", { value: one.name }, visible(one.name))));
  const fields = h("div", {});
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  const submit = h("button", { type: "submit", class: "main" }, "Start");
  let inputs = [];

  function renew() {
    const thing = things.find((one) => one.name === choice.value);
    const names = thing?.kind === "graph" ? thing.inputs : ["prompt"];
    inputs = names.map((name) => [name, h("textarea", { rows: names.length > 2 ? 2 : 5 })]);
    const isAlone = names.length === 1;
    replace(
      fields,
      inputs.map(([name, input]) => field(isAlone ? (name === "prompt" ? "Prompt" : `Prompt (${visible(name)})`) : visible(name), input)),
    );
  }

  async function start(event) {
    event.preventDefault();
    const thing = things.find((one) => one.name === choice.value);
    const given = Object.fromEntries(inputs.map(([name, input]) => [name, input.value]));
    const body = thing.kind === "graph" ? { graph: thing.name, inputs: given } : { pipeline: thing.name, prompt: given.prompt };
    submit.disabled = true;
    try {
      const run = await send("POST", "/v1/runs", body, { "idempotency-key": `${key}-${hash(JSON.stringify(body))}` });
      box.close();
      location.hash = `#/runs/${encodeURIComponent(run.run_id)}`;
    } catch (error) {
      submit.disabled = false;
      problem.hidden = false;
      replace(problem, said(error.message));
    }
  }

  const box = dialog(
    "Start a run",
    h(
      "form",
      { onsubmit: start },
      field("Pipeline or graph", choice),
      fields,
      problem,
      h("div", { class: "actions" }, h("button", { type: "button", class: "quiet", onclick: () => box.close() }, "Close"), submit),
    ),
  );
  choice.addEventListener("change", renew);
  renew();
  inputs[0]?.[1].focus();
}

function newKey() {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join("");
}

/** Return a short mark of a text: another prompt under the same key is another run. */
function hash(text) {
  let sum = 0;
  for (const sign of text) sum = (Math.imul(sum, 31) + sign.codePointAt(0)) >>> 0;
  return sum.toString(16);
}
