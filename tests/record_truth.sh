#!/bin/bash
# record_truth.sh BUILD [KEY=VALUE]... DIR: records a made-up run (tests/truth_settings.h) of the
# simulated GPU into DIR and prints its truth, as truth_writer does without a program, a tracer and
# sensors.  An LTTng session daemon is running.  The session is one of the user's own, so that the
# sampler is in the process whose time is virtual (tests/simgpu/virtual_time.c); events wait for room
# in LTTng's buffers, which are emptied in real time.
set -e
build=$1 dir=${*: -1}
words=("${@:2:$#-2}")
simgpu=$build/tests/simgpu
session=truth-$$

export SIMGPU_TRUTH="${words[*]}"
export PWRTRACE_POWER=nvml
# A counter has no history: it is read as often as it ticks.
[[ $SIMGPU_TRUTH != *counter=1* ]] || PWRTRACE_POLL_MS=$(sed 's/.*period_ms=\([0-9]*\).*/\1/' <<<"$SIMGPU_TRUTH")
export PWRTRACE_POLL_MS

lttng -q create "$session" --output="$dir" >/dev/null
trap 'lttng -q destroy "$session"' EXIT
lttng -q enable-channel --userspace --session="$session" --blocking-timeout=inf \
	--subbuf-size=1M --num-subbuf=8 truth
lttng -q enable-event --userspace --session="$session" --channel=truth 'pwrtrace:*'
lttng -q start "$session"
LD_LIBRARY_PATH=$simgpu LD_PRELOAD="$simgpu/libvirtual-time.so $build/lib/libpwrtrace.so" \
	LTTNG_UST_ALLOW_BLOCKING=1 LTTNG_UST_CLOCK_PLUGIN=$simgpu/libreal-clock.so \
	PWRTRACE_LOG=error "$build/tests/truth_program"
