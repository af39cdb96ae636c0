// What every view of a comparison begins with: which version is compared to the baseline, the
// colours of the two sides, what makes them not comparable, and how many notes there are.

import { element, replace, uniqueId } from "../../dom.js";
import { hrefOf } from "../../address.js";
import { sideMark } from "../side_mark.js";
import { counted } from "../words.js";
import { versionsOf } from "./versions.js";

/** What column `meaning` of the configuration differences says of those that disturb. */
const NOT_COMPARABLE = "not comparable";

/**
 * A view of the version that is chosen. `build(version)` makes `{ node, show?, prepare? }`, and
 * is called anew when another version is chosen; `has(version, name)` says whether there is
 * something of a name to show.
 * @param {import("../../report.js").Report} report
 * @param {(version: import("./versions.js").Version) => import("../../shell.js").View} build
 * @param {(version: import("./versions.js").Version, name: string) => boolean} has
 * @returns {import("../../shell.js").View}
 */
export function ofVersion(report, build, has = () => false) {
  const versions = versionsOf(report);
  if (versions.all.length === 0) {
    const nothing = "The page compares nothing: no table says of which version it is.";
    return { node: element("div", { class: "view" }, element("p", null, nothing)) };
  }
  const body = element("div");
  let view;
  const fill = (version) => {
    view = build(version);
    replace(body, sides(version), notComparable(version), view.node);
  };
  fill(versions.chosen);
  versions.onChange(fill);
  return {
    node: element("div", { class: "view comparison" }, selector(versions), notesLine(report), body),
    /** Looks in the version that is shown, then in the others. */
    show(name) {
      const order = [versions.chosen, ...versions.all];
      const found = order.find((version) => has(version, name));
      if (found === undefined) return false;
      versions.choose(versions.all.indexOf(found));
      return view.show?.(name);
    },
    prepare: () => view.prepare?.(),
  };
}

/** Which of several versions is shown. */
function selector(versions) {
  if (versions.all.length < 2) return null;
  const id = uniqueId("version");
  const options = versions.all.map((version, position) =>
    element("option", { value: position }, version.name),
  );
  const select = element(
    "select",
    { id, on: { change: () => versions.choose(Number(select.value)) } },
    options,
  );
  const follow = () => {
    select.value = String(versions.all.indexOf(versions.chosen));
  };
  follow();
  versions.onChange(follow);
  return element(
    "p",
    { class: "controls" },
    element("label", { for: id }, "Version that is compared to A: "),
    select,
  );
}

/** What A and B are, in their colours. */
function sides(version) {
  const side = (letter, name, role) =>
    element(
      "span",
      { class: `side side-${letter.toLowerCase()}` },
      sideMark(letter),
      " ",
      name === undefined ? null : [element("bdi", null, name), " "],
      element("span", { class: "muted" }, role),
    );
  return element(
    "p",
    { class: "sides" },
    side("A", version.baseline, "baseline"),
    side("B", version.name, "version"),
  );
}

/** In what the recordings differ so that their times mean different things. */
function notComparable(version) {
  const table = version.table("configuration_differences");
  const rows = version
    .rows("configuration_differences")
    .filter((row) => table.text("meaning", row) === NOT_COMPARABLE);
  if (rows.length === 0) return null;
  const fields = rows.map((row) =>
    element(
      "li",
      null,
      `${table.text("field", row)}: `,
      element("bdi", null, table.text("a", row)),
      " in A, ",
      element("bdi", null, table.text("b", row)),
      " in B",
    ),
  );
  return element(
    "div",
    { class: "callout callout-bad", role: "note" },
    element(
      "p",
      null,
      element("strong", null, "Not comparable."),
      " The recordings were not made alike, so their times mean different things:",
    ),
    element("ul", null, fields),
  );
}

/** Where the notes are, as every one of them may change what the figures are worth. */
function notesLine(report) {
  if (report.notes.length === 0 || !report.views.some((view) => view.key === "notes")) return null;
  const warnings = report.notes.filter((note) => note.kind === "warning").length;
  const notes = report.notes.length - warnings;
  const parts = [
    warnings > 0 && counted(warnings, "warning"),
    notes > 0 && counted(notes, "note"),
  ].filter(Boolean);
  return element(
    "p",
    { class: "notes-line" },
    element("a", { href: hrefOf("notes") }, parts.join(" and ")),
    " on these figures",
  );
}
