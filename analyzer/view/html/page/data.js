// SPDX-License-Identifier: MIT
// The columns of a page: gzip in base64 (html_data.c).

const forms = { Uint16: Uint16Array, Uint32: Uint32Array, Float32: Float32Array };

async function unpack(element) {
	const text = atob(element.textContent);
	const bytes = new Uint8Array(text.length);
	for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
	const response = new Response(stream);
	if (element.dataset.form === "JSON") return response.json();
	return new forms[element.dataset.form](await response.arrayBuffer());
}

// All of them, by id; those of "charts" as members of their own.
export async function readData() {
	const elements = [...document.querySelectorAll("script.data")];
	const values = await Promise.all(elements.map(unpack));
	const data = Object.fromEntries(elements.map((element, i) => [element.id, values[i]]));
	return { ...data, ...data.charts };
}

export const COLORS = 8;

// The color of a label, by its place among those with the most energy.
export function colorOf(label) {
	return variable(label < COLORS ? `--color${label}` : "--other");
}

export function variable(name) {
	return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

const prefixes = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];

// Three digits, as C prints them.
export function scaled(value, unit) {
	if (!value) return `0 ${unit}`;
	const [scale, prefix] = prefixes.find(([scale]) => Math.abs(value) >= scale) ?? prefixes.at(-1);
	return `${Number((value / scale).toPrecision(3))} ${prefix}${unit}`;
}

export function element(name, properties, ...children) {
	const made = Object.assign(document.createElement(name), properties);
	made.append(...children);
	return made;
}

// Calls draw() again when the colors of the system change, and when printing begins and ends.
export function onColors(draw) {
	for (const query of ["(prefers-color-scheme: dark)", "print"])
		matchMedia(query).addEventListener("change", draw);
}

// Calls draw() when the width of a place changes.
export function onWidth(place, draw) {
	let width = place.clientWidth;
	addEventListener("resize", () => {
		if (place.clientWidth === width) return;
		width = place.clientWidth;
		draw();
	});
}
