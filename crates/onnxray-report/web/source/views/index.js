// The views of each kind of page, by the name of its report and by key. A page without views of
// its own shows its tables as they are.

import { comparisonViews } from "./comparison/index.js";
import { flopsViews } from "./recording/flops.js";
import { judgeViews } from "./judge/index.js";
import { lossViews } from "./loss/index.js";
import { mixViews } from "./mix/index.js";
import { projectionViews } from "./projection/index.js";
import { recordingViews } from "./recording/index.js";
import { sweepViews } from "./sweep/index.js";
import { tuneViews } from "./tune/index.js";

export const viewsOfPages = new Map([
  ["recording", recordingViews],
  ["projection", projectionViews],
  ["comparison", comparisonViews],
  ["sweep", sweepViews],
  ["loss", lossViews],
  ["flops", flopsViews],
  ["tune", tuneViews],
  ["mix", mixViews],
  ["judge", judgeViews],
]);
