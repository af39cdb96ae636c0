// Which colour stands for which operator type, beside charts of single operators.

import { colours, typeColour } from "../../colours.js";
import { element } from "../../dom.js";
import { whenPrinting } from "../../print.js";
import * as theme from "../../theme.js";
import { nameInWords } from "./operators.js";

/** Types that are named: further ones have the colours of these again. */
const MOST = 8;

/** The legend of a report's types, those with most time first. */
export function typeLegend(report) {
  const types = report.table("operator_types");
  const names = (types?.column("type")?.cells ?? []).filter(
    (_, row) => types.cell("operators", row) !== false,
  );
  if (names.length < 2) return null;
  const swatches = names.slice(0, MOST).map((name) => {
    const swatch = element("span", { class: "swatch", aria: { hidden: true } });
    return { name, swatch, item: element("li", null, swatch, nameInWords(name)) };
  });
  const paint = (looks) => {
    for (const { name, swatch } of swatches) {
      swatch.style.setProperty("background-color", typeColour(String(name), colours(looks)));
    }
  };
  const paintAsPage = () => paint(theme.current());
  theme.onChange(paintAsPage);
  paintAsPage();
  const more = names.length - swatches.length;
  const list = element(
    "ul",
    { class: "type-legend", aria: { label: "Colours of operator types" } },
    swatches.map(({ item }) => item),
    more > 0 && element("li", null, `${more} more, by pointing at them`),
  );
  whenPrinting(list, { before: () => paint("light"), after: paintAsPage });
  return list;
}
