#!/bin/bash
# Which executions form a class, and what reports say of classes that hardly run and of those that
# cannot be told apart.
. "$(dirname "$0")/lib.sh"

# written WHAT: writes the trace WHAT, a case of classes_trace.py, and its truth into truth.json.
written() {
	/usr/bin/python3 "$ROOT/tests/e2e/classes_trace.py" "$1" truth.json >text &&
		"$BUILD/tests/trace_text" "$1" <text
}

# Whether the interval of a row holds the true energy: for each [name, shared memory, energy].
held="[abs(row['energy_j'] - energy) <= row['ci95_j'] for name, shared, energy in
	json.load(open('truth.json')) for row in rows if row['name'] == name
	and row['code']['shared_bytes'] == shared]"

for what in all-slight many-slight few-slight too-many; do
	written $what
	is "$what: intervals hold the truth" "$(reported $what \
		"(lambda held: len(held) >= 7 and sum(held) / len(held) >= 0.85)($held)")" True
	is "$what: those that run often are told apart" "$(reported $what \
		'{row["group"] for row in rows if row["executions"] > 2} <= {None}')" True
done
is "too many: some share a power, and are a group whose sum is known" "$(reported too-many \
	'r["fits"][0]["rare_classes"] == r["groups"][0]["classes"] in range(10, 60),
	len(r["groups"]), r["groups"][0]["ci95_j"] < 0.1 * r["groups"][0]["energy_j"]')" \
	"True 1 True"
is "too many: intervals of those that share a power hold the truth" "$(reported too-many \
	"(lambda held: len(held) >= 10 and sum(held) / len(held) >= 0.85)(${held%]} and row['group']])")" True
is "too many: those that share a power are confounded, none with another" "$(reported too-many \
	'sorted(each["name"] for each in r["fits"][0]["confounded"]) ==
	sorted(row["name"] for row in rows if row["group"]),
	{each["partner"] for each in r["fits"][0]["confounded"]}')" "True {None}"
is "too many: the interval of that sum holds the truth" "$(reported too-many \
	'abs(sum(energy for name, shared, energy in json.load(open("truth.json"))
	for row in rows if row["name"] == name and row["group"]) - r["groups"][0]["energy_j"])
	<= r["groups"][0]["ci95_j"]')" True

written shared-memory
is "what is launched with other shared memory is another class" "$(reported shared-memory \
	"sorted(row['shape'] for row in rows), $held")" \
	"['64 /64', '64 /64 65536 B'] [True, True]"
is "each of its launches has the power of its class" "$(reported shared-memory \
	'all(abs(row["energy_j"] / row["time_s"] - (580 if row["code"]["shared_bytes"] else 180))
	<= row["ci95_j"] / row["time_s"] for row in rows)' --by launch)" True

written replayed
is "a group has what the program ran of its classes, without replays" "$(reported replayed \
	'len(r["groups"]), abs(sum(row["energy_j"] for row in rows if row["group"]) - r["groups"][0]["energy_j"])
	< 1e-6')" "1 True"
is "two that always run together are each other's partner, with an inflated variance" "$(reported replayed \
	'[(each["group"], each["name"], each["partner"]["name"], each["correlation"] < -0.9,
	each["vif"] > 10) for each in r["fits"][0]["confounded"]]')" \
	"[('group 1', 'k1', 'k2', True, True), ('group 1', 'k2', 'k1', True, True)]"
is "the power of replays has an interval, which holds the truth and is none of the program's" "$(reported replayed \
	'[(row["name"], abs(row["replays"]["power_w"] - 330) <= row["replays"]["ci95_w"] < 165,
	row["replays"]["ci95_w"] != round(row["ci95_j"] / row["time_s"], 6)) for row in rows if "replays" in row]')" \
	"[('k1', True, True)]"

finish
