// The script of a page about a sweep.

import { start } from "../page.js";
import { sweepViews } from "../views/sweep/index.js";

start(sweepViews);
