// SPDX-License-Identifier: MIT
// Power over time, and beneath it the lanes of streams, on one time axis.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { COLORS, colorOf, element, onColors, onWidth, scaled, variable } from "./data.js";

const LANE_HEIGHT = 22;
const GUTTER = 64; // left of both charts, so that their times are above each other
const KEPT = 24; // characters at the end of a name in a legend: shapes, which tell kernels apart

// ---- the blocks of lanes ----

// What is beside a lane: its stream, with the device where there are several.
function titles(lanes) {
	const several = new Set(lanes.map((lane) => lane.ordinal)).size > 1;
	for (const lane of lanes) lane.title = (several ? `${lane.ordinal}: ` : "") + lane.short;
	return lanes;
}

// Turns the columns into an object for each lane, whose begin and end are in seconds.
function lanesOf(data) {
	let at = 0;
	return titles(data.lanes.list.map((lane) => {
		const last = at + lane.blocks;
		const begin = new Float64Array(lane.blocks);
		const end = new Float64Array(lane.blocks);
		let sum = 0;
		for (let i = 0; i < lane.blocks; i++) {
			sum += data["block-begin"][at + i];
			begin[i] = sum * data.lanes.unit_s;
			end[i] = (sum + data["block-length"][at + i]) * data.lanes.unit_s;
		}
		const label = data["block-label"].subarray(at, last);
		const watts = data["block-w"].subarray(at, last);
		const executions = data["block-executions"].subarray(at, last);
		at = last;
		return { ...lane, begin, end, label, watts, executions };
	}));
}

// The last block that begins at or before a time; -1: none does.
function blockAt(lane, time) {
	let low = 0;
	let high = lane.blocks;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (lane.begin[middle] <= time) low = middle + 1;
		else high = middle;
	}
	return low - 1;
}

// Draws what is seen of a lane; blocks that fall on one pixel are one.
function drawLane(plot, lane, top, height, colors) {
	const { context, left, right, position } = plot;
	const first = Math.max(blockAt(lane, plot.min), 0);
	let drawn = -Infinity;
	for (let i = first; i < lane.blocks && lane.begin[i] <= plot.max; i++) {
		const from = Math.max(position(lane.begin[i]), left);
		const to = Math.min(Math.max(position(lane.end[i]), from + 1), right);
		if (to <= drawn) continue;
		context.fillStyle = colors[Math.min(lane.label[i], colors.length - 1)];
		const begin = Math.max(from, drawn);
		context.fillRect(begin, top, Math.max(to - begin, 1), height);
		drawn = to;
	}
}

function drawLanes(plot, lanes, colors) {
	const { left, top, width } = plot.bbox;
	const ratio = devicePixelRatio;
	const scale = plot.scales.x;
	const seen = {
		context: plot.ctx,
		left,
		right: left + width,
		min: scale.min,
		max: scale.max,
		position: (time) => left + ((time - scale.min) / (scale.max - scale.min)) * width,
	};
	plot.ctx.save();
	lanes.forEach((lane, i) => {
		const y = top + i * LANE_HEIGHT * ratio;
		plot.ctx.fillStyle = variable("--raised");
		plot.ctx.fillRect(left, y + ratio, width, (LANE_HEIGHT - 3) * ratio);
		drawLane(seen, lane, y + ratio, (LANE_HEIGHT - 3) * ratio, colors);
	});
	plot.ctx.fillStyle = variable("--soft");
	plot.ctx.font = `${11 * ratio}px system-ui, sans-serif`;
	plot.ctx.textAlign = "right";
	plot.ctx.textBaseline = "middle";
	lanes.forEach((lane, i) => {
		const y = top + (i + 0.5) * LANE_HEIGHT * ratio;
		plot.ctx.fillText(lane.title, left - 6 * ratio, y, left - 10 * ratio);
	});
	plot.ctx.restore();
}

// ---- the axes ----

function axis(size, values) {
	return {
		stroke: () => variable("--soft"),
		grid: { stroke: () => variable("--line"), width: 1 },
		ticks: { stroke: () => variable("--line"), width: 1 },
		font: "11px system-ui, sans-serif",
		size,
		values,
	};
}

// In one unit for all of an axis: that of the time between two of its marks.
function timeMarks(plot, values) {
	const step = values.length > 1 ? values[1] - values[0] : values[0] || 1;
	const [scale, unit] = step >= 0.1 ? [1, "s"] : step >= 1e-4 ? [1e3, "ms"] : [1e6, "µs"];
	return values.map((value) => `${Number((value * scale).toPrecision(10))} ${unit}`);
}

const sync = uPlot.sync("time");

function common(data, width, height, hooks) {
	return {
		width,
		height,
		padding: [8, 12, 0, 0],
		legend: { show: false },
		cursor: {
			sync: { key: sync.key, scales: ["x", null] },
			drag: { x: true, y: false, dist: 4 },
			points: { show: false },
			y: false,
		},
		hooks,
	};
}

// ---- the power ----

function seriesName(one, list) {
	const devices = new Set(list.map((other) => other.device));
	const words = one.limit ? one.kind : `${one.domain}, ${one.kind}`;
	return devices.size > 1 ? `${one.device}: ${words}` : words;
}

function powerChart(data, place, width, hooks) {
	const { list, parts } = data.power;
	const times = Float64Array.from({ length: parts + 1 }, (unused, i) => (i * data.seconds) / parts);
	// Each value holds for its part of the time, the last one to its end.
	const column = (id, i) => {
		const values = Array.from(data[id].subarray(i * parts, (i + 1) * parts), (value) =>
			Number.isNaN(value) ? null : value);
		return [...values, values.at(-1)];
	};
	const paths = uPlot.paths.stepped({ align: 1 });
	const columns = [times];
	const series = [{}];
	const bands = [];
	list.forEach((one, i) => {
		const color = () => (one.limit ? variable("--warning") : colorOf(i % COLORS));
		columns.push(column("power-high-w", i), column("power-low-w", i));
		const line = { stroke: color, width: 1.25, points: { show: false }, paths,
			dash: one.limit ? [5, 4] : undefined };
		series.push(line, one.limit ? { ...line, show: false } : line);
		if (!one.limit)
			bands.push({ series: [2 * i + 1, 2 * i + 2], fill: () => `${colorOf(i % COLORS)}55` });
	});
	const options = {
		...common(data, width, 240, hooks),
		scales: { x: { time: false }, y: { range: (plot, low, high) => [0, (high || 1) * 1.06] } },
		axes: [{ ...axis(28, timeMarks), space: 80 },
			axis(GUTTER, (plot, values) => values.map((value) => `${value} W`))],
		series,
		bands,
	};
	const plot = new uPlot(options, columns, place);
	place.after(legend(list.map((one, i) => {
		const show = (shown) => {
			for (const at of one.limit ? [2 * i + 1] : [2 * i + 1, 2 * i + 2])
				plot.setSeries(at, { show: shown });
		};
		return [one.limit ? "var(--warning)" : `var(--color${i % COLORS})`, seriesName(one, list), show];
	})));
	return plot;
}

// Colors and what they mean; where show is given, a button that shows or hides it.
function legend(entries) {
	const list = element("ul", { className: "legend" });
	for (const [color, text, show] of entries) {
		const swatch = element("i", {});
		swatch.style.background = color;
		const content = [swatch, element("span", { title: text },
			element("bdi", { textContent: text.slice(0, -KEPT) }),
			element("bdi", { textContent: text.slice(-KEPT) }))];
		list.append(element("li", {}, ...(show ? [toggle(content, show)] : content)));
	}
	return list;
}

function toggle(content, show) {
	const button = element("button", { type: "button" }, ...content);
	button.setAttribute("aria-pressed", "true");
	button.addEventListener("click", () => {
		const shown = button.getAttribute("aria-pressed") === "false";
		button.setAttribute("aria-pressed", String(shown));
		show(shown);
	});
	return button;
}

// ---- the lanes ----

function laneChart(data, place, lanes, width, hooks) {
	let colors;
	const choose = () => {
		colors = Array.from({ length: 9 }, (unused, i) => colorOf(i));
	};
	choose();
	onColors(choose);
	const options = {
		...common(data, width, lanes.length * LANE_HEIGHT + 36, {
			...hooks,
			draw: [(plot) => drawLanes(plot, lanes, colors)],
		}),
		scales: { x: { time: false }, y: { range: [0, 1] } },
		axes: [{ ...axis(28, timeMarks), space: 80 }, { ...axis(GUTTER, () => []), ticks: { show: false },
			grid: { show: false } }],
		series: [{}, { show: false }],
	};
	const used = data.labels.slice(0, 8).map((label, i) => [`var(--color${i})`, label]);
	if (data.labels.length > 8) used.push(["var(--other)", "others"]);
	place.after(legend(used));
	return new uPlot(options, [[0, data.seconds], [0, 0]], place);
}

// ---- both ----

function describe(data, lanes, plot, lane) {
	const time = plot.posToVal(plot.cursor.left, "x");
	const part = Math.min(Math.floor((time / data.seconds) * data.power.parts), data.power.parts - 1);
	const digits = Math.max(0, 3 - Math.floor(Math.log10(plot.scales.x.max - plot.scales.x.min)));
	const words = [`${time.toFixed(digits)} s`];
	data.power.list.forEach((one, i) => {
		const watts = data["power-high-w"][i * data.power.parts + part];
		if (!Number.isNaN(watts)) words.push(`${seriesName(one, data.power.list)} ${scaled(watts, "W")}`);
	});
	const found = lane ? blockAt(lane, time) : -1;
	if (found >= 0 && lane.end[found] >= time) {
		const seconds = lane.end[found] - lane.begin[found];
		const count = lane.executions[found];
		words.push(`${count > 1 ? `${count} executions, mostly ` : ""}${data.labels[lane.label[found]] ?? "other"}: ` +
			`${scaled(lane.watts[found] * seconds, "J")} in ${scaled(seconds, "s")}, ` +
			`${scaled(lane.watts[found], "W")}, ${lane.device}, ${lane.name}`);
	}
	return words.join(" · ");
}

// Moves or magnifies the time that is seen: around a place, by factors.
function zoom(charts, seconds, min, max) {
	const length = Math.min(Math.max(max - min, 1e-7), seconds);
	const begin = Math.min(Math.max(min, 0), seconds - length);
	for (const chart of charts) chart.setScale("x", { min: begin, max: begin + length });
}

function navigate(charts, seconds) {
	const move = (left, right) => {
		const { min, max } = charts[0].scales.x;
		zoom(charts, seconds, min + left * (max - min), max + right * (max - min));
	};
	const keys = {
		"+": () => move(0.25, -0.25),
		"=": () => move(0.25, -0.25),
		"-": () => move(-0.5, 0.5),
		ArrowLeft: () => move(-0.25, -0.25),
		ArrowRight: () => move(0.25, 0.25),
		0: () => zoom(charts, seconds, 0, seconds),
		Home: () => zoom(charts, seconds, 0, seconds),
	};
	for (const chart of charts) {
		chart.over.addEventListener("wheel", (event) => {
			if (!event.ctrlKey && !event.shiftKey) return;
			event.preventDefault();
			const at = event.offsetX / chart.over.clientWidth;
			const by = event.deltaY + event.deltaX < 0 ? 0.2 : -0.25;
			move(by * at, -by * (1 - at));
		}, { passive: false });
		chart.over.addEventListener("dblclick", keys.Home);
	}
	document.getElementById("time").addEventListener("keydown", (event) => {
		const act = event.target.tagName !== "INPUT" && !event.ctrlKey && keys[event.key];
		if (!act) return;
		event.preventDefault();
		act();
	});
	return { move, all: keys.Home };
}

function controls({ move, all }) {
	const button = (text, label, act) => {
		const made = element("button", { type: "button", textContent: text, onclick: act });
		made.setAttribute("aria-label", label);
		return made;
	};
	return element("div", { className: "controls" },
		button("+", "zoom in", () => move(0.25, -0.25)),
		button("−", "zoom out", () => move(-0.5, 0.5)),
		button("←", "earlier", () => move(-0.25, -0.25)),
		button("→", "later", () => move(0.25, 0.25)),
		button("all", "the whole time", all),
		element("span", { className: "hint",
			textContent: "Drag to zoom; Shift and wheel, or + − ← → 0 on the keyboard" }));
}

export function drawTime(data) {
	if (!data.power.list.length && !data.lanes.list.length) return;
	const section = document.getElementById("time");
	section.hidden = false;
	const lanes = lanesOf(data);
	const readout = document.getElementById("readout");
	const place = document.getElementById("lanes");
	const width = () => place.clientWidth;
	const charts = [];
	// A zoom of one by dragging is one of the other.
	const follow = (plot, key) => {
		const { min, max } = plot.scales.x;
		plot.root.dataset.seen = `${min} ${max}`;
		for (const other of charts)
			if (key === "x" && (other.scales.x.min !== min || other.scales.x.max !== max))
				other.setScale("x", { min, max });
	};
	const hover = (plot) => {
		if (plot.cursor.left < 0) return;
		const row = Math.floor(plot.cursor.top / LANE_HEIGHT);
		const own = plot.cursor.event?.target;
		if (own && !plot.over.contains(own)) return;
		readout.textContent = describe(data, lanes, plot, plot === charts.at(-1) ? lanes[row] : null);
	};
	const hooks = { setScale: [follow], setCursor: [hover] };
	if (data.power.list.length)
		charts.push(powerChart(data, document.getElementById("power"), width(), hooks));
	if (lanes.length)
		charts.push(laneChart(data, place, lanes, width(), hooks));
	const ways = navigate(charts, data.seconds);
	ways.all();
	section.querySelector("h2").after(controls(ways));
	if (data.lanes.joined)
		readout.after(element("p", { className: "hint",
			textContent: "Executions that are close together are drawn as one block." }));
	if (data.lanes.of > lanes.length)
		readout.after(element("p", { className: "hint",
			textContent: `${data.lanes.of - lanes.length} more streams are not drawn.` }));
	onWidth(place, () => {
		for (const chart of charts) chart.setSize({ width: width(), height: chart.height });
	});
	onColors(() => charts.forEach((chart) => chart.redraw()));
}
