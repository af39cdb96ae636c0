// What stands above every view of a projection: the figures that an edit moves, undo, redo and
// reset, what is wrong with entries, and the file of the settings with the command that reads
// it.

import { shown } from "../../cells.js";
import { element, replace } from "../../dom.js";
import { download, safeFileName } from "../../download.js";
import { settingsJson } from "../../settings_files.js";
import { sparseRatioText } from "./entries.js";

/**
 * A figure before and after: estimates, null where they are unknown.
 * @typedef {import("../../projection_inputs.js").Estimate|null} Value
 * @typedef {{heading: string, before?: Value, after: Value, unit: string, suffix?: string}} Figure
 */

/**
 * @param {import("./session.js").Session} session
 * @param {object} of what the view is about
 * @param {() => Figure[]} of.figures
 * @param {() => string} of.origin which perf ratios they rest on
 * @param {boolean} [of.isPlan]
 */
export function toolbar(session, { figures, origin, isPlan = false }) {
  const { store, report, check } = session;
  const strip = element("div", {
    class: "toolbar-figures",
    role: "group",
    aria: { label: "What the settings come to" },
  });
  const undo = button("Undo", "undo", () => store.undo());
  const redo = button("Redo", "redo", () => store.redo());
  const reset = button("Reset", "reset", () => store.reset("Reset"));
  const bad = element("div", { class: "toolbar-bad", role: "alert", dataset: { bad: "" } });
  const stem = report.title.replace(/\.onnx(?: \(.*\))?$/i, "") || "projection";
  const fileName = safeFileName(`${stem}-settings.json`);
  const said = element("p", { class: "only-heard", role: "status" });
  const file = button("Download JSON", undefined, save, { download: "json" });
  const commands = element("div", { class: "toolbar-commands" });

  const isKnown = () => figures().every(({ after }) => after !== null);

  function save() {
    download(fileName, "application/json", settingsJson(session.settings));
  }

  function refresh() {
    const { state, undoes, redoes } = store;
    replace(
      strip,
      figures().map(figureOf),
      isKnown() && element("span", { class: "toolbar-origin" }, origin()),
    );
    replace(said, session.said);
    offer(undo, "Undo", undoes);
    offer(redo, "Redo", redoes);
    turnOff(reset, undoes === undefined);
    // A file with a mistake would be refused as a whole.
    turnOff(file, state.bad.size > 0);
    replace(bad, state.bad.size > 0 && badEntries(state.bad));
    bad.hidden = state.bad.size === 0;
    replace(commands, commandsOf());
  }

  function badEntries(entries) {
    const [one, many] = [
      "An entry cannot be used. All figures are those of the last good one, and there is nothing to download until it is right.",
      `${entries.size} entries cannot be used. All figures are those of the last good ones, and there is nothing to download until they are right.`,
    ];
    return [
      element("p", null, entries.size === 1 ? one : many),
      element(
        "ul",
        null,
        [...entries].map(([key, { reason }]) => element("li", null, goTo(key), ` ${reason}`)),
      ),
    ];
  }

  function goTo(key) {
    return element(
      "button",
      { type: "button", class: "quiet", on: { click: () => session.goTo(key) } },
      element("bdi", null, session.labelOf(key)),
    );
  }

  function commandsOf() {
    const out = safeFileName(`${stem}.html`);
    const command = (more) =>
      element(
        "code",
        null,
        `onnxray project RECORDING --ratios ${fileName}${more} -o ${out}`,
      );
    const { budget, max_loss: most } = session.settings.plan;
    const [again, option] =
      most === null
        ? [
            `This page does not spread the budget again. To have ${sparseRatioText(budget)} spread with these ratios and levels: `,
            ` --budget ${budget}`,
          ]
        : [
            `This page does not find the fastest sparsities again. To have them found with these ratios and levels, for a loss of ${most}: `,
            ` --max-loss ${most}`,
          ];
    return [
      element("p", null, "Read the file again with ", command(""), "."),
      isPlan && element("p", null, again, command(option)),
    ];
  }

  const node = element(
    "section",
    { class: "toolbar", aria: { label: "Settings" } },
    checkLine(check),
    element(
      "div",
      { class: "toolbar-bar" },
      strip,
      element("div", { class: "toolbar-buttons" }, undo, redo, reset),
      bad,
      said,
    ),
    element(
      "div",
      { class: "toolbar-files" },
      element("div", { class: "toolbar-buttons" }, file),
      commands,
    ),
  );
  refresh();
  return { node, refresh };
}

function button(text, action, click, dataset = {}) {
  const node = element(
    "button",
    { type: "button", dataset: action ? { action, ...dataset } : dataset },
    text,
  );
  node.addEventListener("click", () => node.getAttribute("aria-disabled") !== "true" && click());
  return node;
}

/** Off, but still there to have the focus, which whoever goes back step by step would lose. */
function turnOff(node, isOff) {
  node.setAttribute("aria-disabled", String(isOff));
}

/** Says what a button would do, or turns it off if there is nothing. */
function offer(node, verb, what) {
  turnOff(node, what === undefined);
  node.title = what === undefined ? "" : `${verb}: ${what}`;
}

/** @param {Figure} figure */
function figureOf({ heading, before, after, unit, suffix = "" }) {
  const value = (estimate) => valueOf(estimate, unit, suffix);
  return element(
    "span",
    { class: "toolbar-figure" },
    element("span", { class: "toolbar-heading" }, heading),
    before !== undefined && [element("span", { class: "toolbar-before" }, value(before)), " → "],
    element("strong", null, value(after)),
    after &&
      after.low !== after.high &&
      element(
        "span",
        { class: "toolbar-ends" },
        `${shown(after.low, unit)} to ${shown(after.high, unit)}`,
      ),
  );
}

function valueOf(estimate, unit, suffix) {
  if (!estimate) return element("span", { class: "unknown" }, "unknown");
  return element(
    "span",
    { title: String(estimate.value) },
    `${shown(estimate.value, unit)}${suffix}`,
  );
}

/** What the check at the start found. */
function checkLine({ compared, different }) {
  if (different.length === 0) {
    return element(
      "p",
      { class: "toolbar-check", dataset: { selfCheck: "equal" }, hidden: true },
      `${compared} figures computed here equal the analyzer's.`,
    );
  }
  const places = different
    .slice(0, 5)
    .map(({ table, heading, row }) => `${table}, ${heading}, row ${row + 1}`);
  const more = different.length > 5 ? ` and ${different.length - 5} more columns` : "";
  return element(
    "p",
    { class: "toolbar-warning", role: "alert", dataset: { selfCheck: "different" } },
    `This page computes other figures than the analyzer did (${places.join("; ")}${more}). Do not rely on what follows an edit: run onnxray project with the settings instead.`,
  );
}
