/* The filter and the order of nodes of the lattice. */

import { el } from "./dom.js";
import { choice } from "./fields.js";

const ORDERS = [["loss", "information loss"], ["risk", "risk"], ["suppressed", "suppressed rows"], ["classes", "classes"]];

/** Controls in `place`, which call `changed()`. */
export class LatticeFilter {
  constructor(place, changed) {
    this.place = place;
    this.changed = changed;
    this.columns = "";
  }

  /** Build the controls for the columns of a lattice, `[{column, height}]`; those for the same columns stay as they are. */
  build(axes) {
    if (JSON.stringify(axes) === this.columns) return;
    this.columns = JSON.stringify(axes);
    const onchange = () => this.changed();
    this.satisfying = el("input", { type: "checkbox", id: "only-satisfying", onchange });
    this.loss = limit("most-loss", onchange);
    this.suppressed = limit("most-suppressed", onchange);
    const order = choice({ id: "node-order", label: "Order of the table", options: ORDERS, onchange });
    this.order = order.querySelector("select");
    const levels = axes.map(({ column, height }, at) => choice({
      id: `level-${at}`, label: column, onchange,
      options: [["", "any level"], ...Array.from({ length: height + 1 }, (_, level) => [String(level), `level ${level}`])],
    }));
    this.levels = axes.map(({ column }, at) => [column, levels[at].querySelector("select")]);
    this.place.replaceChildren(el("legend", {}, "Filter"),
      el("p", { class: "fields" },
        el("label", { for: "only-satisfying" }, this.satisfying, " only nodes that satisfy the requirements"),
        el("span", { class: "field" }, el("label", { for: "most-loss" }, "Information loss at most, %"), this.loss),
        el("span", { class: "field" }, el("label", { for: "most-suppressed" }, "Suppressed at most, %"), this.suppressed)),
      el("p", { class: "fields" }, levels), el("p", { class: "fields" }, order));
  }

  /** The nodes that pass the filter, satisfying ones first, then in the order that is chosen; `rows` is the number of records. */
  apply(nodes, rows) {
    const levels = this.levels.filter(([, select]) => select.value !== "").map(([column, select]) => [column, Number(select.value)]);
    const loss = share(this.loss);
    const suppressed = share(this.suppressed) * (rows || 1);
    const key = this.order.value;
    return nodes
      .filter((node) => (node.satisfies || !this.satisfying.checked) && node.loss <= loss && node.suppressed <= suppressed
        && levels.every(([column, level]) => node.levels[column] === level))
      .sort((a, b) => b.satisfies - a.satisfies || (a[key] ?? 2) - (b[key] ?? 2) || a.loss - b.loss || a.number - b.number);
  }
}

function limit(id, onchange) {
  return el("input", { type: "number", id, min: 0, max: 100, step: "any", placeholder: "any", oninput: onchange });
}

function share(input) {
  return input.value === "" || !input.checkValidity() ? Infinity : Number(input.value) / 100 + 1e-12;
}
