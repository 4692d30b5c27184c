/* The section Lattice: all nodes by risk and information loss; one is selected, two are compared, one can be pinned. */

import { answered, spoken, verdict } from "./decision.js";
import { el, fill, number, percent } from "./dom.js";
import { Edits, refill } from "./fields.js";
import { isDrawn, LatticeChart } from "./lattice_chart.js";
import { LatticeFilter } from "./lattice_filter.js";
import { differences, isCounted, levelsText, NodeReading, nodeTable } from "./lattice_nodes.js";

const MOST = 5000; // the nodes of a lattice that is counted whole after the search
const POINTS = [["local", "local recoding"], ["mondrian", "Mondrian"]];

/** Build the section in `root`. */
export function mount(root, studio) {
  new Lattice(root, studio);
}

class Lattice {
  #job = null;
  #isStale = false;
  #turn = 0;
  #nodes = [];
  #visible = [];
  #points = [];
  #selected = null;
  #reference = null;

  constructor(root, studio) {
    this.root = root;
    this.studio = studio;
    this.edits = new Edits(studio);
    this.#build();
    studio.on("state", () => this.#update());
    studio.on("section", () => this.#update());
    studio.on("swept", () => {
      this.#isStale = true;
      this.#update();
    });
  }

  #build() {
    const place = el("div", { class: "chart", tabindex: "0", id: "lattice-chart" });
    const reading = el("div", { class: "reading", "aria-live": "polite" });
    this.chart = new LatticeChart(place, (node) => this.#select(node));
    this.reading = new NodeReading(reading, this.studio);
    this.status = el("p", { class: "hint", role: "status" });
    this.body = el("div", { hidden: true });
    this.actions = el("p", { class: "fields" });
    this.pinned = el("p", { class: "fields" });
    this.points = el("div", { class: "points" });
    this.compared = el("div");
    this.table = el("div");
    const filter = el("fieldset", { class: "filter" });
    this.filter = new LatticeFilter(filter, () => this.#show());
    fill(this.body,
      this.pinned, filter,
      el("div", { class: "columns wide-left" },
        el("div", {}, place, el("p", { class: "hint" }, "Click a node or use the arrow keys: left and right by risk, up and down by information loss, Page Up and Page Down along the frontier (the line), Home to the chosen node (the ring).")),
        el("section", { class: "outcome", "aria-labelledby": "node-title" }, el("h3", { id: "node-title" }, "Selected node"), reading, this.actions)),
      this.compared, el("h3", {}, "Other algorithms"), this.points, el("h3", {}, "Nodes as a table"), this.table);
    this.root.append(el("h2", {}, "Lattice"), this.status, this.body);
  }

  async #update() {
    if (this.root.hidden || this.studio.state?.status !== "ready") return;
    const job = this.studio.job();
    this.#showPin(job);
    // A pinned node decides the run, but the lattice is that of the search.
    if (job.recoding) delete job.recoding.levels;
    if (JSON.stringify(job) === this.#job && !this.#isStale) return;
    this.#isStale = false;
    this.#job = JSON.stringify(job);
    const turn = ++this.#turn;
    this.status.textContent = "The nodes of the lattice are counted.";
    this.root.setAttribute("aria-busy", "true");
    const lattice = await answered(this.studio.post("/api/lattice", { job }));
    if (turn !== this.#turn) return;
    this.root.setAttribute("aria-busy", "false");
    // A superseded or failed request leaves nothing to show; the next visit of the section asks again.
    this.#isStale ||= !lattice.nodes;
    await this.#receive(lattice);
  }

  async #receive(lattice) {
    this.body.hidden = !lattice.nodes?.length;
    if (this.body.hidden) {
      this.status.textContent = lattice.message ?? "The lattice has no nodes; give a column the role of a quasi-identifier.";
      return;
    }
    const before = this.#selected && levelsText(this.#selected.levels);
    this.#nodes = lattice.nodes;
    // The nodes come again once all are counted; points of the same job stay.
    this.#points = this.#points.filter((point) => point.job === this.#job);
    const satisfying = lattice.nodes.filter((node) => node.satisfies).length;
    this.status.textContent = `${drawnText(lattice)} ${number(satisfying)} of the nodes that are shown satisfy the requirements.`;
    this.proven = lattice.proven;
    // Nodes that are not counted yet may be when the section is opened again.
    this.#isStale ||= !lattice.complete;
    this.#reference = lattice.nodes.find((node) => node.chosen) ?? null;
    this.filter.build(axesOf(lattice.nodes));
    this.#showPoints();
    await this.chart.draw(lattice.nodes).catch((error) => this.studio.fail(error));
    this.#select(lattice.nodes.find((node) => levelsText(node.levels) === before) ?? this.#reference ?? lattice.nodes[0]);
    this.#show();
  }

  #select(node) {
    this.#selected = node;
    this.reading.show(node, this.studio.state.source?.rows, this.proven);
    this.#showActions();
    this.#showSelected();
  }

  #show() {
    this.#visible = this.filter.apply(this.#nodes, this.studio.state.source?.rows);
    const points = this.#points.filter((point) => point.feasible && point.risk !== null).map(({ algorithm, risk, loss }) => ({ algorithm, risk, loss }));
    this.chart.show(this.#visible, points);
    this.#showSelected();
  }

  #showSelected() {
    const nodes = this.#visible;
    const chosen = this.#nodes.find((node) => node.chosen);
    const rings = [{ node: chosen, kind: "chosen" }, { node: this.#selected, kind: "selected" }];
    if (this.#reference !== chosen) rings.push({ node: this.#reference, kind: "reference" });
    this.chart.ring(rings.filter(({ node }) => node), this.#selected);
    const isCompared = this.#reference && this.#selected !== this.#reference;
    fill(this.compared, ...(isCompared ? [el("h3", {}, "Comparison"), differences(this.#selected, this.#reference)] : []));
    refill(this.table, nodes.length ? nodeTable(nodes, this.#selected, (node) => this.#select(node)) : el("p", {}, "No node passes the filter."));
  }

  #showActions() {
    const node = this.#selected;
    const compare = () => {
      this.#reference = node;
      this.studio.say(`Other nodes are compared with ${levelsText(node.levels)}.`);
      this.#showSelected();
    };
    const pin = el("button", { type: "button", id: "pin", disabled: !node.satisfies, onclick: (event) => this.#pin(event.target, node.levels) }, "Pin this node");
    refill(this.actions, pin, el("button", { type: "button", id: "compare", onclick: compare }, "Compare others with this node"),
      node.satisfies ? null : el("span", { class: "hint" }, "A run refuses a node that does not satisfy the requirements."));
  }

  #pin(button, levels) {
    return this.edits.commit(button, (job) => {
      job.recoding = { ...job.recoding, levels: { ...levels }, algorithm: "optimal" };
    }, "pin a node");
  }

  #showPin(job) {
    const { levels } = job.recoding ?? {};
    this.pinned.hidden = !levels;
    if (!levels) return fill(this.pinned);
    const unpin = async (event) => {
      await this.edits.commit(event.target, (changed) => { delete changed.recoding.levels; }, "unpin the node");
      document.getElementById("lattice-chart").focus();
    };
    return refill(this.pinned, el("span", { class: "note" }, el("strong", {}, "Pinned: "), `${levelsText(levels)}. A run uses these levels without a search.`),
      el("button", { type: "button", id: "unpin", onclick: unpin }, "Unpin"));
  }

  #showPoints() {
    refill(this.points, ...POINTS.map(([algorithm, title]) => this.#point(algorithm, title)));
  }

  #point(algorithm, title) {
    const point = this.#points.find((each) => each.algorithm === algorithm);
    if (!point) return el("p", { class: "fields" }, el("button", { type: "button", id: `try-${algorithm}`, onclick: (event) => this.#try(event.target, algorithm) }, `Try ${title}`));
    if (!point.feasible) return el("p", {}, el("strong", {}, `${title}: ${verdict(point).toLowerCase()}. `), point.message);
    const use = (event) => this.edits.commit(event.target, (job) => {
      job.recoding = { ...job.recoding, algorithm };
      delete job.recoding.levels;
    }, `algorithm ${algorithm}`);
    return el("p", { class: "fields" },
      el("span", {}, el("strong", {}, `${title}: `), `information loss ${percent(point.loss)}, highest risk ${percent(point.risk)}, ${number(point.suppressed)} rows suppressed${point.message ? `; ${point.message}` : ""}`),
      el("button", { type: "button", id: `try-${algorithm}`, onclick: use }, `Use ${title}`));
  }

  async #try(button, algorithm) {
    const job = this.#job;
    button.setAttribute("aria-busy", "true");
    this.studio.say("The algorithm runs.");
    const point = await answered(this.studio.post("/api/point", { job: JSON.parse(job), algorithm }));
    button.removeAttribute("aria-busy");
    if (job !== this.#job || point.superseded) return;
    this.#points = [...this.#points.filter((each) => each.algorithm !== algorithm), { ...point, algorithm, job }];
    this.#showPoints();
    this.#show();
    this.studio.say(point.feasible ? `Information loss ${percent(point.loss)}, highest risk ${percent(point.risk)}.` : spoken(point));
  }
}

/** How many of how many nodes are drawn, and why not all. */
function drawnText({ nodes, size }) {
  const drawn = nodes.filter(isDrawn).length;
  const bounded = nodes.filter((node) => !isCounted(node)).length;
  const empty = nodes.length - bounded - drawn;
  const reasons = [
    size > nodes.length ? `${number(size - nodes.length)} are not counted${size <= MOST ? " yet" : ""}, because the search did not need them` : "",
    bounded ? `${number(bounded)} are only bounded: their figures in the table are the least possible ones` : "",
    empty ? `${number(empty)} release no record` : "",
  ].filter(Boolean);
  return `${drawn === size ? "All" : `${number(drawn)} of`} ${number(size)} nodes are drawn${reasons.length ? ` (${reasons.join("; ")})` : ""}.`;
}

function axesOf(nodes) {
  return Object.keys(nodes[0].levels).map((column) => ({ column, height: nodes.reduce((top, node) => Math.max(top, node.levels[column]), 0) }));
}
