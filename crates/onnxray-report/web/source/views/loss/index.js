// The views of a page about a loss, by key.

import layers from "./layers.js";
import sensitivity from "./sensitivity.js";

export const lossViews = new Map([
  ["sensitivity", sensitivity],
  ["layers", layers],
]);
