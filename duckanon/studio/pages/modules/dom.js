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
  node.replaceChildren(...kept.map((child) => (child instanceof Node ? child : document.createTextNode(String(child)))));
  return node;
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
