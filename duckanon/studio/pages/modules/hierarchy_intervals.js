/* The form of intervals: equal widths or a list of intervals, groups above, and the range in which they repeat. */

import { el } from "./dom.js";
import { button, moreFields, parsed, parts, put, textField, topField } from "./hierarchy_fields.js";
import { duplicatesField, functionField, groupsPart, labelInput } from "./hierarchy_labels.js";

const asPart = (interval) => (Array.isArray(interval) ? { min: interval[0], max: interval[1] } : interval);
const plain = (part) => (part.label === undefined && part.function === undefined ? [part.min, part.max] : part);
const isDate = (bound) => typeof bound === "string" && /^\d{4}-\d{2}-\d{2}/.test(bound);
const day = (text) => Date.parse(`${text.slice(0, 10)}T00:00:00Z`) / 86400000;
const written = (days) => new Date(days * 86400000).toISOString().slice(0, 10);
const rounded = (value) => Number(value.toFixed(9));

/** The bound in the middle; null if there is none between. */
function middle(low, high) {
  if (isDate(low) && isDate(high)) {
    const between = Math.floor((day(low) + day(high)) / 2);
    return between > day(low) ? written(between) : null;
  }
  if (typeof low !== "number" || typeof high !== "number") return null;
  const half = (low + high) / 2;
  const whole = Math.floor(half);
  return Number.isInteger(low) && Number.isInteger(high) && whole > low ? whole : rounded(half);
}

/** The end of an interval that is as wide as another and begins where that one ends. */
function next({ min, max }) {
  if (isDate(min) && isDate(max)) return written(2 * day(max) - day(min));
  return typeof min === "number" && typeof max === "number" ? rounded(2 * max - min) : "";
}

/** The form of kind `intervals`. */
export function intervalsForm(context) {
  const { content } = context;
  const isWidths = content.widths !== undefined;
  const way = (value, text) => el("label", {}, el("input", { type: "radio", name: "interval-way", value, "data-key": `way-${value}`, checked: isWidths === (value === "widths"), onchange: () => switchWay(context, value) }), ` ${text}`);
  return el("div", { class: "form-of-kind" },
    el("fieldset", { class: "choices" }, el("legend", {}, "Intervals"), way("widths", "of equal width"), way("intervals", "from a list")),
    isWidths ? widthsPart(context) : listPart(context),
    functionField(context, "interval"),
    !isWidths && groupsPart(context, "intervals", 2),
    !isWidths && duplicatesField(context),
    rangePart(context, ["label", "snap", "repeat"]), topField(context), moreFields(context));
}

function switchWay(context, value) {
  context.change((content) => {
    if (value === "widths") {
      const { min, max } = asPart(content.intervals[0]);
      const ends = JSON.stringify([min, asPart(content.intervals.at(-1)).max]);
      // a range that only says where the list ends has no meaning without the list
      if (JSON.stringify(content.range?.repeat) === ends) delete content.range.repeat;
      if (content.range && Object.keys(content.range).length === 0) delete content.range;
      const width = typeof min === "number" && typeof max === "number" ? rounded(max - min) : 10;
      content.widths = [width, 2 * width, 4 * width];
      delete content.intervals;
      delete content.groups;
    } else {
      const { widths, origin = 0 } = content;
      content.intervals = [[origin, rounded(origin + widths[0])]];
      const sizes = widths.slice(1).map((width, place) => [Math.max(1, Math.round(width / widths[place]))]);
      if (sizes.length) content.groups = sizes;
      delete content.widths;
      delete content.origin;
    }
  }, `way-${value}`);
}

function widthsPart(context) {
  const { content } = context;
  return el("div", {},
    textField({ label: "Width on each level", path: "widths", key: "widths", value: content.widths.join(", "), hint: "Each a multiple of the one before, as 5, 10, 20.",
      onchange: (text) => context.change((changed) => { changed.widths = parts(text).map(parsed); }) }),
    textField({ label: "A bound that all share", path: "origin", key: "origin", size: 8, value: content.origin ?? 0,
      onchange: (text) => context.change((changed) => put(changed, "origin", parsed(text), 0)) }));
}

/** The list of intervals. An interval begins where the one before ends. */
function listPart(context) {
  const intervals = context.content.intervals.map(asPart);
  const change = (mutate, key) => context.change((content) => {
    const all = content.intervals.map((interval) => ({ ...asPart(interval) }));
    mutate(all);
    content.intervals = all.map(plain);
  }, key);
  const bound = (place, end, label) => el("input", { type: "text", size: "10", class: "bound", "data-key": `${end}-${place}`, "data-path": `intervals.${place}.${end}`, "aria-label": label, value: String(intervals[place][end]),
    oninput: (event) => change((all) => {
      all[place][end] = parsed(event.target.value);
      if (end === "max" && all[place + 1]) {
        all[place + 1].min = all[place].max;
        const shown = event.target.closest("table").querySelector(`[data-from="${place + 1}"]`);
        if (shown) shown.textContent = String(all[place].max);
      }
    }) });
  return el("div", { class: "field", "data-path": "intervals" },
    el("table", { class: "intervals-table" }, el("caption", { class: "unseen" }, "Intervals"),
      el("thead", {}, el("tr", {}, ["From", "To, excluded", "Label", "Change"].map((head) => el("th", { scope: "col" }, head)))),
      el("tbody", {}, intervals.map((interval, place) => {
        const about = `interval ${place + 1}`;
        const half = middle(interval.min, interval.max);
        return el("tr", { class: "field", "data-path": `intervals.${place}` },
          el("td", {}, place === 0 ? bound(0, "min", "From, of interval 1") : el("span", { "data-from": place }, String(interval.min))),
          el("td", {}, bound(place, "max", `To, of ${about}`)),
          el("td", {}, labelInput(interval, about, `interval-${place}`, (changed, key) => change((all) => { all[place] = { min: all[place].min, max: all[place].max, label: changed.label, function: changed.function }; clean(all[place]); }, key))),
          el("td", { class: "line-buttons" },
            button("Split", () => change((all) => all.splice(place, 1, { ...interval, max: half }, { min: half, max: interval.max }), `max-${place}`), { class: "plain", disabled: half === null, "aria-label": `Split ${about}` }),
            place + 1 < intervals.length && button("Merge", () => change((all) => all.splice(place, 2, { ...all[place], max: all[place + 1].max }), `max-${place}`), { class: "plain", "aria-label": `Merge ${about} with the next` }),
            intervals.length > 1 && button("Remove", () => change((all) => remove(all, place), `max-${Math.max(0, place - 1)}`), { class: "plain", "aria-label": `Remove ${about}` })));
      }))),
    button("Add interval", () => change((all) => all.push({ min: all.at(-1).max, max: next(all.at(-1)) }), `max-${intervals.length}`)));
}

function clean(part) {
  for (const key of ["label", "function"]) if (part[key] === undefined) delete part[key];
}

/** Remove an interval; one between others joins the one before, so that no gap remains. */
function remove(all, place) {
  const [gone] = all.splice(place, 1);
  if (place > 0 && place < all.length) all[place - 1].max = gone.max;
}

const MEANINGS = {
  label: ["Allowed", "Values outside are an error."],
  snap: ["Not top- or bottom-coded", "Values outside get one label below and one above, such as <5 and >=90."],
  repeat: ["Repeat", "The sequence repeats inside. The first and the last interval extend to the ends of the row above."],
};

/** The range in which a rule applies; an empty end is open. */
export function rangePart(context, keys) {
  const range = context.content.range ?? {};
  const set = (key, place, text) => context.change((content) => {
    const ends = [...(content.range?.[key] ?? [null, null])];
    ends[place] = text.trim() === "" ? null : parsed(text);
    const changed = { ...content.range, [key]: ends };
    if (ends[0] === null && ends[1] === null) delete changed[key];
    put(content, "range", Object.keys(changed).length ? changed : null);
  });
  const input = (key, place, end) => el("input", { type: "text", size: "9", class: "bound", "data-key": `${key}-${place}`, "data-path": `range.${key}.${place}`, "aria-label": `${MEANINGS[key][0]} ${end}`, placeholder: "open", value: String(range[key]?.[place] ?? ""),
    oninput: (event) => set(key, place, event.target.value) });
  return el("fieldset", { class: "field range", "data-path": "range" }, el("legend", {}, "Range"),
    keys.map((key) => el("div", { class: "range-line field", "data-path": `range.${key}` }, el("span", { class: "range-name" }, MEANINGS[key][0]), input(key, 0, "from"), el("span", { class: "hint" }, "to"), input(key, 1, "to"), el("span", { class: "hint" }, MEANINGS[key][1]))));
}

