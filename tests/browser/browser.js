// SPDX-License-Identifier: MIT
// browser.js PAGES SHOTS: opens the pages of a folder, each beside its JSON reports, prints TAP, and
// keeps screenshots.  See browser.sh.
"use strict";
const fs = require("fs");
const path = require("path");
const { chromium } = require("playwright-core");

const [pages, shots] = process.argv.slice(2);
let cases = 0;
let failures = 0;

function ok(name, passed, ...why) {
	cases++;
	if (!passed) failures++;
	console.log(`${passed ? "ok" : "not ok"} ${cases} - ${name}`);
	if (!passed) for (const line of why) console.log(`#   ${JSON.stringify(line)?.slice(0, 500)}`);
}

function is(name, got, expected) {
	ok(name, JSON.stringify(got) === JSON.stringify(expected), { got }, { expected });
}

function report(name) {
	return JSON.parse(fs.readFileSync(path.join(pages, `${name}.json`), "utf8"));
}

// Waits until a value that is asked of the page is there: its policy allows no waitForFunction.
async function until(page, ask, argument) {
	for (let i = 0; i < 600; i++) {
		const value = await page.evaluate(ask, argument);
		if (value) return value;
		await new Promise((done) => setTimeout(done, 50));
	}
	return null;
}

const drawn = () => document.documentElement.dataset.drawn;

// Opens a page in a tab of its own, which keeps what must not happen in `wrong`.
async function open(browser, name, options) {
	const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
	const page = await context.newPage();
	page.wrong = [];
	page.on("console", (message) => page.wrong.push(message.text()));
	page.on("pageerror", (error) => page.wrong.push(error.message));
	page.on("dialog", (dialog) => page.wrong.push(`a dialog: ${dialog.message()}`));
	page.on("request", (request) => {
		if (!/^(file|data|blob):/.test(request.url())) page.wrong.push(`asks for ${request.url()}`);
	});
	await page.goto(`file://${path.join(pages, `${name}.html`)}`);
	await until(page, drawn);
	return page;
}

// The values of a table's column as the browser has them, in the order of its rows.
function column(page, table, heading) {
	return page.evaluate(([id, wanted]) => {
		const { tHead, tBodies } = document.getElementById(id);
		const at = [...tHead.rows[0].cells].findIndex((cell) => cell.textContent === wanted);
		return [...tBodies[0].rows].map((row) => Number(row.cells[at].dataset.sort));
	}, [table, heading]);
}

const seen = () => [...document.querySelectorAll("#time .uplot")].map((plot) => plot.dataset.seen);

async function checkEach(browser, name) {
	const page = await open(browser, name);
	ok(`${name}: it is drawn`, await page.evaluate(drawn));
	console.log(`# ${name}: ${fs.statSync(path.join(pages, `${name}.html`)).size} bytes, drawn after ` +
		`${await page.evaluate(drawn)} ms`);
	is(`${name}: the energies of rows are those of JSON`, await column(page, "rows", "energy"),
		report(name).rows.map((row) => row.inclusive_j ?? -1));
	const layers = report(`${name}-layers`).rows.map((row) => row.inclusive_j ?? -1);
	const tree = await page.evaluate(() => Boolean(document.getElementById("layers")));
	if (tree)
		is(`${name}: the energies of layers are those of JSON`,
			(await column(page, "layers", "energy")).sort(), layers.sort());
	ok(`${name}: a canvas for power, one for the lanes`,
		(await page.evaluate(seen)).length === 2 || name === "tree", await page.evaluate(seen));
	is(`${name}: no message, no error, no request`, page.wrong, []);
	await page.context().close();
}

async function checkSorting(browser) {
	const page = await open(browser, "varied");
	const heading = page.locator("#rows thead th", { hasText: /^power$/ });
	const powers = await column(page, "rows", "power");
	const down = [...powers].sort((a, b) => b - a);

	await heading.click();
	is("a click sorts by a column, the largest first", await column(page, "rows", "power"), down);
	is("aria-sort says so", await heading.getAttribute("aria-sort"), "descending");
	await heading.focus();
	await page.keyboard.press("Enter");
	is("Enter turns the order round", await column(page, "rows", "power"), [...down].reverse());
	is("aria-sort says that, too", await heading.getAttribute("aria-sort"), "ascending");
	is("sorting: no message", page.wrong, []);
	await page.context().close();
}

async function checkZoom(browser) {
	const page = await open(browser, "varied");
	const [all] = await page.evaluate(seen);
	const box = await page.locator("#power .u-over").boundingBox();

	await page.mouse.move(box.x + box.width * 0.25, box.y + 50);
	await page.mouse.down();
	await page.mouse.move(box.x + box.width * 0.5, box.y + 50, { steps: 5 });
	await page.mouse.up();
	let now = await until(page, (before) => {
		const plots = [...document.querySelectorAll("#time .uplot")].map((plot) => plot.dataset.seen);
		return plots[0] !== before && plots;
	}, all);
	ok("dragging over the power zooms", now, all);
	ok("and the lanes with it", now && now[0] === now[1], now);
	const dragged = now?.[0];
	await page.locator("#lanes").focus();
	await page.keyboard.press("+");
	now = await until(page, (before) => {
		const plots = [...document.querySelectorAll("#time .uplot")].map((plot) => plot.dataset.seen);
		return plots[0] !== before && plots;
	}, dragged);
	ok("a key zooms both", now && now[0] === now[1], now);
	await page.keyboard.press("0");
	is("another one shows the whole time again",
		await until(page, (before) =>
			document.querySelector("#time .uplot").dataset.seen === before, all), true);
	const lane = await page.locator("#lanes .u-over").boundingBox();
	await page.mouse.move(lane.x + lane.width / 2, lane.y + 10);
	const words = await until(page, () => document.getElementById("readout").textContent);
	ok("what the pointer is at is said in words", /s · .* W/.test(words), words);
	const legend = page.locator("#time .legend button").first();
	await legend.click();
	is("a line of the chart can be hidden", await legend.getAttribute("aria-pressed"), "false");
	is("zoom: no message", page.wrong, []);
	await page.context().close();
}

async function checkHostile(browser) {
	const page = await open(browser, "hostile");
	is("hostile names make no elements",
		await page.evaluate(() => document.querySelectorAll("img, b, bdi *, svg a, iframe, [onload], [onerror], [onmouseover]").length), 0);
	ok("a legend shows the end of each name, however long", await page.evaluate(() => {
		const entries = [...document.querySelectorAll("#time .legend li")];
		const ends = entries.map((entry) => entry.querySelector("bdi:last-child").getBoundingClientRect());
		return entries.some((entry) => entry.textContent.length > 60) &&
			entries.every((entry, i) => ends[i].right <= entry.getBoundingClientRect().right + 1);
	}));
	await page.locator("#flame g.frame").nth(2).hover();
	ok("a frame of the flame graph says its name", await until(page,
		() => [...document.querySelectorAll("#flames .hint")].some((hint) => hint.textContent)));
	await page.locator("#flame g.frame").nth(2).click();
	await page.locator("#flame g.frame").nth(1).focus();
	await page.keyboard.press("Enter");
	await page.locator("#flames input").fill("<");
	is("hostile names do nothing", page.wrong, []);
	await page.context().close();
}

async function checkTree(browser) {
	const page = await open(browser, "many");
	const rows = () => page.locator("#layers tbody tr:visible").count();
	const before = await rows();
	const button = page.locator("#layers tbody button[aria-expanded=true]").first();

	await button.focus();
	await page.keyboard.press("Enter");
	ok("a layer folds by the keyboard", (await rows()) < before, before, await rows());
	await page.locator("#rows").scrollIntoViewIfNeeded();
	const search = page.locator("input[aria-label='Search names']");
	await search.fill("no kernel is called so");
	is("a search hides rows", await page.locator("#rows tbody tr:visible").count(), 0);
	await page.context().close();
}

async function checkWithoutScript(browser) {
	const page = await open(browser, "iterations", { javaScriptEnabled: false });
	ok("without JavaScript the rows are there", await page.locator("#rows tbody tr").count());
	is("and no place for charts", await page.locator("section.drawn:visible").count(), 0);
	await page.context().close();
}

async function shoot(browser) {
	for (const name of ["varied", "many", "iterations"])
		for (const [way, options] of Object.entries({
			light: { colorScheme: "light" },
			dark: { colorScheme: "dark" },
			narrow: { colorScheme: "light", viewport: { width: 390, height: 800 } },
		})) {
			const page = await open(browser, name, options);
			await page.screenshot({ path: path.join(shots, `${name}-${way}.png`), fullPage: true });
			is(`${name}, ${way}: no wider than the window`,
				await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
			if (way === "light") await page.pdf({ path: path.join(shots, `${name}.pdf`), format: "A4" });
			await page.context().close();
		}
}

(async () => {
	const browser = await chromium.launch({
		executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
		args: ["--no-sandbox"],
	});
	for (const name of ["varied", "many", "iterations", "tree", "hostile"]) await checkEach(browser, name);
	await checkSorting(browser);
	await checkZoom(browser);
	await checkHostile(browser);
	await checkTree(browser);
	await checkWithoutScript(browser);
	await shoot(browser);
	await browser.close();
	console.log(`1..${cases}`);
	console.log(`# ${cases - failures} passed, ${failures} failed; screenshots in ${shots}`);
	process.exit(failures ? 1 : 0);
})();
