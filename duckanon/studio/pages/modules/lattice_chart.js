/* The chart of the lattice: nodes by risk and information loss, the frontier, other algorithms, and rings around nodes. */

import { drawChart } from "./charts.js";

const VERDICTS = { domain: ["satisfies the requirements", "does not"], colours: ["#0a7fc4", "#d55e00"], shapes: ["circle", "cross"] };
const KEYS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"];

/** A chart in `place`, which calls `choose(node)` for a click on a node and for the keys. */
export class LatticeChart {
  #view = null;
  #data = { rows: [], frontier: [], rings: [], points: [] };

  constructor(place, choose) {
    this.place = place;
    this.choose = choose;
    place.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Draw the axes for the nodes of a lattice; `show` and `ring` draw the rest. */
  async draw(nodes) {
    this.nodes = nodes;
    const drawn = (view) => {
      this.#view = view;
      view.addEventListener("click", (_event, item) => {
        const number = item?.datum?.number;
        if (Number.isInteger(number)) this.choose(this.nodes.find((node) => node.number === number));
      });
      this.#set(this.#data);
    };
    const alt = "Nodes of the lattice by risk and information loss. Arrow keys choose a node; the table below lists the nodes.";
    await drawChart(this.place, specification(nodes), { rows: [], alt, drawn });
    this.place.setAttribute("role", "application");
    this.place.setAttribute("aria-roledescription", "chart");
  }

  /** Show these nodes, and points of other algorithms `{algorithm, risk, loss}`. */
  show(nodes, points) {
    this.visible = nodes.filter(isDrawn);
    const frontier = this.nodes.filter((node) => node.frontier).sort((a, b) => a.risk - b.risk || b.loss - a.loss);
    this.#set({ rows: this.visible.map(mark), frontier: frontier.map(mark), points });
  }

  /** Draw rings around nodes, `{node, kind}`; `current` is where the arrow keys start. */
  ring(rings, current) {
    this.current = current;
    this.#set({ rings: rings.filter(({ node }) => isDrawn(node)).map(({ node, kind }) => ({ ...mark(node), kind })) });
  }

  #set(data) {
    Object.assign(this.#data, data);
    if (!this.#view) return;
    for (const [name, rows] of Object.entries(data)) this.#view.data(name, rows);
    const { rows, rings, points } = this.#data;
    for (const [signal, key] of [["mostRisk", "risk"], ["mostLoss", "loss"]]) {
      this.#view.signal(signal, [...rows, ...rings, ...points].reduce((top, each) => Math.max(top, each[key] ?? 0), 0.01));
    }
    this.#view.runAsync();
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || !KEYS.includes(event.key) || !this.visible?.length) return;
    event.preventDefault();
    const next = reached(this.visible, this.current, event.key);
    if (next && next !== this.current) this.choose(next);
  }
}

/** The node that a key leads to: left and right by risk, up and down by loss, page keys along the frontier, Home to the chosen node. */
export function reached(nodes, current, key) {
  if (key === "Home") return nodes.find((node) => node.chosen) ?? nodes[0];
  if (key === "End") return nodes.reduce((best, node) => (node.loss > best.loss ? node : best));
  const isPage = key.startsWith("Page");
  const among = isPage ? nodes.filter((node) => node.frontier || node === current) : [...nodes];
  const isAcross = key === "ArrowLeft" || key === "ArrowRight";
  among.sort((a, b) => (isAcross ? a.risk - b.risk || a.loss - b.loss : a.loss - b.loss || a.risk - b.risk) || a.number - b.number);
  const at = among.indexOf(current);
  if (at < 0) return among[0];
  const step = key === "ArrowRight" || key === "ArrowUp" || key === "PageUp" ? 1 : -1;
  return among[Math.min(among.length - 1, Math.max(0, at + step))];
}

/** Whether a node has a place in the chart: a node that is only bounded, or that releases no record, has none. */
export const isDrawn = (node) => node && node.risk !== null;

function mark({ number, risk, loss, satisfies }) {
  return { number, risk, loss, verdict: VERDICTS.domain[satisfies ? 0 : 1] };
}

function specification(nodes) {
  const axis = { format: "~%", tickCount: 6 };
  const x = { field: "risk", type: "quantitative", title: "highest risk", scale: { type: "sqrt", domain: [0, { expr: "mostRisk" }], clamp: true }, axis };
  const y = { field: "loss", type: "quantitative", title: "information loss", scale: { domain: [0, { expr: "mostLoss" }], clamp: true }, axis };
  const verdict = (range) => ({ field: "verdict", type: "nominal", scale: { domain: VERDICTS.domain, range }, legend: { title: null, orient: "top" } });
  const ring = (kind, size, dash) => ({
    data: { name: "rings" }, transform: [{ filter: `datum.kind === '${kind}'` }],
    mark: { type: "point", style: "ring", size, strokeDash: dash, shape: "circle" },
  });
  return {
    height: 380,
    params: [{ name: "mostRisk", value: 1 }, { name: "mostLoss", value: 1 }],
    datasets: { frontier: [], rings: [], points: [] },
    encoding: { x, y },
    layer: [
      { mark: { type: "point", filled: true, size: nodes.length > 2000 ? 18 : 45, opacity: nodes.length > 2000 ? 0.55 : 0.8 }, encoding: { color: verdict(VERDICTS.colours), shape: verdict(VERDICTS.shapes) } },
      { data: { name: "frontier" }, mark: { type: "line", style: "frontier", interpolate: "step-after" }, encoding: { order: { field: "risk", type: "quantitative" } } },
      ring("chosen", 190, []), ring("selected", 320, [4, 3]), ring("reference", 90, [1, 2]),
      { data: { name: "points" }, mark: { type: "point", shape: "diamond", size: 160, filled: true, color: "#009e73" } },
      { data: { name: "points" }, mark: { type: "text", style: "ink", align: "left", dx: 12 }, encoding: { text: { field: "algorithm", type: "nominal" } } },
    ],
  };
}
