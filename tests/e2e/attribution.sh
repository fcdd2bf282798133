#!/bin/bash
# Attribution where recordings, sensors or times are unusual: energies are right, every true energy is
# within its interval, and the balance closes.
. "$(dirname "$0")/lib.sh"

# written CASE: writes the trace CASE, a case of attribution_traces.py.
written() {
	/usr/bin/python3 "$ROOT/tests/e2e/attribution_traces.py" "$1" >"$1.txt" &&
		"$BUILD/tests/trace_text" "$1" <"$1.txt"
}

# What must hold of each report, to the nanojoule: the rows add up to the attributed energy; that, idle
# and unattributed energy add up to the measured one.
closes='(lambda r, b: (sum(row["energy_j"] or 0 for row in r["rows"]) - b["attributed_j"],
	b["attributed_j"] + b["idle_j"] + b["unattributed_j"] - b["measured_j"]) == (0, 0))(
	*(lambda r: (r, r["balance"]))(json.load(open("report.json"),
	parse_float=__import__("decimal").Decimal)))'

# --- two recordings of one device, which overlap ---------------------------------------------

written first && written second
for pair in "first second" "second first"; do
	read -ra pair <<<"$pair"
	is "overlapping recordings, ${pair[*]}: powers are right, and have intervals" "$(reported \
		"${pair[0]}" 'sorted((row["name"], round(row["power_w"], -1), row["ci95_j"] > 0)
		for row in rows)' "${pair[1]}")" "[('k1', 200.0, True), ('k2', 300.0, True)]"
	is "overlapping recordings, ${pair[*]}: the balance closes" \
		"$(reported "${pair[0]}" "$closes" "${pair[1]}")" "True"
done

# --- a sensor that fills the holes of another one --------------------------------------------

written filled
is "a hole that another sensor fills: energies belong to the time that this one says" "$(reported filled \
	'[round(row["power_w"], -1) for row in rows if 20e9 <= row["begin_ns"] < 40e9]' --by launch)" \
	"[200.0, 300.0, 200.0, 300.0]"
is "a hole that another sensor fills: the balance closes" "$(reported filled "$closes")" "True"

# --- several domains of one device -----------------------------------------------------------

written domains
is "domains: intervals hold the truth" "$(reported domains '[abs(row["energy_j"] - row["time_s"] *
	{"k1": 430, "k2": 290}[row["name"]]) < row["ci95_j"] < 0.03 * row["energy_j"]
	for row in rows]')" "[True, True]"
is "domains: intervals of static powers hold the truth" "$(reported domains \
	'[abs(fit["static_w"] - {"package": 20, "dram": 60}[fit["domain"]]) <= fit["static_ci95_w"] < 3
	for fit in r["fits"]]')" "[True, True]"
for by in kernel launch; do
	for domain in package dram; do
		reported domains '{row["name"] + str(row.get("begin_ns", "")):
			(row["ci95_j"], row["static_j"]) for row in rows}' \
			--by $by --domain $domain >$domain
	done
	is "domains, by $by: intervals are of both" "$(reported domains '(lambda package, dram:
		all(0.97 < row["ci95_j"] / (package[name][0] ** 2 + dram[name][0] ** 2) ** 0.5 < 1.03
		for row in rows for name in [row["name"] + str(row.get("begin_ns", ""))]))(
		eval(open("package").read()), eval(open("dram").read()))' --by $by)" "True"
	is "domains, by $by: static energies add up" "$(reported domains '(lambda package, dram:
		all(abs(row["static_j"] - package[name][1] - dram[name][1]) < 1e-6 * row["energy_j"]
		for row in rows for name in [row["name"] + str(row.get("begin_ns", ""))]))(
		eval(open("package").read()), eval(open("dram").read()))' --by $by)" "True"
done
is "domains: the balance closes" "$(reported domains "$closes")" "True"
written slow
is "domains of which one says too little: no interval claims to be of both" "$(reported slow \
	'[(row["ci95_j"], row["static_j"]) for row in rows], len(r["fits"])')" \
	"[(None, None), (None, None)] 1"
is "domains of which one says too little: the balance closes" "$(reported slow "$closes")" "True"

# --- a gap between readings ------------------------------------------------------------------

written gap
is "a gap: intervals are of the time that was measured, and hold the truth" "$(reported gap \
	'[abs(row["energy_j"] / (row["time_s"] - row["unmeasured_s"]) - {"k1": 200, "k2": 300}[row["name"]])
	<= row["ci95_j"] / (row["time_s"] - row["unmeasured_s"]) < 9 for row in rows
	if row["name"] != "k3"]')" "[True, True]"
is "a gap: powers are those of the time that was measured" "$(reported gap \
	'sorted((row["name"], row["power_w"] and round(row["power_w"], -1)) for row in rows)')" \
	"[('k1', 200.0), ('k2', 300.0), ('k3', None)]"
is "a gap: what only ran in it makes no others hard to tell apart" "$(reported gap \
	'[row["group"] for row in rows], r["groups"]')" "[None, None, None] []"
is "after the end of a recording: no energy" "$(reported gap '[(row["energy_j"], row["unmeasured_s"])
	for row in rows if row["begin_ns"] >= 60e9]' --by launch)" "[(None, 1.0)]"
is "a gap: no launch in it says 0 J" "$(reported gap '[row["energy_j"] for row in rows
	if row["energy_j"] == 0], all((row["energy_j"] is None) == (row["time_s"] == row["unmeasured_s"])
	for row in rows)' --by launch)" "[] True"
is "a gap: the balance closes" "$(reported gap "$closes")" "True"

# --- so much energy that its picojoules do not fit 64 bits -------------------------------------

written day
for method in overlap hold linear regress; do
	is "a day at 2 kW, $method: a layer has what was drawn while it waited" "$(reported day \
		'[round(row["idle_j"] / 1e6, 3) for row in rows if row["name"] == "A"],
		round(r["balance"]["idle_j"] - sum(row["idle_j"] for row in rows), 9)' \
		--by layer --method $method)" "[86.388] 0.0"
done
written hole
is "four hours known as a whole: is split by powers" "$(reported hole \
	'sorted((row["name"], round(row["power_w"], -1)) for row in rows)')" \
	"[('k1', 1500.0), ('k2', 2000.0)]"
is "four hours known as a whole: the balance closes" "$(reported hole "$closes")" "True"

# --- graphs that are split by the profile of another run -------------------------------------

# The energy of each kernel of graphs that are timed as units, from how often it ran.
true='"k1": 0.06 * 400, "k2": 0.04 * 160, "k3": 0.05 * 250'
written nodes && written units
"$PWRTRACE" graphs nodes -o shares
is "graphs: profiles say how far shares may be off" "$(/usr/bin/python3 -c 'import json
for graph in json.load(open("shares"))["graphs"]:
	parts = graph["parts"]
	joules = {'"$true"'}
	whole = sum(part["count"] * joules[part["name"]] for part in parts)
	print(all(abs(part["energy_share"] - part["count"] * joules[part["name"]] / whole) <=
		part["energy_share_ci95"] < 0.1 * part["energy_share"] for part in parts))')" \
	$'True\nTrue'
is "graphs: intervals hold the truth" "$(reported units "[abs(row['energy_j'] - row['executions'] *
	{$true}[row['name']]) <= row['ci95_j'] < 0.1 * row['energy_j'] for row in rows]" \
	--graphs shares)" "[True, True, True]"
is "graphs: static energies are those of the units, and add up with the dynamic ones" "$(
	whole=$(reported units 'sum(round(row["static_j"] * 1e9) for row in rows)')
	reported units "sum(round(row['static_j'] * 1e9) for row in rows) - $whole,
		{round((row['energy_j'] - row['static_j'] - row['dynamic_j']) * 1e9) for row in rows},
		all(0 < row['dynamic_j'] < row['energy_j'] for row in rows)" --graphs shares)" \
	"0 {0} True"
is "graphs: the balance closes" "$(reported units "$closes" --graphs shares)" "True"
sed -i '/energy_share_ci95/d; /energy_share/s/,$//' shares
is "graphs: without intervals of shares there are none" "$(reported units \
	'[row["ci95_j"] for row in rows]' --graphs shares)" "[None, None, None]"
finish
