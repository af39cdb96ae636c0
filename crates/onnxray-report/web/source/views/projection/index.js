// The views of a projection's page, by key; its notes are those of every page.

import levels from "./levels.js";
import plan from "./plan.js";
import projection from "./projection.js";

export const projectionViews = new Map([
  ["projection", projection],
  ["levels", levels],
  ["plan", plan],
]);
