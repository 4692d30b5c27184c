/* Fields that change the job: a change while the user types or drags is a draft, a finished one an edit. */

import { el, fill } from "./dom.js";

/** The edits of a section, and what its fields show meanwhile. */
export class Edits {
  #pending = 0;
  #followers = [];

  constructor(studio) {
    this.studio = studio;
    studio.on("state", () => this.#follow());
  }

  /** Call `fn(job, isRefused)` for each new state and after a refused edit, but not while edits wait, whose fields show newer values. */
  follow(fn) {
    this.#followers.push(fn);
  }

  /** Change the draft, if `input` is valid. */
  draft(input, change) {
    input.setCustomValidity?.("");
    if (input.checkValidity()) this.studio.draft(change);
  }

  /** Send an edit, if `input` is valid; else the browser shows what is wrong beside it. */
  async commit(input, change, what, merge = "") {
    if (!input.reportValidity()) return;
    this.#pending += 1;
    let isRefused = false;
    try {
      await this.studio.edit(change, what, merge);
    } catch (error) {
      isRefused = true;
      this.studio.fail(error);
    }
    this.#pending -= 1;
    this.#follow(isRefused);
  }

  #follow(isRefused = false) {
    if (this.#pending || !this.studio.state?.job) return;
    for (const fn of this.#followers) fn(this.studio.job(), isRefused);
  }
}

/** Show a part of the job, built anew only if it is not what the fields already show, so that typing is not disturbed. */
export function follow(edits, place, part, build) {
  let shown = null;
  const own = () => { shown = JSON.stringify(part(edits.studio.job())); };
  edits.follow((job, isRefused) => {
    if (JSON.stringify(part(job)) === shown && !isRefused) return;
    refill(place, ...build(job));
    own();
  });
  return own;
}

/** Replace the children of a node. The focus, and choices that are no edits yet, stay where one with the same id is among the new ones. */
export function refill(place, ...children) {
  const { id } = place.contains(document.activeElement) ? document.activeElement : {};
  const choices = [...place.querySelectorAll("select[data-is-open]")].map((select) => [select.id, select.value]);
  fill(place, ...children);
  for (const [chosen, value] of choices) {
    const select = document.getElementById(chosen);
    if (select) select.value = value;
  }
  if (id) document.getElementById(id)?.focus();
}

/** A slider over `steps` and a number field for any value between `min` and `max`. `read(job)` and `write(job, value)`. */
export function slider(edits, { id, label, hint, steps, min, max, step, unit, read, write, what }) {
  const field = el("input", { type: "number", id, min, max, step, required: true, "aria-describedby": `${id}-hint` });
  const range = el("input", { type: "range", id: `${id}-range`, min: 0, max: steps.length - 1, step: 1, "aria-label": `${label}, slider` });
  const show = (value) => {
    const at = nearest(steps, value);
    if (Number(range.value) !== at) range.value = at;
    range.setAttribute("aria-valuetext", `${value}${unit}`);
  };
  const changed = (event) => {
    if (event.target === range) field.value = steps[range.value];
    else if (field.checkValidity()) show(Number(field.value));
    range.setAttribute("aria-valuetext", `${field.value}${unit}`);
    const value = Number(field.value);
    if (event.type === "input") edits.draft(field, (job) => write(job, value));
    else edits.commit(field, (job) => write(job, value), `${what} ${value}${unit}`, id);
  };
  for (const input of [field, range]) {
    input.addEventListener("input", changed);
    input.addEventListener("change", changed);
  }
  edits.follow((job) => {
    const value = read(job);
    if (document.activeElement !== field || Number(field.value) !== value) field.value = value;
    show(value);
  });
  return el("div", { class: "slider" },
    el("label", { for: id }, label), el("span", { class: "quantity" }, field, unit), range,
    el("p", { class: "hint", id: `${id}-hint` }, hint));
}

/** A number field with its label. `write(job, value)` gets null if an optional field is empty. */
export function numberField(edits, { id, label, value, min, max, step = "any", optional = false, write, what, own, placeholder }) {
  const input = el("input", { type: "number", id, min, max, step, placeholder, required: !optional });
  input.value = value ?? "";
  const change = (job) => write(job, input.value === "" ? null : Number(input.value));
  input.addEventListener("input", () => { edits.draft(input, change); own?.(); });
  input.addEventListener("change", () => edits.commit(input, change, `${what} ${input.value}`, id));
  return el("span", { class: "field" }, el("label", { for: id }, label), input);
}

/** A list of choices with its label; `options` are pairs of value and text. */
export function choice({ id, label, options, value, onchange }) {
  const select = el("select", { id, onchange, "data-is-open": onchange ? null : "" }, options.map(([key, text]) => el("option", { value: key }, text)));
  if (value !== undefined) select.value = value;
  return el("span", { class: "field" }, el("label", { for: id }, label), select);
}

function nearest(steps, value) {
  let best = 0;
  steps.forEach((step, at) => { if (Math.abs(step - value) < Math.abs(steps[best] - value)) best = at; });
  return best;
}
