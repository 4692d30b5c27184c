/* The adversaries of a job: which quasi-identifiers each knows, and the k that holds against them. */

import { el } from "./dom.js";
import { follow, numberField } from "./fields.js";
import { columnsOf } from "./models.js";

const known = (job) => columnsOf(job, "quasi-identifier");

/** Named adversaries with their columns and k, and the adversary who knows any m columns. */
export function adversaryList(edits) {
  const place = el("div", { class: "adversaries" });
  const part = (job) => [job.adversaries ?? {}, known(job), job.any ?? null];
  const own = follow(edits, place, part, (job) => build(edits, job, () => own()));
  return el("section", { class: "part", "aria-labelledby": "adversaries-title" },
    el("h3", { id: "adversaries-title" }, "Adversaries"),
    el("p", { class: "hint" }, "Without an adversary, k holds against a person who knows all quasi-identifiers."), place);
}

function build(edits, job, own) {
  const names = Object.keys(job.adversaries ?? {});
  const columns = known(job);
  const add = async (event) => {
    const name = free(names);
    await edits.commit(event.target, (changed) => { changed.adversaries = { ...changed.adversaries, [name]: { columns: columns.slice(0, Math.max(1, columns.length - names.length)) } }; }, `add ${name}`);
    document.getElementById(`adversary-${names.length}-name`)?.select();
  };
  return [
    ...names.map((name, at) => adversary(edits, job, name, at, own)),
    el("p", { class: "fields" }, el("button", { type: "button", id: "adversary-new", disabled: columns.length === 0, onclick: add }, "Add an adversary")),
    el("p", { class: "fields" }, numberField(edits, {
      id: "any", label: "Adversary who knows any m quasi-identifiers, m", value: job.any, min: 1, max: Math.max(1, columns.length), step: 1,
      optional: true, placeholder: "off", own, what: "any m columns, m", write: (changed, value) => { if (value === null) delete changed.any; else changed.any = value; },
    })),
  ];
}

function adversary(edits, job, name, at, own) {
  const plan = job.adversaries[name];
  const id = `adversary-${at}`;
  const input = el("input", { type: "text", id: `${id}-name`, required: true, maxlength: 80, spellcheck: "false" });
  input.value = name;
  input.addEventListener("change", () => {
    const taken = input.value !== name && Object.hasOwn(edits.studio.job().adversaries, input.value);
    input.setCustomValidity(taken ? "Another adversary has this name; choose a different name." : "");
    edits.commit(input, (changed) => { changed.adversaries = renamed(changed.adversaries, name, input.value); }, `name an adversary ${input.value}`);
  });
  input.addEventListener("input", () => input.setCustomValidity(""));
  const remove = async (event) => {
    await edits.commit(event.target, (changed) => {
      delete changed.adversaries[name];
      if (Object.keys(changed.adversaries).length === 0) delete changed.adversaries;
    }, `remove ${name}`);
    document.getElementById("adversary-new")?.focus();
  };
  return el("fieldset", {},
    el("legend", {}, "Adversary ", el("span", { class: "name" }, name)),
    el("p", { class: "fields" },
      el("span", { class: "field" }, el("label", { for: `${id}-name` }, "name"), input),
      numberField(edits, {
        id: `${id}-k`, label: "k", value: plan.k, min: 1, step: 1, optional: true, placeholder: "as above", own, what: `${name}: k`,
        write: (changed, value) => { if (value === null) delete changed.adversaries[name].k; else changed.adversaries[name].k = value; },
      }),
      el("button", { type: "button", onclick: remove, "aria-label": `Remove the adversary ${name}` }, "Remove")),
    el("div", { class: "checks", role: "group", "aria-label": `Columns that ${name} knows` }, known(job).map((column, number) => check(edits, name, plan, column, `${id}-${number}`))));
}

function check(edits, name, plan, column, id) {
  const input = el("input", { type: "checkbox", id, checked: plan.columns.includes(column) });
  input.addEventListener("change", () => {
    const rest = edits.studio.job().adversaries[name].columns.filter((each) => each !== column);
    const columns = input.checked ? [...rest, column] : rest;
    input.setCustomValidity(columns.length ? "" : "An adversary knows at least one column; check another column first, or remove the adversary.");
    if (columns.length === 0) input.checked = true;
    edits.commit(input, (changed) => { changed.adversaries[name].columns = columns; }, `columns of ${name}`);
    input.setCustomValidity("");
  });
  return el("label", { for: id }, input, " ", column);
}

function renamed(adversaries, from, to) {
  return Object.fromEntries(Object.entries(adversaries).map(([name, plan]) => [name === from ? to : name, plan]));
}

function free(names) {
  let at = names.length + 1;
  while (names.includes(`adversary ${at}`)) at += 1;
  return `adversary ${at}`;
}
