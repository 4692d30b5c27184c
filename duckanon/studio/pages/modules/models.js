/* The privacy models of a job beside its k: a list for each sensitive column, and for the whole table. */

import { el } from "./dom.js";
import { choice, follow, numberField } from "./fields.js";

const SHARE = { min: 0, max: 1 };
const POSITIVE = { min: 1e-9 };
const COUNT = { min: 1, max: 1000000, step: 1 };

/** Models of a sensitive column: the fixed keys of an entry, and its parameters with limits and first value. */
export const SENSITIVE = [
  model("distinct l-diversity", "at least l different values in each class", { model: "l-diversity", variant: "distinct" }, [["l", 2, COUNT]]),
  model("entropy l-diversity", "the values of each class are at least as hard to guess as l equally frequent ones", { model: "l-diversity", variant: "entropy" }, [["l", 2, { min: 1 }]]),
  model("recursive (c,l)-diversity", "the most frequent value is not too frequent beside the rarer ones", { model: "l-diversity", variant: "recursive" }, [["c", 4, POSITIVE], ["l", 3, COUNT]]),
  model("t-closeness, equal distance", "shares in a class are close to those in the table", { model: "t-closeness", distance: "equal" }, [["t", 0.2, SHARE]]),
  model("t-closeness, ordered distance", "the same for numbers and dates: near values count as similar", { model: "t-closeness", distance: "ordered" }, [["t", 0.2, SHARE]]),
  model("t-closeness, hierarchical distance", "the same: values of one branch of the hierarchy count as similar", { model: "t-closeness", distance: "hierarchical" }, [["t", 0.2, SHARE]]),
  model("basic beta-likeness", "no share exceeds that in the table by more than beta", { model: "beta-likeness", variant: "basic" }, [["beta", 1, { min: 0 }]]),
  model("enhanced beta-likeness", "basic beta-likeness with a stricter limit for frequent values", { model: "beta-likeness", variant: "enhanced" }, [["beta", 1, { min: 0 }]]),
  model("delta-disclosure, all values", "the share of each value in a class is within a factor of 2^delta of its share in the table", { model: "delta-disclosure", values: "all" }, [["delta", 1, POSITIVE]]),
  model("delta-disclosure, present values", "the same for values that the class contains", { model: "delta-disclosure", values: "present" }, [["delta", 1, POSITIVE]]),
  model("alpha-k-anonymity", "at least k rows, and no value with a share above alpha", { model: "alpha-k-anonymity" }, [["alpha", 0.5, { min: 1e-9, max: 1 }], ["k", 5, { min: 1, step: 1 }]]),
];

/** Models of the whole table. The last two compare with a population, and are offered if the job names one. */
export const TABLE = [
  model("average risk", "mean over the rows of 1 / class size", { model: "average-risk" }, [["risk", 0.05, { min: 1e-9, max: 1 }]]),
  model("highest risk", "1 divided by the smallest class", { model: "highest-risk" }, [["risk", 0.09, { min: 1e-9, max: 1 }]]),
  model("k-map", "at least k rows of the population in each class", { model: "k-map" }, [["k", 5, { min: 1, step: 1 }]]),
  model("delta-presence", "the share of the population that is in the table", { model: "delta-presence" }, [["low", 0, SHARE], ["high", 0.5, SHARE]]),
];

const DEFAULTS = { variant: { "l-diversity": "distinct", "beta-likeness": "basic" }, distance: { "t-closeness": "equal" }, values: { "delta-disclosure": "all" } };

function model(title, meaning, fixed, parameters) {
  return { title, meaning, fixed, parameters };
}

/** The list of models with fields for their parameters, buttons to remove them, and a choice of a model to add. */
export function modelList(edits) {
  const place = el("div", { class: "models" });
  const part = (job) => [job.privacy ?? [], sensitive(job), Boolean(job.population)];
  const own = follow(edits, place, part, (job) => groups(job).map((group) => section(edits, job, group, () => own())));
  return el("section", { class: "part", "aria-labelledby": "models-title" }, el("h3", { id: "models-title" }, "Privacy models"), place);
}

/** The names of the columns with a role. */
export function columnsOf(job, role) {
  return Object.entries(job.columns ?? {}).filter(([, plan]) => plan.role === role).map(([name]) => name);
}

const sensitive = (job) => columnsOf(job, "sensitive");

function groups(job) {
  const table = TABLE.slice(0, job.population ? 4 : 2);
  const columns = sensitive(job).map((column, at) => ({ id: `model-${at}`, column, title: column, models: SENSITIVE }));
  return [...columns, { id: "model-table", column: null, title: "whole table", models: table }];
}

function section(edits, job, group, own) {
  const entries = (job.privacy ?? []).map((entry, at) => ({ entry, at })).filter(({ entry }) => belongs(job, entry, group));
  return el("div", { class: "model-group" },
    el("h4", {}, group.column === null ? "Whole table" : ["Sensitive column ", el("span", { class: "name" }, group.title)]),
    entries.length ? el("ul", {}, entries.map((place) => row(edits, place, group, own))) : el("p", { class: "hint" }, "No model."),
    adding(edits, group));
}

function belongs(job, entry, group) {
  if (entry.model === "k-anonymity") return false;
  const known = SENSITIVE.some((each) => each.fixed.model === entry.model);
  if (group.column === null) return !known && !entry.column;
  return entry.column ? entry.column === group.column : known && sensitive(job)[0] === group.column;
}

function row(edits, { entry, at }, group, own) {
  const known = [...SENSITIVE, ...TABLE].find(({ fixed }) => Object.keys(fixed).every((key) => (entry[key] ?? DEFAULTS[key]?.[entry.model]) === fixed[key]));
  const title = known?.title ?? entry.model;
  const fields = (known?.parameters ?? []).map(([name, , limits]) => numberField(edits, {
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
    const entry = { ...picked.fixed, ...Object.fromEntries(picked.parameters.map(([name, value]) => [name, value])) };
    if (group.column !== null) entry.column = group.column;
    await edits.commit(event.target, (job) => { job.privacy = [...(job.privacy ?? []), entry]; }, `add ${picked.title}`);
    const at = edits.studio.state.job.privacy.length - 1;
    document.getElementById(`${group.id}-${at}-${picked.parameters[0][0]}`)?.select();
  };
  return el("p", { class: "fields" }, place, el("button", { type: "button", onclick: add, "aria-label": `Add the chosen model to ${group.title}` }, "Add"));
}
