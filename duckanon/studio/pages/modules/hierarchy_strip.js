/* The intervals side by side: the rows in each, and the groups above. Automatic repetitions are dashed. */

import { el, number, svg } from "./dom.js";

const ROW = 26;
const BARS = 44;
const LETTER = 6.6;
const NARROWEST = 7;

/** The drawing of a strip; `focus` gets the key of the control of an interval that is clicked. */
export function stripOf(strip, focus, width) {
  const drawn = strip.levels.filter((level) => level.parts !== null);
  const hidden = strip.levels.filter((level) => level.parts === null);
  const step = Math.max(NARROWEST, (Math.max(width, 240) - 2) / strip.columns);
  const full = step * strip.columns + 2;
  const height = BARS + drawn.length * ROW + 2;
  const most = Math.max(1, ...drawn[0].parts.map((part) => part.rows));
  const bars = drawn[0].parts.filter((part) => part.rows > 0).map((part) => {
    const tall = Math.max(1.5, (BARS - 6) * part.rows / most);
    return svg("rect", { class: "strip-bar", x: 1 + part.start * step + 1, y: BARS - tall, width: Math.max(1, step * (part.end - part.start) - 2), height: tall });
  });
  const repeated = drawn.some(({ parts }) => parts.some((part) => !part.is_declared));
  const picture = svg("svg", { class: "strip", width: full, height, viewBox: `0 0 ${full} ${height}`, role: "img", "aria-label": spoken(strip, drawn) }, bars,
    drawn.map(({ level, parts }, place) => parts.map((part) => cell(part, level, BARS + place * ROW, step, focus))));
  return el("figure", { class: "strip-figure" }, el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Intervals" }, picture),
    el("figcaption", { class: "hint" },
      repeated ? "Filled: the intervals and groups as they are declared. Dashed: repeated automatically. Bars: rows in each." : "Bars: rows in each interval.",
      strip.coded.map(({ label, rows }) => ` ${label}: ${number(rows)} rows.`),
      hidden.length > 0 && ` Not drawn, because it has too many intervals: level ${hidden.map(({ level }) => level).join(", ")}.`));
}

function cell(part, level, y, step, focus) {
  const x = 1 + part.start * step;
  const wide = step * (part.end - part.start);
  const text = part.label ?? ends(part);
  const open = level === 1 && part.is_declared && focus ? () => focus(`max-${part.place}`) : null;
  return svg("g", { class: `strip-part${part.is_declared ? "" : " repeated"}${part.rows ? "" : " empty"}`, onclick: open ?? undefined },
    svg("title", {}, `Level ${level}: ${ends(part)}${part.label === null ? "" : `, labelled ${part.label}`}, ${number(part.rows)} rows${part.is_declared ? "" : ", repeated automatically"}`),
    svg("rect", { x: x + 0.5, y: y + 1.5, width: Math.max(1, wide - 1), height: ROW - 3, rx: 2 }),
    text.length * LETTER < wide - 4 && svg("text", { x: x + wide / 2, y: y + ROW / 2 + 4, "text-anchor": "middle" }, text));
}

const ends = ({ from, to }) => (from === null && to === null ? "all" : from === null ? `below ${to}` : to === null ? `from ${from}` : `${from} to below ${to}`);

function spoken(strip, drawn) {
  const first = drawn[0].parts;
  const own = first.filter((part) => part.is_declared).length;
  return `${number(first.length)} intervals on level ${drawn[0].level}, of which ${number(own)} are declared and ${number(first.length - own)} repeated: ` +
    first.slice(0, 12).map((part) => `${ends(part)} ${number(part.rows)} rows`).join("; ") + (first.length > 12 ? "; and more" : "");
}
