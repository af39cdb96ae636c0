// The views of a page about a mix of two models, by key.

import mix from "./mix.js";

export const mixViews = new Map([["mix", mix]]);
