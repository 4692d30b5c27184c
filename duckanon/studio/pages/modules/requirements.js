/* The section Requirements: k, suppression, models and adversaries, and the decision that follows from them. */

import { adversaryList } from "./adversaries.js";
import { decisions, decisionView, spoken, verdictView } from "./decision.js";
import { el, fill } from "./dom.js";
import { choice, Edits, refill, slider } from "./fields.js";
import { modelList } from "./models.js";

const K_STEPS = [...span(2, 20, 1), ...span(25, 50, 5), ...span(60, 100, 10), ...span(120, 200, 20), ...span(250, 500, 50), ...span(600, 1000, 100)];
const SHARE_STEPS = [...span(0, 1, 0.1), ...span(1.5, 5, 0.5), ...span(6, 20, 1), ...span(25, 100, 5)];

const ALGORITHMS = [
  ["auto", "automatic"], ["optimal", "optimal levels"], ["local", "local recoding"], ["mondrian", "Mondrian"],
];
const OBJECTIVES = [
  ["loss", "information loss"], ["precision", "precision"], ["discernibility", "discernibility"], ["class-size", "average class size"],
  ["distortion", "distortion"],
];

/** Build the section in `root`. */
export function mount(root, studio) {
  const edits = new Edits(studio);
  const verdict = el("div", { class: "verdict-line" });
  const result = el("div", { class: "decision", "aria-busy": "false" });
  let isSpoken = false;
  let shown = null;
  const ask = decisions(studio, (decision) => {
    result.setAttribute("aria-busy", String(!decision.complete));
    fill(verdict, ...verdictView(decision));
    refill(result, ...decisionView(decision));
    if (isSpoken && decision.complete) studio.say(spoken(decision));
    isSpoken = isSpoken && !decision.complete;
  });
  const update = (isCommitted) => {
    if (root.hidden || studio.state?.status !== "ready") return;
    const job = studio.job();
    isSpoken ||= isCommitted && shown !== null;
    if (JSON.stringify(job) === shown) return;
    shown = JSON.stringify(job);
    ask(job);
  };
  studio.on("draft", () => update(false));
  // Also after an edit that was refused, which ends a draft without a new state.
  edits.follow(() => update(true));
  studio.on("section", () => update(false));
  root.append(el("h2", {}, "Requirements"), verdict, el("div", { class: "columns" },
    el("form", { class: "controls", onsubmit: (event) => event.preventDefault() }, kSlider(edits), limitSlider(edits), recoding(edits), modelList(edits), adversaryList(edits)),
    el("section", { class: "outcome", "aria-labelledby": "outcome-title" }, el("h3", { id: "outcome-title" }, "Consequences"), result)));
}

function kSlider(edits) {
  return slider(edits, {
    id: "k", label: "k", hint: "Each class has at least k records with the same quasi-identifiers.", what: "k", unit: "",
    steps: K_STEPS, min: 1, max: 1000000, step: 1, read: (job) => kEntry(job)?.k ?? 1,
    write: (job, k) => {
      const entry = kEntry(job);
      if (entry) entry.k = k;
      else job.privacy = [{ model: "k-anonymity", k }, ...(job.privacy ?? [])];
    },
  });
}

function kEntry(job) {
  return job.privacy?.find((entry) => entry.model === "k-anonymity" && !entry["k-column"]);
}

function limitSlider(edits) {
  const rows = () => edits.studio.state.source?.rows || 1;
  return slider(edits, {
    id: "limit", label: "Suppression limit", hint: "The largest share of the records that may be left out.", what: "suppression limit", unit: " %",
    steps: SHARE_STEPS, min: 0, max: 100, step: "any", read: (job) => limitPercent(job.suppression?.limit ?? "5%", rows()),
    write: (job, value) => { job.suppression = { ...job.suppression, limit: `${value}%` }; },
  });
}

/** The limit in percent: `5%`, `0.05` or a number of rows. */
function limitPercent(limit, rows) {
  const text = String(limit).trim();
  if (text.endsWith("%")) return Number(text.slice(0, -1));
  const value = /^\d+$/.test(text) ? Number(text) / rows : Number(text);
  return Number((value * 100).toPrecision(6));
}

function recoding(edits) {
  const select = (id, label, options, key, first) => {
    const place = choice({ id, label, options, onchange: (event) => {
      const { value } = event.target;
      edits.commit(event.target, (job) => { job.recoding = { ...job.recoding, [key]: value }; }, `${label} ${value}`);
    } });
    const input = place.querySelector("select");
    edits.follow((job) => {
      const value = job.recoding?.[key] ?? first;
      if (![...input.options].some((option) => option.value === value)) input.append(el("option", { value }, value));
      input.value = value;
    });
    return place;
  };
  return el("p", { class: "fields" }, select("algorithm", "Algorithm", ALGORITHMS, "algorithm", "optimal"), select("objective", "Objective", OBJECTIVES, "objective", "loss"));
}

function span(from, to, by) {
  return Array.from({ length: Math.round((to - from) / by) + 1 }, (_, at) => Number((from + at * by).toFixed(1)));
}
