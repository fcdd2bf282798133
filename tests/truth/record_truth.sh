#!/bin/bash
# record_truth.sh BUILD [KEY=VALUE]... DIR: records a made-up run (tests/truth/truth_settings.h) of the
# simulated GPU into DIR and prints its truth, as truth_writer does without a program, a tracer and
# sensors.  An LTTng session daemon is running.
build=$1
words=("${@:2:$#-2}")

export SIMGPU_TRUTH="${words[*]}"
export PWRTRACE_POWER=nvml
# A counter has no history of samples, so it must be read as often as it ticks.
[[ $SIMGPU_TRUTH != *counter=1* ]] || PWRTRACE_POLL_MS=$(sed 's/.*period_ms=\([0-9]*\).*/\1/' <<<"$SIMGPU_TRUTH")
export PWRTRACE_POLL_MS

exec "$(dirname "$0")/record_virtual.sh" "$build" "${*: -1}" "$build/tests/truth_program"
