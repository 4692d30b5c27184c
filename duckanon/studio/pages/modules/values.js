/* The values of a column, drawn as bars when they are asked for. */

import { el, fill, number, percent, svg } from "./dom.js";

const WIDTH = 160;

/** A button and the place of the bars of a column. */
export function valuesPart(column, studio) {
  const place = el("div", { class: "values" });
  const button = el("button", { type: "button", class: "plain", "aria-expanded": "false", "aria-label": `Show values of ${column.name}`, onclick: () => toggle().catch(studio.fail) }, "Show values");

  async function toggle() {
    const isOpen = button.getAttribute("aria-expanded") === "true";
    fill(place, ...(isOpen ? [] : bars(await studio.get(`/api/table/column?name=${encodeURIComponent(column.name)}`))));
    button.setAttribute("aria-expanded", String(!isOpen));
    button.setAttribute("aria-label", `${isOpen ? "Show" : "Hide"} values of ${column.name}`);
    button.textContent = isOpen ? "Show values" : "Hide values";
  }
  return [button, place];
}

function bars({ rows, values, others, is_binned: isBinned }) {
  const most = Math.max(1, ...values.map((value) => value.rows));
  const line = (label, count, hasBar = true) => el("tr", {},
    el("th", { scope: "row" }, label === null ? el("span", { class: "hint" }, "missing") : label === "" ? el("span", { class: "hint" }, "empty text") : label),
    el("td", {}, hasBar && svg("svg", { viewBox: `0 0 ${WIDTH} 10`, preserveAspectRatio: "none", "aria-hidden": "true", class: "value-bar" },
      svg("rect", { width: Math.max(1, (WIDTH * count) / most), height: 10 }))),
    el("td", { class: "figure" }, number(count)), el("td", { class: "figure" }, percent(count / rows)));
  return [el("table", { class: "bars" },
    el("caption", { class: "unseen" }, isBinned ? "Rows by range of values" : "Rows of the most frequent values"),
    el("thead", { class: "unseen" }, el("tr", {}, ["Value", "Bar", "Rows", "Share"].map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, values.map((value) => line(value.value, value.rows)),
      others ? line(`${number(others.values)} other values`, others.rows, false) : null))];
}
