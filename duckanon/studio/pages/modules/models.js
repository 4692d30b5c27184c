/* The privacy models of a job beside its k: a list for each sensitive column, and for the whole table. */

import { el } from "./dom.js";
import { choice, follow, numberField } from "./fields.js";

/** The list of models with fields for their parameters, buttons to remove them, and a choice of a model to add. */
export function modelList(edits) {
  const place = el("div", { class: "models" });
  const part = (job) => [job.privacy ?? [], sensitive(job), Boolean(job.population)];
  const own = follow(edits, place, part, (job) => groups(edits, job).map((group) => section(edits, job, group, () => own())));
  return el("section", { class: "part", "aria-labelledby": "models-title" }, el("h3", { id: "models-title" }, "Privacy models"), place);
}

/** The names of the columns with a role. */
export function columnsOf(job, role) {
  return Object.entries(job.columns ?? {}).filter(([, plan]) => plan.role === role).map(([name]) => name);
}

const sensitive = (job) => columnsOf(job, "sensitive");

/** The models that the package offers: the fixed keys of an entry, and its parameters with limits and first values. */
const offered = (edits) => edits.studio.state.models;

function groups(edits, job) {
  const models = offered(edits).filter((each) => job.population || !each.needs_population);
  const table = models.filter((each) => !each.is_sensitive);
  const ofColumns = models.filter((each) => each.is_sensitive);
  const columns = sensitive(job).map((column, at) => ({ id: `model-${at}`, column, title: column, models: ofColumns }));
  return [...columns, { id: "model-table", column: null, title: "whole table", models: table }];
}

function section(edits, job, group, own) {
  const entries = (job.privacy ?? []).map((entry, at) => ({ entry, at })).filter(({ entry }) => belongs(edits, job, entry, group));
  return el("div", { class: "model-group" },
    el("h4", {}, group.column === null ? "Whole table" : ["Sensitive column ", el("span", { class: "name" }, group.title)]),
    entries.length ? el("ul", {}, entries.map((place) => row(edits, place, group, own))) : el("p", { class: "hint" }, "No model."),
    adding(edits, group));
}

function belongs(edits, job, entry, group) {
  if (entry.model === "k-anonymity") return false;
  const known = offered(edits).some((each) => each.is_sensitive && each.fixed.model === entry.model);
  if (group.column === null) return !known && !entry.column;
  return entry.column ? entry.column === group.column : known && sensitive(job)[0] === group.column;
}

function row(edits, { entry, at }, group, own) {
  const known = offered(edits).find(({ fixed, defaults }) => Object.keys(fixed).every((key) => (entry[key] ?? defaults[key]) === fixed[key]));
  const title = known?.title ?? entry.model;
  const fields = (known?.parameters ?? []).map(({ name, limits }) => numberField(edits, {
    id: `${group.id}-${at}-${name}`, label: name, value: entry[name], ...limits, own, what: `${title}: ${name}`,
    write: (changed, value) => { changed.privacy[at][name] = value; },
  }));
  const remove = el("button", {
    type: "button", id: `${group.id}-${at}-remove`, "aria-label": `Remove ${title} of ${group.title}`,
    onclick: async (event) => {
      await edits.commit(event.target, (changed) => { changed.privacy.splice(at, 1); }, `remove ${title}`);
      document.getElementById(`${group.id}-new`)?.focus();
    },
  }, "Remove");
  return el("li", {}, el("div", { role: "group", "aria-label": `${title} of ${group.title}` }, el("p", {}, el("span", { class: "model-title" }, title), el("span", { class: "hint" }, known ? ` ${known.meaning}` : "")),
    el("p", { class: "fields" }, fields, remove)));
}

function adding(edits, group) {
  const id = `${group.id}-new`;
  const options = [["", "choose a model"], ...group.models.map(({ title }, at) => [String(at), title])];
  const place = choice({ id, label: `Add a model to ${group.title}`, options });
  const add = async (event) => {
    const select = place.querySelector("select");
    const picked = group.models[Number(select.value || NaN)];
    if (!picked) return select.focus();
    select.value = "";
    const entry = { ...picked.fixed, ...Object.fromEntries(picked.parameters.map(({ name, first }) => [name, first])) };
    if (group.column !== null) entry.column = group.column;
    await edits.commit(event.target, (job) => { job.privacy = [...(job.privacy ?? []), entry]; }, `add ${picked.title}`);
    const at = edits.studio.state.job.privacy.length - 1;
    document.getElementById(`${group.id}-${at}-${picked.parameters[0].name}`)?.select();
  };
  return el("p", { class: "fields" }, place, el("button", { type: "button", onclick: add, "aria-label": `Add the chosen model to ${group.title}` }, "Add"));
}
