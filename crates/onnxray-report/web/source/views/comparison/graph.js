// The executed graph of both versions: modules in the order of execution, as a ladder that unfolds
// down to the layers, with the difference as colour where there is one for sure.

import { decimalsOf, shown, textOf, toneOf } from "../../cells.js";
import { differenceFromA } from "../../difference.js";
import { openDetails } from "../../details.js";
import { element } from "../../dom.js";
import { createLadder } from "../../ladder/ladder.js";
import { ladderTable, pathsOf } from "../../ladder/table.js";
import { inlineName, inlineWord } from "../inline_text.js";
import { counted, signed } from "../words.js";
import { ofVersion } from "./frame.js";
import { layerDetails } from "./layer_details.js";
import { scaleEnd } from "../ratio_interval.js";

const LAYERS = "layers";

export default function graph(report, context) {
  const blockOf = (version) => report.blocks("ladder").find((one) => one.version === version.name);
  const find = (version, name) => {
    const block = blockOf(version);
    return block ? pathsOf(block).indexOf(name) : -1;
  };
  return ofVersion(
    report,
    (version) => {
      const block = blockOf(version);
      if (!block) return { node: element("p", null, "There are no layers to compare.") };
      const ladder = ofBlock(version, block, context);
      return { node: ladder.node, show: (name) => ladder.show(find(version, name)) };
    },
    (version, name) => find(version, name) >= 0,
  );
}

function ofBlock(version, block, context) {
  const layers = version.table(LAYERS);
  const { name: names, parent: parents, rung: kinds, copies, row: numbers, operators } = block;
  const { a, b, difference, ratio, ratio_low: lows, ratio_high: highs, verdict } = block;
  const rowOf = new Map(version.rows(LAYERS).map((row) => [layers.number("number", row), row]));
  const end = scaleEnd(layers, version.rows(LAYERS));
  const paths = pathsOf(block);
  const most = difference.reduce((most, value) => Math.max(most, Math.abs(value ?? 0)), 0);
  const part = (rung) =>
    most > 0 && difference[rung] !== null ? Math.abs(difference[rung]) / most : undefined;
  const decimals = decimalsOf({
    unit: "milliseconds",
    cells: a.filter((_, rung) => kinds[rung] !== "operator"),
  });
  const time = (value) => (value === null ? "" : shown(value, "milliseconds", { decimals }));
  const side = (name, value) => (value === null ? "" : `, ${name} ${time(value)} ms`);
  const count = (rung) => (copies[rung] > 1 ? `x${copies[rung]}` : "");
  const isSure = (rung) => ["good", "bad"].includes(toneOf(verdict[rung]));
  /** @type {Parameters<typeof ladderTable>[3]} */
  const columns = [
    ["a", "A ms", "milliseconds", a, "typical time of its layers together"],
    ["b", "B ms", "milliseconds", b, "typical time of its layers together"],
    ["difference", "B - A ms", "milliseconds", difference, "difference of the typical times"],
    ["ratio", "B / A", "ratio", ratio, "ratio of the typical times"],
    ["ratio_low", "Low", "ratio", lows, "a 95 % interval"],
    ["ratio_high", "High", "ratio", highs, "a 95 % interval"],
    ["verdict", "Verdict", "text", verdict, "of its layers together, as one group"],
  ];
  return createLadder({
    title: "Difference of modules and layers",
    shows: `${counted(version.rows(LAYERS).length, "layer")} in the order of execution, grouped by the modules in their names; each is tested as one, so that typical times need not add up. Faster and slower blocks are coloured, larger differences more; others are grey.`,
    rungs: {
      parents,
      names,
      row: (rung) => numbers[rung],
      weight: (rung) => Math.abs(difference[rung] ?? 0),
      isWorth: (rung) => kinds[rung] !== "pattern",
      heat(rung) {
        const of = part(rung);
        if (of === undefined) return undefined;
        if (!isSure(rung)) return { colour: "control-line", percent: 0 };
        return { colour: `diverging-${toneOf(verdict[rung])}`, percent: 100 * Math.sqrt(of) };
      },
      bar: part,
      count,
      figures: (rung) => [
        time(a[rung]),
        difference[rung] === null ? "" : signed(difference[rung]),
        inlineWord(verdict[rung]),
      ],
      text: (rung) => [
        inlineName(paths[rung]),
        count(rung) && ` ${count(rung)}`,
        `: ${counted(operators[rung], "layer")}${side("A", a[rung])}${side("B", b[rung])}`,
        ratio[rung] === null
          ? ""
          : `; B is ${differenceFromA({ ratio: ratio[rung], low: lows[rung] ?? undefined, high: highs[rung] ?? undefined })}`,
        `: ${textOf(verdict[rung])}`,
      ],
    },
    scale: element(
      "span",
      { class: "ladder-scale ladder-diverging" },
      ["faster", "same", "slower"].map((text) => element("span", null, text)),
    ),
    headings: ["A ms", "B - A ms", "Verdict"],
    open(rung) {
      const row = rowOf.get(numbers[rung]);
      if (row === undefined) return context.announce("The table of layers does not have this one.");
      openDetails({
        title: element("bdi", null, layers.text("layer", row)),
        body: layerDetails(version, row, end),
      });
    },
    table: () => ladderTable(block, "Module or layer", "Layers", columns),
  });
}
