/* Decisions: asks the server for them, and shows them as figures and tables. */

import { bar } from "./charts.js";
import { el, isolated, number, percent } from "./dom.js";
import { table } from "./tables.js";

const SECONDS = [0.2, 1, 5, 30, null];
const PAGE = crypto.randomUUID(); // a newer request of the same page ends an older one

/**
 * A function of a job that asks for its decision and calls `show(decision)`.
 *
 * While a short request is under way, only the newest job waits. A longer request is replaced at once: the server ends it.
 * An incomplete decision is shown, and asked for again with more seconds.
 */
export function decisions(studio, show) {
  let turn = 0;
  let isShort = false;
  let waiting = null;
  return async function ask(job) {
    if (isShort) {
      waiting = job;
      return;
    }
    const mine = ++turn;
    for (const [step, seconds] of SECONDS.entries()) {
      isShort = step === 0;
      const answer = await answered(studio.post("/api/decision", { job, seconds, page: PAGE }));
      if (mine !== turn) return;
      isShort = false;
      if (!answer.superseded) show(answer);
      if (waiting) {
        const next = waiting;
        waiting = null;
        ask(next);
        return;
      }
      if (answer.superseded || answer.complete) return;
    }
  };
}

/** What a request answers; if it fails, a decision that is unknown, with the server's line. */
export async function answered(request) {
  try {
    return await request;
  } catch (error) {
    return { unknown: true, feasible: false, complete: true, message: error.message };
  }
}

/** What a decision without a release says: a fault is never called infeasible. */
export function verdict({ unknown, complete = true }) {
  return unknown ? "Not decided" : complete ? "Not feasible" : "No result yet";
}

/** The sentence that a screen reader says after a change. */
export function spoken(decision) {
  if (!decision.feasible) return `${verdict(decision)}: ${decision.message}`;
  return `${decision.complete ? "" : "Best so far: "}information loss ${percent(decision.loss)}, ${number(decision.suppressed)} rows suppressed`;
}

/** The verdict in a line, with the progress of a search that goes on. */
export function verdictView(decision) {
  const word = `${decision.feasible ? (decision.complete ? "Feasible" : "Best so far") : verdict(decision)}: `;
  const outcome = decision.feasible ? `information loss ${percent(decision.loss)}, ${number(decision.suppressed)} of ${number(decision.rows)} rows suppressed` : "";
  const line = el("p", { class: `judgement ${decision.feasible ? "pass" : "fail"}` }, el("strong", {}, word), [outcome, decision.message].filter(Boolean).join("; "));
  return decision.complete ? [line] : [line, progress(decision)];
}

/** The figures of a decision as tables with bars; nothing if there are none. */
export function decisionView(decision) {
  if (!decision.risk) return [];
  return [
    figures(decision), levelsTable(decision), riskTable(decision.risk), modelTable(decision.models),
    adversaryTable(decision.adversaries), subgroupTable(decision.subgroups),
  ].filter(Boolean);
}

function progress({ visited, lattice }) {
  return el("p", { class: "searching" }, el("progress", { max: Math.max(1, lattice), value: visited, "aria-label": "Nodes of the lattice that are searched" }),
    ` ${number(visited)} of ${number(lattice)} nodes searched; the search goes on`);
}

function figures(decision) {
  const share = decision.rows ? decision.suppressed / decision.rows : 0;
  const pairs = [
    ["information loss", percent(decision.loss)],
    ["suppressed rows", `${number(decision.suppressed)} (${percent(share)}); limit ${number(decision.limit)}`],
    ["classes", number(decision.classes)],
    ["smallest class", number(decision.smallest)],
    ["average class", number(decision.average)],
  ];
  return el("dl", { class: "figures" }, pairs.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}

/** The level and the information loss of each column. */
export function levelsTable({ loss_by_column: columns }) {
  return table("Levels and information loss by column", ["column", "level", "information loss"], columns.map(({ column, level, height, loss }) => [
    column, typeof level === "number" ? [bar(height ? level / height : 0, "level"), `${level} of ${height}`] : "by class", [bar(loss), percent(loss)],
  ]));
}

function riskTable({ threshold, before, after }) {
  const lines = [
    ["highest re-identification risk", "highest", percent, true],
    ["average re-identification risk", "average", percent, true],
    ...(threshold === null ? [] : [[`records with a risk above ${percent(threshold)}`, "at_risk", percent, true]]),
    ["unique records", "uniques", number, false],
  ];
  const cell = (value, show, drawn) => (drawn ? [bar(value, "risk"), show(value)] : show(value));
  return table("Risk before and after", ["", "before", "after"], lines.map(([title, key, show, drawn]) => [
    title, cell(before[key], show, drawn), after ? cell(after[key], show, drawn) : "-",
  ]));
}

function modelTable(models) {
  if (!models?.length) return null;
  return table("Requirements", ["model", "required", "achieved", "holds"], models.map((check) => [named(check), plain(check.required), plain(check.achieved), check.passed ? "yes" : "no"]));
}

function adversaryTable(adversaries) {
  if (!adversaries?.length) return null;
  const highest = (side) => (side ? percent(side.prosecutor.highest) : "-");
  return table("Highest risk by adversary", ["adversary", "knows", "before", "after"], adversaries.map(({ name, columns, before, after }) => [
    name, columns.map(isolated).join(", "), highest(before), highest(after),
  ]));
}

function subgroupTable(subgroups) {
  if (!subgroups?.length) return null;
  return table("Suppressed rows by subgroup", ["subgroup", "rows", "suppressed", "share"], subgroups.map(({ column, value, rows, suppressed, share }) => [
    `${isolated(column)}: ${isolated(value ?? "missing")}`, number(rows), number(suppressed), [bar(share, "risk"), percent(share)],
  ]));
}

function named({ model, variant, distance, values, column, adversary }) {
  const words = [variant ?? distance ?? values, model].filter(Boolean).join(" ");
  return `${words}${column ? ` of ${isolated(column)}` : ""}${adversary ? ` (${adversary})` : ""}`;
}

const plain = (value) => (value === null || value === undefined ? "-" : typeof value === "number" ? number(value) : String(value));
