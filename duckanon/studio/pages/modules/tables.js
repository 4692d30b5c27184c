/* Tables that scroll if they are wider or longer than their place. */

import { el } from "./dom.js";

// A place that scrolls must be reachable by keyboard; another should not cost a press of Tab.
const sizes = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const doesScroll = target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight;
    if (doesScroll) target.setAttribute("tabindex", "0");
    else target.removeAttribute("tabindex");
  }
});

/** A table whose first column names the rows; a cell is a text or a list of nodes and texts. */
export function table(caption, heads, rows) {
  return scrolling(caption, el("table", {},
    el("caption", {}, caption),
    el("thead", {}, el("tr", {}, heads.map((head) => (head ? el("th", { scope: "col" }, head) : el("td", {}))))),
    el("tbody", {}, rows.map(([first, ...rest]) => el("tr", {}, el("th", { scope: "row" }, first), rest.map((cell) => el("td", {}, cell)))))));
}

/** A place in which a wide table scrolls. */
export function scrolling(label, content) {
  const place = el("div", { class: "wide", role: "group", "aria-label": label }, content);
  sizes.observe(place);
  return place;
}
