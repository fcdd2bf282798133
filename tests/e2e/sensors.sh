#!/bin/bash
# pwrtrace sensors: the list, live power and calibration, on simulated GPUs (tests/simgpu/), on OpenCL
# without a GPU, and from a recording of a real GPU.
. "$(dirname "$0")/lib.sh"

export LD_LIBRARY_PATH=$BUILD/tests/simgpu XDG_CONFIG_HOME=$WORK/config LC_ALL=C.UTF-8
gpu=GPU-00000000-0000-0000-0000-00000000000

sensors() { run "$PWRTRACE" sensors "$@"; }

# of_json EXPRESSION: the value of a Python expression of j, the JSON that the last command printed.
of_json() { /usr/bin/python3 -c "import json, sys; j = json.load(open('out')); print($1)"; }

# truth KNOWN: prints what differs from the known truth in what the last command printed.
truth() { /usr/bin/python3 "$ROOT/tests/e2e/sensors_truth.py" "$1" <out 2>&1; }

# --- the list ----------------------------------------------------------------------------------

SIMGPU_NVML_DEVICES=2 sensors --power nvml
is "list: exit status" "$status" 0
is "list: both devices, their names and driver" "$(grep -c 'Simulated GPU [01], GPU-.*, driver .*580\.1$' out)" 2
like "list: a gauge" "$(grep -m 1 gauge out)" 'gpu +nvml +gauge +20 ms +25 ms +unknown +1 mW +[0-9.]+ [µnm]s$'
like "list: a counter has no window" "$(grep -m 1 counter out)" 'gpu +nvml +counter +100 ms +- +unknown +1 mJ'
is "list: nothing is calibrated yet" "$(grep -c calibrated out)" 0
sensors --power nvml --json
is "list --json: exit status" "$status" 0
is "list --json: the sensors" \
	"$(of_json "[(s['domain'], s['part_of'], s['kind'], s['period_ms'], s['problem']) for s in j['sensors']]")" \
	"[('gpu', '', 'gauge', 20.0, None), ('gpu', '', 'counter', 100.0, None), ('memory', 'gpu', 'gauge', 100.0, None), ('gpu', '', 'state', 100.0, None)]"
is "list --json: what is not known is null, and reading costs something" \
	"$(of_json "(j['schema'], j['sensors'][0]['lag_ms'], j['sensors'][0]['read_cost_us'] > 0)")" \
	"('pwrtrace-sensors/1', None, True)"

mkdir -p sys/class/powercap/intel-rapl:0
echo package-0 >sys/class/powercap/intel-rapl:0/name
echo 262143328850 >sys/class/powercap/intel-rapl:0/max_energy_range_uj
mkdir sys/class/powercap/intel-rapl:0/energy_uj
PWRTRACE_SYSFS=$PWD/sys sensors --power rapl
is "a sensor that cannot be read: exit status" "$status" 0
like "a sensor that cannot be read: what is wrong" "$(cat out)" 'Problems.*rapl.*energy_uj'
sensors --power model
like "no sensor: the estimate is one" "$(cat out)" 'device +model +estimate'
PWRTRACE_SYSFS=$PWD/none LD_LIBRARY_PATH= sensors
is "nothing at all: exit status" "$status" 0
like "nothing at all: what each source needs" "$(cat out)" 'Problems.*rapl: .*nvml: .*libnvidia-ml'
sensors --power nuclear
refuses "an unknown source" 2 'nuclear.*rapl'

# --- live power --------------------------------------------------------------------------------

sensors --watch --power nvml --interval 300 --count 2
is "watch: exit status" "$status" 0
is "watch, no terminal: a line for each sensor, each time" "$(cut -f 2-5 out | sort | uniq -c | sed 's/^ *//; s/\t/ /g')" \
	"$(printf '2 nvml %s0 %s\n' $gpu 'gpu counter' $gpu 'gpu gauge' $gpu 'memory gauge')"
is "watch, no terminal: nothing but text" "$(grep -c $'\033' out)" 0
like "watch: the power is the GPU's" "$(grep 'gpu.gauge' out | tail -1 | cut -f 6)" '^[123][0-9][0-9]\.[0-9]+$'
script -qec "$PWRTRACE sensors --watch --power nvml --interval 300 --count 2" /dev/null >out 2>&1
like "watch, on a terminal: drawn anew in its place" "$(tr -d '\r' <out)" \
	$'POWER  SENSOR.* W  GPU.*\033\\[4A.*POWER  SENSOR'
printf 'time_ns,device,domain,power_mw\n0,cpu,package-0,50000\n1000000000,cpu,package-0,50000\n' >flat.csv
sensors --watch --power replay:flat.csv --interval 100 --count 1
is "watch: another source" "$(cut -f 2-6 out)" $'replay\tcpu\tpackage-0\tgauge\t50.000'
sensors --watch --power model
refuses "nothing to watch" 1 'no sensor to watch'

# --- a load on simulated GPUs ------------------------------------------------------------------

export SIMGPU_CUDA_TRUTH=$WORK/truth SIMGPU_NVML_LOAD=$WORK/truth

sensors --calibrate --power nvml --api cuda --seconds 8 --json
is "calibrate: exit status" "$status" 0
is "calibrate: the sensors answer as they were made" "$(truth simulated)" ""
is "calibrate: each sensor of power has weights, and no trouble" \
	"$(of_json "[(s['domain'], bool(s.get('taps')), s['trouble']) for s in j['identified'] if s['quantity'] == 'power']")" \
	"[('gpu', True, None), ('memory', True, None)]"
kept=$(echo config/pwrtrace/responses/*)
like "calibrate: says where it is kept" "$(cat err)" "^pwrtrace: kept in $WORK/$kept$"
like "calibrate: by device and driver" "$kept" "^config/pwrtrace/responses/${gpu}0@.*580\.1$"
is "calibrate: no recording is left" "$(ls -d /tmp/pwrtrace-calibrate-* 2>/dev/null)" ""

sensors --power nvml
like "calibrated: the list has its times" "$(grep -m 1 gauge out)" \
	'gpu +nvml +gauge +20 ms +2[45](\.[0-9])? ms +[23](\.[0-9]+)? ms .* calibrated 20'
run "$PWRTRACE" record -o after --power nvml -- true
is "calibrated: the trace has the response" "$(count after sensor_response)" "$(grep -c ^tap "$kept")"
is "calibrated: its weights add up to one" "$(events after | /usr/bin/python3 -c '
import collections, re, sys
sums = collections.Counter()
for sensor, weight in re.findall(r"sensor_response: .*sensor = (\d+), .*weight = (\S+) ", sys.stdin.read()):
    sums[sensor] += float(weight)
print(sorted(round(value, 4) for value in sums.values()))')" "[1.0, 1.0]"
run "$PWRTRACE" report after
like "calibrated: the report says so" "$(cat out)" 'nvml: GPU[^;]*window 2[45][^;]*; calibrated 20[^,]*, response of [0-9]+ taps'
SIMGPU_NVML_DRIVER=581.2 sensors --power nvml
is "calibrated: but not with another driver" "$(grep -c calibrated out)" 0
SIMGPU_NVML_DEVICES=2 sensors --power nvml
is "calibrated: but not another device" "$(sed -n '/GPU 1/,$p' out | grep -c calibrated)" 0
echo "tap 12" >>"$kept"
sensors --power nvml
is "a file that was damaged is as good as none" "$(grep -c calibrated out)" 0

SIMGPU_CUDA_DEVICES=2 SIMGPU_NVML_DEVICES=2 sensors --calibrate --power nvml --device 1 --seconds 5 \
	-o recording --json
is "one device of two: exit status" "$status" 0
is "one device of two: it is identified, the other is not" \
	"$(of_json "{s['device'][-1] for s in j['identified']}")" "{'1'}"
run "$PWRTRACE" info recording
is "one device of two: -o keeps the recording" "$status" 0
sensors --identify recording
is "identify: what was recorded, again" "$status" 0
is "identify: without --keep nothing is kept" "$(grep -c kept err)" 0
unset SIMGPU_CUDA_TRUTH SIMGPU_NVML_LOAD

# --- a load on OpenCL without a GPU ------------------------------------------------------------

sensors --calibrate --api opencl --power replay:flat.csv --seconds 5 -o opencl
refuses "a sensor that does not answer" 1 'nothing to keep'
like "a sensor that does not answer: says so" "$(cat out)" 'replay: cpu, package-0, power.*unknown: '
like "a sensor that does not answer: the load ran all the same" \
	"$(events opencl | grep -c 'kernel_exec: .*name = "pwrtrace_load"')" '^[1-9][0-9]'

# --- a recording on a real GPU -----------------------------------------------------------------

/usr/bin/python3 "$ROOT/tests/e2e/h200_trace.py" "$ROOT/tests/data/h200-square" |
	"$BUILD/tests/trace_text" h200
sensors --identify --json h200
is "a real GPU: exit status" "$status" 0
is "a real GPU: what is known of its sensors is found" "$(truth h200)" ""
sensors --identify --json --times "$ROOT/tests/data/h200-square/load.csv" h200
is "a real GPU, times from a file: the same" "$(truth h200)" ""
sensors --identify --keep h200
is "a real GPU: it can be kept" "$status" 0
is "a real GPU: by device and driver" "$(ls config/pwrtrace/responses/GPU-h200@580.159)" \
	config/pwrtrace/responses/GPU-h200@580.159

# --- whatever is wrong -------------------------------------------------------------------------

echo 'burn,10,5' >backwards.csv
sensors --identify --times backwards.csv h200
refuses "times that run backwards" 1 'backwards\.csv:1.*begin_ns'
sensors --identify --times none.csv h200
refuses "no times" 1 'none\.csv'
sensors --identify
refuses "no trace is named" 2 'no trace'
sensors h200
refuses "a trace without --identify" 2 '--identify'
sensors --calibrate --seconds 1
refuses "too short a load" 2 '--seconds.*5'
sensors --calibrate --api vulkan
refuses "an unknown API" 2 'vulkan'
sensors --calibrate --power nvml --device 7 --seconds 5
refuses "a device that is not there" 1 'device'
run env HOME= XDG_CONFIG_HOME= "$PWRTRACE" sensors --identify --keep h200
refuses "nowhere to keep it" 1 'HOME'
touch file
run env XDG_CONFIG_HOME="$PWD/file" "$PWRTRACE" sensors --identify --keep h200
refuses "a directory that cannot be made" 1 'file/pwrtrace'
finish
