/* Charts of the studio: bars as SVG, everything else with Vega-Lite, in the colours of the page. */

const dark = matchMedia("(prefers-color-scheme: dark)");
const drawings = new Map();

dark.addEventListener("change", () => {
  for (const [place, drawing] of drawings) {
    if (place.isConnected) drawing.draw();
    else forget(place);
  }
});

/**
 * Draw a Vega-Lite specification in `place`, again whenever the colour scheme changes.
 *
 * `rows` is the data of the chart, in the dataset `rows`; a specification may have further datasets. `alt` describes the
 * chart for a screen reader. `drawn(view)` is called after each drawing. Returns the Vega view.
 */
export async function drawChart(place, spec, { rows, alt, drawn, renderer = "canvas" }) {
  forget(place);
  place.setAttribute("role", "img");
  place.setAttribute("aria-label", alt);
  const drawing = { result: null, turn: 0 };
  drawing.draw = async () => {
    const turn = ++drawing.turn;
    const whole = { data: { name: "rows" }, width: "container", ...spec, datasets: { rows, ...spec.datasets } };
    const options = {
      mode: "vega-lite", ast: true, actions: false, defaultStyle: false, tooltip: false, renderer, config: colours(place),
    };
    const embed = await vega();
    const result = await embed(canvas(place), structuredClone(whole), options);
    if (turn !== drawing.turn || drawings.get(place) !== drawing) return result.finalize();
    drawing.result?.finalize();
    drawing.result = result;
    drawn?.(result.view);
  };
  drawings.set(place, drawing);
  await drawing.draw();
  return drawing.result?.view;
}

/** A horizontal bar for a share from 0 to 1; `kind` is a class of views.css. The same number stands beside it as text. */
export function bar(share, kind = "") {
  const svg = shape("svg", { class: `bar ${kind}`, "aria-hidden": "true", focusable: "false" });
  const width = `${Math.min(1, Math.max(0, share)) * 100}%`;
  svg.append(shape("rect", { class: "track", width: "100%", height: "100%" }), shape("rect", { width, height: "100%" }));
  return svg;
}

function shape(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function forget(place) {
  drawings.get(place)?.result?.finalize();
  drawings.delete(place);
}

// Vega empties the element that it draws in, so each drawing gets its own, hidden from screen readers, which read `alt`.
function canvas(place) {
  const made = document.createElement("div");
  made.className = "drawing";
  made.setAttribute("aria-hidden", "true");
  place.replaceChildren(made);
  return made;
}

let loading = null;

function vega() {
  if (window.vegaEmbed) return Promise.resolve(window.vegaEmbed);
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = "/static/vega.js";
    script.onload = () => resolve(window.vegaEmbed);
    script.onerror = () => reject(new Error("the chart library does not load; reload the page"));
    document.head.append(script);
  });
  return loading;
}

function colours(place) {
  const style = getComputedStyle(place);
  const colour = (name) => style.getPropertyValue(name).trim() || style.color;
  const [ink, muted, grid] = [style.color, colour("--muted"), colour("--line")];
  const guide = { labelColor: muted, titleColor: muted, labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal" };
  return {
    background: "transparent", font: style.fontFamily, padding: { left: 4, top: 8, bottom: 4, right: 14 },
    view: { stroke: null }, axis: { ...guide, gridColor: grid, domainColor: grid, tickColor: grid },
    legend: { ...guide, labelColor: ink },
    style: {
      ink: { color: ink, fill: ink, fontSize: 12 },
      ring: { color: ink, stroke: ink, strokeWidth: 2, fill: null, filled: false },
      frontier: { color: ink, stroke: ink, strokeWidth: 1.5 },
    },
  };
}
