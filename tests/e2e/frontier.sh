#!/bin/bash
# pwrtrace frontier: which ways to run no other beats, which of them a goal chooses, and of what time
# and energy are.
. "$(dirname "$0")/lib.sh"

export NO_COLOR=1 LC_ALL=C.UTF-8
PATH=$BUILD/bin:$BUILD/tests:$PATH

# trace DIR STEP_MS WATTS [TAG [VALUE]...]: a run of four steps, of which the first takes twice as
# long, at this power; each step is one kernel, and ends with the mark accuracy of the next VALUE, in
# units of 3 tokens.  AMOUNTS="N...": as many steps, which take so many ms each, and count as many tokens.
trace() {
	awk -v ms="$2" -v watts="$3" -v tag="${4:-}" -v values="${*:5}" -v amounts="${AMOUNTS:-}" 'BEGIN {
		split(values, value, " ")
		steps = amounts ? split(amounts, amount, " ") : 4
		print "at 0"
		print "recording process=1 schema=2 begin_ns=0 host=h boot_id=b command=run power=nvml"
		if (tag) {
			split(tag, pair, "=")
			printf "tag process=1 key=%s value=%s\n", pair[1], pair[2]
		}
		print "sensor_def process=1 sensor=1 period_ns=10000000 source=nvml device=GPU-1 domain=gpu part_of=\"\" quantity=power"
		print "process process=1 pid=1 schema=2 parent_pid=0 begin_ns=0 host=h boot_id=b executable=/bin/run"
		print "device process=1 device=1 parent_device=0 compute_units=8 api=cuda kind=gpu name=\"Some GPU\" uuid=GPU-1 pci=0000:01:00.0"
		print "stream_def process=1 stream=1 context=1 device=1 out_of_order=0"
		print "kernel_def process=1 kernel=1 global_x=64 global_y=1 global_z=1 local_x=64 local_y=1 local_z=1 api=cuda name=gemm"
		print "layer_def process=1 layer=1 parent_layer=0 name=step"
		ns = ms * 1e6
		at = 0
		print "at 1"
		for (i = 1; i <= steps; i++) {
			length_ns = amounts ? amount[i] * 1e6 : i == 1 ? 2 * ns : ns
			printf "layer_push process=1 tid=1 begin_ns=%d layer=1\n", at
			printf "kernel_exec process=1 correlation=%d kernel=1 stream=1 layer=1 enqueue_ns=%d call_ns=0 delay_ns=0 anchor=0 stack=0 duration_ns=%d name=gemm\n", i, at, length_ns / 2
			at += length_ns
			printf "layer_pop process=1 tid=1 end_ns=%d layer=1\n", at
			if (i in value)
				printf "mark process=1 tid=1 time_ns=%d name=accuracy unit=\"\" value=%s\n", at, value[i]
			if (amounts || i in value)
				printf "mark process=1 tid=1 time_ns=%d name=tokens unit=token value=%s\n", at, amounts ? amount[i] : 3
		}
		for (i = 1; i * 10e6 <= at; i++)
			printf "power_sample process=1 sensor=1 time_ns=%d power_mw=%d\n", i * 10e6, watts * 1000
		printf "recording_end process=1 end_ns=%d why=\"the program ended\"\n", at
	}' >text && trace_text "$1" <text
}

# beside PATTERN: the text of the last trace, with another device, which has no sensor and runs at the
# same time what executions of these numbers do.
beside() {
	sed "/^device/{p;s/device=1/device=2/;s/GPU-1/GPU-2/;s/:01:/:02:/}
		/^stream_def/{p;s/stream=1/stream=2/;s/device=1/device=2/}
		/^kernel_exec.*correlation=$1 /{p;s/correlation=/&1/;s/stream=1/stream=2/}" text
}

# frontier ARGUMENT...: as run, without the warnings that all of these traces bring.
frontier() {
	run pwrtrace frontier --method overlap "$@"
	sed -i '/lacks comparisons of a device/d' err
}

# json EXPRESSION: a value of the JSON in out, called r.
json() {
	/usr/bin/python3 -c 'import json
import sys
r = json.load(open("out"))
print(eval(sys.argv[1]))' "$1"
}

# misuses MESSAGE ARGUMENT...: one line, and status 2.
misuses() {
	frontier "${@:2}"
	is "wrong usage: ${*:2}" "$status $(cat out err)" "2 pwrtrace: $1; see pwrtrace frontier --help"
}

# refuses NAME MESSAGE ARGUMENT...: one line, and status 1.
refuses() {
	frontier "${@:3}"
	is "$1" "$status $(cat out err)" "1 pwrtrace: $2"
}

# --- points of a file -----------------------------------------------------------------------------

cat >points.csv <<'END'
name,time_s,energy_j
a,0.25,75
b,0.27,60
c,0.30,60
END
frontier --points points.csv --deadline 0.27
is "the frontier, and the cheapest within a deadline" "$(cat out err)" "\
0.250 s  75.0 J  a
0.270 s  60.0 J  b  cheapest within 0.27 s: -20.0 %
0.300 s  60.0 J  c  dominated by b"
refuses "a deadline that none meets" "the fastest takes 0.25 s" --points points.csv --deadline 240ms
frontier --points points.csv --deadline 260ms --format json
is "within 260 ms: the faster one" "$(json "r['chosen'], [(p['trace'], p['frontier']) for p in r['points']]")" \
	"('a', [('a', True), ('b', True), ('c', False)])"
frontier --points points.csv --weight 0.5 --limit 700W --format json
is "by Zeus' cost, half and half" "$(json "r['chosen']")" b
frontier --points points.csv --weight 0.4 --limit 700 --format json
is "by Zeus' cost, time weighs more" "$(json "r['chosen']")" a
frontier --points points.csv --slack 8% --format json
is "within 8 % more time" "$(json "r['chosen']")" b
frontier --points points.csv --slack 7% --format json
is "within 7 % more time" "$(json "r['chosen']")" a
frontier --points points.csv --budget 250
like "the fastest within a power" "$(cat out)" "  b  fastest within 250 W: 3\.7/s"
refuses "a power that none keeps" "the least power is 200 W" --points points.csv --budget 100
frontier --points points.csv --format json
is "without a goal, none is chosen" "$(json "r['chosen'], sorted(r)")" \
	"(None, ['chosen', 'coverage', 'estimated', 'method', 'per', 'points', 'runs', 'schema', 'tags', 'trace'])"
frontier --points points.csv --format csv -o again.csv
frontier --points again.csv
is "what it prints as CSV it reads" "$(cut -d ' ' -f 7 out | paste -sd ' ')" "a b c"

printf 'energy_j,name,time_s,ci95_j\r\n75,"a, ""quoted""",0.25,1\r\n76,b,0.25,1\r\n80,c,0.25,1\r\n' >near.csv
frontier --points near.csv
is "where intervals overlap, it is not sure" "$(cat out)" '0.250 s  75.0 J ±1.3 %  a, "quoted"  perhaps dominated
0.250 s  76.0 J ±1.3 %  b  perhaps dominated by a, "quoted"
0.250 s  80.0 J ±1.2 %  c  dominated by a, "quoted"'
printf 'name,time_s,energy_j,ci95_j\na,1,10,1\nb,2,20,\nc,3,5,1\n' >gaps.csv
frontier --points gaps.csv
is "beside points with intervals, one that has none is not sure" "$(cat out)" "\
1.000 s  10.0 J ±10.0 %  a
2.000 s  20.0 J  b  perhaps dominated by a
3.000 s  5.00 J ±20.0 %  c  perhaps dominated"
printf 'name,time_s,energy_j\na,1,1\nb,1,1\n' >same.csv
frontier --points same.csv --format json
is "of two that are alike, both are on it" "$(json "[p['frontier'] for p in r['points']]")" "[True, True]"
printf 'name,time_s,energy_j\na,1,0\nb,2,0\n' >free.csv
frontier --points free.csv --slack 5%
is "where the fastest takes no energy, no change is said" "$(cat out)" "\
1.000 s  0 J  a  cheapest within 5 % of the fastest
2.000 s  0 J  b  dominated by a"

# --- traces ---------------------------------------------------------------------------------------

trace fast 100 700 batch=8 0.5 0.7 0.76 0.8
trace frugal 120 500 batch=16 0.5 0.75 0.75 0.78
trace bad 130 600 batch=8 0.1 0.2 0.3 0.4
frontier fast frugal bad --slack 20%
is "an iteration, without the first" "$(cat out)" "\
Seconds and joules of an iteration (accuracy)
0.100 s ±0.0 %  70.0 J ±0.0 %  fast
0.120 s ±0.0 %  60.0 J ±0.0 %  frugal  cheapest within 20 % of the fastest: -14.3 %
0.130 s ±0.0 %  78.0 J ±0.0 %  bad  dominated by frugal"
frontier fast frugal --per run
is "a whole run, with idle energy" "$(cat out)" "\
Seconds and joules of a whole run
0.500 s  350 J  fast
0.600 s  300 J  frugal"
frontier fast frugal --work token --format json
is "a unit of work" "$(json "[(round(p['time_s'], 6), round(p['energy_j'], 3), p['tags']['batch']) for p in r['points']], r['per']")" \
	"([(0.033333, 23.333, '8'), (0.04, 20, '16')], 'one token')"
AMOUNTS="100 10 20 10 30" trace uneven 0 100
frontier uneven --work token
is "a unit of work, of iterations of unlike amounts" "$(tail -n 1 out)" "1.000 ms ±0.0 %  100 mJ ±0.0 %  uneven"
frontier uneven --per mark
is "the same of each unit" "$(tail -n 1 out)" "1.000 ms ±0.0 %  100 mJ ±0.0 %  uneven"
AMOUNTS="200 100 110" trace two 0 100
frontier two --per iteration
is "two iterations have one degree of freedom: 12.7 standard errors" "$(tail -n 1 out)" \
	"0.105 s ±60.5 %  10.5 J ±60.5 %  two"
frontier two --per kernel --format csv
is "three executions have two: 4.3 standard errors" "$(tail -n 1 out | awk -F , '{printf "%.4f %.4f", $2, $4}')" \
	"0.0683 0.0684"
AMOUNTS="20 $(yes '10 11' | head -n 50 | paste -sd ' ')" trace mixed 0 100
AMOUNTS="20 $(for i in {0..99}; do echo $((10 + i / 10 % 2)); done | paste -sd ' ')" trace slow 0 100
frontier mixed slow --per iteration --format csv
is "iterations that are alike for a while count as fewer: the interval is wider" \
	"$(awk -F , 'NR > 1 {print $2, ($4 > 1.5e-4) ($4 > 2e-4)}' out | sort | paste -sd ' ')" "0.0105 00 0.0105 11"
AMOUNTS="100 30 10 10" trace known 0 100
beside 2 | trace_text partly
frontier partly --per iteration
is "an iteration that is not wholly measured counts neither in time nor in energy" "$(tail -n 1 out)" \
	"10.000 ms ±0.0 %  1.00 J ±0.0 %  partly"
trace marked 100 700 "" 0.1 0.2 0.3 0.4
sed '/time_ns=300000000 name=tokens/d' text | trace_text seldom
frontier seldom --work token
is "a unit of work that not every iteration counts, by the whole run" "$(tail -n 1 out)" "55.556 ms  38.9 J  seldom"
frontier fast frugal bad --until 'accuracy>=0.76'
is "until a mark has a value" "$(cat out err)" "\
Seconds and joules of a run until accuracy>=0.76
0.400 s  280 J  fast
0.600 s  300 J  frugal  dominated by fast
pwrtrace: bad is left out: its mark accuracy never has such a value"
frontier fast frugal bad --per tag:batch --slack 0
is "a frontier for each value of a tag" "$(cat out)" "\
Seconds and joules of an iteration (accuracy)
batch=8
0.100 s ±0.0 %  70.0 J ±0.0 %  fast  cheapest within 0 % of the fastest: +0.0 %
0.130 s ±0.0 %  78.0 J ±0.0 %  bad  dominated by fast

batch=16
0.120 s ±0.0 %  60.0 J ±0.0 %  frugal  cheapest within 0 % of the fastest: +0.0 %"
frontier fast frugal --per kernel --format csv
is "kernels, as curves of time and energy" "$(cut -d , -f 1-3 out)" "\
name,time_s,energy_j
gemm,0.0625,43.75
gemm,0.075,37.5"
frontier fast frugal --per layer --format json
is "layers" "$(json "[(p['of'], p['trace']) for p in r['points']]")" \
	"[('step', 'fast'), ('step', 'frugal')]"
# As frontier_columns.py has them.
AMOUNTS="200 102 101 97" trace quick 0 400 batch=8
AMOUNTS="300 121 122 117" trace thrifty 0 200 batch=16
AMOUNTS="300 119 122 129" trace unsure 0 201 batch=64
AMOUNTS="300 131 129 130" trace poor 0 350 batch=32
for per in iteration kernel; do
	columns "each member and column, per $per" "frontier $per" \
		frontier --method overlap --per $per --slack 25% quick thrifty unsure poor
done
trace whole 100 700 "" 0 0.7
beside '[0-9]' >half && trace_text half-known <half
refuses "iterations of unknown energy" "half-known: has no iterations whose energy is known" \
	half-known --per iteration
refuses "nor is the energy of the whole known" \
	"half-known: its energy was measured only in part (see pwrtrace report)" fast half-known --budget 800
sed '/^power_sample/d' half | trace_text unmeasured
for what in "--work token" "--per mark" "--per run"; do
	# shellcheck disable=SC2086 # each is two words
	refuses "no readings, $what" "unmeasured: no sensor measured its energy" unmeasured $what
done
cp -r fast $'odd\xff\e[1m'
for format in text csv json; do
	frontier --per run --format $format $'odd\xff\e[1m'
	ok "a name that is no UTF-8, as $format: what is printed is" iconv -f UTF-8 -o /dev/null out
	like "a name that is no UTF-8, as $format: the byte is named" "$(cat out)" 'odd[\]+xff'
done

# --- a sweep --------------------------------------------------------------------------------------

run pwrtrace frontier -q --per run --sweep n=1,no,3 --set 'echo {n} >>set' --format json -- \
	sh -c 'test {n} != no && echo {n} >&2 && exec "$0"' "$EXAMPLES/opencl-layers"
is "a sweep records each value that runs, with its tag" \
	"$status $(json "[p['tags']['n'] for p in r['points']] and sorted(p['tags']['n'] for p in r['points'])")" \
	"0 ['1', '3']"
is "a sweep: the user's command ran before each" "$(paste -sd ' ' set)" "1 no 3"
like "a sweep: what fails is named" "$(cat err)" 'n=no: is left out'

# --- what is refused ------------------------------------------------------------------------------

trace_text single <"$ROOT/tests/golden/run1.txt"
refuses "no iterations" "single: has no iterations whose energy is known" single --per iteration
refuses "no marks in the unit" "fast: no mark counts its work in byte" fast --work byte
refuses "no such tag" "bad: has no tag model" bad --per tag:model
refuses "no such mark" "fast is left out: has no mark loss
pwrtrace: no trace has a point of time and energy" fast --until 'loss<1'
trace late 100 700
sed 's/^at 1$/&\nmark process=1 tid=1 time_ns=0 name=loss unit="" value=0/' text | trace_text begun
refuses "a target from the beginning" "begun is left out: its mark loss has such a value from the beginning
pwrtrace: no trace has a point of time and energy" begun --until 'loss<1'
printf 'name,time_s\na,1\n' >lacks.csv
refuses "a file without a column" \
	"lacks.csv: its first line has no heading energy_j; it needs name, time_s and energy_j" \
	--points lacks.csv
printf 'name,time_s,energy_j\na,1,x\n' >word.csv
refuses "a file with a word for a number" \
	'word.csv, line 2: "a" needs a time_s above 0 and an energy_j' --points word.csv
printf 'name,time_s,energy_j\n"a\n\e[31m,1,2' >quote.csv
refuses "a file with a quote that does not end" \
	'quote.csv, line 2: "a\n\x1b[31m,1,2" needs a time_s above 0 and an energy_j' \
	--points quote.csv
printf 'name,time_s,energy_j\n' >none.csv
refuses "a file without points" "none.csv has no points" --points none.csv
for wrong in "--points points.csv fast" "--set x fast" "" "--sweep n=1" "fast --until accuracy" \
	"fast --weight 0.5" "fast --weight 2 --limit 700" "fast --deadline 1 --slack 2%" "fast --per color"; do
	# shellcheck disable=SC2086 # each is several words
	frontier $wrong
	is "wrong usage: $wrong" "$status $(wc -l <err)" "2 1"
done
for per in run iteration mark kernel layer; do
	misuses "with --work or --until, --per takes tag:KEY alone" fast --per $per --until 'accuracy>0.5'
	misuses "with --work or --until, --per takes tag:KEY alone" fast --per $per --work token
done
misuses "only one of --work and --until is possible" fast --work token --until 'accuracy>0.5'
for asked in "--per run" "--work token" "--until accuracy>0.5"; do
	# shellcheck disable=SC2086 # each is two words
	misuses "--per, --work and --until are for traces, not for --points" --points points.csv $asked
done
for asked in "--filter depth>1" "--domain memory"; do
	# shellcheck disable=SC2086 # each is two words
	misuses "--filter and --domain are for traces, not for --points" --points points.csv $asked
done
for per in "" "--per run" "--per tag:batch" "--work token"; do
	# shellcheck disable=SC2086 # each is two words
	misuses "--filter is for --per kernel and --per layer" fast --filter 'name ~ "gemm"' $per
done
for sweep in batch =8 batch=; do
	misuses "--sweep takes a name and values, like batch=8,16,32, not \"$sweep\"" --sweep $sweep -- true
done
frontier fast frugal --per tag:batch --work token --format json
is "a tag and a unit of work go together" "$(json "[p['of'] for p in r['points']]")" "['batch=8', 'batch=16']"
frontier fast frugal --per kernel --filter 'name ~ "gemm"' --format csv
is "a filter of kernels" "$(wc -l <out)" 3

# 25.5 ms at 20 W, of which a replay took 10.
awk '/^mark/ { sub(/value=[0-9.]+/, "value=" ++marks) } { print }' "$ROOT/tests/golden/replay.txt" | trace_text replayed
frontier --until 'done>=2' --format json replayed
is "until a time, without replays" \
	"$(json "[(round(p['time_s'] * 1e3, 3), round(p['energy_j'] * 1e3, 3)) for p in r['points']]")" "[(15.5, 310.0)]"
. "$ROOT/tests/e2e/lib_hosts.sh"
mkdir apart
host_text "$ROOT/tests/golden" day 0 9000 | trace_text apart/day
host_text "$ROOT/tests/golden" no-day 8000 0 | trace_text apart/no-day
frontier --until 'tokens>=10' apart
like "until a time, on machines whose times cannot be compared" "$(cat err)" 'one did not record the time of day'
finish
