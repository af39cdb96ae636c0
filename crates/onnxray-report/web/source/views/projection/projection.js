// The projection: perf ratios, targets, and the whole model before and after; whatever is
// edited, all of it follows.

import { element } from "../../dom.js";
import { withoutData } from "./frame.js";
import { operatorsPart } from "./operators_part.js";
import { sessionOf } from "./session.js";
import { settingPart } from "./setting_part.js";
import { toolbar } from "./toolbar.js";
import { totalsPart } from "./totals_part.js";
import { typesPart } from "./types_part.js";

export default function projection(report, context) {
  const session = sessionOf(report, context);
  if (!session) return withoutData();
  const top = toolbar(session, {
    figures() {
      const { total, projectedTotal, speedup } = session.projection.totals;
      return [
        {
          heading: "Total latency",
          before: total,
          after: projectedTotal,
          unit: "milliseconds",
          suffix: " ms",
        },
        { heading: "Speedup", after: speedup, unit: "number", suffix: "×" },
      ];
    },
    origin: () => session.projection.origin,
  });
  const operators = operatorsPart(session);
  const parts = [top, settingPart(session), typesPart(session), operators, totalsPart(session)];
  const node = element(
    "div",
    { class: "view projection" },
    parts.map((part) => part.node),
  );
  session.follow(node, () => parts.forEach((part) => part.refresh()));
  return { node, show: operators.show, prepare: () => session.catchUpAll() };
}
