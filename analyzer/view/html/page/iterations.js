// SPDX-License-Identifier: MIT
// The energy of each iteration, with what was drawn while nothing ran.
import uPlot from "uplot";
import { onColors, onWidth, variable } from "./data.js";

export function drawIterations(data) {
	const energies = data["iteration-j"];
	const place = document.getElementById("iterations-chart");
	if (!energies || energies.length < 2) return;
	place.hidden = false;
	const axis = (size, unit) => ({
		stroke: () => variable("--soft"),
		grid: { stroke: () => variable("--line"), width: 1 },
		ticks: { stroke: () => variable("--line"), width: 1 },
		font: "11px system-ui, sans-serif",
		size,
		values: (plot, values) => values.map((value) => `${value}${unit}`),
	});
	const chart = new uPlot({
		width: place.clientWidth,
		height: 180,
		legend: { show: true },
		scales: { x: { time: false }, y: { range: (plot, low, high) => [0, (high || 1) * 1.06] } },
		axes: [{ ...axis(28, ""), incrs: [1, 2, 5].flatMap((n) => [1, 10, 100, 1e3, 1e4, 1e5, 1e6].map((ten) => n * ten)).sort((a, b) => a - b) },
			axis(64, " J")],
		series: [{ label: "iteration" },
			{ label: data.iterations.step > 1 ? `mean of ${data.iterations.step}, with idle energy` : "energy with idle", stroke: () => variable("--color0"),
				width: 1.25, value: (plot, value) => (value == null ? "" : `${value.toPrecision(4)} J`) }],
	}, [Float64Array.from(energies, (unused, i) => i * data.iterations.step), energies], place);
	onWidth(place, () => chart.setSize({ width: place.clientWidth, height: 180 }));
	onColors(() => chart.redraw());
}
