// SPDX-License-Identifier: MIT
// Energy as a flame graph: by layer and kernel, or by call stack.
import flamegraph from "d3-flame-graph";
import { select } from "d3-selection";
import { colorOf, element, onColors, onWidth, scaled, variable } from "./data.js";

const ways = { layers: "by layer and kernel", stacks: "by call stack" };

const ROW = 20;

function levels(frame) {
	return 1 + Math.max(0, ...frame.children.map(levels));
}

export function drawFlames(data) {
	const place = document.getElementById("flame");
	const found = Object.keys(ways).filter((way) => data.flames[way]?.value > 0);
	if (!found.length) return;
	document.getElementById("flames").hidden = false;
	const rank = new Map(data.labels.map((label, i) => [label, i]));
	const total = data.flames[found[0]].value;
	const details = element("p", { className: "hint" });
	const words = (frame) =>
		`${frame.data.name}: ${scaled(frame.data.value, "J")}, ` +
		`${((100 * frame.data.value) / total).toPrecision(3)} %`;
	let way = found[0];
	let chart;

	function draw() {
		place.textContent = "";
		chart = flamegraph()
			.width(place.clientWidth)
			.cellHeight(ROW)
			.height(ROW * levels(data.flames[way]) + 2)
			.inverted(true)
			.minFrameSize(2)
			.transitionDuration(0)
			.sort((a, b) => b.data.value - a.data.value)
			.label(words)
			.onHover((frame) => { details.textContent = words(frame); })
			.setColorMapper((frame) =>
				rank.has(frame.data.name) ? colorOf(rank.get(frame.data.name))
					: variable(frame.depth ? "--idle" : "--raised"));
		chart.setDetailsHandler((text) => { details.textContent = text ?? ""; });
		chart.setSearchMatch((frame, words) => frame.data.name.toLowerCase().includes(words.toLowerCase()));
		select(place).datum(structuredClone(data.flames[way])).call(chart);
		reach();
	}
	// Frames by the keyboard: Tab goes from one to the next, Enter magnifies it.
	const reach = () => select(place).selectAll("g.frame").attr("tabindex", 0);
	place.addEventListener("click", reach);
	place.addEventListener("focusin", (event) => {
		details.textContent = event.target.querySelector("title")?.textContent ?? "";
	});
	place.addEventListener("keydown", (event) => {
		if (event.key !== "Enter") return;
		event.target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
		event.target.focus();
	});

	const buttons = found.map((one) =>
		element("button", { type: "button", textContent: ways[one], onclick: () => {
			way = one;
			press();
			draw();
		} }));
	const press = () => buttons.forEach((button, i) =>
		button.setAttribute("aria-pressed", String(found[i] === way)));
	press();
	const search = element("input", { type: "search", placeholder: "Search" });
	search.setAttribute("aria-label", "Search the flame graph");
	search.addEventListener("input", () =>
		search.value ? chart.search(search.value) : chart.clear());
	place.before(element("div", { className: "controls" }, ...(found.length > 1 ? buttons : []), search,
		element("button", { type: "button", textContent: "all", onclick: () => chart.resetZoom() })));
	place.after(details);
	draw();
	onColors(draw);
	onWidth(place, draw);
}
