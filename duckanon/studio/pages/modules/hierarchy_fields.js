/* Controls of the hierarchy forms. `path` is the place in the hierarchy that a fault names, `key` finds a control after the form is drawn again. */

import { el } from "./dom.js";

let count = 0;
const fresh = () => `field-${(count += 1)}`;

/** A control with its label, its hint, and the place of its faults. */
export function field({ label, path, hint, isHidden = false }, make) {
  const id = fresh();
  const hintId = hint ? `${id}-hint` : null;
  return el("div", { class: "field", "data-path": path },
    el("label", { for: id, class: isHidden ? "unseen" : null }, label), make({ id, "aria-describedby": hintId }),
    hint && el("p", { class: "hint", id: hintId }, hint));
}

/** A text field; `onchange` gets its text at each input. */
export function textField({ value, onchange, key, size, placeholder, ...about }) {
  return field(about, (attributes) => el("input", { type: "text", autocomplete: "off", spellcheck: "false", "data-key": key, size, placeholder, ...attributes,
    value: String(value ?? ""), oninput: (event) => onchange(event.target.value) }));
}

/** A choice; `options` are pairs of value and text. */
export function select({ value, options, onchange, key, ...about }) {
  return field(about, (attributes) => el("select", { "data-key": key, ...attributes, onchange: (event) => onchange(event.target.value) },
    options.map(([option, text]) => el("option", { value: option, selected: option === value }, text))));
}

/** Lines of text. */
export function linesField({ value, onchange, key, rows = 4, ...about }) {
  return field(about, (attributes) => el("textarea", { rows: String(rows), spellcheck: "false", "data-key": key, ...attributes, value, oninput: (event) => onchange(event.target.value) }));
}

/** A box to tick. */
export function check({ label, path, value, onchange, key }) {
  const id = fresh();
  return el("div", { class: "field check", "data-path": path },
    el("input", { type: "checkbox", id, "data-key": key, checked: value, onchange: (event) => onchange(event.target.checked) }), " ", el("label", { for: id }, label));
}

/** A button that does one thing. */
export function button(text, onclick, attributes = {}) {
  return el("button", { type: "button", onclick, ...attributes }, text);
}

/** A number as a number, any other text as it is, so that the server can say what is wrong with it. */
export function parsed(text) {
  const trimmed = text.trim();
  return /^-?\d{1,15}(\.\d{1,9})?$/.test(trimmed) ? Number(trimmed) : trimmed;
}

/** The parts of a text that is separated by commas. */
export function parts(text) {
  return text.split(",").map((part) => part.trim()).filter(Boolean);
}

/** Set a key, or leave it out if it has its default. */
export function put(content, key, value, unset = "") {
  if (value === unset || value === null) delete content[key];
  else content[key] = value;
}

/** Mappings of a label to parts as lines `LABEL: part, part`. */
export const linesOf = (mapping) => Object.entries(mapping ?? {}).map(([label, listed]) => `${label}: ${[].concat(listed).join(", ")}`).join("\n");

/** The mapping of such lines. */
export function mappingOf(text) {
  return Object.fromEntries(text.split("\n").filter((line) => line.trim()).map((line) => {
    const at = line.indexOf(":");
    return at < 0 ? [line.trim(), []] : [line.slice(0, at).trim(), parts(line.slice(at + 1))];
  }));
}

/** The label of the last level, which most kinds have. */
export function topField(context, unset = "*") {
  return textField({ label: "Label of the top", path: "top", key: "top", size: 8, value: context.content.top ?? unset,
    onchange: (text) => context.change((content) => put(content, "top", text, unset)) });
}

/** Settings that every kind has, folded. */
export function moreFields(context, ...others) {
  const { content } = context;
  return el("details", { class: "more", open: Boolean(content.missing || content.nested === false || content.domain) }, el("summary", {}, "More settings"),
    others,
    select({ label: "Missing values", path: "missing", key: "missing", value: content.missing ?? "value",
      options: [["value", "a value of their own"], ["top", "generalized to the top on every level"]],
      onchange: (text) => context.change((changed) => put(changed, "missing", text, "value")) }),
    select({ label: "The information loss counts", path: "domain", key: "domain", value: content.domain ?? "listed",
      options: [["listed", "all values that the hierarchy lists"], ["data", "the values of the data"]],
      onchange: (text) => context.change((changed) => put(changed, "domain", text, "listed")) }),
    check({ label: "Accept levels that do not nest", path: "nested", key: "nested", value: content.nested === false,
      onchange: (isTicked) => context.change((changed) => put(changed, "nested", isTicked ? false : null)) }));
}
