/* What a hierarchy does to the data: faults where they are, the levels, the intervals, and the values with their labels. */

import { el, fill, number, percent } from "./dom.js";
import { stripOf } from "./hierarchy_strip.js";

const SEVERITIES = { error: "Fault", warning: "Warning", note: "Note" };

/** Show each fault with a path at its field; the others stay for the preview. */
export function placeFaults(form, faults) {
  for (const old of form.querySelectorAll(".field-fault")) old.remove();
  for (const control of form.querySelectorAll("[aria-invalid]")) control.removeAttribute("aria-invalid");
  for (const fault of faults) {
    fault.isPlaced = false;
    if (!fault.path) continue;
    const keys = fault.path.split(".");
    for (let length = keys.length; length > 0 && !fault.isPlaced; length -= 1) {
      const path = keys.slice(0, length).join(".");
      const target = [...form.querySelectorAll("[data-path]")].find((node) => node.dataset.path === path);
      if (!target) continue;
      const isControl = target.matches("input, select, textarea");
      const control = isControl ? target : target.matches("fieldset") ? null : target.querySelector("input, select, textarea");
      control?.setAttribute("aria-invalid", "true");
      const message = el("p", { class: "field-fault fail" }, fault.message);
      const field = isControl ? target.closest(".field") : target;
      if (field.matches("tr")) field.lastElementChild.append(message);
      else field.append(message);
      fault.isPlaced = true;
    }
  }
}

/** The preview: its node, and how to draw an answer. `filter` gets the text that values shall contain, `focus` the key of a control. */
export function previewPart(filter, focus) {
  const faults = el("div", { class: "faults" });
  const strip = el("div");
  const levels = el("div");
  const values = el("div", { class: "wide values-of-preview", tabindex: "0", role: "region", "aria-label": "Values and their labels" });
  const count = el("p", { class: "hint", role: "status" });
  const search = el("input", { type: "search", autocomplete: "off", size: "16", oninput: () => { clearTimeout(timer); timer = setTimeout(() => filter(search.value.trim()), 250); } });
  let timer = null;
  const finder = el("p", { hidden: true }, el("label", {}, "Find a value or a label ", search));
  const node = el("div", { class: "hierarchy-preview" }, el("h4", {}, "Preview"), faults, strip, levels, finder, count, values);

  function draw(answer) {
    const shown = answer.faults.filter((fault) => !fault.isPlaced);
    fill(faults, shown.length > 0 && el("ul", {}, shown.map((fault) => el("li", { class: fault.severity }, el("span", { class: "severity" }, SEVERITIES[fault.severity]), ` ${sentence(fault)}`))));
    fill(strip, answer.strip && stripOf(answer.strip, focus, strip.clientWidth || node.clientWidth));
    fill(levels, answer.levels.length > 0 && levelsTable(answer.levels));
    finder.hidden = answer.all <= 12 && search.value === "";
    fill(count, answer.levels.length === 0 ? "No labels: correct the faults first." : answer.all > answer.values.length ? `${number(answer.values.length)} of ${number(answer.all)} values are shown.` : "");
    fill(values, answer.values.length > 0 && valuesTable(answer));
  }

  return { node, draw };
}

function sentence(fault) {
  const text = fault.line ? `${fault.message} (line ${fault.line})` : fault.message;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function levelsTable(levels) {
  const top = levels.length - 1;
  const hasLoss = levels.some((level) => level.loss !== null);
  return el("div", { class: "wide" }, el("table", {}, el("caption", { class: "unseen" }, "Levels"),
    el("thead", {}, el("tr", {}, ["Level", "Labels", "Rows of the rarest label", hasLoss && "Loss"].filter(Boolean).map((head) => el("th", { scope: "col", class: head === "Level" ? null : "figure" }, head)))),
    el("tbody", {}, levels.map(({ level, labels, smallest, loss }) => el("tr", {},
      el("th", { scope: "row" }, level === 0 ? "0, the values" : level === top ? `${level}, the top` : String(level)),
      el("td", { class: "figure" }, number(labels ?? 0)), el("td", { class: "figure" }, smallest === null ? "" : number(smallest)), hasLoss && el("td", { class: "figure" }, loss === null ? "" : percent(loss)))))));
}

function valuesTable(answer) {
  const split = new Set(answer.faults.filter((fault) => fault.value !== null && fault.level !== null).map((fault) => `${fault.level} ${fault.value}`));
  const cell = (label, level) => el("td", { class: split.has(`${level} ${label}`) ? "faulty" : null }, label === null ? el("span", { class: "hint" }, "missing") : label);
  return el("table", { class: "dense" }, el("caption", { class: "unseen" }, "Values and their labels on each level"),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Value"), el("th", { scope: "col", class: "figure" }, "Rows"), answer.levels.slice(1).map(({ level }) => el("th", { scope: "col" }, `Level ${level}`)))),
    el("tbody", {}, answer.values.map(({ value, rows, labels }, place) => el("tr", {},
      el("th", { scope: "row" }, value === null ? el("span", { class: "hint" }, "missing") : value), el("td", { class: "figure" }, rows ? number(rows) : el("span", { class: "hint" }, "not in the data")),
      labels.map((label, at) => {
        const made = cell(label, at + 1);
        if (answer.values[place - 1]?.labels[at] === label) made.classList.add("repeated");
        return made;
      })))));
}
