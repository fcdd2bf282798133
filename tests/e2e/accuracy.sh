#!/bin/bash
# Attribution against a known truth, in short: every situation that make bench-accuracy measures at
# length, with one seed and with kernels that are not as short.  A seed gives the same run everywhere, so
# a missed bar is a fault and not chance.  The bars are those of the long runs; of the 20 intervals, at
# least 15 must hold the truth (accuracy.py says why).
. "$(dirname "$0")/lib.sh"

accuracy() { /usr/bin/python3 "$ROOT/tests/truth/accuracy.py" "$BUILD" "$@"; }

# Loops of a few milliseconds need short kernels.
settings_of() { case $1 in "loop of 3 ms"* | "loop of 14 ms"*) ;; *) echo "shortest_us=100" ;; esac; }

mapfile -t situations < <(accuracy --list)
like "there are situations" ${#situations[@]} '^[1-9]'
for situation in "${situations[@]}"; do
	ok "$situation" accuracy --exact --seeds 1 --rows "$situation" --settings "$(settings_of "$situation")"
done

"$BUILD/tests/truth_writer" seconds=5 shortest_us=200 trace >truth.json
for round in 1 2; do
	"$PWRTRACE" report --by launch --format json trace >launches-$round
done
like "a report has lines" "$(wc -l <launches-1)" '^[0-9]{3,}$'
ok "the same trace gives the same report" cmp launches-1 launches-2

# What make bench does at length: the equations of many classes are solved, and well-conditioned.
"$BUILD/tests/truth_writer" scenario=mixed classes=500 copies=0 seconds=20 shortest_us=100 period_ms=1 \
	window_ms=1 many >truth.json
is "500 classes, 20 000 readings: all are told apart" "$(reported many \
	'r["fits"][0]["readings"] > 19900, len(rows), sum(row["group"] is None for row in rows) >= 490')" \
	"True 500 True"
read -r mean worst < <(errors many truth.json)
ok "500 classes, 20 000 readings: mean error $mean %, worst $worst %" \
	awk "BEGIN { exit !($mean <= 1 && $worst <= 10) }"
"$PWRTRACE" report --format json many >again.json
ok "500 classes, 20 000 readings: the same report again" cmp report.json again.json

"$BUILD/tests/truth_writer" scenario=mixed classes=420 seconds=45 few >truth.json
ok "420 classes, 450 readings: intervals hold the truth" test "$(reported few \
	'round(sum(abs(row["energy_j"] - true["energy_j"]) <= row["ci95_j"]
	for true in json.load(open("truth.json"))["classes"] for row in rows
	if row["short_name"] == true["name"]) / len(rows) * 100)')" -ge 88

"$BUILD/tests/truth_writer" scenario=mixed classes=500 copies=0 seconds=200 shortest_us=100 period_ms=20 \
	window_ms=25 hidden >truth.json
is "500 classes: the response is found among them" "$(reported hidden \
	'r["fits"][0]["response"], round(r["fits"][0]["window_ms"])')" "found 25"
finish
