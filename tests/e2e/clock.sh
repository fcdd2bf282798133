#!/bin/bash
# Times of a device whose clock drifts, far from any comparison with the host's clock: launches and waits
# bound the error (analyzer/load/waits.h).  In virtual time (tests/truth/record_virtual.sh), in which
# code takes no time, so that all times are known.
. "$(dirname "$0")/lib.sh"
. "$ROOT/tests/e2e/lib_simgpu.sh"

lttng-sessiond --no-kernel --daemonize

# drifts DRIFT_PPM BOUND_NS CONTEXTS [await]: the times of executions are as exact as the report says,
# at most BOUND_NS off, although the only comparison of the clocks says nothing of their rate.
drifts() {
	local name="$1 ppm, $3 contexts${4:+, waits}" executions recorded_ns off_ns bound_ns contradicted
	rm -rf trace "$SIMGPU_CUDA_TRUTH"
	SIMGPU_CUDA_DRIFT_PPM=$1 PWRTRACE_CUDA_TIMING=events "$ROOT/tests/truth/record_virtual.sh" \
		"$BUILD" "$WORK/trace" "$CLIENTS/cuda_clock" "${@:3}" >out 2>&1
	"$PWRTRACE" report --by launch --format json trace >report.json
	read -r executions recorded_ns off_ns bound_ns contradicted < <(events trace |
		/usr/bin/python3 "$ROOT/tests/e2e/clock_truth.py" "$SIMGPU_CUDA_TRUTH" report.json)
	is "$name: executions" "$executions" "$(grep -c ^kernel "$SIMGPU_CUDA_TRUTH")"
	is "$name: comparisons, one for each context" "$(events trace |
		grep -c 'pwrtrace:clock_sync: .* device = 1,')" "$3"
	ok "$name: while recording, times are far off" at_most 200000 "$recorded_ns"
	ok "$name: all are as exact as the report says" at_most "$off_ns" "$bound_ns"
	ok "$name: and closer than comparisons alone can tell" at_most "$bound_ns" "$2"
	is "$name: nothing contradicts it" "$contradicted" 0
}

for ppm in 300 -300; do
	drifts $ppm 200000 1
	drifts $ppm 4000 1 await
	drifts $ppm 4000 3 await
done
finish
