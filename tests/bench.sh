#!/bin/bash
# Prints what pwrtrace costs: medians of ROUNDS interleaved runs, each with the limit that it must keep.
. "$(dirname "$0")/e2e/lib.sh"

ROUNDS=${ROUNDS:-5}
LAUNCHES=${LAUNCHES:-1000000}
EXECS=200
over=0

median() { sort -g | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'; }

# calculate EXPRESSION: the value of an expression of awk.
calculate() { awk "BEGIN { print $1 }"; }

# figure WHAT VALUE LIMIT UNIT: prints a row of the table, and OVER where the value exceeds the limit.
figure() {
	local verdict=ok
	[ "$(calculate "$2 <= $3")" = 1 ] || verdict=OVER over=$((over + 1))
	printf '%-58s %10.2f  <= %-8s %-6s %s\n' "$1" "$2" "$3" "$4" "$verdict"
}

# note WHAT VALUE UNIT: prints a row that has no limit.
note() { printf '%-58s %10.2f     %-8s %s\n' "$1" "$2" "" "$3"; }

# cpu_ns COMMAND...: CPU time of the launching thread per launch, as cl_many prints it.
cpu_ns() {
	run "$@" "$CLIENTS/cl_many" --launches 100000 --depth "${DEPTH:-0}"
	sed -n 's/.*cpu_ns_per_launch=\([0-9.]*\).*/\1/p' out
}

# seconds COMMAND...: the time that a command takes.
# peak_and_seconds COMMAND...: its greatest resident memory in kB, and its time.
seconds() { /usr/bin/time -q -f %e -o time "$@" >/dev/null 2>&1 && tail -1 time; }
peak_and_seconds() { /usr/bin/time -q -f '%M %e' -o time "$@" >/dev/null 2>&1; tail -1 time; }

launching() {
	for ((i = 0; i < ROUNDS; i++)); do
		cpu_ns env >>plain
		cpu_ns env PWRTRACE_OUTPUT=none LD_PRELOAD="$SHIM" >>attached
		rm -rf trace
		cpu_ns "$PWRTRACE" record -q -o trace -- >>recorded
	done
	local plain attached recorded bytes
	plain=$(median <plain) attached=$(median <attached) recorded=$(median <recorded)
	bytes=$(find trace -type f -printf '%s\n' | awk '{ total += $1 } END { print total }')
	note "launching thread's CPU per launch, without pwrtrace" "$plain" ns
	figure "launching thread's CPU per launch, recording: +" \
		"$(calculate "$recorded - $plain")" 300 ns
	figure "launching thread's CPU per launch, PWRTRACE_OUTPUT=none: +" \
		"$(calculate "$attached - $plain")" 20 ns
	figure "trace bytes per launch" "$(calculate "$bytes / $(printed kernels)")" 140 B
	note "lost while recording" "$(sum_lost trace)" events
}

# naming_ns COMMAND...: the cost of naming a layer by our API and by NVTX, as cuda_layer_cost prints it.
naming_ns() {
	run "$@" env LD_LIBRARY_PATH="$BUILD/tests/simgpu" "$CLIENTS/cuda_layer_cost"
	sed -n 's/^api_ns=\([0-9.]*\) nvtx_ns=\([0-9.]*\)$/\1 \2/p' out
}

naming() {
	local source column plain attached recorded
	for ((i = 0; i < ROUNDS; i++)); do
		naming_ns env >>named-plain
		naming_ns env PWRTRACE_OUTPUT=none LD_PRELOAD="$SHIM" >>named-attached
		rm -rf trace
		naming_ns "$PWRTRACE" record -q -o trace -- >>named-recorded
	done
	for source in api nvtx; do
		column=$((${column:-0} + 1))
		plain=$(cut -d' ' -f$column named-plain | median)
		attached=$(cut -d' ' -f$column named-attached | median)
		recorded=$(cut -d' ' -f$column named-recorded | median)
		note "a push or a pop ($source), without pwrtrace" "$plain" ns
		figure "a push or a pop ($source), PWRTRACE_OUTPUT=none" "$attached" \
			"$([ $source = api ] && echo 5 || echo 10)" ns
		figure "a push or a pop ($source), recording" "$recorded" 100 ns
	done
}

# Launches from a call stack of 30 frames, 4 of which are main and what starts it; the ways take turns.
stacks() {
	local way
	for ((i = 0; i < ROUNDS; i++)); do
		for way in none site launch; do
			rm -rf trace
			DEPTH=26 cpu_ns "$PWRTRACE" record -q -o trace --stacks=$way -- >>stacks-$way
		done
	done
	local none site launch
	none=$(median <stacks-none) site=$(median <stacks-site) launch=$(median <stacks-launch)
	figure "call stack at depth 30, --stacks=site: launch / without" \
		"$(calculate "$site / $none")" 1.2 ""
	figure "call stack at depth 30, --stacks=site: +" "$(calculate "$site - $none")" 1000 ns
	figure "call stack at depth 30, --stacks=launch: +" "$(calculate "$launch - $none")" 1000 ns
}

# true_ms COMMAND...: the mean time of /bin/true, run many times by the command.
true_ms() {
	local begin=${EPOCHREALTIME/./} i
	for ((i = 0; i < EXECS; i++)); do "$@" /bin/true; done
	calculate "(${EPOCHREALTIME/./} - $begin) / 1000 / $EXECS"
}

starting() {
	for ((i = 0; i < ROUNDS; i++)); do
		true_ms env >>without
		true_ms env LD_PRELOAD="$SHIM" >>with
		rm -rf trace
		seconds "$PWRTRACE" record -q -o trace -- true >>wall
	done
	figure "/bin/true under LD_PRELOAD: +" \
		"$(calculate "$(median <with) - $(median <without)")" 0.3 ms
	figure "pwrtrace record -- true" "$(median <wall)" 0.5 s
}

reading() {
	for streams in 2 128; do
		"$BUILD/tests/trace_writer" -n "$LAUNCHES" -s $streams -o written-$streams
	done
	"$BUILD/tests/trace_writer" -n "$LAUNCHES" -l 4 -o written-layers
	for ((i = 0; i < ROUNDS; i++)); do
		seconds babeltrace2 written-2 --component sink.utils.dummy >>dummy
		peak_and_seconds "$PWRTRACE" report written-2 >>report-2
		peak_and_seconds "$PWRTRACE" report written-128 >>report-128
		seconds "$PWRTRACE" report --by kernel written-layers >>by-kernel
		seconds "$PWRTRACE" report --by layer written-layers >>by-layer
	done
	local dummy two many
	dummy=$(median <dummy)
	two=$(cut -d' ' -f2 report-2 | median) many=$(cut -d' ' -f2 report-128 | median)
	note "babeltrace2's dummy sink, $LAUNCHES launches, 2 streams" "$dummy" s
	note "report, $LAUNCHES launches, 2 streams" "$two" s
	figure "report / dummy sink" "$(calculate "$two / $dummy")" 1.3 ""
	figure "report's memory" "$(cut -d' ' -f1 report-2 | median | awk '{ print $1 / 1024 }')" 64 MB
	note "report's memory --by launch" "$(peak_and_seconds "$PWRTRACE" report --by launch \
		--format csv written-2 | awk '{ print $1 / 1024 }')" MB
	figure "report --by layer / --by kernel, a layer for 4 launches" \
		"$(calculate "$(median <by-layer) / $(median <by-kernel)")" 1.3 ""
	figure "report, 128 streams / 2 streams" "$(calculate "$many / $two")" 1.5 ""
}

# cpu_seconds COMMAND...: user and system time of a command.
cpu_seconds() { /usr/bin/time -q -f '%U %S' -o time "$@" >/dev/null 2>&1; awk '{ print $1 + $2 }' time; }

# What attribution adds to the time of a report: five million executions of 200 classes in 600 s.
attributing() {
	"$BUILD/tests/truth_writer" scenario=mixed classes=200 seconds=600 shortest_us=17 \
		longest_us=2700 period_ms=20 window_ms=25 lag_ms=2.5 tail_ms=4 jitter_ms=2 many >/dev/null
	for ((i = 0; i < ROUNDS; i++)); do
		cpu_seconds "$PWRTRACE" info many >>info-many
		cpu_seconds "$PWRTRACE" report many >>report-many
	done
	figure "attribution of $(reported many 'r["coverage"]["executions"]') executions, CPU" \
		"$(calculate "$(median <report-many) - $(median <info-many)")" 3 s
	figure "its memory" "$(peak_and_seconds "$PWRTRACE" report many | awk '{ print $1 / 1024 }')" \
		1024 MB
}

# The largest system of equations: as many classes as can have a power of their own, and the readings
# of a counter that ticks every millisecond for 100 s.
many_classes() {
	local mean worst
	"$BUILD/tests/truth_writer" scenario=mixed classes=2000 copies=0 seconds=100 shortest_us=100 \
		period_ms=1 window_ms=1 classes >truth.json
	read -r mean worst < <(errors classes truth.json)
	figure "2000 classes, 100 000 readings: mean error" "$mean" 1 %
	figure "2000 classes, 100 000 readings: worst error" "$worst" 10 %
	note "2000 classes, 100 000 readings: CPU" "$(cpu_seconds "$PWRTRACE" report classes)" s
}

launching
stacks
naming
starting
reading
attributing
many_classes
exit $((over > 0))
