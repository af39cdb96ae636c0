// The views of a page about a sweep, by key.

import points from "./points_view.js";
import sweep from "./sweep.js";

export const sweepViews = new Map([
  ["sweep", sweep],
  ["points", points],
]);
