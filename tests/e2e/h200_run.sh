#!/bin/bash
# The recording of a real GPU in examples/h200-run: README.md shows what a report makes of it.
. "$(dirname "$0")/lib.sh"

mkdir build
tar -C build -xJf "$ROOT/examples/h200-run/h200-run.tar.xz"
[ "$(stat -c %s "$ROOT/examples/h200-run/h200-run.tar.xz")" -le 1000000 ] || nothing "it is larger than 1 MB"

# shown NUMBER: the command with this number in README's block, and the lines that are said to be its output.
shown() {
	sed -n '/^<!-- H200 REPORT -->$/,/^<!-- END/p' "$ROOT/README.md" | grep -v '^```\|^<!--\|^ *\.\.\.$' |
		awk -v wanted="$1" '/^\$ / { number++ } number == wanted'
}
for number in 2 3; do
	read -ra command <<<"$(shown $number | sed -n '1s,^\$ build/bin/pwrtrace ,,p')"
	is "README, ${command[*]}: every line is the report's" \
		"$(shown $number | sed 1d | grep -v '^$' | grep -vxF -f <("$PWRTRACE" "${command[@]}"))" ""
done

# asked EXPRESSION [OPTION]...: a value of the report r.
asked() {
	"$PWRTRACE" report --format json "${@:2}" build/h200-run | /usr/bin/python3 -c "
import json, sys
r = json.load(sys.stdin)
print($1)"
}
is "it is measured, not estimated, and nothing is missing" \
	"$(asked "r['estimated'], r['coverage']['lost_events'], r['coverage']['unfinished']")" "False 0 0"
is "kernels with most of the energy are known to 5 %" "$(asked "sum(row['energy_j'] for row in r['rows']
	if row['ci95_j'] and row['ci95_j'] < 0.05 * row['energy_j']) > 0.8 * sum(row['energy_j'] for row in r['rows'])")" True
babeltrace2 build/h200-run --component=sink.ctf.fs --params='path="copied"' >out 2>err
is "a copy that babeltrace2 wrote, with packets of its own: the same rows" \
	"$("$PWRTRACE" report copied 2>&1 | sed -n '/executions;/p; /total:/p')" \
	"$("$PWRTRACE" report build/h200-run 2>&1 | sed -n '/executions;/p; /total:/p')"
like "the device sets its pace, though the program waits for nothing but its last copy" \
	"$("$PWRTRACE" critical build/h200-run | head -1)" "^42\.4 s: device 34\.[0-9], launch 0\.0[0-9]*, host 7\.[0-9]*, peer 0;"
finish
