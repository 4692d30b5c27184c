/* The form of ordered values: their order, moved by drag and by keyboard, and groups of neighbours. */

import { el, fill, number } from "./dom.js";
import { button, moreFields, topField } from "./hierarchy_fields.js";
import { duplicatesField, functionField, groupsPart } from "./hierarchy_labels.js";

const SHOWN = 200;

/** The form of kind `order`. */
export function orderForm(context) {
  return el("div", { class: "form-of-kind" }, valuesPart(context), functionField(context, "set"),
    groupsPart(context, "values", 1), duplicatesField(context), topField(context), moreFields(context));
}

function valuesPart(context) {
  const { about, content, studio } = context;
  const rows = new Map((about.values ?? []).map(({ value, rows: count }) => [value, count]));
  const ofType = (about.values ?? []).map(({ value }) => value);
  const order = () => context.content.values ?? ofType;
  const isOwn = content.values !== undefined;
  const inOrder = new Set(order());
  const setOrder = (values) => context.change((changed) => { changed.values = values; });
  let current = 0;
  let text = "";

  const list = el("ol", { role: "listbox", class: "order-list", "aria-label": "Values in their order. Alt and an arrow key move the value.", onkeydown: press, "data-previewed": "", onpreviewed: () => draw() });
  const more = el("p", { class: "hint" });
  const visible = () => order().map((value, place) => ({ value, place })).filter(({ value }) => value.toLowerCase().includes(text));

  /** The number of the group of level 1 that contains a place. */
  function groupOf(place) {
    const sizes = (context.content.groups?.[0] ?? []).map((group) => Number(group?.size ?? group)).filter((size) => size > 0);
    const length = sizes.reduce((sum, size) => sum + size, 0);
    if (!length) return null;
    let rest = place % length;
    let group = Math.floor(place / length) * sizes.length;
    for (const size of sizes) {
      if (rest < size) break;
      rest -= size;
      group += 1;
    }
    return group;
  }

  function draw(focus = false) {
    const all = visible();
    const from = Math.max(0, Math.min(all.findIndex(({ place }) => place === current) - SHOWN / 2, all.length - SHOWN));
    const part = all.slice(from, from + SHOWN);
    if (!part.some(({ place }) => place === current)) current = part[0]?.place ?? 0;
    const wrong = new Map((context.preview?.faults ?? []).filter((fault) => fault.value !== null).map((fault) => [fault.value, fault.message]));
    fill(list, part.map(({ value, place }) => {
      const group = groupOf(place);
      return el("li", { role: "option", "aria-selected": String(place === current), tabindex: place === current ? "0" : "-1", draggable: "true", "data-place": place,
        class: `${group === null ? "" : group % 2 ? "odd" : "even"}${wrong.has(value) ? " faulty" : ""}${group !== null && groupOf(place + 1) !== group ? " last-of-group" : ""}`, title: wrong.get(value),
        onclick: () => { current = place; draw(true); },
        ondragstart: (event) => event.dataTransfer.setData("text/plain", String(place)),
        ondragover: (event) => event.preventDefault(),
        ondrop: (event) => { event.preventDefault(); move(Number(event.dataTransfer.getData("text/plain")), place); } },
      el("span", { class: "grip", "aria-hidden": "true" }, "⠿"), el("span", { class: "order-value" }, value),
      el("span", { class: "hint" }, rows.has(value) ? number(rows.get(value)) : "not in the data"));
    }));
    fill(more, all.length > part.length ? `${number(part.length)} of ${number(all.length)} values are shown; find others with the filter.` : "");
    if (focus) list.querySelector("[aria-selected=true]")?.focus();
  }

  function move(from, to) {
    const values = [...order()];
    if (!(from >= 0 && to >= 0 && from < values.length && to < values.length) || from === to) return;
    const [value] = values.splice(from, 1);
    values.splice(to, 0, value);
    current = to;
    setOrder(values);
    draw(true);
    explain();
    studio.say(`${value} is at ${number(to + 1)} of ${number(values.length)}`);
  }

  function press(event) {
    const all = visible();
    const at = all.findIndex(({ place }) => place === current);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (all[to] === undefined) return;
    if (event.altKey) move(current, all[to].place);
    else {
      current = all[to].place;
      draw(true);
    }
  }

  const note = el("p", { class: "hint" });
  const explain = () => fill(note, context.content.values !== undefined ? "A custom order, which lists all values." : "The order of the type. A move makes a custom order, which lists all values.");
  const sort = (values, said) => {
    setOrder(values);
    current = 0;
    draw();
    explain();
    studio.say(said);
  };
  const collator = new Intl.Collator("en", { numeric: true });
  if (about.values === null && !isOwn) {
    return el("p", { class: "hint" }, `${number(about.distinct)} values are too many to be moved here; they have the order of their type. Import a table for another order.`);
  }
  explain();
  draw();
  return el("fieldset", { class: "field", "data-path": "values" }, el("legend", {}, "Order"), note,
    el("div", { class: "buttons" },
      button("Sort ascending", () => sort([...order()].sort(collator.compare), "Sorted ascending")),
      button("Sort descending", () => sort([...order()].sort((one, other) => collator.compare(other, one)), "Sorted descending")),
      button("Order of the type", () => { context.change((changed) => { delete changed.values; }); draw(); explain(); studio.say("The order of the type"); }),
      about.values !== null && ofType.some((value) => !inOrder.has(value)) && button("Add missing values", () => sort([...new Set([...order(), ...ofType])], "Values of the data are added at the end"), { "data-key": "add-missing" })),
    order().length > 12 && el("p", {}, el("label", {}, "Find a value ", el("input", { type: "search", autocomplete: "off", oninput: (event) => { text = event.target.value.trim().toLowerCase(); draw(); } }))),
    el("p", { class: "hint" }, "Drag a value, or move it with Alt and an arrow key."), list, more);
}
