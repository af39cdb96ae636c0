// The views of a page about a tuning, by key.

import changes from "./changes.js";

export const tuneViews = new Map([["tune", changes]]);
