/* The section Hierarchies: the columns with a hierarchy, the editor of one, and a preview of what it does to the data. */

import { el, fill, number } from "./dom.js";
import { fileActions } from "./hierarchy_files.js";
import { select, textField } from "./hierarchy_fields.js";
import { formOf, TITLES } from "./hierarchy_kinds.js";
import { placeFaults, previewPart } from "./hierarchy_preview.js";

const WAIT = 200;
const LIMITS = ["min-level", "max-level", "weight"];
const same = (first, second) => JSON.stringify(first) === JSON.stringify(second);
/** A hierarchy without the note of its origin, which a change removes. */
const core = (hierarchy) => (hierarchy && typeof hierarchy === "object" ? { ...hierarchy, source: undefined } : hierarchy);
const isGeneralized = (plan) => plan?.role === "quasi-identifier" || (plan?.role === "sensitive" && plan.hierarchy !== undefined);

/** What the job says of a column that this section can change. */
function settingsOf(plan) {
  return { hierarchy: plan.hierarchy ?? null, limits: Object.fromEntries(LIMITS.map((key) => [key, plan[key] ?? null])) };
}

/** Build the section in `root`. */
export function mount(root, studio) {
  const editors = new Map();
  let chosen = null;
  let isShown = false;
  const empty = el("p", {}, "No column is generalized yet: choose a quasi-identifier in the section Table.");
  const list = el("div", { role: "listbox", class: "column-list", "aria-label": "Columns with a hierarchy", onkeydown: moveInList });
  const place = el("div", { class: "hierarchy-editor" });
  const content = el("div", { class: "hierarchies" }, list, place);

  function names() {
    if (studio.state?.status !== "ready") return [];
    return studio.state.columns.map((column) => column.name).filter((name) => isGeneralized(studio.state.job.columns[name]));
  }

  function drawList() {
    const hadFocus = list.contains(document.activeElement);
    fill(list, names().map((name) => {
      const editor = editors.get(name);
      const hierarchy = studio.state.job.columns[name].hierarchy;
      const kind = editor?.isChanged ? "changed, not applied" : !hierarchy ? "none yet" : typeof hierarchy === "string" ? hierarchy : TITLES[hierarchy.kind];
      return el("div", { role: "option", id: `hierarchy-of-${studio.state.columns.findIndex((column) => column.name === name)}`, "aria-selected": String(name === chosen),
        tabindex: name === chosen ? "0" : "-1", "data-column": name, onclick: () => choose(name) },
      el("span", { class: "column-name" }, name), el("span", { class: "hint" }, kind));
    }));
    if (hadFocus) list.querySelector("[aria-selected=true]")?.focus();
  }

  function moveInList(event) {
    const all = names();
    const at = all.indexOf(chosen);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined || all[to] === undefined) return;
    event.preventDefault();
    choose(all[to]);
  }

  function choose(name) {
    chosen = name;
    drawList();
    open(name).catch(studio.fail);
  }

  async function open(name) {
    if (!editors.has(name)) {
      fill(place, el("p", { class: "hint" }, "The values are being counted."));
      const about = await studio.get(`/api/hierarchy?column=${encodeURIComponent(name)}`);
      if (!editors.has(name)) editors.set(name, editorOf(about, studio, drawList));
    }
    if (chosen === name) editors.get(name).show(place);
  }

  function update() {
    const all = names();
    empty.hidden = all.length > 0 || studio.state?.status !== "ready";
    content.hidden = all.length === 0;
    for (const [name, editor] of editors) {
      if (!all.includes(name)) editors.delete(name);
      else editor.follow().catch(studio.fail);
    }
    if (!all.includes(chosen)) chosen = all[0] ?? null;
    drawList();
    if (isShown && chosen !== null) open(chosen).catch(studio.fail);
  }

  root.append(el("h2", {}, "Hierarchies"),
    el("p", { class: "hint" }, "A hierarchy gives each value a label on each level, from the value itself to one label for all. A change takes effect when you apply it."), empty, content);
  studio.on("state", update);
  studio.on("section", (name) => {
    isShown = name === "hierarchies";
    if (isShown && chosen !== null) open(chosen).catch(studio.fail);
  });
  update();
}

/** The editor of a column: its draft, its form, its preview. */
function editorOf(about, studio, changed) {
  const name = about.column;
  const plan = () => studio.state.job.columns[name] ?? {};
  let settled = settingsOf(plan());
  const begun = () => structuredClone(settled.hierarchy ?? about.suggested.content);
  let draft = { hierarchy: begun(), limits: { ...settled.limits } };
  let byKind = {};
  let seen = null;
  let timer = null;
  let isWaiting = false;
  let isStale = false;
  let isPutting = false;
  let search = "";
  let place = null;

  const form = el("div", { class: "hierarchy-form" });
  const limits = el("div", { class: "limits" });
  const preview = previewPart((text) => { search = text; refresh(0); }, (key) => form.querySelector(`[data-key="${key}"]`)?.focus());
  const apply = el("button", { type: "button", class: "primary", onclick: () => put().catch(studio.fail) }, "Apply");
  const reset = el("button", { type: "button", onclick: () => { draft = { hierarchy: begun(), limits: { ...settled.limits } }; byKind = {}; redraw(); } }, "Reset");
  const suggest = el("button", { type: "button", title: about.suggested.reason, onclick: () => set(structuredClone(about.suggested.content), "The suggested hierarchy is shown.") }, "Suggest");
  const verdict = el("p", { class: "hint verdict-of-draft", role: "status" });
  const files = fileActions({ name, content: () => draft.hierarchy, set, studio });

  const editor = { isChanged: false, show, follow };

  const isDraftChanged = () => !same(core(draft.hierarchy), core(settled.hierarchy)) || !same(draft.limits, settled.limits);
  const kindOf = (hierarchy) => (typeof hierarchy === "string" ? "file" : hierarchy.kind);

  /** What a form gets: the draft, how to change it, and a `memory` that outlasts the form. */
  const context = {
    about, studio, memory: {},
    get content() { return draft.hierarchy; },
    get preview() { return seen; },
    /** Change the draft; `key` draws the form again and focuses the control with this key. */
    change(mutate, key) {
      delete draft.hierarchy.source;
      mutate(draft.hierarchy);
      if (key !== undefined) drawForm(key);
      refresh();
    },
    rename(reference) {
      draft.hierarchy = reference;
      refresh();
    },
    replace: set,
  };

  function set(hierarchy, message) {
    byKind[kindOf(draft.hierarchy)] = draft.hierarchy;
    draft.hierarchy = hierarchy;
    if (message) studio.say(message);
    redraw();
  }

  function changeKind(kind) {
    const first = kind === "file" ? (about.bundled[0] ?? "") : structuredClone(byKind[kind] ?? about.first[kind] ?? { kind });
    set(first);
    form.querySelector("[data-key=kind]")?.focus();
  }

  function drawForm(key) {
    const current = kindOf(draft.hierarchy);
    const kinds = [...new Set([...Object.keys(about.first), current, "file"])];
    fill(form,
      select({ label: "Kind", path: "kind", key: "kind", value: current, options: kinds.map((kind) => [kind, TITLES[kind] ?? kind]), onchange: changeKind }),
      formOf(current)(context));
    if (key) form.querySelector(`[data-key="${key}"]`)?.focus();
    if (seen) placeFaults(form, seen.faults);
  }

  function drawLimits() {
    const top = seen?.levels.length ? seen.levels.length - 1 : null;
    if (plan().role !== "quasi-identifier") return fill(limits);
    const levels = [...Array(Math.max(top ?? 0, draft.limits["min-level"] ?? 0, draft.limits["max-level"] ?? 0) + 1).keys()].map((level) => [String(level), `${level}${level > (top ?? level) ? " (no such level)" : ""}`]);
    const bound = (key, label, none) => select({ label, key, value: String(draft.limits[key] ?? ""), options: [...(none ? [["", none]] : []), ...levels],
      onchange: (text) => limit(key, text === "" || (key === "min-level" && text === "0") ? null : Number(text)) });
    const focused = document.activeElement?.dataset?.key;
    fill(limits, bound("min-level", "Lowest level", "0, the values"), bound("max-level", "Highest level", "the top"),
      textField({ label: "Weight of its loss", key: "weight", value: draft.limits.weight ?? 1, size: 6, onchange: (text) => limit("weight", Number(text) === 1 ? null : Number(text)) }));
    if (LIMITS.includes(focused)) limits.querySelector(`[data-key="${focused}"]`)?.focus();
  }

  function limit(key, value) {
    draft.limits[key] = value;
    judge();
  }

  /** Say whether the draft can be applied. */
  function judge() {
    const errors = seen?.faults.filter((fault) => fault.severity === "error") ?? [];
    const { "min-level": least, "max-level": most, weight } = draft.limits;
    const top = (seen?.levels.length ?? 1) - 1;
    const wrong = errors.length ? `${errors.length === 1 ? "One fault" : `${number(errors.length)} faults`}: it cannot be applied.`
      : Math.max(least ?? 0, most ?? 0) > top ? `The hierarchy has levels 0 to ${top}; choose other limits.`
        : (most ?? top) < (least ?? 0) ? "The lowest level is above the highest." : weight !== null && !(weight > 0) ? "The weight is not a number above 0." : null;
    const before = editor.isChanged;
    editor.isChanged = isDraftChanged() && settled.hierarchy !== null;
    apply.disabled = isStale || !seen || wrong !== null || !isDraftChanged();
    reset.disabled = !isDraftChanged();
    fill(verdict, isStale ? "Checking the change." : wrong ?? (settled.hierarchy === null ? "Suggested: apply it to use it." : isDraftChanged() ? "Not applied yet." : "This is the hierarchy of the job."));
    verdict.classList.toggle("fail", !isStale && wrong !== null);
    if (before !== editor.isChanged) changed();
  }

  async function put() {
    const { hierarchy, limits: bounds } = structuredClone(draft);
    isPutting = true;
    try {
      await studio.edit((job) => {
        const kept = job.columns[name];
        kept.hierarchy = hierarchy;
        for (const key of LIMITS) {
          if (bounds[key] === null) delete kept[key];
          else kept[key] = bounds[key];
        }
      }, `${name}: hierarchy applied`);
      await follow();
    } finally {
      isPutting = false;
    }
  }

  /** Take over what an apply, an undo or another tab made of the column; a draft that is not applied stays. */
  async function follow() {
    const now = settingsOf(plan());
    if (same(now, settled)) return;
    const isKept = !isPutting && settled.hierarchy !== null && isDraftChanged();
    settled = now;
    if (!isKept) draft = { hierarchy: begun(), limits: { ...settled.limits } };
    redraw();
  }

  function redraw() {
    drawForm();
    refresh(0);
  }

  /** Preview the draft after a pause; the newest wins. */
  function refresh(pause = WAIT) {
    isStale = true;
    judge();
    clearTimeout(timer);
    timer = setTimeout(() => run().catch(failed), pause);
  }

  async function run() {
    if (isWaiting) return;
    isWaiting = true;
    const tried = JSON.stringify([draft.hierarchy, search]);
    try {
      const answer = await studio.post("/api/hierarchy/preview", { column: name, content: draft.hierarchy, text: search });
      if (tried === JSON.stringify([draft.hierarchy, search])) {
        seen = answer;
        isStale = false;
        draw();
      }
    } finally {
      isWaiting = false;
    }
    if (isStale) await run();
  }

  function failed(error) {
    isStale = false;
    seen = { levels: [], values: [], all: 0, strip: null, faults: [{ severity: "error", message: error.message }] };
    draw();
  }

  function draw() {
    placeFaults(form, seen.faults);
    preview.draw(seen);
    drawLimits();
    for (const part of form.querySelectorAll("[data-previewed]")) part.dispatchEvent(new CustomEvent("previewed"));
    judge();
  }

  function show(root) {
    if (place === root && root.contains(form)) return;
    place = root;
    fill(root,
      el("div", { class: "editor-head" }, el("h3", {}, name),
        el("p", { class: "hint" }, `${number(about.distinct)} values in ${number(about.rows)} rows. Suggested: ${about.suggested.reason}.`),
        about.fault && el("p", { class: "note" }, about.fault)),
      el("div", { class: "editor-parts" },
        el("div", {}, form, limits, files, el("div", { class: "draft-bar" }, el("div", { class: "buttons" }, apply, reset, suggest), verdict)),
        preview.node));
    redraw();
  }

  return editor;
}
