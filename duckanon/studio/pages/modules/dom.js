/* Elements, numbers and shares. Texts of users become text nodes and attributes, never markup. */

/** Make an element. An attribute `onclick` adds a listener; null, undefined and false leave an attribute out. */
export function el(tag, attributes = {}, ...children) {
  return fill(withAttributes(document.createElement(tag), attributes), ...children);
}

/** Make an element of SVG. */
export function svg(tag, attributes = {}, ...children) {
  return fill(withAttributes(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes), ...children);
}

/** Replace the children of a node; arrays are flattened, and null, undefined and false are left out. */
export function fill(node, ...children) {
  const kept = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
  node.replaceChildren(...kept.map((child) => (child instanceof Node ? child : written(node, String(child)))));
  return node;
}

const CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2067]/g; // they reorder what stands beside them
const ISOLATES = /[\u2066\u2068\u2069]/g;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const LONG = /\S{61,}/gu;
const AS_IT_IS = new Set(["PRE", "CODE", "TEXTAREA"]);

const escape = (character) => `\\u${character.codePointAt(0).toString(16).padStart(4, "0")}`;
const cut = (word) => `${[...word].slice(0, 30).join("")}\u2026`;

/** A name or value within a sentence: text that runs from right to left does not move the words and figures beside it. */
export function isolated(text) {
  const seen = String(text).replace(CONTROLS, escape).replace(ISOLATES, escape);
  return RIGHT_TO_LEFT.test(seen) ? `\u2066${seen}\u2069` : seen;
}

// Text that is read, not copied: controls of direction are written out, and a long word is cut, with the whole text as title.
function written(node, text) {
  const seen = AS_IT_IS.has(node.nodeName) ? text : text.replace(CONTROLS, escape);
  const short = AS_IT_IS.has(node.nodeName) ? text : seen.replace(LONG, cut);
  if (short === seen || node.nodeName === "OPTION") return document.createTextNode(short);
  const span = document.createElement("span");
  span.title = seen;
  span.textContent = short;
  return span;
}

/** A number for a reader: whole numbers in full, others with three significant digits. */
export function number(value) {
  return Number.isInteger(value) ? value.toLocaleString("en") : value.toLocaleString("en", { maximumSignificantDigits: 3 });
}

/** A share from 0 to 1 as a percentage with one decimal; 0.04% is "< 0.1%". */
export function percent(share) {
  if (share > 0 && share < 0.0005) return "< 0.1%";
  if (share < 1 && share > 0.9995) return "> 99.9%";
  return `${(100 * share).toFixed(share === 0 || share === 1 ? 0 : 1)}%`;
}

const PROPERTIES = new Set(["value", "checked", "selected", "disabled", "indeterminate", "hidden", "open"]);

function withAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (PROPERTIES.has(name) && name in node) node[name] = value;
    else if (value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  return node;
}
