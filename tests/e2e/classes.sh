#!/bin/bash
# Which executions are a class, what is said of classes that hardly run, and of those that cannot be
# told apart.
. "$(dirname "$0")/lib.sh"

# written WHAT: a trace of that name, and its truth in truth.json.
written() {
	/usr/bin/python3 "$ROOT/tests/e2e/classes_trace.py" "$1" truth.json >text &&
		"$BUILD/tests/trace_text" "$1" <text
}

# Of [name, shared memory, energy] whether the row's interval holds the energy.
held="[abs(row['energy_j'] - energy) <= row['ci95_j'] for name, shared, energy in
	json.load(open('truth.json')) for row in rows if row['name'] == name
	and row['code']['shared_bytes'] == shared]"

for what in all-rare many-rare; do
	written $what
	is "$what: intervals hold the truth" "$(reported $what \
		"(lambda held: len(held) >= 300 and sum(held) / len(held) >= 0.88)($held)")" True
	is "$what: few classes share a power" \
		"$(reported $what 'r["fits"][0]["rare_classes"] < 30')" True
done

finish
