(function () {
  "use strict";
  const schemes = JSON.parse(document.getElementById("chart-schemes").textContent);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const paper = matchMedia("print");
  let printing = false;

  const charts = Array.from(document.querySelectorAll("[data-chart]"), (place) => {
    const figure = place.closest("figure");
    const given = JSON.parse(figure.querySelector("script").textContent);
    return { place, reading: figure.querySelector(".reading"), ...given, result: null, focused: -1 };
  });

  function scheme() {
    return dark.matches && !paper.matches && !printing ? "dark" : "light";
  }

  // Compile a copy, because the specification must be drawable again.
  async function draw(chart) {
    const wanted = scheme();
    chart.wanted = wanted;
    const options = {
      mode: "vega-lite", ast: true, actions: false, renderer: chart.renderer, config: schemes[wanted],
      tooltip: { theme: wanted, disableDefaultStyle: false },
    };
    const result = await vegaEmbed(chart.place.firstElementChild, structuredClone(chart.spec), options);
    if (chart.wanted !== wanted) {
      result.finalize();
      return;
    }
    if (chart.result) chart.result.finalize();
    chart.result = result;
    chart.place.dataset.drawn = wanted;
    if (chart.explorer) explorable(chart);
  }

  function drawAll() {
    charts.forEach((chart) => {
      if (chart.wanted !== scheme()) draw(chart);
    });
  }

  // Draw one chart at a time, so that the page can be read and scrolled meanwhile.
  async function drawInTurn() {
    for (const chart of charts) {
      if (chart.wanted !== scheme()) await draw(chart);
      await new Promise((resume) => setTimeout(resume));
    }
    document.documentElement.dataset.charts = "drawn";
  }

  function explorable(chart) {
    const view = chart.result.view;
    const pointed = (_event, item) => {
      if (item && item.datum && Number.isInteger(item.datum.number)) focus(chart, item.datum.number);
    };
    view.addEventListener("mouseover", pointed);
    view.addEventListener("click", pointed);
    if (chart.focused >= 0) view.signal("focused", chart.focused).runAsync();
  }

  function focus(chart, number) {
    if (number === chart.focused) return;
    chart.focused = number;
    if (chart.result) chart.result.view.signal("focused", number).runAsync();
    const list = document.createElement("dl");
    for (const [name, title] of chart.explorer.fields) {
      list.append(element("dt", title), element("dd", String(chart.spec.datasets.points[number][name])));
    }
    chart.reading.replaceChildren(list);
  }

  function element(tag, text) {
    const made = document.createElement(tag);
    made.textContent = text;
    return made;
  }

  // Rows of marks from the bottom up, each in the given order. Computed once, because the marks do not move.
  function rowsOf(chart) {
    const rows = new Map();
    for (const point of chart.spec.datasets.points) {
      if (!rows.has(point.row)) rows.set(point.row, []);
      rows.get(point.row).push(point);
    }
    return { rows, order: [...rows.keys()].sort((one, other) => chart.explorer.up * (one - other)) };
  }

  function reached(chart, key) {
    const from = chart.spec.datasets.points[chart.focused];
    const { rows, order } = (chart.walk ??= rowsOf(chart));
    if (key === "ArrowLeft" || key === "ArrowRight") {
      const row = rows.get(from.row);
      return row[row.indexOf(from) + (key === "ArrowRight" ? 1 : -1)];
    }
    const row = rows.get(order[order.indexOf(from.row) + (key === "ArrowUp" ? 1 : -1)]);
    return row && row.reduce((best, one) => (Math.abs(one.place - from.place) < Math.abs(best.place - from.place) ? one : best));
  }

  for (const chart of charts.filter((one) => one.explorer)) {
    chart.place.addEventListener("focus", () => {
      if (chart.focused < 0) focus(chart, chart.explorer.home);
    });
    chart.place.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === "Home") {
        focus(chart, chart.explorer.home);
      } else if (event.key.startsWith("Arrow")) {
        const next = chart.focused < 0 ? { number: chart.explorer.home } : reached(chart, event.key);
        if (next) focus(chart, next.number);
      } else {
        return;
      }
      event.preventDefault();
    });
  }

  dark.addEventListener("change", drawAll);
  paper.addEventListener("change", drawAll);
  addEventListener("beforeprint", () => {
    printing = true;
    drawAll();
  });
  addEventListener("afterprint", () => {
    printing = false;
    drawAll();
  });
  drawInTurn();
})();
