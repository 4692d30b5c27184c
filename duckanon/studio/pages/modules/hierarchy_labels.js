/* How labels are made: label functions, own labels, and levels of groups with sizes. Intervals and ordered values share them. */

import { el } from "./dom.js";
import { button, field, put } from "./hierarchy_fields.js";

const NAMES = {
  interval: "interval: [20, 30)",
  bounds: "bounds: first and last value",
  set: "set: {a, b, c}",
  prefix: "prefixes of the values",
  "common-prefix": "common prefix",
};

const nameOf = (written) => written.replace(/\(.*$/s, "");
const argumentOf = (written) => /\((.*)\)$/s.exec(written)?.[1] ?? "";

function written(name, argument) {
  if (name === "prefix") return `prefix(${argument || 1})`;
  return name === "common-prefix" && argument ? `common-prefix(${argument})` : name;
}

/** The argument of a function: the length of a prefix, the character that fills up a common prefix. */
function argumentInput(value, key, onchange) {
  const name = nameOf(value);
  if (name !== "prefix" && name !== "common-prefix") return null;
  return el("input", { type: "text", size: "3", "data-key": `${key}-argument`, "aria-label": name === "prefix" ? "Length of the prefix" : "Fill character", value: argumentOf(value),
    oninput: (event) => onchange(written(name, event.target.value)) });
}

/** The label function of the hierarchy. */
export function functionField(context, unset) {
  const value = context.content.function ?? unset;
  const change = (text, key) => context.change((content) => put(content, "function", text, unset), key);
  return field({ label: "Labels", path: "function" }, (attributes) => el("span", { class: "pair" },
    el("select", { ...attributes, "data-key": "function", onchange: (event) => change(written(event.target.value, ""), "function") },
      Object.entries(NAMES).map(([name, text]) => el("option", { value: name, selected: name === nameOf(value) }, text))),
    argumentInput(value, "function", (text) => change(text))));
}

/** The label of one interval or group: by the function of the hierarchy, by one of its own, or a text. */
export function labelInput(part, about, key, onchange) {
  const chosen = part.label !== undefined ? "text" : part.function !== undefined ? nameOf(part.function) : "";
  const set = (changes, focus) => {
    delete part.label;
    delete part.function;
    onchange(Object.assign(part, changes), focus);
  };
  return el("span", { class: "pair" },
    el("select", { "aria-label": `Label of ${about}`, "data-key": `${key}-way`,
      onchange: ({ target: { value } }) => set(value === "text" ? { label: "" } : value ? { function: written(value, "") } : {}, `${key}-${value === "text" ? "text" : "way"}`) },
    [["", "default"], ["text", "custom text"], ...Object.entries(NAMES)].map(([name, text]) => el("option", { value: name, selected: name === chosen }, text))),
    chosen === "text" && el("input", { type: "text", size: "10", "aria-label": `Text of ${about}`, "data-key": `${key}-text`, value: part.label, oninput: (event) => set({ label: event.target.value }) }),
    part.function !== undefined && argumentInput(part.function, key, (text) => set({ function: text })));
}

const asGroup = (group) => (typeof group === "object" ? group : { size: group });
const plain = (group) => (group.label === undefined && group.function === undefined ? group.size : group);

/** The groups of each level above the first: sizes that repeat, each with its label. `below` names what level 1 consists of. */
export function groupsPart(context, below, firstLevel) {
  const levels = context.content.groups ?? [];
  const change = (mutate, key) => context.change((content) => {
    content.groups = structuredClone(content.groups ?? []);
    mutate(content.groups);
    if (content.groups.length === 0) delete content.groups;
  }, key);
  return el("fieldset", { class: "field groups", "data-path": "groups" }, el("legend", {}, "Groups"),
    el("p", { class: "hint" }, "Each group combines neighbours of the level below. The sizes of a level repeat over all values."),
    levels.map((groups, level) => groupLevel(groups, level, { context, change, below, firstLevel })),
    button("Add level", () => change((all) => all.push([2]), `group-${levels.length}-0`), { "data-key": "add-level" }));
}

function groupLevel(groups, level, { change, below, firstLevel }) {
  const number = level + firstLevel;
  const of = level === 0 ? below : `groups of level ${number - 1}`;
  return el("fieldset", { class: "field level-groups", "data-path": `groups.${level}` }, el("legend", {}, `Level ${number}`),
    groups.map(asGroup).map((group, place) => {
      const about = `group ${place + 1} of level ${number}`;
      const key = `group-${level}-${place}`;
      const replace = (changed, focus) => change((all) => { all[level][place] = plain(changed); }, focus);
      return el("div", { class: "group-line field", "data-path": `groups.${level}.${place}` },
        el("input", { type: "number", min: "1", step: "1", "data-key": key, "aria-label": `Size of ${about}: number of ${of}`, value: String(group.size),
          oninput: (event) => replace({ ...group, size: event.target.value === "" ? "" : Number(event.target.value) }) }),
        el("span", { class: "hint" }, of), labelInput(group, about, key, replace),
        el("span", { class: "line-buttons" },
          button("Split", () => change((all) => all[level].splice(place, 1, plain({ ...group, size: Math.ceil(group.size / 2) }), Math.floor(group.size / 2)), key), { class: "plain", disabled: !(group.size > 1), "aria-label": `Split ${about}` }),
          place + 1 < groups.length && button("Merge", () => change((all) => all[level].splice(place, 2, plain({ ...group, size: group.size + asGroup(all[level][place + 1]).size })), key), { class: "plain", "aria-label": `Merge ${about} with the next` }),
          groups.length > 1 && button("Remove", () => change((all) => all[level].splice(place, 1), `group-${level}-${Math.max(0, place - 1)}`), { class: "plain", "aria-label": `Remove ${about}` })));
    }),
    el("div", { class: "buttons" },
      button("Add group", () => change((all) => all[level].push(2), `group-${level}-${groups.length}`), { "aria-label": `Add group to level ${number}` }),
      button("Remove level", () => change((all) => all.splice(level, 1), "add-level"), { "aria-label": `Remove level ${number}` })));
}

/** What happens if several groups would have one label. */
export function duplicatesField(context) {
  return el("div", { class: "field check", "data-path": "duplicates" }, el("label", {},
    el("input", { type: "checkbox", "data-key": "duplicates", checked: context.content.duplicates === "number",
      onchange: (event) => context.change((content) => put(content, "duplicates", event.target.checked ? "number" : null)) }), " Number labels that repeat"));
}

