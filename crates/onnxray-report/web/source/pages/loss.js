// The script of a page about a loss profile.

import { start } from "../page.js";
import { lossViews } from "../views/loss/index.js";

start(lossViews);
