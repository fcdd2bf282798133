#!/bin/bash
# Attribution where recordings, sensors or times are odd: energies are right, every interval says how
# far they may be off, and the balance closes.
. "$(dirname "$0")/lib.sh"

# written CASE: the trace CASE.
written() {
	/usr/bin/python3 "$ROOT/tests/e2e/attribution_traces.py" "$1" >"$1.txt" &&
		"$BUILD/tests/trace_text" "$1" <"$1.txt"
}

# What must hold of each: in integer nanojoules, rows and idle are what was measured.
closes='sum(round(row["energy_j"] * 1e9) for row in rows if row["energy_j"]) ==
	round(r["balance"]["attributed_j"] * 1e9), round((r["balance"]["attributed_j"] +
	r["balance"]["idle_j"] + r["balance"]["unattributed_j"] - r["balance"]["measured_j"]) * 1e9)'

# --- two recordings of one device, which overlap ---------------------------------------------

written first && written second
for pair in "first second" "second first"; do
	read -ra pair <<<"$pair"
	is "overlapping recordings, ${pair[*]}: powers are right, and have intervals" "$(reported \
		"${pair[0]}" 'sorted((row["name"], round(row["power_w"], -1), row["ci95_j"] > 0)
		for row in rows)' "${pair[1]}")" "[('k1', 200.0, True), ('k2', 300.0, True)]"
	is "overlapping recordings, ${pair[*]}: the balance closes" \
		"$(reported "${pair[0]}" "$closes" "${pair[1]}")" "True 0"
done
finish
