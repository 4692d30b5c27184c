/* The section Run: write the release, read its report, sign it, save the job, and show the command and the SQL. */

import { el, fill } from "./dom.js";

/** Build the section in `root`. */
export function mount(root, studio) {
  let places = null;
  const field = (id, label, hint = null, attributes = {}) => {
    const input = el("input", { type: "text", id, autocomplete: "off", spellcheck: "false", class: "path", "aria-describedby": hint ? `${id}-hint` : null, ...attributes });
    return { input, part: el("p", { class: "path-field" }, el("label", { for: id }, label), input, hint && el("span", { class: "hint", id: `${id}-hint` }, hint)) };
  };
  const check = (id, label, checked = false) => {
    const input = el("input", { type: "checkbox", id, checked });
    return { input, part: el("p", {}, input, " ", el("label", { for: id }, label)) };
  };
  const button = (text, action, attributes = {}) => el("button", { type: "button", ...attributes, onclick: () => guarded(action) }, text);

  function guarded(action) {
    action().catch((error) => studio.fail(error));
  }

  const output = field("output", "File of the release", "Parquet or CSV, by the ending of its name.");
  const report = check("with-report", "Write a report for those who approve the release. It contains values of the input.", true);
  const replace = check("replace-output", "Replace files that exist");
  const start = button("Run", run, { class: "primary", id: "start-run" });
  const stop = button("Stop", () => studio.post("/api/run/stop", {}), { hidden: true });
  const bar = el("progress", { max: 1, "aria-label": "Progress of the run" });
  const stage = el("span", { role: "status" });
  const progress = el("p", { class: "progress", hidden: true }, bar, stage);
  const outcome = el("div", { class: "run-outcome", role: "status" });

  const key = field("key", "Private key", "An Ed25519 key in PEM that only you can read. Make one in the terminal: openssl genpkey -algorithm ed25519 -out ed25519.pem && chmod 600 ed25519.pem");
  const replaceAttestation = check("replace-attestation", "Replace an attestation that exists");
  const signed = el("div", { role: "status" });
  const signing = el("div", { hidden: true }, el("h3", {}, "Sign"), el("p", {}, "An attestation says what was required and that the release was verified. Its signature shows who says so."),
    key.part, replaceAttestation.part, el("p", {}, button("Sign", sign)), signed);

  const job = field("job-file", "Job file", "YAML, for duckanon anonymize --job.");
  const replaceJob = check("replace-job", "Replace a job file that exists");
  const saved = el("div", { role: "status" });
  const code = el("div");
  const showButton = button("Show command and job file", show, { "aria-expanded": "false", "aria-controls": "command-and-job" });
  code.id = "command-and-job";

  async function run() {
    update(await studio.post("/api/run", { output: output.input.value, report: report.input.checked, overwrite: replace.input.checked }));
  }

  async function sign() {
    const { attestation } = await studio.post("/api/sign", { key: key.input.value, overwrite: replaceAttestation.input.checked });
    fill(signed, el("p", { class: "note" }, el("code", {}, attestation), ": share it with the release and your public key."));
  }

  async function save() {
    const answer = await studio.post("/api/job/save", { path: job.input.value, overwrite: replaceJob.input.checked });
    fill(saved, el("p", { class: "note" }, el("code", {}, answer.path), " has the job. The same release from the command line: ", el("code", {}, answer.command)));
  }

  async function show() {
    const isOpen = showButton.getAttribute("aria-expanded") === "true";
    if (isOpen) fill(code);
    else {
      const { command, yaml } = await studio.post("/api/command", { job: studio.job(), output: output.input.value });
      const block = (title, text) => [el("h4", {}, title), el("pre", { tabindex: "0", "aria-label": title }, text)];
      fill(code, block("Command", command), block("Job file", yaml));
    }
    showButton.setAttribute("aria-expanded", String(!isOpen));
    showButton.textContent = isOpen ? "Show command and job file" : "Hide command and job file";
  }

  function update(state) {
    if (state.places && !places) {
      places = state.places;
      if (!output.input.value) output.input.value = places.output;
      if (!job.input.value) job.input.value = places.job;
      fill(folder, "Names start from the folder ", el("code", {}, places.folder), ".");
    }
    const isRunning = state.status === "running";
    start.disabled = isRunning || studio.state?.status !== "ready";
    stop.hidden = progress.hidden = !isRunning;
    stage.textContent = isRunning ? state.stage || "working" : "";
    if (state.share === null) bar.removeAttribute("value");
    else bar.value = state.share;
    signing.hidden = state.status !== "done";
    if (isRunning) fill(signed);
    fill(outcome, ...results(state));
  }

  const folder = el("p", { class: "hint" });
  root.append(el("h2", {}, "Run"), folder, output.part, report.part, replace.part, el("p", { class: "buttons" }, start, " ", stop), progress, outcome, signing,
    el("h3", {}, "Save job"), job.part, replaceJob.part, el("p", {}, button("Save job", save)), saved,
    el("h3", {}, "Command and job file"), el("p", {}, showButton), code);
  studio.on("run", update);
  const refresh = () => studio.get("/api/run").then(update);
  studio.on("state", refresh);
  studio.on("section", (name) => name === "run" && refresh());
}

/** Says where the options that the lines name are on the page; nothing if they name none. */
function optionsHint(lines) {
  return lines.some((line) => /(^|\s)--[a-z]/.test(line)) && el("p", { class: "hint" }, "Options that begin with -- belong to the command line; the sections Table and Requirements have fields for the most important ones.");
}

function results(state) {
  if (state.status === "failed") return [el("p", { class: "verdict fail" }, "No release was written."), state.message.split("\n").map((line) => el("p", {}, line)), optionsHint([state.message])];
  if (state.status === "stopped") return [el("p", { class: "verdict" }, "The run was stopped. Nothing was written.")];
  if (state.status !== "done") return [];
  return [el("p", { class: "verdict pass" }, "Released and verified: ", el("code", {}, state.output)),
    state.report && el("p", {}, el("a", { href: state.report, target: "_blank", rel: "noopener" }, "Read the report"), " (it opens in a new tab)"),
    state.checks.length > 0 && el("div", { class: "wide" }, el("table", {}, el("caption", {}, "Verified on the released file"),
      el("thead", {}, el("tr", {}, ["Requirement", "Required", "Achieved", "Result"].map((head) => el("th", { scope: "col" }, head)))),
      el("tbody", {}, state.checks.map((check) => el("tr", {}, el("th", { scope: "row" }, check.column ? `${check.model} of ${check.column}` : check.model),
        el("td", {}, shown(check.required)), el("td", {}, shown(check.achieved)), el("td", { class: check.passed ? "pass" : "fail" }, check.passed ? "holds" : "does not hold")))))),
    state.warnings.map((line) => el("p", { class: "note" }, `Warning: ${line}`)),
    optionsHint(state.warnings),
    el("details", {}, el("summary", {}, "Summary of the run"), el("pre", { tabindex: "0", "aria-label": "Summary of the run" }, state.summary.join("\n").trim()))];
}

function shown(value) {
  if (value === null || value === undefined) return "";
  if (typeof value !== "number") return typeof value === "object" ? JSON.stringify(value) : String(value);
  return Number.isInteger(value) ? value.toLocaleString("en") : value.toLocaleString("en", { maximumSignificantDigits: 3 });
}
