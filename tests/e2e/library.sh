#!/bin/bash
# pwrtrace library: what one recording tells of kernels' powers is kept, merged and used for another.
. "$(dirname "$0")/lib.sh"

export XDG_CACHE_HOME=$WORK/cache

sensor="period_ms=20 window_ms=25 lag_ms=2.5 tail_ms=4 jitter_ms=2 noise_w=1 noise_part=0.005"
work="seed=3 seconds=10 shortest_us=100 longest_us=1500"

# made NAME SETTING...: a trace of a made-up run, and its truth in NAME.json.
made() { "$BUILD/tests/truth_writer" $sensor $work "${@:2}" "$1" >"$1.json"; }

# library_of FILE ARGUMENT...: makes a library.
library_of() { "$PWRTRACE" library -o "$@"; }

# told DIR LIBRARY EXPRESSION: of the report with a library, of what its first fit took from that, l.
told() { reported "$1" "(lambda l: ($3))(r['fits'][0]['library'])" --library "$2"; }

made replayed scenario=replay run=1 differs=0.02 seconds=18
made mix scenario=mixed run=2 differs=0.02
made loop scenario=loop14 run=3 differs=0.02
made zeros scenario=mixed run=4 differs=0.02 zeros=0.4
made other scenario=loop14 run=3 differs=0.02 device=2 gain=1.04
made longer scenario=mixed run=6 shortest_us=130

ok "a library is made" library_of A replayed
ok "and one of another trace" library_of B mix
is "it names its schema, and what it knows" "$(/usr/bin/python3 -c '
import json
library = json.load(open("A"))
message, = library["messages"]
print(library["schema"], message["board"], len(message["classes"]), len(message["told"]))')" \
	"pwrtrace-library/1 GPU-1 20 20"
like "it goes to the standard output, too" "$("$PWRTRACE" library replayed | cmp - A && echo same)" same

is "with what was assumed before, it is what the fit has found" "$(/usr/bin/python3 - <<-'END'
	import json
	message, = json.load(open("A"))["messages"]
	classes, told = message["classes"], message["told"]
	n = len(classes)
	# The equations of all measurements and of the prior, with a unit matrix beside: Gauss and Jordan.
	lines = [[sum(row["parts"][i] * row["parts"][k] for row in told) for k in range(n)] + [float(i == k) for k in range(n)]
	         + [sum(row["parts"][i] * row["sum"] for row in told)] for i in range(n)]
	for i, known in enumerate(classes):
	    lines[i][i] += known["prior_deviation_w"] ** -2
	    lines[i][-1] += known["prior_w"] * known["prior_deviation_w"] ** -2
	for i in range(n):
	    lines[i] = [value / lines[i][i] for value in lines[i]]
	    for k in range(n):
	        if k != i:
	            lines[k] = [a - lines[k][i] * b for a, b in zip(lines[k], lines[i])]
	off = [abs(line[-1] - known["dynamic_w"]) / known["deviation_w"] for line, known in zip(lines, classes)]
	width = [lines[i][n + i] ** 0.5 / known["deviation_w"] for i, known in enumerate(classes)]
	print(max(off) < 0.05, 0.95 < min(width) <= max(width) < 1.05)
	END
	)" "True True"

# --- merging ---------------------------------------------------------------------------------

library_of AB A B
library_of BA B A
ok "the order makes no difference" cmp AB BA
library_of C loop
library_of AB_C AB C
library_of BC B C
library_of A_BC A BC
ok "nor do brackets" cmp AB_C A_BC
library_of AB_mix A mix
ok "a trace is merged as its library is" cmp AB AB_mix
run "$PWRTRACE" library -o twice A replayed
is "the same trace twice is no error" "$status" 0
like "and is said" "$(cat err)" '^pwrtrace: replayed is in the library already, and counts once$'
ok "and counts once" cmp A twice
cp -r replayed copied
library_of both replayed copied 2>/dev/null
ok "a copy of a trace is the same trace" cmp A both
library_of read_again A
ok "what is read is written as it was" cmp A read_again

# --- what a report takes ---------------------------------------------------------------------

is "all kernels of a mix are known" "$(told mix A \
	"l['same_shape'], l['other_shape'], l['refused'], l['same_board'], l['other_board'], l['conflicts']")" \
	"(20, 0, 0, True, False, [])"
is "what it expects of them holds the truth" "$(told mix A "sum(
	abs(k['expected_w'] - t['dynamic_j'] / t['time_s']) <= k['expected_ci95_w'] < 0.15 * k['expected_w']
	for k in l['expected'] for t in json.load(open('mix.json'))['classes'] if t['name'] == k['name'])")" 20
is "rows say so" "$(reported mix "{row['library'] for row in rows}" --library A)" "{'same shape'}"
like "and the text" "$("$PWRTRACE" report --library A mix)" "Library: 20 kernels' prior from A \(same board\)"
is "what a recording told is not told to itself" "$(told replayed A "l['same_shape']")" 0
like "without a library nothing is said of one" "$("$PWRTRACE" report --library none mix --format json |
	grep -c library)" '^0$'

# width DIR LIBRARY: the mean half interval of rows, in thousandths.
# held DIR LIBRARY: whether the truth is within one and a half times the intervals of all rows.
width() { reported "$1" "round(1000 * sum(row['ci95_j'] / row['energy_j'] for row in rows) / len(rows))" --library "$2"; }
held() {
	reported "$1" "all(abs(row['energy_j'] - true['energy_j']) <= 1.5 * row['ci95_j'] for row in rows
		for true in json.load(open('$1.json'))['classes'] if true['name'] == row['short_name'])" --library "$2"
}
alone=$(width loop none) known=$(width loop A) elsewhere=$(width other A)
ok "a loop's intervals are a third as wide: $known thousandths and not $alone" test $((3 * known)) -le "$alone"
is "and hold the truth" "$(held loop A)" True
ok "on another board they are hardly wider: $elsewhere thousandths" test "$elsewhere" -le $((2 * known))
is "and hold the truth" "$(held other A)" True
is "the report says that the board is another" "$(told other A "l['same_board'], l['other_board']")" "(False, True)"
is "what takes another time is refused" "$(told longer A "l['same_shape'] < 10, l['refused'] > 10")" "(True, True)"
like "and said" "$("$PWRTRACE" report --library A longer)" 'refused: they took another time there'

made whole scenario=loop14 run=3 differs=0.02 seconds=50
half() { reported "$1" "r['fits'][0]['advice']['$2']['half']" --library A; }
predicted=$(half loop five_times) found=$(half whole now)
is "what five times the recording would tell beside it is predicted: $predicted, found $found" \
	"$(awk "BEGIN { ratio = $predicted / $found; print (ratio > 0.75), (ratio < 1.25) }")" "1 1"

# --- the sensor's response ---------------------------------------------------------------------

# response DIR LIBRARY: where it is from, its time constant, and how many others are as likely.
response() {
	reported "$1" "(lambda f: (f['response'], round(f['tail_ms']), f['other_responses']))(r['fits'][0])" --library "$2"
}
like "a loop leaves the sensor's response open" "$(response loop none)" "^\('found', [0-9]+, 16\)$"
is "it is known from where it was found" "$(response loop A)" "('remembered', 4, 0)"
is "on another board, too" "$(response other A)" "('remembered', 4, 0)"
sed 's/"tail_ns": [0-9.]*/"tail_ns": 15e6/' A >slower
is "readings that tell another one decide" "$(response mix slower)" "('found', 4, 0)"
sed 's/"driver": ""/"driver": "2"/' A >driver
like "another driver's is not taken" "$(response loop driver)" "^\\('found'"
library_of L loop
like "nor is one told that is in doubt" "$(cat L)" '"response": null'

# Every second kernel is compute-bound.  The library is made of a recording at a power limit, where these take
# up to 10 % longer and draw up to 20 % less.
made slow scenario=clocks run=7 seconds=30
made fast scenario=mixed run=8
library_of S slow
known_clock="[abs(k['expected_w'] / t['dynamic_j'] * t['time_s'] - 1) for k in l['expected']
	for t in json.load(open('fast.json'))['classes'] if t['name'] == k['name'] in ('k002', 'k004', 'k012', 'k014', 'k016')]"
is "the clock of a compute-bound kernel is told by its time" "$(told fast S "len($known_clock), max($known_clock) < 0.05")" \
	"(5, True)"

# --- contradictions --------------------------------------------------------------------------

is "zeros in place of random data are found" "$(told zeros A \
	"[conflict['name'] for conflict in l['conflicts']], l['conflicts'][0]['deviations'] < -3")" "(['k000'], True)"
like "and named" "$("$PWRTRACE" report --library A zeros)" \
	'The readings contradict the library: k000 draws .* W beside the static power, not .*zeros'
is "the report is of what was read" "$(held zeros A)" True

# --- a library of one's own ------------------------------------------------------------------

run "$PWRTRACE" library --keep replayed
is "a library of one's own is kept" "$status $(cat out err)" "0 "
ok "where programs keep their data" cmp A "$XDG_DATA_HOME/pwrtrace/powers.library"
is "reports find it" "$(reported mix "r['fits'][0]['library']['same_shape']")" 20
is "unless there is to be none" "$(reported mix "'library' in r['fits'][0]" --library none)" False
"$PWRTRACE" library --keep loop
is "it grows" "$(grep -c '"id"' "$XDG_DATA_HOME/pwrtrace/powers.library")" 2
rm "$XDG_DATA_HOME/pwrtrace/powers.library"

# --- what needs no replay ----------------------------------------------------------------------

run "$PWRTRACE" record --library A --power model -o recorded -- sh -c 'cat "$PWRTRACE_REPLAY_KNOWN"; echo "$@"' sh --library B
is "record hands over what a library knows: exit status" "$status" 0
is "a line for each kernel, with its shape" "$(grep -c $'^k0[0-9][0-9]\t1024,1,1\t64,1,1\t0$' out)" 18
like "and leaves the program's own options alone" "$(tail -1 out)" '^--library B$'
run env PWRTRACE_REPLAY_KNOWN=mine "$PWRTRACE" record --library=A --power model -o again -- sh -c 'echo "$PWRTRACE_REPLAY_KNOWN"'
is "a list of one's own stays" "$(cat out)" mine

# --- what cannot be used ---------------------------------------------------------------------

head -c 3000 A >torn
sed 's/"dynamic_w": [0-9.]*/"dynamic_w": -1/' A >damaged
echo '{"schema": "pwrtrace-graphs/1", "graphs": []}' >foreign
sed 's/"exponent": [a-z0-9.]*/"exponent": 1e9/' A >incredible
sed 's/"tail_ns": [0-9.]*/"tail_ns": -1/' A >backwards
for file in torn damaged incredible backwards foreign; do
	run "$PWRTRACE" report --library $file mix
	refuses "a $file library" 1 "^pwrtrace: $file"
	run "$PWRTRACE" library $file
	refuses "merging a $file library" 1 "^pwrtrace: $file"
done
run "$PWRTRACE" report --library absent mix
refuses "an absent library" 1 'absent'
run "$PWRTRACE" report --library . mix
refuses "a directory in place of a library" 1 \
	'^pwrtrace: \. is a directory and no library of powers; make one with pwrtrace library$'
made short scenario=mixed seconds=1 period_ms=100
run "$PWRTRACE" library short
refuses "a trace without enough readings" 1 '^pwrtrace: short tells no powers'
run "$PWRTRACE" library
refuses "no argument" 2 'no trace is named'
finish
