// The script of a page about a projection.

import { start } from "../page.js";
import { projectionViews } from "../views/projection/index.js";

start(projectionViews);
