#!/bin/bash
# The responses of sensors, estimated from traces of several GPUs of one model: the calibration of one
# counts for all, and a report says where readings do not determine the response or contradict each
# other.
. "$(dirname "$0")/lib.sh"

untold='The readings do not tell how the sensor answers'
contradicts='The sensor seems to be the mean of'

# written NAME DEVICE SETTING...: makes up a trace of a GPU; each device does other work.
written() {
	"$BUILD/tests/truth_writer" seconds=20 copies=0 classes=8 period_ms=20 window_ms=25 lag_ms=2.5 tail_ms=4 \
		"device=$2" "seed=$2" "${@:3}" "$1" >"$1.json"
}

# of_fits DIR... EXPRESSION: the values of a Python expression of the fits in JSON, a list by device.
of_fits() {
	"$PWRTRACE" report --format json "${@:1:$#-1}" >report.json
	/usr/bin/python3 -c "import json
fits = sorted(json.load(open('report.json'))['fits'], key=lambda fit: fit['device'])
windows = [fit['equivalent_window_ms'] for fit in fits]
intervals = [fit['equivalent_window_ms_95'] for fit in fits]
print(${*: -1})"
}

agree='max(low for low, _ in intervals) <= min(high for _, high in intervals)'

# --- a calibration of one ----------------------------------------------------------------------

varied="scenario=varied shortest_us=200"
for device in 1 2; do
	written varied-$device $device $varied
done
written calibrated 1 $varied calibrated=1
text=$("$PWRTRACE" report calibrated varied-2)
like "one of two is calibrated: it counts for both" "$text" \
	'Sensor: replay, gpu \(2 sensors\): a reading every 20 ms, the mean of (29|30)[^,]* ms, .* late \(calibrated 2026-11-21T09:00:00Z, refined by this trace\)'
is "one of two is calibrated: one line tells of both" "$(grep -c '^  Sensor: ' <<<"$text")" 1
not_like "one of two is calibrated: nothing is in doubt" "$text" "$untold|$contradicts"
is "one of two is calibrated: JSON" \
	"$(of_fits calibrated varied-2 '[fit["response"] for fit in fits], max(windows) < 1.02 * min(windows)')" \
	"['calibrated', 'calibrated'] True"

# --- readings that tell ------------------------------------------------------------------------

text=$("$PWRTRACE" report varied-1 varied-2)
like "varied work: the response is found" "$text" 'found in this trace'
not_like "varied work: nothing is in doubt" "$text" "$untold|$contradicts"
is "varied work: JSON" "$(of_fits varied-1 varied-2 "[fit['other_responses'] for fit in fits], $agree")" \
	"[0, 0] True"

# --- readings that do not ----------------------------------------------------------------------

for device in 1 2; do
	written loop-$device $device scenario=loop14 shortest_us=100 noise_w=10
done
text=$("$PWRTRACE" report loop-1)
like "a steady loop: the report says that the readings do not tell" "$text" \
	$'\n'"  $untold: intervals allow for all that explains them"
is "a steady loop: intervals hold the truth all the same" "$(reported loop-1 \
	'[abs(row["energy_j"] - true["energy_j"]) <= row["ci95_j"]
	for true in json.load(open("loop-1.json"))["classes"] for row in rows
	if row["short_name"] == true["name"]]')" "[True, True, True, True, True, True]"
text=$("$PWRTRACE" report loop-1 loop-2)
like "two steady loops: what leaves one of them in doubt is said" "$text" $'\n'"  GPU-1: $untold: "
not_like "two steady loops: they do not contradict each other" "$text" "$contradicts"
is "two steady loops: JSON" "$(of_fits loop-1 loop-2 "fits[0]['other_responses'] > 0, $agree")" \
	"True True"
is "two steady loops: the intervals hold what the sensors are" \
	"$(of_fits loop-1 loop-2 '[low < 29.8 < high for low, high in intervals]')" "[True, True]"

text=$("$PWRTRACE" report loop-1 varied-2)
not_like "a steady loop beside varied work: asked together, the readings tell" "$text" "$untold|$contradicts"
is "a steady loop beside varied work: JSON" \
	"$(of_fits loop-1 varied-2 "[fit['other_responses'] for fit in fits], $agree")" "[0, 0] True"

# --- sensors that contradict each other ----------------------------------------------------------

written longer 2 $varied window_ms=60 tail_ms=0
text=$("$PWRTRACE" report varied-1 longer)
like "two that contradict each other: the report says so of the one" "$text" \
	$'\n''  GPU-1: '"$contradicts"' (29|30)[0-9.]* ms, that of GPU-2 of (59|60)[0-9.]* ms: calibrate both'
like "two that contradict each other: and of the other" "$text" \
	$'\n''  GPU-2: '"$contradicts"' (59|60)[0-9.]* ms, that of GPU-1 of (29|30)[0-9.]* ms: calibrate both'
not_like "two that contradict each other: the readings of both tell" "$text" "$untold"
finish
