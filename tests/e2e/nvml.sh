#!/bin/bash
# The NVML source on simulated GPUs whose power is known (tests/simgpu/nvml.c).
. "$(dirname "$0")/lib.sh"

SIMGPU=$BUILD/tests/simgpu
library=$SIMGPU
gpu=GPU-00000000-0000-0000-0000-00000000000

# on_gpus DIR [VARIABLE=VALUE]... -- COMMAND...: records a command with the libnvidia-ml in $library.
on_gpus() {
	local dir=$1 settings=()
	shift
	while [ "$1" != -- ]; do
		settings+=("$1")
		shift
	done
	run env LD_LIBRARY_PATH="$library" "${settings[@]}" \
		"$PWRTRACE" record -o "$dir" --power nvml "$@"
}

# truth DIR [SECONDS]: prints where trace and report differ from what the GPUs drew.
truth() {
	"$PWRTRACE" report --format json "$1" >"$1.json" &&
		events "$1" | /usr/bin/python3 "$ROOT/tests/e2e/nvml_truth.py" "$1.json" "${@:2}" 2>&1 ||
		nothing "no report"
}

# sensors DIR: a line for each sensor of a trace: device, domain, part_of, quantity.
sensors() {
	events "$1" | sed -n 's/.* pwrtrace:sensor_def: .* device = "[^"]*\(.\)", domain = "\([^"]*\)", part_of = "\([^"]*\)", quantity = "\([^"]*\)".*/\1 \2 \3 \4/p'
}

# lost DIR: the reasons of the events `lost`, a line each.
lost() { events "$1" | sed -n 's/.* pwrtrace:lost: .* why = "\(.*\)" }$/\1/p'; }

lines_of_ours() { sed -n 's/^pwrtrace: nvml: //p' err; }

# --- a driver that does not even begin ------------------------------------------------------------

# It is given a minute, in which other recordings go on: all that follow, and one at once.
touch wedged-now
env LD_LIBRARY_PATH="$library" SIMGPU_NVML_HANG="$PWD/wedged-now" \
	"$PWRTRACE" record -o wedged -- true 2>wedged.err &
wedged=$!
env LD_LIBRARY_PATH="$library" SIMGPU_NVML_HANG="$PWD/wedged-now" \
	"$PWRTRACE" sensors --power nvml >wedged-list.out 2>wedged-list.err &
wedged_list=$!
env LD_LIBRARY_PATH="$library" SIMGPU_NVML_HANG="$PWD/wedged-now" \
	"$PWRTRACE" sensors --watch --power nvml >wedged-watch.out 2>wedged-watch.err &
wedged_watch=$!
sleep 0.5
before=$SECONDS
run "$PWRTRACE" record -o beside --power model -- true
is "a driver that never answers: another recording" "$status $(grep -c . err)" "0 1"
ok "a driver that never answers: another recording begins" at_most $((SECONDS - before)) 5

# --- everything there --------------------------------------------------------------------------

on_gpus two SIMGPU_NVML_DEVICES=2 -- sleep 1.3
is "two GPUs: exit status" "$status" 0
is "two GPUs: sensors" "$(sensors two)" "$(for i in 0 1; do
	printf '%s\n' "$i gpu  power" "$i gpu  energy" "$i memory gpu power" "$i gpu  state"
done)"
like "two GPUs: samples" "$(count two power_sample)" '^[0-9]{2,}$'
is "two GPUs: samples, counters and report are true" "$(truth two)" ""
is "two GPUs: a state that does not change is written once" "$(count two device_state)" 2
like "two GPUs: the state" "$(events two | grep -m 1 device_state)" \
	'sm_clock_mhz = 1980, memory_clock_mhz = 3201, limit_mw = 700000, temperature_c = 40, throttle_reasons = 4, edpp_limit_mw = 1050000, sm_percent = 21, tensor_percent = 51, memory_percent = 103'
like "two GPUs: what the second is" "$(events two | grep sensor_def | tail -1)" \
	'poll_ns = 20000000, .*device_name = "Simulated GPU 1", pci = "0000:41:00.0", driver = "nvidia 580.1"'
like "two GPUs: the clocks read together" "$(count two clock_sync)" '^[2-9]$'
is "two GPUs: nothing is lost" "$(sum_lost two)" 0
is "two GPUs: nothing is said of them" "$(lines_of_ours)" ""

run env LD_LIBRARY_PATH="$library" "$PWRTRACE" record -o found -- true
is "found without being asked for: exit status" "$status" 0
like "found without being asked for" "$(events found | grep ' pwrtrace:recording: ')" \
	'power = "[^"]*nvml'

# --- something missing -------------------------------------------------------------------------

# degraded NAME DIR LINE: the recording works, and both stderr and the trace say what is missing.
degraded() {
	is "$1: exit status" "$status" 0
	is "$1: one clear line" "$(lines_of_ours)" "$3"
	is "$1: and in the trace" "$(lost "$2")" "$3"
}

on_gpus instant SIMGPU_NVML_UNSUPPORTED=nvmlDeviceGetSamples -- sleep 0.3
degraded "no samples" instant \
	"${gpu}0: nvmlDeviceGetSamples: Not Supported; NVML_FI_DEV_POWER_INSTANT takes its place"
is "no samples: the sensors are the same" "$(sensors instant)" \
	"$(sensors two | grep ^0)"
like "no samples: power all the same" "$(count instant power_sample)" '^[1-9]'

on_gpus usage SIMGPU_NVML_UNSUPPORTED=nvmlDeviceGetSamples,nvmlDeviceGetFieldValues -- sleep 0.3
degraded "neither samples nor fields" usage \
	"${gpu}0: nvmlDeviceGetSamples: Not Supported; nvmlDeviceGetPowerUsage takes its place"
is "neither samples nor fields: no power of the memory" "$(sensors usage)" \
	"$(sensors two | grep '^0 gpu')"

on_gpus counter-only \
	SIMGPU_NVML_UNSUPPORTED=nvmlDeviceGetSamples,nvmlDeviceGetFieldValues,nvmlDeviceGetPowerUsage \
	-- sleep 0.5
degraded "the counter alone" counter-only \
	"${gpu}0: nvmlDeviceGetSamples: Not Supported; nothing takes its place"
is "the counter alone: it is true within its ticks" "$(truth counter-only 0.3)" ""

on_gpus no-counter SIMGPU_NVML_UNSUPPORTED=nvmlDeviceGetTotalEnergyConsumption -- sleep 0.3
degraded "no counter" no-counter \
	"${gpu}0: nvmlDeviceGetTotalEnergyConsumption: Not Supported; nothing takes its place"
like "no counter: power all the same" "$(reported no-counter "r['balance']['measured_j']")" '^[1-9]'

on_gpus no-memory SIMGPU_NVML_UNSUPPORTED=memory -- true
is "no power of the memory: no such sensor" "$(sensors no-memory)" "$(sensors two | grep '^0 gpu')"
is "no power of the memory: nothing is said" "$(lines_of_ours)" ""

unknown=4294967295
on_gpus no-pipes SIMGPU_NVML_UNSUPPORTED=gpm,edpp -- sleep 0.3
like "no GPM, no EDPp: unknown" "$(events no-pipes | grep -m 1 device_state)" \
	"edpp_limit_mw = $unknown, sm_percent = $unknown, tensor_percent = $unknown, memory_percent = $unknown"
is "no GPM, no EDPp: nothing is said" "$(lines_of_ours)" ""

# A driver that is older than a function: the library has no such symbol.
mkdir old
sed 's/nvmlDeviceGetSamples/nvmlDeviceGotSamples/g; s/ClocksEventReasons/ClocksOtherReasons/g' \
	"$SIMGPU/libnvidia-ml.so.1" >old/libnvidia-ml.so.1
library=$PWD/old
on_gpus old-driver -- sleep 0.3
degraded "an old driver" old-driver \
	"${gpu}0: nvmlDeviceGetSamples: Function Not Found; NVML_FI_DEV_POWER_INSTANT takes its place"
like "an old driver: throttle reasons by their old name" \
	"$(events old-driver | grep -m 1 device_state)" 'throttle_reasons = 4, '
sed -i 's/nvmlDeviceGetUUID/nvmlDeviceGotUUID/g' old/libnvidia-ml.so.1
on_gpus none -- true
refuses "a driver that is too old" 125 'nvml: .*nvmlDeviceGetUUID.*newer driver'
library=$SIMGPU

# --- MIG, a GPU that is lost -------------------------------------------------------------------

on_gpus mig SIMGPU_NVML_MIG=1 -- true
degraded "MIG" mig \
	"${gpu}0: MIG is on; power is that of the whole GPU and cannot be split by MIG instance"

on_gpus lost SIMGPU_NVML_DEVICES=2 SIMGPU_NVML_LOST="$PWD/off-the-bus" -- \
	sh -c 'sleep 0.5; touch off-the-bus; sleep 0.5'
degraded "a GPU off the bus" lost "${gpu}1: GPU is lost; its power is not measured from here on"
on_gpus lost-first SIMGPU_NVML_DEVICES=2 SIMGPU_NVML_LOST="$PWD/off-the-bus" -- sleep 0.3
is "a GPU off the bus: the other is measured" "$(sensors lost-first)" "$(sensors two | grep ^0)"
is "a GPU off the bus: and truly" "$(truth lost-first)" ""

# --- a driver that is slow, or hangs ---------------------------------------------------------------

on_gpus slow SIMGPU_NVML_SLOW="$PWD/slow-now" -- sh -c 'sleep 0.5; touch slow-now; sleep 5'
ok "a slow driver: it is read less often, and the trace says so" at_most \
	$(($(events slow | sed -n 's/.*sensor_def: .* sensor = \([0-9]*\),.*/\1/p' | sort -u |
		wc -l) + 1)) "$(count slow sensor_def)"
is "a slow driver: nothing is lost by that" "$(lost slow)" ""
like "a slow driver: power all the same" "$(reported slow "r['balance']['measured_j']")" '^[1-9]'

# The driver answers again only after the test has seen that the program did not wait for it.
run env LD_LIBRARY_PATH="$library" SIMGPU_NVML_HANG="$PWD/hang-now" timeout 30 \
	"$PWRTRACE" record -o hang --power nvml -- sh -c 'sleep 0.5; touch hang-now'
rm -f hang-now
is "a driver that hangs: exit status" "$status" 0
is "a driver that hangs: one clear line" "$(grep -c 'does not answer' err)" 1
is "a driver that hangs: in the trace" "$(lost hang)" "a sensor does not answer"
is "a driver that hangs: the recording has its end" "$(count hang recording_end)" 1

wait $wedged
status=$?
cp wedged.err err
refuses "a driver that never answers" 125 \
	'^pwrtrace: nvml does not answer, as where its driver hangs; name other sources with --power$'
wait $wedged_list
status=$?
cp wedged-list.err err
refuses "sensors, of a driver that never answers" 1 \
	'^pwrtrace: nvml does not answer, as where its driver hangs; name other sources with --power$'
wait $wedged_watch
status=$?
cp wedged-watch.err err
refuses "sensors --watch, of a driver that never answers" 1 \
	'^pwrtrace: nvml does not answer, as where its driver hangs; name other sources with --power$'
is "a driver that never answers: no directory is left" "$(ls -d wedged 2>/dev/null)" ""

# --- no driver ---------------------------------------------------------------------------------

on_gpus none SIMGPU_NVML_INIT=9 -- true
refuses "a driver that does not answer" 125 '^pwrtrace: nvml: Unknown Error; nvidia-smi'
on_gpus none SIMGPU_NVML_DEVICES=0 -- true
refuses "no GPU" 125 '^pwrtrace: nvml: no GPU'
mkdir none-there
touch none-there/libnvidia-ml.so.1
library=$PWD/none-there
on_gpus none -- true
refuses "no library" 125 '^pwrtrace: nvml: .*libnvidia-ml\.so\.1.*driver'
run env LD_LIBRARY_PATH="$library" "$PWRTRACE" record -o by-default -- true
is "no library, by default: exit status" "$status" 0
is "no library, by default: nothing is said of it" "$(grep -c -i nvml err)" 0

# --- two sensors of one domain -----------------------------------------------------------------

"$BUILD/tests/trace_writer" -n 50000 -o samples
"$BUILD/tests/trace_writer" -n 50000 -e 100 -o both
"$BUILD/tests/trace_writer" -n 50000 -p 0 -e 100 -o counters
joules="round(r['balance']['measured_j'])"
expected=$(reported samples "$joules")
is "samples and a counter: no joule twice" "$(reported both "$joules")" "$expected"
is "a counter without samples: the same" "$(reported counters "$joules")" "$expected"
is "a counter without samples: no gap" "$(reported counters "r['coverage']['power_gap_s'] < 0.001")" True

finish
