/* Nodes of the lattice as text: the table of nodes, the figures of the selected node, and the differences of two nodes. */

import { answered, levelsTable } from "./decision.js";
import { el, fill, isolated, number, percent } from "./dom.js";
import { refill } from "./fields.js";
import { table } from "./tables.js";

const SHOWN = 100;
const VERDICTS = { true: ["yes", "Satisfies the requirements"], false: ["no", "Does not satisfy the requirements"], null: ["not decided", "Not decided yet"] };

/** Whether the figures of a node are counted; those of others are bounds. */
export const isCounted = (node) => node.value !== null;

const bounded = (node, text) => (isCounted(node) ? text : `at least ${text}`);
const risk = (node) => (node.risk !== null ? percent(node.risk) : isCounted(node) ? "no record is released" : "not counted");
const FIGURES = [
  ["information loss", (node) => bounded(node, percent(node.loss)), "loss", percent],
  ["highest risk", risk, "risk", percent],
  ["suppressed rows", (node) => bounded(node, number(node.suppressed)), "suppressed", number],
  ["classes", (node) => (isCounted(node) ? number(node.classes) : "not counted"), "classes", number],
];

/** The first nodes as a table with a button for each, which calls `choose(node)`. */
export function nodeTable(nodes, selected, choose) {
  const caption = nodes.length > SHOWN ? `Nodes: the first ${SHOWN} of ${number(nodes.length)}` : `Nodes: ${number(nodes.length)}`;
  return el("div", { class: "tall" }, table(caption, ["levels", "satisfies", "information loss", "highest risk", "suppressed", "classes"], nodes.slice(0, SHOWN).map((node) => [
    el("button", { type: "button", class: "node", id: `node-${node.number}`, "aria-pressed": String(node === selected), onclick: () => choose(node) }, levelsText(node.levels)),
    [VERDICTS[node.satisfies][0], note(node)], ...FIGURES.map(([, show]) => show(node)),
  ])));
}

/** The levels of a node in a line. */
export function levelsText(levels) {
  return Object.entries(levels).map(([column, level]) => `${isolated(column)} ${level}`).join(", ");
}

function note(node) {
  if (node.chosen) return ", chosen";
  return node.frontier ? ", frontier" : "";
}

/** The figures of a node, of which the loss by column comes later from the server. */
export class NodeReading {
  #turn = 0;

  constructor(place, studio) {
    this.place = place;
    this.studio = studio;
    this.facts = el("div");
    this.details = el("div", { "aria-live": "off" });
    fill(place, this.facts, this.details);
  }

  /** Show a node; the server is asked for its details if no other node follows soon. */
  show(node, rows, isProven) {
    const turn = ++this.#turn;
    const rank = isProven ? " and is the optimum" : " and is the best node that the search has found so far";
    fill(this.facts, el("p", { class: "node-title" }, levelsText(node.levels)), el("p", { class: `judgement ${node.satisfies ? "pass" : "fail"}` },
      el("strong", {}, VERDICTS[node.satisfies][1]), node.chosen ? rank : ""),
    el("dl", { class: "figures" }, pairs(node, rows).map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))));
    fill(this.details);
    setTimeout(() => this.#ask(node, turn), 150);
  }

  async #ask(node, turn) {
    if (turn !== this.#turn) return;
    const answer = await answered(this.studio.post("/api/node", { job: this.studio.job(), levels: node.levels }));
    if (turn !== this.#turn || answer.superseded) return;
    refill(this.details, answer.message ? el("p", { class: "hint" }, answer.message) : null, answer.loss_by_column ? levelsTable(answer) : null);
  }
}

function pairs(node, rows) {
  return FIGURES.map(([title, show, key]) => [title, `${show(node)}${key === "suppressed" && rows ? ` (${percent(node.suppressed / rows)})` : ""}`]);
}

/** The differences of two nodes; only levels that differ are listed. */
export function differences(node, reference) {
  const levels = Object.keys(node.levels).filter((column) => node.levels[column] !== reference.levels[column])
    .map((column) => [`level of ${isolated(column)}`, number(reference.levels[column]), number(node.levels[column]), signed(node.levels[column] - reference.levels[column], number)]);
  const figures = FIGURES.map(([title, show, key, plain]) => [title, show(reference), show(node),
    node[key] === null || reference[key] === null || !isCounted(node) || !isCounted(reference) ? "unknown" : signed(node[key] - reference[key], plain)]);
  const caption = `Selected node (${levelsText(node.levels)}) compared with ${levelsText(reference.levels)}`;
  return table(caption, ["", "compared", "selected", "difference"], [...levels, ...figures]);
}

function signed(difference, show) {
  if (difference === 0) return "0";
  return `${difference > 0 ? "+" : "\u2212"}${show(Math.abs(difference))}`;
}
