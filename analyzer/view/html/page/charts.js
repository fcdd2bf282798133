// SPDX-License-Identifier: MIT
// What makes a page of pwrtrace interactive.  Its tables and words are there without this.
import { drawFlames } from "./flames.js";
import { drawIterations } from "./iterations.js";
import { drawTime } from "./time.js";
import { makeTables } from "./tables.js";
import { readData } from "./data.js";
import "./charts.css";

makeTables();
readData().then((data) => {
	drawTime(data);
	drawFlames(data);
	drawIterations(data);
	document.documentElement.dataset.drawn = Math.round(performance.now());
});
