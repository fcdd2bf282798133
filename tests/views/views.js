// views.js FOLDER NAME...: reads NAME.ndjson by DuckDB and NAME.speedscope by speedscope's published
// schema, compares them with the JSON report NAME.json, and prints TAP.
"use strict";
const fs = require("fs");
const path = require("path");
const Ajv = require("ajv");
const { DuckDBInstance } = require("@duckdb/node-api");

const [folder, ...names] = process.argv.slice(2);
const COLUMNS = ["name", "short_name", "shape", "executions", "time_s", "energy_j", "ci95_j", "power_w"];
const TYPE = { name: "varchar", short_name: "varchar", shape: "varchar" };
let count = 0, failed = 0;

function is(description, got, wanted) {
	const fine = JSON.stringify(got) === JSON.stringify(wanted);

	console.log(`${fine ? "ok" : "not ok"} ${++count} - ${description}`);
	if (!fine)
		console.log(`# got    ${JSON.stringify(got)}\n# wanted ${JSON.stringify(wanted)}`);
	failed += !fine;
}

function load(name) {
	return JSON.parse(fs.readFileSync(path.join(folder, name), "utf8"));
}

async function main() {
	const schema = path.join(path.dirname(require.resolve("speedscope/package.json")),
		"dist/release/file-format-schema.json");
	const fits = new Ajv({ strict: false }).compile(JSON.parse(fs.readFileSync(schema, "utf8")));
	const connection = await (await DuckDBInstance.create(":memory:")).connect();

	for (const name of names) {
		const report = load(`${name}.json`);
		const file = path.join(folder, `${name}.ndjson`);
		const reader = await connection.runAndReadAll(
			`select count(*)::int, round(sum(energy_j) * 1e9)::double,
			count(distinct name)::int from read_json('${file}', maximum_object_size = 100000000)`);

		is(`${name}: DuckDB reads the rows`, reader.getRows()[0], [report.rows.length,
			Math.round(report.balance.attributed_j * 1e9),
			new Set(report.rows.map((row) => row.name)).size]);
		const values = await connection.runAndReadAll(
			`select ${COLUMNS.map((column) => `${column}::${TYPE[column] || "double"}`)}
			from read_json('${file}', maximum_object_size = 100000000)`);

		is(`${name}: DuckDB reads the values of each row`, values.getRows(),
			report.rows.map((row) => COLUMNS.map((column) => row[column])));
		is(`${name}: fits speedscope's schema`,
			fits(load(`${name}.speedscope`)) || fits.errors.slice(0, 3), true);
	}
	console.log(`1..${count}`);
	process.exitCode = failed ? 1 : 0;
}

main();
