// The script of a page about a comparison.

import { start } from "../page.js";
import { comparisonViews } from "../views/comparison/index.js";

start(comparisonViews);
