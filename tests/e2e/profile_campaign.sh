#!/bin/bash
# pwrtrace profile -- COMMAND: runs from idle are launched again in a program on the simulated GPU,
# whose kernels draw more or less by their number since it was idle.
. "$(dirname "$0")/lib.sh"
. "$ROOT/tests/e2e/lib_simgpu.sh"

export LC_ALL=C.UTF-8 NO_COLOR=1 PWRTRACE_POWER=nvml
export SIMGPU_NVML_LOAD=$SIMGPU_CUDA_TRUTH SIMGPU_NVML_PERIOD_MS=1
export SIMGPU_NVML_NUMBERS=1,1.3,1.2,0.9,0.92,0.95,1,1.05,1.1,1.1,1.2
export SIMGPU_NVML_UNSUPPORTED=nvmlDeviceGetTotalEnergyConsumption
KERNEL='heat<2500000ul, 330ul>'

# campaign OPTION... -- COMMAND...
campaign() {
	rm -rf pwrtrace-profile-* "$SIMGPU_CUDA_TRUTH"
	run "$PWRTRACE" profile --kernel "$KERNEL" --format json -o profile.json "$@"
}

# profiled EXPRESSION: of r, the profile.
profiled() {
	/usr/bin/python3 -c '
import json, sys
r = json.load(open("profile.json"))
p = {each["execution"]: each for each in r["positions"]}
print(eval(sys.argv[1]))' "$1"
}

# stages: the numbers of executions to try, if what is read line by line was said of each.
stages() {
	awk '
		BEGIN { printf "%d", next_number = 4 }
		{
			if ($0 == "is") enough = next_number; else too_few = next_number
			next_number = enough ? int((too_few + enough) / 2) : 2 * next_number
			if (next_number > too_few) printf " %d", next_number
		}
		END { print "" }'
}

campaign --runs 20 --gap 20ms -- "$CLIENTS/cuda_loop" 4
is "a campaign: exit status" "$status" 0
is "it says first how long it takes" \
	"$(grep -c "^pwrtrace: $KERNEL takes 2.50 ms, and a sensor tells its power every 1.00 ms: 20 runs of 4 executions take 610 ms" err)" 1
is "it doubles until the last execution is steady, then bisects" \
	"$(sed -n 's/^pwrtrace: 20 runs of \([0-9]*\) executions take.*/\1/p' err | xargs)" \
	"$(sed -n 's/^pwrtrace: 20 runs of .* and \(is.*\) steady$/\1/p' err | stages)"
like "it says where the traces are" "$(cat err)" 'the traces are in pwrtrace-profile-[0-9]+'
is "the profile is measured, from all runs" \
	"$(profiled 'r["resolution"], r["runs"], r["golden"], p[1]["points"] > 50')" \
	"('measured', 120, 120, True)"
is "its time is steady from the first execution on, its power from the 11th" \
	"$(profiled 'r["sse"]["execution"], r["ssp"]["execution"]')" "(1, 11)"
is "its powers are right, within 2 %" \
	"$(profiled "[n for n, part in enumerate([$SIMGPU_NVML_NUMBERS], 1)
		if abs(p[n]['power_w'] / (100 + 330 * part) - 1) > 0.02]")" "[]"
is "runs are launched from idle, for a random time" \
	"$(reported pwrtrace-profile-*/16 'r["replays"]["executions"] >= 320')" True

campaign --runs 20 -- "$CLIENTS/cuda_loop" 1
is "too few launches: exit status" "$status" 1
like "too few launches: it is said" "$(tail -n 1 err)" \
	'is not launched again: the program launches it fewer than three times; --by-command'

campaign --runs 3 --by-command -- "$CLIENTS/cuda_loop" 4
is "by command: exit status" "$status" 0
is "by command: the program's own runs" "$(profiled 'r["runs"] >= 3')" True
finish
