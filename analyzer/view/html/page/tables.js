// SPDX-License-Identifier: MIT
// Tables that are sorted by a click or a key, rows that are searched, layers that fold.
import Tablesort from "tablesort";
import { element } from "./data.js";

// Compares what C wrote as data-sort.  Tablesort turns the order round: it wants b before a.
Tablesort.extend("number", (text) => /^-?[\d.]+(e[-+]?\d+)?$/.test(text), (a, b) => b - a);

function sortable(table) {
	new Tablesort(table, { descending: true });
	for (const heading of table.tHead.rows[0].cells) {
		heading.tabIndex = 0;
		if (!heading.hasAttribute("aria-sort")) heading.setAttribute("aria-sort", "none");
		heading.addEventListener("keydown", (event) => {
			if (event.key !== " ") return; // Tablesort takes Enter
			event.preventDefault();
			heading.click();
		});
	}
}

function searchable(table) {
	const input = element("input", { type: "search", placeholder: "Search names" });
	input.setAttribute("aria-label", "Search names");
	input.addEventListener("input", () => {
		const wanted = input.value.toLowerCase();
		for (const row of table.tBodies[0].rows) {
			const name = row.cells[0];
			const text = name.textContent + (name.querySelector("bdi")?.title ?? "");
			row.hidden = !text.toLowerCase().includes(wanted);
		}
	});
	table.closest(".scroll").before(element("div", { className: "controls" }, input));
}

// Rows below a row are those after it that are deeper.
function foldable(table) {
	const rows = [...table.tBodies[0].rows];
	const depth = (row) => Number(row.dataset.depth);

	function show() {
		let hidden = Infinity;
		for (const row of rows) {
			if (depth(row) <= hidden) hidden = Infinity;
			row.hidden = hidden < Infinity;
			if (!row.hidden && row.dataset.folded) hidden = depth(row);
		}
	}
	function fold(row, button, folded) {
		if (folded) row.dataset.folded = "1";
		else delete row.dataset.folded;
		button.textContent = folded ? "▸" : "▾";
		button.setAttribute("aria-expanded", String(!folded));
	}
	rows.forEach((row, i) => {
		if (!rows[i + 1] || depth(rows[i + 1]) <= depth(row)) {
			row.cells[0].prepend(element("button", { disabled: true, ariaHidden: "true" }));
			return;
		}
		const button = element("button", { type: "button" });
		button.setAttribute("aria-label", "layers inside");
		button.addEventListener("click", () => {
			fold(row, button, !row.dataset.folded);
			show();
		});
		row.cells[0].prepend(button);
		fold(row, button, rows.length > 60 && depth(row) > 2);
	});
	show();
}

export function makeTables() {
	for (const table of document.querySelectorAll("table")) {
		if (table.classList.contains("tree")) {
			foldable(table);
			continue;
		}
		sortable(table);
		if (table.id === "rows" && table.tBodies[0].rows.length > 10) searchable(table);
	}
}
