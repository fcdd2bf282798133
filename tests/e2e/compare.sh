#!/bin/bash
# pwrtrace compare: the golden table of two shapes of tiles of one matrix product, and everything that
# decides between a comparison, a verdict and a refusal.
. "$(dirname "$0")/lib.sh"

export NO_COLOR=1 LC_ALL=C.UTF-8
PATH=$BUILD/bin:$BUILD/tests:$PATH

# trace DIR KERNEL=VALUE...: a run of a kernel for a quarter of a second. us: the mean time of an execution;
# jitter: by which every second one takes more, the others less; swing: how much more every other fifty
# take; gap: the mean time between two; watts, mhz, limit (W), reasons: of throttling; board: its UUID;
# source: of the power; unit: of its work, a mark for each execution; shape: work-items.  Its machine is
# of its own, so that no two are one recording.
trace() {
	local dir=$1 kernel=gemm us=277.9 watts=598 mhz=1400 limit=700 reasons=0 board=GPU-1
	local source=nvml unit= shape=64 gap=0 jitter=0 swing=0
	shift
	local "$@"
	awk -v kernel="$kernel" -v us="$us" -v watts="$watts" -v mhz="$mhz" -v limit="$limit" \
		-v reasons="$reasons" -v board="$board" -v source="$source" -v unit="$unit" -v shape="$shape" \
		-v gap="$gap" -v jitter="$jitter" -v swing="$swing" -v boot="$dir" 'BEGIN {
		ns = (us + gap) * 1000
		count = int(250e6 / ns)
		end = count * ns
		print "at 0"
		print "recording process=1 schema=2 begin_ns=0 host=h boot_id=" boot " command=run power=" source
		printf "sensor_def process=1 sensor=1 period_ns=%d source=%s device=%s domain=gpu part_of=\"\" quantity=%s\n", end, source, board, source == "model" ? "model" : "power"
		printf "sensor_def process=1 sensor=2 source=nvml device=%s domain=gpu part_of=\"\" quantity=state\n", board
		print "process process=1 pid=1 schema=2 parent_pid=0 begin_ns=0 host=h boot_id=" boot " executable=/bin/run"
		printf "device process=1 device=1 parent_device=0 compute_units=8 api=cuda kind=gpu name=\"Some GPU\" uuid=%s pci=0000:01:00.0\n", board
		print "stream_def process=1 stream=1 context=1 device=1 out_of_order=0"
		printf "kernel_def process=1 kernel=1 global_x=%d global_y=1 global_z=1 local_x=64 local_y=1 local_z=1 api=cuda name=%s\n", shape, kernel
		print "layer_def process=1 layer=1 parent_layer=0 name=step"
		printf "device_state process=1 sensor=2 time_ns=0 sm_clock_mhz=%d throttle_reasons=%d limit_mw=%d\n", mhz, reasons, limit * 1000
		print "layer_push process=1 tid=1 begin_ns=0 layer=1"
		print "at 1"
		for (i = 0; i < count; i++) {
			printf "kernel_exec process=1 correlation=%d kernel=1 stream=1 layer=1 enqueue_ns=%d call_ns=0 delay_ns=0 anchor=0 stack=0 duration_ns=%d name=%s\n", i + 1, i * ns, (us + (i % 2 ? jitter : -jitter) + int(i / 50) % 2 * swing) * 1000, kernel
			if (unit)
				printf "mark process=1 tid=1 time_ns=%d name=work unit=%s value=1\n", i * ns, unit
		}
		printf "layer_pop process=1 tid=1 end_ns=%d layer=1\n", end
		printf "power_sample process=1 sensor=1 time_ns=%d power_mw=%d\n", end, watts * 1000
		printf "recording_end process=1 end_ns=%d why=\"the program ended\"\n", end
	}' >text && trace_text "$dir" <text
}


# compare OPTION-OR-TRACE...: as run, without the warning that all of these traces bring.
compare() {
	run pwrtrace compare "$@"
	sed -i '/lacks comparisons of a device/d' err
}

# json EXPRESSION: a value of the JSON in out, called r.
json() {
	/usr/bin/python3 -c 'import json, sys
r = json.load(open("out"))
print(eval(sys.argv[1]))' "$1"
}

# changes: the changes of the first row in percent, as the table of the talk has them.
changes() {
	json '" ".join("%+.2f" % (100 * r["rows"][0]["delta"][key])
		for key in ("time", "power", "energy", "edp", "cycles", "clock"))'
}

# --- the golden table ------------------------------------------------------------------------

trace k1 kernel=tile128
trace k2 kernel=tile256 us=291 watts=510
trace k1_700 kernel=tile128 us=267.2 watts=700 mhz=1462 reasons=4
trace k2_700 kernel=tile256 us=267.4 watts=700 mhz=1530 reasons=4
trace k1_400 kernel=tile128 us=370.1 watts=400 mhz=1045 reasons=4 limit=400
trace k2_400 kernel=tile256 us=335.8 watts=400 mhz=1215 reasons=4 limit=400
PAIR=(--pair tile128=tile256)

compare "${PAIR[@]}" --at clock --format json k1 k2
is "at 1400 MHz" "$(changes)" "+4.71 -14.72 -10.70 -6.49 +4.71 +0.00"
is "joules of each execution" "$(json '["%.2f" % (1e3 * r["rows"][0][side]["energy_j"])
	for side in ("base", "other")]')" "['166.18', '148.41']"
compare "${PAIR[@]}" --at limit --format json k1_700 k2_700
is "at 700 W" "$(changes)" "+0.07 +0.00 +0.07 +0.15 +4.73 +4.65"
compare "${PAIR[@]}" --at limit --format json k1_400 k2_400
is "at 400 W" "$(changes)" "-9.27 +0.00 -9.27 -17.68 +5.49 +16.27"
is "the split of energy is exact" "$(json '[abs(math.log1p(row["delta"]["energy"])
	- math.log1p(row["delta"]["cycles"]) + math.log1p(row["delta"]["clock"])
	+ math.log1p(row["delta"]["busy"]) - math.log1p(row["delta"]["power"])) < 1e-11
	for math in [__import__("math")] for row in r["rows"] + [r["total"]]]')" "[True, True]"
is "what is in every answer" "$(json 'all(key in r for key in ("schema", "trace", "method",
	"estimated", "tags", "coverage", "conditions", "rows", "total", "verdict"))')" True
compare "${PAIR[@]}" k1_400 k2_400
like "the same as text" "$(<out)" \
	"148\.04 mJ  134\.32 mJ +-9\.27 % +unknown +-9\.27 % \* +0\.00 % +-17\.68 % +\+5\.49 % +\+16\.27 % +tile128 = tile256"
compare "${PAIR[@]}" --format csv k1 k2
is "the same as CSV: the columns of rows and heading" \
	"$(tr -d '\r' <out | awk -F, '{ print NF }' | sort -u)" 37
like "a row of it" "$(<out)" $'\nkernel,tile128 \\[64 /64\\] = tile256 \\[64 /64\\],0\.0002779,'

# --- at what ---------------------------------------------------------------------------------

compare "${PAIR[@]}" --at clock k1_700 k2_700
is "unequal clocks are refused" "$status: $(<err)" "1: pwrtrace: \"tile128 = tile256\" ran at 1462 MHz in the base and at 1530 MHz in the other; --force compares all the same"
compare "${PAIR[@]}" --at clock --force k1_700 k2_700
like "unless it is forced" "$status: $(<out)" "^0: Compared by --force, though [^\\]*ran at 1462 MHz in the base and at 1530 MHz in the other"$'\n'
compare "${PAIR[@]}" --at limit k1_700 k2_400
is "unequal limits are refused" "$status: $(<err)" \
	"1: pwrtrace: the limit was 700 W in the base and 400 W in the other; --force compares all the same"
compare "${PAIR[@]}" --at limit k1 k2
like "limits that throttle nothing are refused" "$status: $(<err)" \
	"^1: pwrtrace: the limit throttled .* for 0 % of its time in the base; --force"
compare "${PAIR[@]}" k1 k2_400
like "conditions that differ are listed" "$(<out)" \
	"limit: 700 W, and 400 W.*clock: 1400 MHz, and 1215 MHz.*throttled: 0\.0 %, and 100\.0 %"

# --- several runs a side ---------------------------------------------------------------------

for i in 1 2 3; do
	trace base$i us=$((99 + i)) watts=$((499 + i))
	trace slow$i us=$((109 + i)) watts=$((499 + i))
	trace same$i us=$((100 - i % 2)) watts=$((502 - i))
	trace apart$i us=$((99 + i)) watts=$((559 + i)) board=GPU-2
	trace near$i us=$((99 + i)) watts=$((514 + i)) board=GPU-2
done
BASE=(base1 --base base2 --base base3)

compare "${BASE[@]}" slow1 slow2 slow3 --fail-over 2%
is "worse by more than allowed: exit status" "$status" 3
like "and what is worse" "$(<err)" \
	"pwrtrace: kernel gemm takes 9\.90 % \(±[1-3]\.[0-9]* %\) more energy, over 2 %"
compare "${BASE[@]}" slow1 slow2 slow3 --fail-over 15%
is "worse, but by less than allowed" "$status: $(<err)" "0: "
compare "${BASE[@]}" slow1 slow2 slow3 --fail-over 0.15:edp
is "energy and delay together are more" "$status" 3
compare "${BASE[@]}" same1 same2 same3 --fail-over 0:time
is "chance is not worse" "$status: $(<err)" "0: "
compare "${BASE[@]}" slow1 slow2 slow3 --format json
is "Welch's test: what is significant" "$(json '[key for key, is_so in
	r["rows"][0]["significant"].items() if is_so]')" "['time', 'energy', 'edp', 'cycles']"
# Student's t of 4 degrees of freedom is 2.776; s of ln 100, 101, 102 is 0.00990, that of ln 110, 111, 112 is 0.00901: of the
# logarithm, 2.78 sqrt(0.00990² / 3 + 0.00901² / 3) = 0.0215.
is "and its interval" "$(json '"%.4f" % (r["rows"][0]["ci95"]["time"] / (1 + r["rows"][0]["delta"]["time"]))')" 0.0215
compare "${BASE[@]}" near1 near2 near3 --format json
# Two boards are 4 % apart, as a standard deviation: 1.96 * 4 % beside what runs differ, 2.78 * 0.2 % *
# sqrt(2 / 3).
is "3 % on another board are not significant" \
	"$(json 'r["rows"][0]["significant"]["power"], "%.3f" % (
		r["rows"][0]["ci95"]["power"] / (1 + r["rows"][0]["delta"]["power"]))')" "(False, '0.078')"
compare "${BASE[@]}" near1 near2 near3
like "and text says so" "$(<out)" "Two boards read up to 8 % apart: powers, energies"
compare "${BASE[@]}" apart1 apart2 apart3 --format json
is "12 % are" "$(json '(r["rows"][0]["significant"]["power"],
	r["total"]["significant"]["power"], r["verdict"])')" "(True, True, 'worse')"
compare base1 slow1 --fail-over 2%
is "without an interval, nothing passes" "$status: $(<err)" \
	"1: pwrtrace: --fail-over cannot tell: no interval of the energy is known; 3 runs a side have one"

compare "${BASE[@]}" slow1 slow2 slow3
like "text says by which test" "$(<out)" "by Welch's test of 3 and 3 runs"

# refused_repeat A B SIDE TRACE...: they are one run.
refused_repeat() {
	compare "${@:4}"
	is "one recording is one run of the $3: ${*:4}" "$status: $(<err)" \
		"1: pwrtrace: $1 and $2 are one recording, and so one run of the $3; name it once"
}
cp -r slow1 copy
refused_repeat slow1 slow1 other base1 --base base2 --base base3 slow1 slow2 slow1
refused_repeat slow1 copy other "${BASE[@]}" slow1 slow2 copy
refused_repeat base1 base1 base base1 --base base1 slow1
compare base1 base1
is "but it may be on both sides" "$status: $(<err)" "0: "

# As compare_columns.py has them.
for i in 0 1 2; do
	trace base_$i us=$((1000 + 10 * i)) watts=$((500 + i)) gap=250 jitter=40
	trace other_$i us=$((1120 - 10 * i)) watts=$((509 + 2 * i)) mhz=1300 reasons=4 gap=250 jitter=40
done
columns "each member and column, of three runs a side" compare \
	compare base_0 --base base_1 --base base_2 other_0 other_1 other_2

# What is known of kernels to 0.1 % says nothing of how much runs differ as a whole.
trace_text pair <"$ROOT/tests/golden/pair.txt"
sed -E 's/power_mw=([13])00000/power_mw=\104000/' "$ROOT/tests/golden/pair.txt" | trace_text more
for other in pair more; do
	compare pair $other --format json
	is "one pair of runs has no verdict of the whole: $other" "$(json '(r["verdict"], r["total"]["significant"]["energy"],
		r["total"]["ci95"]["energy"], [row["significant"]["energy"] for row in r["rows"][:2]])')" \
		"(None, None, None, [$([ $other = more ] && echo True, True || echo False, False)])"
done
compare pair more
like "and text says why" "$(<out)" \
	"Verdict: unknown, as that of the energy has no interval; 3 runs a side have"

# a and b, each known to 0.2 %: of one recording the ratio is known to the sum, else to its part by root of two.
sed 's/begin_ns=0 host/begin_ns=1 host/' "$ROOT/tests/golden/pair.txt" | trace_text again
for other in pair again; do
	compare pair $other --pair a=b --format json
	is "kernels of one recording, or of two: $other" "$(json '"%.2f" % (r["rows"][0]["ci95"]["power"] /
		r["rows"][0]["base"]["ci95"]["power_w"] * r["rows"][0]["base"]["power_w"])')" \
		"$([ $other = pair ] && echo 2.00 || echo 1.41)"
done

# Fifty executions in turn are alike, so 2500 are no more than some 100: 0.5 us are a fifth of the
# standard deviation of 2.5 us, 7 times what it would be of the difference if they were not.
trace turns1 us=100 swing=-5
trace turns2 us=100.5 swing=-5
compare turns1 turns2 --format json
is "times that are alike for a while count as fewer" "$(json '(r["rows"][0]["significant"]["time"],
	0.005 < r["rows"][0]["ci95"]["time"] < 0.01)')" "(False, True)"

# --- rows ------------------------------------------------------------------------------------

compare k1 k2 --format json
is "what is on one side alone" \
	"$(json '[(row["by"], row["base"] is None, row["other"] is None) for row in r["rows"]]')" \
	"[('kernel', False, True), ('kernel', True, False), ('layer', False, False)]"
compare k1 k1 --format json
is "a trace and itself" "$(json 'all(delta in (0, None) for row in r["rows"] + [r["total"]]
	for delta in row["delta"].values()), r["total"]["delta"]["energy"]')" "(True, 0)"
compare k1 k2 --filter 'name ~ "step"' --format json
is "a filter" "$(json '[row["name"] for row in r["rows"]]')" "['step']"
trace tokens1 unit=token
trace tokens2 unit=token us=150 watts=700
trace images unit=image
compare tokens1 tokens2 --format json
is "joules of each unit of work" \
	"$(json 'r["total"]["unit"], "%.4f" % r["total"]["other"]["energy_j"]')" "('token', '0.1050')"
compare tokens1 images
is "unlike units" "$status: $(<err)" \
	"1: pwrtrace: unlike units: the base counts its work in token, the other in image; --force compares all the same"

# --- bad input -------------------------------------------------------------------------------

compare k1 k2 --pair tile18=tile256
is "no such kernel: the nearest is named" "$status: $(<err)" \
	"1: pwrtrace: --pair tile18=tile256: base: no kernel is called \"tile18\"; the nearest is \"tile128\""
for pair in tile128 =tile256 tile128=; do
	compare k1 k2 --pair $pair
	is "no pair: $pair" "$status: $(<err)" \
		"2: pwrtrace: --pair takes two kernels, like tile128=tile256, not \"$pair\"; see pwrtrace compare --help"
done
trace odd kernel='a=b'
compare odd k2 --pair a=b=tile256
is "a name with an equals sign" "$status: $(<err)" "0: "
trace guessed source=model
compare k1 guessed
is "estimates have no verdict" "$status: $(<err)" "1: pwrtrace: energies are estimates, of which there can be no verdict; --force compares all the same"
compare k1 guessed --force --format json
is "nor by force" "$status: $(json 'r["verdict"], set(r["total"]["significant"].values())')" \
	"0: (None, {None})"
compare k1
is "one trace" "$status: $(<err)" \
	"2: pwrtrace: two traces are needed, a base and another; see pwrtrace compare --help"
compare k1 none
like "no trace" "$status: $(<err)" "^1: pwrtrace: none does not exist"
for wrong in x 2%:power -1% :time; do
	compare k1 k2 --fail-over "$wrong"
	like "--fail-over $wrong" "$status: $(<err)" "^2: pwrtrace: --fail-over takes a part"
done
compare k1 k2 --at power
is "--at power" "$status: $(<err)" \
	"2: pwrtrace: --at takes clock or limit, not \"power\"; see pwrtrace compare --help"

finish
