/* The kinds of hierarchies and their forms. */

import { el, number } from "./dom.js";
import { button, field, linesField, linesOf, mappingOf, moreFields, parsed, parts, put, select, textField, topField } from "./hierarchy_fields.js";
import { groupsForm } from "./hierarchy_groups.js";
import { intervalsForm, rangePart } from "./hierarchy_intervals.js";
import { orderForm } from "./hierarchy_order.js";

export const TITLES = {
  intervals: "Intervals", order: "Ordered values", levels: "Groups of values", redaction: "Redaction of characters", dates: "Units of the calendar",
  codes: "Codes by their beginning", rare: "Rare values", priority: "Priority", flat: "Only the top", table: "Table", tree: "Tree", file: "File or bundled hierarchy",
};
const UNITS = ["second", "minute", "hour", "day", "week", "week-of-year", "week-year", "weekday", "month", "month-of-year", "quarter", "quarter-of-year", "year", "decade", "century", "millennium"];
const SIDES = [["left", "left"], ["right", "right"]];

const text = (context, key, label, options = {}) => textField({ label, path: key, key, value: context.content[key] ?? "", ...options,
  onchange: (value) => context.change((content) => put(content, key, options.isNumber ? parsed(value) : value, options.unset ?? "")) });
const choice = (context, key, label, options, unset) => select({ label, path: key, key, options, value: context.content[key] ?? unset, onchange: (value) => context.change((content) => put(content, key, value, unset)) });
const numbers = (context, key, label, hint) => textField({ label, path: key, key, hint, value: (context.content[key] ?? []).join(", "),
  onchange: (value) => context.change((content) => put(content, key, parts(value).length ? parts(value).map(parsed) : null)) });

function redactionForm(context) {
  const { content } = context;
  return el("div", { class: "form-of-kind" },
    choice(context, "align", "Values of different lengths are aligned", SIDES, "left"),
    choice(context, "redact", "Redaction begins at the", SIDES, "right"),
    numbers(context, "steps", "Characters that each level redacts", "Such as 1, 2, 4. Empty: one more on each level."),
    text(context, "character", "Character that replaces redacted characters", { size: 3, value: content.character ?? "*", unset: "*" }),
    text(context, "pad", "Character that pads short values", { size: 3, hint: "Empty: the character that replaces redacted characters." }),
    text(context, "length", "Common length", { size: 5, isNumber: true, hint: "Empty: that of the longest value." }),
    text(context, "top", "Label of a level above", { size: 8, hint: "Needed only if characters remain on the last level." }),
    moreFields(context, linesField({ label: "Codes with one label on every redacted level", path: "grouped", key: "grouped", hint: "A line for each label, as 000: 036, 059.", value: linesOf(content.grouped),
      onchange: (value) => context.change((changed) => put(changed, "grouped", value.trim() ? mappingOf(value) : null)) })));
}

function datesForm(context) {
  const { content } = context;
  const change = (mutate, key) => context.change((changed) => { changed.units = [...(changed.units ?? [])]; mutate(changed.units, changed); }, key);
  return el("div", { class: "form-of-kind" },
    el("fieldset", { class: "field", "data-path": "units" }, el("legend", {}, "Units, from narrow to wide"),
      (content.units ?? []).map((unit, place) => el("div", { class: "group-line field", "data-path": `units.${place}` },
        el("label", { for: `unit-${place}` }, `Level ${place + 1}`),
        el("select", { id: `unit-${place}`, "data-key": `unit-${place}`, onchange: (event) => change((units) => { units[place] = event.target.value; }, `unit-${place}`) }, UNITS.map((name) => el("option", { value: name, selected: name === unit }, name))),
        el("input", { type: "text", size: "10", "aria-label": `Format of ${unit}`, placeholder: "format", "data-path": `formats.${unit}`, value: content.formats?.[unit] ?? "", oninput: (event) => change((_, changed) => {
          const formats = { ...changed.formats };
          put(formats, unit, event.target.value);
          put(changed, "formats", Object.keys(formats).length ? formats : null);
        }) }),
        content.units.length > 1 && button("Remove", () => change((units) => units.splice(place, 1), `unit-${Math.max(0, place - 1)}`), { class: "plain", "aria-label": `Remove level ${place + 1}` }))),
      button("Add unit", () => change((units) => units.push(UNITS[Math.min(UNITS.indexOf(units.at(-1) ?? "day") + 1, UNITS.length - 1)]), `unit-${(content.units ?? []).length}`)),
      el("p", { class: "hint", "data-path": "formats" }, "A format is written with %d, %m, %Y and %q for the quarter. Empty: as the standard writes it.")),
    rangePart(context, ["label", "snap"]), topField(context), moreFields(context));
}

function codesForm(context) {
  const { content } = context;
  const change = (mutate, key) => context.change((changed) => { changed.levels = [...changed.levels]; mutate(changed.levels); }, key);
  return el("div", { class: "form-of-kind" },
    el("fieldset", { class: "field", "data-path": "levels" }, el("legend", {}, "Levels, from fine to coarse"),
      content.levels.map((level, place) => {
        const isRanges = typeof level === "object";
        const about = `Level ${place + 1}`;
        return el("div", { class: "group-line field", "data-path": `levels.${place}` },
          select({ label: about, key: `way-${place}`, value: isRanges ? "ranges" : "kept", options: [["kept", "keeps the first characters"], ["ranges", "labels ranges of codes"]], onchange: (value) => change((levels) => { levels[place] = value === "ranges" ? { "label": ["A", "B-Z"] } : 1; }, `way-${place}`) }),
          isRanges ? linesField({ label: `Ranges of level ${place + 1}`, key: `level-${place}`, hint: "A line for each label, as Tumours: C00-D48, Z85.", value: linesOf(level), onchange: (value) => change((levels) => { levels[place] = mappingOf(value); }) })
            : textField({ label: "Characters kept", key: `level-${place}`, size: 4, value: level, onchange: (value) => change((levels) => { levels[place] = parsed(value); }) }),
          content.levels.length > 1 && button("Remove", () => change((levels) => levels.splice(place, 1), `level-${Math.max(0, place - 1)}`), { class: "plain", "aria-label": `Remove level ${place + 1}` }));
      }),
      button("Add level", () => change((levels) => levels.push(typeof levels.at(-1) === "number" ? Math.max(1, levels.at(-1) - 1) : { label: ["A", "B-Z"] }), `level-${content.levels.length}`))),
    text(context, "ignore", "Ignored characters", { size: 6, hint: "As the dot of E11.9." }),
    text(context, "other", "Label of codes in no range", { size: 8, hint: "Empty: such a code is a fault." }),
    text(context, "digits", "Digits of the codes", { size: 4, isNumber: true, hint: "For a column of numbers, which has lost the leading zeros." }),
    topField(context), moreFields(context));
}

function rareForm(context) {
  const { content } = context;
  const shown = (content.below ?? []).map((share) => (typeof share === "number" ? `${Number((100 * share).toFixed(7))}%` : share)).join(", ");
  const share = (part) => (/^\d+(\.\d+)?%$/.test(part) ? Number((Number(part.slice(0, -1)) / 100).toFixed(9)) : parsed(part));
  return el("div", { class: "form-of-kind" },
    textField({ label: "Shares of the rows below which a value is rare", path: "below", key: "below", value: shown, hint: "A share for each level, growing, as 1%, 5%.",
      onchange: (value) => context.change((changed) => { changed.below = parts(value).map(share); }) }),
    text(context, "label", "Label of rare values", { size: 10, value: content.label ?? "other", unset: "other" }), topField(context), moreFields(context));
}

function priorityForm(context) {
  const { content, about } = context;
  const isOwn = content.priorities !== undefined;
  const lines = (mapping) => Object.entries(mapping).map(([value, priority]) => `${value}: ${priority}`).join("\n");
  const read = (value) => Object.fromEntries(value.split("\n").filter((line) => line.trim()).map((line) => {
    const at = line.lastIndexOf(":");
    return at < 0 ? [line.trim(), ""] : [line.slice(0, at).trim(), parsed(line.slice(at + 1))];
  }));
  return el("div", { class: "form-of-kind" },
    select({ label: "Priorities", key: "own-priorities", value: isOwn ? "own" : "type", options: [["type", "the order of the values"], ...(about.values || isOwn ? [["own", "a number for each value"]] : [])],
      onchange: (value) => context.change((changed) => put(changed, "priorities", value === "own" ? Object.fromEntries(about.values.map((line, place) => [line.value, place + 1])) : null), "own-priorities") }),
    isOwn && linesField({ label: "Priority of each value", path: "priorities", key: "priorities", rows: 8, hint: "A line for each value, as Berlin: 3.", value: lines(content.priorities), onchange: (value) => context.change((changed) => { changed.priorities = read(value); }) }),
    choice(context, "keep", "Kept longest", [["highest", "the highest priorities"], ["lowest", "the lowest priorities"]], "highest"),
    text(context, "levels", "Levels at most", { size: 4, isNumber: true, value: content.levels ?? 10, unset: 10 }), topField(context), moreFields(context));
}

function tableForm(context) {
  const { content, about, studio } = context;
  const lines = content.rows ?? content.pairs;
  const asGroups = async () => {
    const answer = await studio.post("/api/hierarchy/groups", { column: about.column, content: context.content });
    context.replace(answer.content, "The table is shown as groups of values.");
  };
  return el("div", { class: "form-of-kind" },
    el("p", { "data-path": "rows" }, content.file ? `The lines are in the file ${content.file}.` : lines ? `${number(lines.length)} lines, imported. Import a file to replace them.` : content.tree ? "A tree of labels." : "Import a CSV file with value;level 1;...;top."),
    (lines || content.file || content.tree) && button("Edit as groups of values", () => asGroups().catch(studio.fail)),
    textField({ label: "Label of an additional top", path: "top", key: "top", size: 8, value: content.top ?? "", onchange: (value) => context.change((changed) => put(changed, "top", value)) }),
    moreFields(context));
}

function fileForm(context) {
  const { about, content, studio } = context;
  const adapt = async () => context.replace((await studio.post("/api/hierarchy/resolve", { column: about.column, content: context.content })).content, "A copy of the hierarchy can be changed.");
  return el("div", { class: "form-of-kind" },
    field({ label: "File on this computer, or bundled hierarchy", hint: about.bundled.length ? `Bundled for this name: ${about.bundled.join(", ")}.` : "A CSV, Parquet or YAML file." }, (attributes) =>
      el("span", {}, el("input", { type: "text", autocomplete: "off", spellcheck: "false", "data-key": "reference", list: "bundled-hierarchies", ...attributes, value: content, oninput: (event) => context.rename(event.target.value.trim()) }),
        el("datalist", { id: "bundled-hierarchies" }, about.bundled.map((name) => el("option", { value: name }))))),
    button("Edit a copy", () => adapt().catch(studio.fail)));
}

const FORMS = {
  intervals: intervalsForm, order: orderForm, levels: groupsForm, redaction: redactionForm, dates: datesForm, codes: codesForm, rare: rareForm,
  priority: priorityForm, flat: (context) => el("div", { class: "form-of-kind" }, topField(context), moreFields(context)), table: tableForm, tree: tableForm, file: fileForm,
};

/** The form of a kind: a function of the context. */
export const formOf = (kind) => FORMS[kind] ?? FORMS.flat;
