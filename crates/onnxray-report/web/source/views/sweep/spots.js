// The sweet spots of a sweep at a latency threshold, and what is said of them.

import { element } from "../../dom.js";
import { inlineName } from "../inline_text.js";
import { latencyText, throughputText } from "./points.js";
import { bestLatency, mayBeSweetSpot, sweetSpot } from "./sweet_spot.js";

/**
 * The sweet spot of all models, if they are compared, and that of each.
 * `[{ candidates, point?, rivals, nearest? }]`; `rivals` may be as good as the point, and `nearest`
 * is where no point is within the threshold
 */
export function spotsOf(candidates, thresholdMs) {
  return candidates.map((of) => {
    const spot = sweetSpot(of.points, thresholdMs);
    const point = of.points[spot ?? -1];
    const isOnFront = (other) => (of.isAll ? other.isOnFrontOfAll : other.isOnFront);
    const rivals =
      spot === undefined ? 0 : mayBeSweetSpot(of.points, spot, thresholdMs, isOnFront).length;
    const nearest = point === undefined ? of.points[bestLatency(of.points) ?? -1] : undefined;
    return { candidates: of, point, rivals, nearest };
  });
}

/** A line for each of them; what is the best of all models is not said of its own once more. */
export function spotsList(all, thresholdMs) {
  const overall = all.find(({ candidates }) => candidates.isAll)?.point;
  const spots = all.filter(
    ({ candidates, point }) => candidates.isAll || !overall || point !== overall,
  );
  const hasOne = all.length === 1;
  return element(
    "ul",
    { class: "spots" },
    spots.map((spot) => element("li", null, spotLine(spot, thresholdMs, hasOne))),
  );
}

function spotLine({ candidates, point, rivals, nearest }, thresholdMs, isOnly) {
  const of = isOnly
    ? null
    : candidates.isAll
      ? " of all models"
      : [" of ", inlineName(candidates.name ?? "an unknown model")];
  if (point !== undefined) {
    return [
      element("strong", null, "Sweet spot"),
      of,
      ": ",
      pointText(point),
      rivals === 0 ? null : `; ${rivals} more may be as good`,
      sure(point, thresholdMs),
    ];
  }
  if (nearest === undefined)
    return ["No sweet spot", of, ": no point has both a latency and a throughput that are known."];
  return ["No point", of, ` is within ${thresholdMs} ms; the nearest is `, pointText(nearest), "."];
}

/** A latency that is within the threshold, with an interval that is not. */
function sure({ latency }, thresholdMs) {
  const isSure = thresholdMs === undefined || !(latency.high > thresholdMs);
  return isSure
    ? "."
    : ". It is within the threshold probably only: the interval of its latency ends above it.";
}

function pointText(point) {
  return [
    inlineName(point.name),
    point.configuration === "" ? null : ` (${point.configuration})`,
    `: ${throughputText(point)} at ${latencyText(point)}`,
  ];
}
