/* The page: its state, its sections, undo and redo, and the events of the server. */

import { fill, number } from "./dom.js";

const byId = (id) => document.getElementById(id);
const listeners = new Map();
let draft = null;
let hasEnded = false;
let lastEdit = Promise.resolve();

function emit(event, detail) {
  for (const listener of listeners.get(event) ?? []) {
    Promise.resolve().then(() => listener(detail)).catch(fail);
  }
}

/** Send a request; throws an `Error` with the server's line. */
async function request(path, options = {}) {
  let response;
  let answer;
  try {
    response = await fetch(path, options);
    answer = await response.json();
  } catch {
    ended();
    throw new Error("the studio's server is gone; start `duckanon studio` in the terminal again");
  }
  if (response.status === 409 && answer.state) show(answer.state);
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

function post(path, body) {
  const headers = { "Content-Type": "application/json", "X-Duckanon": "studio" };
  return request(path, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Accept a state, unless it or a newer one is shown: to draw a state again would take away what is typed. */
function show(state) {
  if (studio.state && state.revision <= studio.state.revision) return;
  studio.state = state;
  draft = null;
  byId("size").textContent = state.source.rows === undefined ? "" : `${number(state.source.rows)} rows`;
  for (const name of ["undo", "redo"]) {
    byId(name).disabled = !state[`can_${name}`];
    byId(name).title = state[name];
  }
  if (state.status === "failed") fail(new Error(state.message));
  document.documentElement.dataset.status = state.status;
  emit("state", state);
}

function fail(error) {
  const close = document.createElement("button");
  close.type = "button";
  close.textContent = "Close";
  close.addEventListener("click", () => (byId("failure").hidden = true));
  fill(byId("failure"), ...error.message.split("\n").map((line) => fill(document.createElement("p"), line)), close);
  byId("failure").hidden = false;
}

function ended() {
  if (hasEnded) return;
  hasEnded = true;
  fail(new Error("The studio has ended. Start `duckanon studio` in the terminal again; a job that was saved is opened with --job."));
}

/** What the modules of the sections get. */
const studio = {
  state: null,
  get: (path) => request(path),
  post,
  fail,
  on(event, listener) {
    listeners.set(event, [...(listeners.get(event) ?? []), listener]);
  },
  job: () => structuredClone(draft ?? studio.state.job),
  draft(change) {
    draft = studio.job();
    change(draft);
    emit("draft");
  },
  /** Send an edit after the answer to the one before, which brings the revision that this one starts from. */
  edit(change, what, merge = "") {
    const send = async () => {
      const job = structuredClone(studio.state.job);
      change(job);
      draft = null;
      show(await post("/api/edit", { revision: studio.state.revision, job, what, merge }));
      studio.say(what);
    };
    return inTurn(send);
  },
  say(text) {
    byId("said").textContent = text;
  },
};

/** Send a change after the answer to the one before. */
function inTurn(send) {
  const sent = lastEdit.then(send);
  lastEdit = sent.catch(() => {});
  return sent;
}

/** Undo or redo after the answer to the last edit, which may be the one to undo. */
function move(name) {
  const send = async () => {
    if (byId(name).disabled) return;
    const what = byId(name).title;
    show(await post(`/api/${name}`, { revision: studio.state.revision }));
    studio.say(`${name === "undo" ? "Undone" : "Redone"}: ${what}`);
  };
  return inTurn(send);
}

const tabs = [...document.querySelectorAll("[role=tab]")];

function select(tab) {
  for (const other of tabs) {
    const isChosen = other === tab;
    other.setAttribute("aria-selected", String(isChosen));
    other.tabIndex = isChosen ? 0 : -1;
    byId(other.getAttribute("aria-controls")).hidden = !isChosen;
  }
  const section = tab.getAttribute("aria-controls");
  history.replaceState(null, "", `#${section}`);
  emit("section", section);
}

function listen() {
  const events = new EventSource("/api/events");
  events.addEventListener("state", async (event) => {
    if (studio.state?.revision !== JSON.parse(event.data).revision) await studio.get("/api/state").then(show, fail);
  });
  for (const name of ["progress", "run", "swept"]) events.addEventListener(name, (event) => emit(name, JSON.parse(event.data)));
  // the server is on this machine: a broken stream means that it ended
  events.addEventListener("error", () => {
    events.close();
    if (!isLeaving) ended();
  });
}

let isLeaving = false;
addEventListener("pagehide", () => (isLeaving = true));
addEventListener("pageshow", (event) => event.persisted && location.reload());

studio.on("progress", ({ stage, share }) => {
  const bar = byId("progress").querySelector("progress");
  byId("progress").hidden = !stage;
  byId("stage").textContent = stage;
  if (share === null) bar.removeAttribute("value");
  else bar.value = share;
});

for (const [position, tab] of tabs.entries()) {
  tab.addEventListener("click", () => select(tab));
  tab.addEventListener("keydown", (event) => {
    const places = { ArrowRight: position + 1, ArrowLeft: position - 1 + tabs.length, Home: 0, End: tabs.length - 1 };
    if (!(event.key in places)) return;
    event.preventDefault();
    const next = tabs[places[event.key] % tabs.length];
    select(next);
    next.focus();
  });
}

const isText = (node) => node.matches("textarea, input:not([type]), input[type=text], input[type=search], [contenteditable]");
addEventListener("keydown", (event) => {
  // a text field has its own undo
  if (!(event.ctrlKey || event.metaKey) || event.altKey || isText(event.target)) return;
  const key = event.key.toLowerCase();
  const name = key === "y" || (key === "z" && event.shiftKey) ? "redo" : key === "z" ? "undo" : null;
  if (!name) return;
  event.preventDefault();
  move(name).catch(fail);
});
for (const name of ["undo", "redo"]) byId(name).addEventListener("click", () => move(name).catch(fail));

// a message is about the last action
for (const event of ["click", "change"]) {
  byId("content").addEventListener(event, ({ target }) => {
    if (target.matches("button, input, select") && !hasEnded) byId("failure").hidden = true;
  }, { capture: true });
}

for (const tab of tabs) {
  const name = tab.getAttribute("aria-controls");
  const { mount } = await import(`./${name}.js`);
  mount(byId(name), studio);
}
select(tabs.find((tab) => `#${tab.getAttribute("aria-controls")}` === location.hash) ?? tabs[0]);
listen();
await studio.get("/api/state").then(show, fail);
document.documentElement.dataset.page = "shown";
