#!/bin/bash
# Sensors that misbehave: reports show what can be known, and call the rest unknown.
. "$(dirname "$0")/lib.sh"

# written NAME AWK-PROGRAM: writes a trace of 400 kernels of 4 and 6 ms, one after the other, at 200 or
# 300 W, on a device that idles at 60 W.  The awk program prints the line of each of 50 readings, which
# are 20 ms apart: reading i at time t (ns).
written() {
	awk "$(cat <<-'END'
		BEGIN {
			print "at 0"
			print "recording pid=1 schema=1 begin_ns=0 host=h boot_id=b"
			print "process pid=1 schema=1 parent_pid=0 begin_ns=0 host=h boot_id=b"
			print "device pid=1 device=1 parent_device=0 api=cuda kind=gpu name=GPU uuid=G"
			print "stream_def pid=1 stream=1 context=1 device=1 out_of_order=0"
			for (k = 1; k <= 2; k++)
				print "kernel_def pid=1 kernel=" k " global_x=1 global_y=1 global_z=1 local_x=1 local_y=1 local_z=1 api=cuda name=k" k
			sensor = "pid=1 period_ns=20000000 source=s device=G domain=gpu part_of=\"\""
			print "sensor_def sensor=1 quantity=power " sensor
			print "sensor_def sensor=2 quantity=energy " sensor
			joules = 0
			for (i = 1; i <= 50; i++) {
				t = 20000000 * i
				watts = i % 5 ? 200 + 100 * (i % 2) : 60
				if (i % 5)
					print "kernel_exec pid=1 correlation=" i " kernel=" i % 2 + 1 " stream=1 begin_ns=" t - 20000000 " end_ns=" t
				joules += watts / 50
				uj = sprintf("%d", joules * 1000000)
				mw = sprintf("%d", watts * 1000 + i * 37 % 11)
				said()
			}
			print "recording_end pid=1 end_ns=" t
		}
	END
	) function said() { $2 }" </dev/null >"$1.txt"
	"$BUILD/tests/trace_text" "$1" <"$1.txt"
}

power='print "power_sample pid=1 sensor=1 time_ns=" t " power_mw="'
counter='print "energy_counter pid=1 sensor=2 time_ns=" t " energy_uj="'

written none ''
is "no readings: energy is unknown, times are not" "$(reported none \
	'[(r["energy_j"], r["ci95_j"], r["executions"] * 0.02 == r["time_s"]) for r in rows]')" \
	"[(None, None, True), (None, None, True)]"
like "no readings: text says so" "$("$PWRTRACE" report none)" \
	"unknown  unknown  unknown   unknown    400 ms          20  k2.*unknown: no power was measured"
not_like "no readings: no joule is said" "$("$PWRTRACE" report none)" " 0 J"

written good "$power mw"
is "a good sensor: regress" "$(reported good 'r["method"], r["fits"][0]["readings"]')" \
	"regress 49"
is "a good sensor: powers are right" "$(reported good \
	'sorted(round(row["power_w"]) for row in rows)')" "[200, 300]"

is "a run of a second: blocks of it are held out" "$(reported good \
	'r["fits"][0]["heldout"]["blocks"] >= 8')" "True"

written counted "$counter uj"
for name in good counted; do
	sed -E 's/_ns=([5-9][0-9]{8}|1[0-9]{9})\>/_ns=10000000\1/g' $name.txt >$name-apart.txt
	"$BUILD/tests/trace_text" $name-apart <$name-apart.txt
	is "$name, three years apart: powers are right" "$(reported $name-apart \
		'r["method"], sorted(round(row["power_w"], -1) for row in rows)')" "regress [200.0, 300.0]"
done

written few "if (i <= 12) $power mw"
is "too few readings: overlap" "$(reported few 'r["method"], r["fits"]')" "overlap []"

# A run of 10 ms: its only reading stands for all of it, for the time before and after the reading.
{
	grep -v '^power_sample\|^kernel_exec\|^recording_end' good.txt
	echo "kernel_exec pid=1 correlation=1 kernel=1 stream=1 begin_ns=1000000 end_ns=8000000"
	echo "power_sample pid=1 sensor=1 time_ns=9000000 power_mw=100000"
	echo "recording_end pid=1 end_ns=10000000"
} >shorter.txt
"$BUILD/tests/trace_text" shorter <shorter.txt
is "shorter than the sensor's period: what was measured is told, without an interval" "$(reported \
	shorter '[(row["energy_j"], row["ci95_j"]) for row in rows], r["coverage"]["power_gap_s"]')" \
	"[(0.7, None)] 0.001"

like "shorter than the sensor's period: why there is no interval, and what to do" \
	"$("$PWRTRACE" report shorter)" "no intervals.*Too few readings for the method regress"
grep -v '^power_sample' shorter.txt | "$BUILD/tests/trace_text" unread
is "shorter than the sensor's period, and never read: energy is unknown" \
	"$(reported unread '[(row["energy_j"], row["time_s"]) for row in rows]')" "[(None, 0.007)]"

sed '/^device /d' good.txt >nowhere.txt
"$BUILD/tests/trace_text" nowhere <nowhere.txt
is "a device that the trace does not describe: its kernels' energy is unknown, none is lost" \
	"$(reported nowhere '[row["energy_j"] for row in rows], r["balance"]["unattributed_j"] ==
	r["balance"]["measured_j"] > 0')" "[None, None] True"

like "a device that the trace does not describe: text says what is not known" \
	"$("$PWRTRACE" report nowhere)" \
	"unknown +400 ms +20  k1.*unmeasured: 800 ms of what ran \\(40 executions wholly\\)"

written stalls "$power (i > 20 && i <= 34 ? 123456 : mw)"
is "a sensor that stalls: powers are right" "$(reported stalls \
	'r["fits"][0]["readings"] < 49 and sorted(round(row["power_w"], -2) for row in rows)')" \
	"[200.0, 300.0]"

like "a sensor that stalls: text says so" "$("$PWRTRACE" report stalls)" \
	"Left out: 13 readings of a sensor that stood still"
written stuck "$power 123456"
like "a sensor that never moves: text says so" "$("$PWRTRACE" report stuck)" \
	"Every reading is 123.5 W: no reading tells kernels apart"
written dead "$power 0"
like "a sensor that says nothing but 0 W: text says so" "$("$PWRTRACE" report dead)" \
	"no energy that is known.*Every reading is 0 W"
not_like "a sensor that moves: nothing is said" "$("$PWRTRACE" report good)" \
	"Every reading|Left out|dated"
written late "print \"power_sample pid=1 sensor=1 time_ns=\" t - 300000000 * (i > 25) \" power_mw=\" mw"
like "a sensor whose times jump back: text says so" "$("$PWRTRACE" report late)" \
	"Readings dated before the one before them: 1; what ran and what was drawn may not match"
is "a sensor whose times jump back: so does JSON" \
	"$(reported late '[sensor.get("misdated") for sensor in r["sensors"]]')" "[1, None]"

written back "$counter (i > 25 ? uj - 50000000 : uj)"
is "a counter that jumps back: only that reading is lost" "$(reported back \
	'r["fits"][0]["readings"], sorted(round(row["power_w"]) for row in rows)')" "48 [200, 300]"
like "a counter that jumps back: text says so" "$("$PWRTRACE" report back)" \
	"Left out: 1 reading of a counter that ran backwards"

# Between two readings the device uses only a few joules, so a single wrong value can be bridged.
for spike in 1600000000 4000000000; do
	written spike-$spike "$power sprintf(\"%.0f\", i == 24 ? $spike : mw)"
	is "a gauge that reads $spike mW once: powers are right, and it is said to have been left out" "$(
		reported spike-$spike 'r["fits"][0]["impossible"], 200 < r["balance"]["measured_j"] < 225,
			sorted(round(row["power_w"], -1) for row in rows)')" "1 True [200.0, 300.0]"
	like "a gauge that reads $spike mW once: text says so" "$("$PWRTRACE" report spike-$spike)" \
		"Left out: 1 reading of a power that no device draws"
done
# Too many of the readings for others to contradict them.
for often in 1000000000 300000000000000000; do
	written often-$often "$power (i % 25 == 20 ? \"$often\" : mw)"
	is "a gauge that often reads $often mW: powers are right" "$(reported often-$often \
		'r["fits"][0]["impossible"], 200 < r["balance"]["measured_j"] < 225,
			sorted(round(row["power_w"], -2) for row in rows)')" "2 True [200.0, 300.0]"
	for command in power critical frontier "report --method hold" "report --method linear"; do
		# shellcheck disable=SC2086
		run "$PWRTRACE" $command often-$often
		is "a gauge that often reads $often mW: $command" "$status $(grep -c '[GMk]J' out)" "0 0"
	done
done
written always "$power \"2000000000\""
like "a gauge that always reads 2 MW: energy is unknown, and it is said why" \
	"$("$PWRTRACE" report always 2>&1)" \
	"^pwrtrace: sensor s of G: no device draws as much as each .*total: unknown: no power was"
written leaps "$counter sprintf(\"%.0f\", uj + (i > 24) * 10^19)"
is "a counter that leaps by 10^19 uJ: only that reading is lost" "$(reported leaps \
	'r["fits"][0]["readings"], r["fits"][0]["impossible"], 200 < r["balance"]["measured_j"] < 225,
		sorted(round(row["power_w"]) for row in rows)')" "48 1 True [200, 300]"
is "a gauge that reads what can be: nothing is left out" "$(reported good 'r["fits"][0]["impossible"]')" 0

for glitch in 0 4000000000000; do
	written glitch-$glitch "$counter sprintf(\"%.0f\", i == 25 ? $glitch : uj + 5000000000)"
	is "a counter that reads $glitch uJ once: is bridged, and said to have been left out" "$(
		reported glitch-$glitch 'r["fits"][0]["backwards"], 190 < r["balance"]["measured_j"]
		< 230, sorted(round(row["power_w"], -2) for row in rows)')" "1 True [200.0, 300.0]"
done

written twice "$power mw; $power mw; $counter uj; $counter uj + 1"
is "a sensor that says all twice: is heard once" "$(reported twice 'r["fits"][0]["readings"],
	sorted(round(row["power_w"]) for row in rows)')" "49 [200, 300]"

for weight in inf nan -1; do
	tap="pid=1 sensor=1 tap=\" k - 1 \" lag_ns=\" k * 5000000 - 5000000 \" weight=\" (k == 2 ? \"$weight\" : 1)"
	written "tap$weight" "if (i == 1) for (k = 1; k <= 4; k++) print \"sensor_response $tap; $power mw"
	is "a calibrated response with a weight of $weight: is left out" "$(reported "tap$weight" \
		'r["fits"][0]["response"], sorted(round(row["power_w"]) for row in rows)')" \
		"assumed [200, 300]"
	like "a calibrated response with a weight of $weight: is said to" \
		"$("$PWRTRACE" report "tap$weight" 2>&1 >/dev/null)" \
		"^pwrtrace: sensor s of G: its calibrated response weights a tap by -?(inf|nan|1) and is left out; calibrate it"
done

# Of equal readings, none tells that the sensor answers otherwise.
while read -r times say_period say_window say_lag; do
	sed "s/period_ns=20000000/${times//,/ }/" stuck.txt | "$BUILD/tests/trace_text" "stated-$times"
	is "a sensor that states $times: what cannot be is not known" "$(ulimit -v 4000000
		reported "stated-$times" '[r["sensors"][0][time + "_ms"] for time in ("period", "window", "lag")],
			r["method"]')" "[$say_period, $say_window, $say_lag] regress"
done <<-END
	period_ns=20000000,window_ns=190215511605248 20.0 None None
	period_ns=20000000,lag_ns=190215511605248 20.0 None None
	period_ns=600000000000,lag_ns=600000000000 None None None
	period_ns=20000000,lag_ns=20000000 20.0 None 20.0
END
tap="pid=1 sensor=1 tap=\" k - 1 \" lag_ns=\" k - 1 \"00000000000000 weight=\" 1"
written late-taps "if (i == 1) for (k = 1; k <= 4; k++) print \"sensor_response $tap; $power mw"
is "a calibrated response of days: is left out" "$(reported late-taps \
	'r["fits"][0]["response"], sorted(round(row["power_w"]) for row in rows)')" "assumed [200, 300]"
like "a calibrated response of days: is said to" "$("$PWRTRACE" report late-taps 2>&1 >/dev/null)" \
	"^pwrtrace: sensor s of G: its calibrated response is late by 100000 s and is left out; calibrate it"

# A kernel that runs once, in a gap: readings 21 to 30 are missing.
hidden='if (i == 25) {
	print "kernel_def pid=1 kernel=3 global_x=1 global_y=1 global_z=1 local_x=1 local_y=1 local_z=1 api=cuda name=hidden"
	print "kernel_exec pid=1 correlation=99 kernel=3 stream=1 begin_ns=" t - 15000000 " end_ns=" t - 5000000
}'
seen='if (i <= 20 || i > 30)'
written gap "$hidden; $seen $power mw"
is "a kernel that ran in a gap: no energy and no interval, but its time" "$(reported gap \
	'[(row["time_s"], row["unmeasured_s"], row["energy_j"], row["power_w"], row["ci95_j"],
	row["share"]) for row in rows if row["name"] == "hidden"]')" \
	"[(0.01, 0.01, None, None, None, None)]"
is "a gap: other kernels keep their powers, and say how much of their time it hides" \
	"$(reported gap 'sorted((round(row["power_w"]), row["unmeasured_s"]) for row in rows
	if row["energy_j"])')" "[(200, 0.08), (300, 0.08)]"
is "a gap: the balance closes, and coverage says what was not measured" "$(reported gap \
	'abs(round(sum(row["energy_j"] or 0 for row in rows) - r["balance"]["attributed_j"], 9)),
	r["coverage"]["unmeasured_s"], r["coverage"]["unmeasured_executions"]')" "0.0 0.17 9"
like "a gap: text says unknown" "$("$PWRTRACE" report gap)" \
	"unknown  unknown  unknown   unknown   unknown   unknown   10.0 ms           1  hidden"
like "a gap: text says for how long" "$("$PWRTRACE" report gap)" \
	"power unknown for 200 ms.*unmeasured: 170 ms of what ran \\(9 executions wholly\\)"
is "a gap, by launch: the launches in it have no energy" "$(reported gap \
	'[row["energy_j"] for row in rows if 0.4e9 <= row["begin_ns"] < 0.6e9] == [None] * 9' \
	--by launch)" "True"
is "a gap, in CSV: an empty field" \
	"$("$PWRTRACE" report --format csv gap | grep -c '^kernel,hidden,[^.]*,0.010000000,,,')" 1
# The layer's own launches ran in the gap alone; those of a layer inside it did not.
layers='if (i == 1) {
	print "layer_def pid=1 layer=1 parent_layer=0 name=outer"
	print "layer_def pid=1 layer=2 parent_layer=1 name=inner"
	for (k = 90; k <= 91; k++) print "kernel_launch pid=1 correlation=" k " kernel=3 stream=1 layer=" k - 89
}
if (i == 25 || i == 40) {
	print "kernel_exec pid=1 correlation=" (i == 25 ? 90 : 91) " kernel=3 stream=1 begin_ns=" t - 15000000 " end_ns=" t - 14000000
}'
written layered "$layers; $hidden; $seen $power mw"
"$PWRTRACE" report --by layer --format csv layered >layered.csv
is "a gap, in CSV: a layer whose own energy is unknown has that of the layers inside" \
	"$(reported layered '[[float(line["inclusive_j"]) == row["inclusive_j"] > 0, line["energy_j"], len(line)]
	for line in __import__("csv").DictReader(open("layered.csv")) for row in rows
	if row["name"] == line["name"] == "outer"]' --by layer)" "[[True, '', 33]]"
written blurred "$hidden; $seen $counter uj"
is "a counter's gap, divided by powers: the energy is known" "$(reported blurred \
	'[(row["unmeasured_s"], row["energy_j"] > 0) for row in rows if row["name"] == "hidden"],
	r["balance"]["unattributed_j"]')" "[(0.0, True)] 0.0"
is "a counter's gap, split by time: what ran in it has none, which is unattributed" \
	"$(reported blurred '[row["energy_j"] for row in rows if row["name"] == "hidden"],
	r["balance"]["unattributed_j"] > 0' --method overlap)" "[None] True"

# Two of 0.9 MW for three hours, as of many machines for days.
sed '/^at 1$/,$d' "$ROOT/tests/golden/pair.txt" >vast.txt
awk 'BEGIN { print "at 1"
	for (t = 50; t <= 11000; t += 50)
		for (sensor = 1; sensor <= 2; sensor++)
			printf "power_sample process=1 sensor=%d time_ns=%d000000000 power_mw=900000000\n", sensor, t
	print "recording_end process=1 end_ns=11000000000000" }' >>vast.txt
"$BUILD/tests/trace_text" vast <vast.txt
for command in report power; do
	run "$PWRTRACE" "$command" vast
	refuses "more energy than can be added up, $command" 1 'measured 5\.5 MWh.*5\.12 can.*fewer'
done

written two "$power mw; $counter int(uj * 1.1)"
like "two sensors that disagree: both are printed" "$("$PWRTRACE" report two)" \
	"readings say [0-9.]+ J, energy readings [0-9.]+ J of the same 0.98 s: \\+10\\."

is "two sensors that disagree: JSON has the residual" \
	"$(reported two '[round(pair["residual"], 2) for pair in r["agreements"]]')" "[0.1]"
written agreeing "$power mw; $counter int(uj * 1.005)"
not_like "two sensors that agree: nothing is said" "$("$PWRTRACE" report agreeing)" "readings say"
like "two sensors that agree: --verbose says how well" "$("$PWRTRACE" report -v agreeing)" \
	"readings say [0-9.]+ J, energy readings [0-9.]+ J of the same 0.98 s: \\+0\\.5"

# Other mixtures of the same kernels show that the sensor should have read more.
for ceiling in 500 300; do
	"$BUILD/tests/truth_writer" scenario=varied shortest_us=200 seconds=30 \
		ceiling_w=$ceiling clipped-$ceiling >truth.json
	is "a sensor that saturates at $ceiling W: is found out" "$(reported clipped-$ceiling \
		'r["fits"][0]["saturated"] >= 10, r["fits"][0]["ceiling_w"]')" "True $ceiling.0"
	like "a sensor that saturates at $ceiling W: is said to" "$("$PWRTRACE" report clipped-$ceiling)" \
		"Left out: [0-9]+ readings of $ceiling W, the most that the sensor says"
	is "a sensor that saturates at $ceiling W: intervals hold the truth" "$(reported clipped-$ceiling \
		'sum(abs(row["energy_j"] - true["energy_j"]) <= row["ci95_j"]
		for true in json.load(open("truth.json"))["classes"] for row in rows
		if row["short_name"] == true["name"]) >= 16')" "True"
done
"$BUILD/tests/truth_writer" scenario=varied shortest_us=200 seconds=30 open >truth.json
is "a sensor that does not saturate: nothing is left out" "$(reported open \
	'r["fits"][0]["saturated"], r["fits"][0]["ceiling_w"]')" "0 None"

written once "$power mw; for (j = 1; j <= 1000 && !(i % 5); j++) {
	k = 1000 * i + j
	begin = t - 20000000 + 20000 * (j - 1)
	print \"kernel_def pid=1 kernel=\" k \" global_x=1 global_y=1 global_z=1 local_x=1 local_y=1 local_z=1 api=cuda name=once\" k
	print \"kernel_exec pid=1 correlation=\" 100 + k \" kernel=\" k \" stream=1 begin_ns=\" begin \" end_ns=\" begin + 1000
}"
is "ten thousand classes seen once each: the others keep their powers" "$(reported once \
	'r["method"], len(rows), sorted(round(row["power_w"]) for row in rows if row["executions"] > 1)')" \
	"regress 10002 [200, 300]"
is "ten thousand classes seen once each: every energy has an interval" "$(reported once \
	'all(row["ci95_j"] is not None and row["ci95_j"] >= row["energy_j"] / 10 for row in rows
	if row["executions"] == 1)')" "True"
like "ten thousand classes seen once each: most are not told apart" \
	"$("$PWRTRACE" report once)" "970[0-2] kernels not told apart \\(group 1\\)"
like "ten thousand classes seen once each: most are said to share one power" \
	"$("$PWRTRACE" report -v once)" "9702 kernels share one power: each ran for less than"

written backwards "$power mw; if (i == 7) print \"kernel_exec pid=1 correlation=99 kernel=1 stream=1 begin_ns=\" t \" end_ns=\" t - 5000"
is "an execution that ends before it begins: no time, and no energy" "$(reported backwards \
	'sorted(row["executions"] - row["time_s"] * 50 for row in rows), sorted(round(row["power_w"]) for row in rows)')" \
	"[0.0, 1.0] [200, 300]"
like "an execution that ends before it begins: is counted" "$("$PWRTRACE" report backwards)" \
	"1 without a time"

# The device sleeps between kernels and at the end, so no reading shows it awake but idle.
written naps "if (i == 1) print \"sensor_def sensor=3 quantity=state \" sensor
	runs = i % 5 && i % 5 != 3
	for (j = 0; j <= (i == 50) * 10; j++) {
		$power (runs ? mw : 30000 + j)
		print \"device_state pid=1 sensor=3 sm_clock_mhz=\" (runs ? 1980 : 345) \" time_ns=\" t - 20000000
		t += (i == 50) * 20000000
	}"
grep -v "kernel_exec.*correlation=[0-9]*[38] " naps.txt >dozing.txt
"$BUILD/tests/trace_text" dozing <dozing.txt
is "a device that sleeps between all that runs: its powers are found" "$(reported dozing \
	'r["method"], r["fits"][0]["asleep_w"], sorted(round(row["power_w"], -1) for row in rows)')" \
	"regress None [200.0, 300.0]"
finish
