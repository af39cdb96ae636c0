// The views of a page about a recording, by key.

import graph from "./graph.js";
import iterations from "./iterations.js";
import layerResults from "./layer_results.js";
import layerSummaries from "./layer_summaries.js";
import roofline from "./roofline.js";
import summary from "./summary.js";
import timeline from "./timeline.js";

export const recordingViews = new Map([
  ["summary", summary],
  ["layer-summaries", layerSummaries],
  ["layer-results", layerResults],
  ["graph", graph],
  ["iterations", iterations],
  ["timeline", timeline],
  ["roofline", roofline],
]);
