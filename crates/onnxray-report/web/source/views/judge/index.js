// The views of a page about a judgement, by key.

import judgement from "./judgement.js";

export const judgeViews = new Map([["judge", judgement]]);
