/* The section Before and after: sample rows, distributions and associations, of the input and of the release. */

import { bar } from "./charts.js";
import { answered } from "./decision.js";
import { el, fill, isolated, percent } from "./dom.js";
import { refill } from "./fields.js";
import { scrolling, table } from "./tables.js";

const VALUES = 8;

/** Build the section in `root`. */
export function mount(root, studio) {
  let shown = null;
  let turn = 0;
  let isOpen = false;
  const status = el("p", { class: "hint", role: "status" });
  const place = el("div", { id: "sample-rows" });
  const button = el("button", { type: "button", "aria-expanded": "false", "aria-controls": "sample-rows", onclick: () => {
    isOpen = !isOpen;
    show();
    if (isOpen) update(true);
    else fill(place);
  } });
  const aggregates = el("div");

  function show() {
    button.textContent = isOpen ? "Hide values of persons" : "Show values of persons";
    button.setAttribute("aria-expanded", String(isOpen));
  }

  async function update(isForced = false) {
    if (root.hidden || studio.state?.status !== "ready") return;
    const job = studio.job();
    if (JSON.stringify(job) === shown && !isForced) return;
    shown = JSON.stringify(job);
    const mine = ++turn;
    status.textContent = "The release is computed for the sample and the figures.";
    root.setAttribute("aria-busy", "true");
    const answer = await answered(studio.post("/api/rows", { job, records: isOpen }));
    if (mine !== turn) return;
    root.setAttribute("aria-busy", "false");
    if (!answer.rows) shown = null;
    status.textContent = outcome(answer);
    fill(place, ...(isOpen && answer.rows?.length ? [rowsTable(answer)] : []));
    refill(aggregates, ...(answer.rows ? [...distributionParts(answer), ...associationParts(answer)] : []));
  }

  studio.on("state", () => update());
  studio.on("section", () => update());
  root.append(el("h2", {}, "Before and after"), status,
    el("section", { class: "part", "aria-labelledby": "sample-title" }, el("h3", { id: "sample-title" }, "Sample rows"),
      el("p", { class: "hint" }, "Twenty random rows of the input, and the same rows in the release. They are read when you ask for them."),
      el("p", {}, button), place),
    aggregates);
  show();
}

function outcome({ rows, feasible, message }) {
  if (!rows) return message ?? "";
  return feasible ? "" : "Nothing satisfies the requirements, so there is no release to compare with. See the section Requirements.";
}

function rowsTable({ columns, rows }) {
  const cells = (values, kind) => values.map((value) => el("td", { class: kind }, value === null ? el("span", { class: "hint" }, "missing") : String(value)));
  const suppressed = el("td", { class: "suppressed", colspan: columns.length }, "suppressed: the release leaves this row out");
  const heads = (side) => columns.map((column, at) => el("th", { scope: "col", class: at === 0 && side === "after" ? "start" : null }, column));
  return scrolling("Sample rows", el("table", { class: "sample" },
    el("caption", {}, "The same rows before and after"),
    el("thead", {},
      el("tr", {}, el("td", {}), el("th", { scope: "colgroup", colspan: columns.length }, "before"), el("th", { scope: "colgroup", colspan: columns.length, class: "start" }, "after")),
      el("tr", {}, el("th", { scope: "col" }, "row"), heads("before"), heads("after"))),
    el("tbody", {}, rows.map(({ before, after }, at) => el("tr", { class: after ? "" : "left-out" },
      el("th", { scope: "row" }, String(at + 1)), cells(before, "before"), after ? cells(after, "after") : suppressed.cloneNode(true))))));
}

function distributionParts({ distributions }) {
  if (!distributions?.length) return [];
  return [el("section", { class: "part", "aria-labelledby": "distributions-title" },
    el("h3", { id: "distributions-title" }, "Distributions"),
    ...distributions.map(({ column, before, after }) => el("details", {},
      el("summary", {}, column),
      el("div", { class: "pair" }, values(`${isolated(column)}, before`, before), values(`${isolated(column)}, after`, after)))))];
}

function values(caption, entries) {
  const rest = entries.slice(VALUES);
  const lines = entries.slice(0, VALUES).map(({ value, share }) => [value === null ? "missing" : String(value), share]);
  if (rest.length) lines.push([`${rest.length} others`, rest.reduce((sum, { share }) => sum + share, 0)]);
  return table(caption, ["value", "share"], lines.map(([value, share]) => [value, [bar(share), percent(share)]]));
}

function associationParts({ associations }) {
  if (!associations?.length) return [];
  return [el("section", { class: "part", "aria-labelledby": "associations-title" },
    el("h3", { id: "associations-title" }, "Associations"),
    el("p", { class: "hint" }, "How strongly two columns depend on each other, from 0 to 1, before and after."),
    table("Associations of columns", ["columns", "before", "after"], associations.map(({ columns, before, after }) => [
      columns.map(isolated).join(" and "), strength(before), strength(after),
    ])))];
}

function strength(value) {
  return value === null || value === undefined ? "-" : [bar(Math.abs(value)), value.toFixed(2)];
}
