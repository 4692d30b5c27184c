/* The section Table: the columns, their roles and the reasons of the proposal, their values, and sample rows. */

import { el, fill, number } from "./dom.js";
import { valuesPart } from "./values.js";

const ROLES = {
  "quasi-identifier": "Quasi-identifier",
  sensitive: "Sensitive",
  insensitive: "Insensitive",
  identifying: "Direct identifier",
  dropped: "Dropped",
};
const MEANINGS = {
  "quasi-identifier": "an attacker may know it; generalized, so that each record equals others",
  sensitive: "to be protected; released unchanged",
  insensitive: "released unchanged",
  identifying: "identifies a person; left out of the release",
  dropped: "left out of the release",
};

/** Give a column a role in a job. Settings that belong to the old role go, and so do requirements of a column that is no longer sensitive. */
export function setRole(job, name, role) {
  const before = job.columns?.[name]?.role;
  const others = Object.entries(job.columns ?? {}).filter(([column]) => column !== name);
  // an assignment would not keep a column that is named __proto__
  job.columns = Object.fromEntries(role === "dropped" ? others : [...others, [name, { role }]]);
  if (before === "sensitive") job.privacy = (job.privacy ?? []).filter((model) => model.column !== name);
  if (before === "quasi-identifier") {
    for (const [adversary, plan] of Object.entries(job.adversaries ?? {})) {
      plan.columns = plan.columns.filter((column) => column !== name);
      if (plan.columns.length === 0) delete job.adversaries[adversary];
    }
    for (const key of ["weights", "levels"]) delete job.recoding?.[key]?.[name];
  }
}

/** What the values of a column are, by the name that the engine gives their type. */
function kindOf(type) {
  const kinds = [[/[\])]$|^(STRUCT|MAP|UNION|JSON|VARIANT)/, "nested"], [/^(VARCHAR|ENUM)/, "text"], [/INT$|INTEGER$/, "whole number"],
    [/^(DECIMAL|FLOAT|DOUBLE)/, "number"], [/^DATE$/, "date"], [/^TIMESTAMP/, "date and time"], [/^BOOLEAN$/, "yes or no"]];
  return kinds.find(([pattern]) => pattern.test(type.replace(/^(DECIMAL|ENUM)\(.*\)$/, "$1")))?.[1] ?? type.toLowerCase();
}

/** Build the section in `root`. */
export function mount(root, studio) {
  const rows = new Map();
  const status = el("p", {}, "The input is being read.");
  const filter = el("input", { type: "search", id: "column-filter", autocomplete: "off", oninput: () => narrow() });
  const filterPlace = el("p", { hidden: true }, el("label", { for: "column-filter" }, "Find a column "), filter);
  const counts = el("p", { class: "hint", role: "status" });
  const body = el("tbody", { role: "rowgroup" });
  const heads = ["Column", "Role", "Why", "Type", "Distinct", "Missing", "Values"];
  const table = el("table", { class: "columns-table", role: "table" },
    el("caption", { class: "unseen" }, "Columns of the input"),
    el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))), body);
  const samples = el("div", { id: "rows-of-input" });
  const button = el("button", { type: "button", "aria-expanded": "false", "aria-controls": "rows-of-input", onclick: () => toggle().catch(studio.fail) }, "Show values of persons");
  const notes = el("div");
  const content = el("div", { hidden: true }, notes, filterPlace, counts, el("div", { class: "wide" }, table),
    el("details", {}, el("summary", {}, "What the roles mean"),
      el("dl", { class: "meanings" }, Object.entries(ROLES).map(([role, title]) => [el("dt", {}, title), el("dd", {}, MEANINGS[role])]))),
    el("h3", {}, "Sample rows"), el("p", { class: "hint" }, "Twenty rows of the input, as they are. They are read when you ask for them."),
    el("p", {}, button), samples);

  function narrow() {
    const text = filter.value.trim().toLowerCase();
    for (const [name, { row }] of rows) row.hidden = !name.toLowerCase().includes(text);
  }

  async function toggle() {
    const isOpen = button.getAttribute("aria-expanded") === "true";
    if (!isOpen) {
      const sample = await studio.get("/api/table/rows");
      const cell = (value) => el("td", {}, value === null ? el("span", { class: "hint" }, "missing") : value);
      fill(samples, el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Sample rows" }, el("table", { class: "dense" },
        el("thead", {}, el("tr", {}, sample.columns.map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, sample.rows.map((row) => el("tr", {}, row.map(cell)))))));
    } else fill(samples);
    button.setAttribute("aria-expanded", String(!isOpen));
    button.textContent = isOpen ? "Show values of persons" : "Hide values of persons";
  }

  function made(column) {
    const select = el("select", { "aria-label": `Role of ${column.name}`, onchange: () => change(column.name, select.value).catch(studio.fail) },
      Object.entries(ROLES).map(([role, title]) => el("option", { value: role }, title)));
    const why = el("td", { class: "why", role: "cell" });
    const cell = (attributes, ...children) => el("td", { role: "cell", ...attributes }, ...children);
    const row = el("tr", { role: "row" },
      el("th", { scope: "row", role: "rowheader" }, column.name), cell({}, select), why, cell({ title: column.type }, kindOf(column.type)),
      cell({ class: "figure count", "data-unit": "distinct" }, column.distinct === null ? "" : `${column.is_exact ? "" : "~"}${number(column.distinct)}`),
      cell({ class: "figure count", "data-unit": "missing" }, number(column.missing)), cell({ class: "last" }, valuesPart(column, studio)));
    return { row, select, why };
  }

  async function change(name, role) {
    try {
      await studio.edit((job) => setRole(job, name, role), `${name}: ${ROLES[role].toLowerCase()}`);
    } finally {
      update();
    }
  }

  function update() {
    const { state } = studio;
    content.hidden = state?.status !== "ready";
    status.hidden = state?.status !== "opening";
    if (content.hidden) return;
    if (rows.size === 0) {
      for (const column of state.columns) rows.set(column.name, made(column));
      fill(body, [...rows.values()].map(({ row }) => row));
      fill(notes, state.notes.map((line) => el("p", { class: "note" }, line)));
      filterPlace.hidden = state.columns.length < 12;
    }
    const shares = {};
    for (const column of state.columns) {
      const { row, select, why } = rows.get(column.name);
      select.value = column.role;
      row.dataset.role = column.role;
      shares[column.role] = (shares[column.role] ?? 0) + 1;
      fill(why, column.role === column.proposed ? column.reason : `your choice; proposed: ${ROLES[column.proposed].toLowerCase()}, ${column.reason}`);
    }
    fill(counts, Object.entries(ROLES).filter(([role]) => shares[role]).map(([role, title]) => `${number(shares[role])} ${title.toLowerCase()}`).join(" · "));
  }

  root.append(el("h2", {}, "Table"), status, content);
  studio.on("state", update);
  update();
}
