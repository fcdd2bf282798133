#!/bin/bash
# Traces of several machines, whose clocks count from when they were booted: side by side by the time of day.
. "$(dirname "$0")/lib.sh"
. "$ROOT/tests/e2e/lib_hosts.sh"

GOLDEN_DIR=$ROOT/tests/golden
PATH=$BUILD/bin:$BUILD/tests:$PATH

# host DIR NAME BOOTED_S DAY_S [TRACE]: makes DIR/NAME by host_text.
host() {
	mkdir -p "$1"
	host_text "$GOLDEN_DIR" "${@:2}" | trace_text "$1/$2"
}

# all_of DIR: what commands say of the machines early and late there.
all_of() {
	(
		cd "$1" || exit
		for by in kernel layer stream collective launch; do
			pwrtrace report -v --by $by --format json early late
		done
		pwrtrace report -v early late
		pwrtrace power --format json --window 5ms,100ms early late
		pwrtrace efficiency --format json early late
		pwrtrace report --format perfetto -o perfetto early late && cksum <perfetto
		pwrtrace report --format ctf -o ctf early late && babeltrace2 --clock-cycles ctf
		pwrtrace report --format html -o page.html early late && cksum <page.html
		pwrtrace library -o app.library late && pwrtrace report --format json --library app.library early late
	) 2>&1
}

# The first of them was booted first, so that all times are by its clock, and the other one as long after it
# by the time of day as before, whenever it was booted.
for trace in $(cd "$GOLDEN_DIR" && grep -l '^recording.* host=h boot_id=b' -- *.txt); do
	trace=${trace%.txt}
	rm -rf long short
	for dir in long short; do host $dir early 9000 1 "$trace"; done
	host long late 8000 1002 "$trace"
	host short late 5 8997 "$trace"
	ok "$trace: when a machine was booted makes no difference" diff <(all_of long) <(all_of short)
done

host . day-a 0 9000
host . day-b 8000 1001
host . day-c 8000 1000
host . no-day 8000 0
host . before-1970 8000 -1

# summed TRACE...: the sum's mean power, its highest over 5 ms and over 200 ms, and the coincidence.
summed() {
	pwrtrace power --format json --window 5ms,200ms "$@" 2>err | /usr/bin/python3 -c '
import json, sys
total = json.load(sys.stdin)["sum"]
print(*[value and round(value) for value in [total["mean_w"], *(window["highest_w"] for window in total["windows"]),
    total["coincidence"]]] if total else ["no sum"])'
}
is "power: one machine" "$(summed day-a)" "400 600 400 1"
is "power: two machines at the same time are summed, where their clocks agree well enough" "$(summed day-a day-c)" \
	"800 None 800 None"
is "power: two machines that never ran together have no sum" "$(summed day-a day-b)" "None None None None"
is "power: a machine that does not know the time of day is not summed" "$(summed day-a no-day)" "no sum"
like "power: and it says so" "$(cat err)" "of which one did not record the time of day: their powers are not summed"
is "power: nor is one of which it cannot be true" "$(summed day-a before-1970)" "no sum"
is "info and report: processes and sensors are each a machine's" \
	"$(pwrtrace info day-a day-b | sed -n 's/^\(process\|sensor\).* on \(day-.\).*/\1 \2/p' | sort | uniq -c | xargs
		pwrtrace report day-a day-b | sed -n '/^Sensors/,/^$/s/.*: GPU-1 \(on day-.\),.*/\1/p' | xargs)" "\
1 process day-a 1 process day-b 2 sensor day-a 2 sensor day-b
on day-a on day-b"
is "report: a layer's time is that of all of them together, and so is its power" \
	"$(pwrtrace report --by layer day-a day-c | grep -o '1\.20 kW *500 ms .* decode$' | wc -l)" 1
host . no-day-either 8000 0
host . no-day-later 9000 0
is "report: how long machines ran that do not know the time of day is no matter of when they booted" \
	"$(for other in no-day-either no-day-later; do pwrtrace report no-day $other | grep 'measured in'; done | uniq)" \
	"  800 J measured in 2 s, 400 W"
run pwrtrace critical day-a day-c
is "critical: the time of day is not good enough for a path" "$status" 1
like "critical: and it says so" "$(cat err)" "clocks agree to milliseconds only"
pwrtrace report --format ctf -o ctf day-a day-b
is "ctf: machines are side by side, each with its devices and sensors" \
	"$(babeltrace2 --clock-seconds ctf | /usr/bin/python3 -c '
import collections, re, sys
first = collections.OrderedDict()
for line in sys.stdin:
    found = re.match(r"\[(\d+\.\d+)\].* (execution_begin|sensor_power): .*?(?:device|sensor) = \"(.*?)\"", line)
    if found:
        first.setdefault((found[2], found[3]), float(found[1]))
begin = min(first.values())
for (event, name), time in sorted(first.items()):
    print(event, name, round(time - begin))')" "\
execution_begin GPU 0 (GPU) on day-a 0
execution_begin GPU 1 (GPU) on day-a 0
execution_begin GPU 2 (GPU) on day-b 1
execution_begin GPU 3 (GPU) on day-b 1
sensor_power GPU-1 on day-a gpu (nvml) 0
sensor_power GPU-1 on day-b gpu (nvml) 1
sensor_power GPU-2 on day-a gpu (nvml) 0
sensor_power GPU-2 on day-b gpu (nvml) 1"
pwrtrace library -o app.library day-a day-b 2>err
is "library: a recording is called alike, whatever it is loaded with" \
	"$(grep -o '"day-b/[0-9]*' app.library | sort -u)" '"day-b/8000000000000'
finish
