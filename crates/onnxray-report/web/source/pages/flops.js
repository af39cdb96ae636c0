// The script of a page about the FLOPS profile of a model: its tables as they are.

import { start } from "../page.js";

start(new Map());
