// The views of a page about a comparison, by key.

import causes from "./causes.js";
import graph from "./graph.js";
import inferenceTime from "./inference_time.js";
import layers from "./layers.js";
import notAligned from "./not_aligned.js";
import performanceSummary from "./performance_summary.js";

export const comparisonViews = new Map([
  ["performance-summary", performanceSummary],
  ["inference-time", inferenceTime],
  ["layers", layers],
  ["graph", graph],
  ["causes", causes],
  ["not-aligned", notAligned],
]);
