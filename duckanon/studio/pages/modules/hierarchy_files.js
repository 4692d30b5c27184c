/* Import and export of a hierarchy as CSV and YAML. */

import { el } from "./dom.js";
import { button } from "./hierarchy_fields.js";

/** The controls for files of a column: `content()` is the draft, `set(content, message)` replaces it. */
export function fileActions({ name, content, set, studio }) {
  const chooser = el("input", { type: "file", accept: ".csv,.txt,.tsv,.yaml,.yml", class: "unseen", tabindex: "-1", "aria-label": `Hierarchy file for ${name}`, onchange: () => read().catch(studio.fail) });

  async function read() {
    const [file] = chooser.files;
    if (!file) return;
    chooser.value = "";
    const bytes = await file.arrayBuffer();
    let text;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      throw new Error(`${file.name} is not UTF-8 text; save it as UTF-8`);
    }
    const answer = await studio.post("/api/hierarchy/import", { column: name, name: file.name, text });
    set(answer.content, `${file.name} is imported. Apply it to use it.`);
  }

  async function write(format) {
    const file = await studio.post("/api/hierarchy/export", { column: name, content: content(), format });
    const address = URL.createObjectURL(new Blob([file.text], { type: format === "csv" ? "text/csv" : "application/yaml" }));
    const link = el("a", { href: address, download: file.name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
    studio.say(`${file.name} is downloaded.`);
  }

  return el("div", { class: "buttons files", role: "group", "aria-label": "Files" },
    chooser, button("Import CSV or YAML", () => chooser.click()),
    button("Export CSV", () => write("csv").catch(studio.fail), { title: "A line for each value of the data, with its labels, as ARX reads it" }),
    button("Export YAML", () => write("yaml").catch(studio.fail), { title: "The hierarchy itself, for --hierarchies" }));
}
