// The script of a page about one recording.

import { start } from "../page.js";
import { recordingViews } from "../views/recording/index.js";

start(recordingViews);
