/* The form of grouped categories: for each level its groups, filled by drag, or by ticking values and grouping them. */

import { el, fill, number } from "./dom.js";
import { button, moreFields } from "./hierarchy_fields.js";

const SHOWN = 100;
const listed = (members) => (typeof members === "string" ? members.split(",").map((part) => part.trim()).filter(Boolean) : [].concat(members ?? []).map(String));

/** The content as levels of {label, members}, and the top. */
function modelOf(content) {
  const levels = [];
  let top = content.top ?? null;
  const entries = [...(content.levels ?? [])];
  const isList = (entry) => Array.isArray(entry) || typeof entry === "string";
  if (entries.length > 1 && isList(entries[0])) entries.shift();
  if (top === null && entries.length && isList(entries.at(-1)) && listed(entries.at(-1)).length === 1) [top] = listed(entries.pop());
  for (const entry of entries) {
    levels.push(isList(entry) ? listed(entry).map((label) => ({ label, members: [] })) : Object.entries(entry).map(([label, members]) => ({ label, members: listed(members) })));
  }
  if (top === null) {
    const last = levels.at(-1);
    top = last?.length === 1 ? levels.pop()[0].label : "*";
  }
  return { levels, top };
}

/** The key `levels` of a model. */
function levelsOf({ levels, top }) {
  return [...levels.map((groups) => Object.fromEntries(groups.map(({ label, members }) => [label, members]))), [top]];
}

/** The form of kind `levels`. */
export function groupsForm(context) {
  const { about, studio } = context;
  const model = modelOf(context.content);
  const ticked = new Set();
  let text = "";
  let level = Math.min(context.memory.level ?? 0, Math.max(0, model.levels.length - 1));
  const values = new Map((about.values ?? []).map(({ value, rows }) => [value, rows]));

  const board = el("div", { class: "board", "data-previewed": "", onpreviewed: () => mark() });
  const label = el("input", { type: "text", id: "group-label", "data-key": "group-label", size: "16", autocomplete: "off", onkeydown: (event) => event.key === "Enter" && group() });
  const chosen = el("p", { class: "hint", role: "status" });
  const steps = el("div", { class: "buttons", role: "group", "aria-label": "Level" });

  const groups = () => model.levels[level] ?? [];
  const members = () => (level === 0 ? [...values.keys()] : model.levels[level - 1].map((group_) => group_.label));
  const save = () => context.change((content) => {
    context.memory.level = level;
    delete content.top;
    content.levels = levelsOf(model);
  });

  function rowsOf(name, at) {
    if (at === 0) return values.get(name) ?? 0;
    const present = model.levels[at - 1].find((group_) => group_.label === name);
    return present ? present.members.reduce((sum, member) => sum + rowsOf(member, at - 1), 0) : 0;
  }

  /** Move members into a group of this level, which is made if there is none; groups without members go. */
  function put(names, target) {
    for (const group_ of groups()) group_.members = group_.members.filter((member) => !names.includes(member));
    if (target !== null) {
      const present = groups().find((group_) => group_.label === target);
      if (present) present.members.push(...names);
      else groups().push({ label: target, members: [...names] });
    }
    settle();
    ticked.clear();
    save();
    draw();
    studio.say(target === null ? `${number(names.length)} taken out of their group` : `${number(names.length)} grouped as ${target}`);
  }

  /** Remove empty groups, and labels of removed groups from the level above. */
  function settle() {
    for (let at = 0; at < model.levels.length; at += 1) {
      const below = at === 0 ? null : new Set(model.levels[at - 1].map((group_) => group_.label));
      for (const group_ of model.levels[at]) if (below) group_.members = group_.members.filter((member) => below.has(member));
      model.levels[at] = model.levels[at].filter((group_) => group_.members.length > 0);
    }
  }

  function group() {
    const name = label.value.trim();
    if (!name || ticked.size === 0) return studio.say(name ? "No value is ticked" : "Write a name for the group");
    const isNew = !groups().some((group_) => group_.label === name);
    put([...ticked], name);
    label.value = "";
    label.focus();
    if (isNew && level + 1 < model.levels.length) studio.say(`${name} has no group on level ${level + 2} yet`);
  }

  function rename(group_, name) {
    if (!name || groups().some((other) => other !== group_ && other.label === name)) return studio.say(`${name || "An empty text"} cannot be the name of this group`);
    for (const above of model.levels[level + 1] ?? []) above.members = above.members.map((member) => (member === group_.label ? name : member));
    group_.label = name;
    save();
    draw();
  }

  function item(name) {
    const id = `member-${level}-${members().indexOf(name)}-${name.length}`;
    return el("li", { draggable: "true", "data-member": name,
      ondragstart: (event) => { if (!ticked.has(name)) { ticked.clear(); ticked.add(name); } event.dataTransfer.setData("text/plain", name); event.stopPropagation(); } },
    el("input", { type: "checkbox", id, checked: ticked.has(name), onchange: (event) => { ticked[event.target.checked ? "add" : "delete"](name); count(); } }),
    el("label", { for: id }, name), el("span", { class: "hint" }, rowsOf(name, level) ? number(rowsOf(name, level)) : "not in the data"));
  }

  function box(title, names, target, head) {
    const shown = names.filter((name) => name.toLowerCase().includes(text));
    return el("section", { class: "group-box", "aria-label": title, ondragover: (event) => event.preventDefault(), ondrop: (event) => { event.preventDefault(); if (ticked.size) put([...ticked], target); } },
      head, el("ul", {}, shown.slice(0, SHOWN).map((name) => item(name))),
      shown.length > SHOWN && el("p", { class: "hint" }, `${number(SHOWN)} of ${number(shown.length)} are shown; find others with the filter.`),
      shown.length === 0 && names.length > 0 && el("p", { class: "hint" }, `${number(names.length)}, none with this text`));
  }

  function count() {
    fill(chosen, ticked.size === 0 ? "Tick values, or drag them into another group." : `${number(ticked.size)} ticked`);
  }

  function draw() {
    const focused = board.contains(document.activeElement) ? document.activeElement.id : null;
    const grouped = new Set(groups().flatMap((group_) => group_.members));
    const loose = members().filter((name) => !grouped.has(name));
    fill(board,
      loose.length > 0 && box("In no group", loose, null, el("h4", { class: "fail" }, `In no group yet (${number(loose.length)})`)),
      groups().map((group_) => box(group_.label, group_.members, group_.label,
        el("div", { class: "group-head" },
          el("input", { type: "text", "aria-label": `Name of the group ${group_.label}`, value: group_.label, size: "12", onchange: (event) => rename(group_, event.target.value.trim()) }),
          el("span", { class: "hint" }, `${number(group_.members.reduce((sum, name) => sum + rowsOf(name, level), 0))} rows`),
          button("Tick all", () => { for (const name of group_.members.filter((member) => member.toLowerCase().includes(text))) ticked.add(name); draw(); }, { class: "plain", "aria-label": `Tick all of ${group_.label}` }),
          groups().length > 1 && button("Dissolve", () => put(group_.members, null), { class: "plain", "aria-label": `Dissolve ${group_.label}` })))));
    fill(steps, model.levels.map((_, at) => button(`Level ${at + 1}`, () => { level = at; ticked.clear(); draw(); }, { "aria-pressed": String(at === level), id: `group-level-${at}` })),
      button("Add level", addLevel, { disabled: groups().length < 2 }),
      model.levels.length > 1 && button("Remove level", () => { model.levels.splice(level, 1); if (level === 0) regroup(); level = Math.max(0, level - 1); save(); draw(); }));
    count();
    mark();
    if (focused) document.getElementById(focused)?.focus();
  }

  /** Show what the preview finds wrong with the members; nothing is drawn again, so that a name can be typed meanwhile. */
  function mark() {
    const wrong = new Map((context.preview?.faults ?? []).filter((fault) => fault.value !== null).map((fault) => [fault.value, fault.message]));
    for (const member of board.querySelectorAll("[data-member]")) {
      const message = wrong.get(member.dataset.member);
      member.classList.toggle("faulty", message !== undefined);
      member.title = message ?? "";
    }
  }

  /** A level above, in which all groups of the last level have one label. */
  function addLevel() {
    const last = model.levels.at(-1);
    model.levels.push([{ label: "all", members: last.map((group_) => group_.label) }]);
    level = model.levels.length - 1;
    ticked.clear();
    save();
    draw();
    studio.say(`Level ${level + 1} added`);
  }

  /** After level 1 is gone, the groups of the next level have all values of their members. */
  function regroup() {
    const first = modelOf(context.content).levels[0];
    const below = new Map(first.map((group_) => [group_.label, group_.members]));
    for (const group_ of model.levels[0]) group_.members = group_.members.flatMap((member) => below.get(member) ?? []);
  }

  draw();
  return el("div", { class: "form-of-kind" },
    el("fieldset", { class: "field", "data-path": "levels" }, el("legend", {}, "Groups"), steps,
      el("div", { class: "group-tools" }, el("label", { for: "group-label" }, "Group ticked as"), label, button("Group", group),
        values.size > 12 && el("label", {}, "Find ", el("input", { type: "search", size: "10", autocomplete: "off", oninput: (event) => { text = event.target.value.trim().toLowerCase(); draw(); } }))),
      chosen, board),
    el("div", { class: "field", "data-path": "top" }, el("label", { for: "groups-top" }, "Label of the top"),
      el("input", { type: "text", id: "groups-top", size: "8", value: model.top, oninput: (event) => { model.top = event.target.value; save(); } })),
    moreFields(context));
}
