#!/bin/bash
# Reports for other programs (ndjson, speedscope, perfetto): they say what the JSON report does, to
# the last nanojoule, whatever names are in a trace.  tests/views has those programs read them.
. "$(dirname "$0")/lib.sh"
. "$ROOT/tests/e2e/lib_hostile.sh"

GOLDEN_DIR=$ROOT/tests/golden
export LC_ALL=C.UTF-8
PATH=$BUILD/bin:$BUILD/tests:$PATH

# says_the_same FORMAT TRACE [OPTION]...: the report of that format says what the JSON reports do.
says_the_same() {
	local by
	pwrtrace report --format "$1" "${@:3}" -o other "$2" &&
		pwrtrace report --format json "${@:3}" -o report.json "$2" || return
	for by in launch layer; do
		pwrtrace report --by $by --format json -o $by.json "$2" || return
	done
	/usr/bin/python3 "$ROOT/tests/e2e/exports.py" "$1" other report.json launch.json layer.json
}

for name in names layers tree iterations stacks replay graphs partitions pair; do
	trace_text "$name" <"$GOLDEN_DIR/$name.txt"
done
trace_writer -n 20000 -k 4 -p 5 -l 4 -o fitted
hostile_text "$GOLDEN_DIR" | trace_text -p 16777216 hostile
for name in names layers tree iterations stacks replay graphs partitions pair fitted hostile; do
	for format in ndjson speedscope perfetto; do
		ok "$name: $format says what JSON does" says_the_same $format "$name"
	done
done
for by in layer stream device process stack launch; do
	ok "by $by: ndjson says what JSON does" says_the_same ndjson tree --by $by
done
ok "ndjson has the rows that are chosen" says_the_same ndjson fitted --top 2 --filter 'name ~ "[13]"'
ok "by launch: perfetto has the interval of each execution" \
	says_the_same perfetto fitted --by launch --sort begin
pwrtrace report --format ndjson -o merged names tree
is "several traces are one run" "$(grep -c '^{"run":"names, tree",' merged)" "$(wc -l <merged)"
for format in ndjson speedscope perfetto; do
	run pwrtrace report --domains --format $format fitted
	is "--domains is not $format" "$status $(wc -l <err)" "2 1"
done
finish
