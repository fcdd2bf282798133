#!/bin/bash
# Prints what pwrtrace costs on a real GPU and how exact it is, with the limits that must hold.  Variants
# that are compared run in turns, back and forth: A B C C B A.
#
# usage: bench.sh [launches] [torch] [energy] [mix] [sensors]        default: all
#
#   ROUNDS=N   how many times back and forth (launches 3, torch 2)
#   OUT=DIR    where the samples and the last recordings are kept
. "$(dirname "$0")/lib.sh"

BUSY_S=30   # of the load over which energies are compared
failed=0
samples=$WORK/samples
mkdir "$samples"
cd "$WORK" || exit 1

# --- the table -----------------------------------------------------------------------------------

row() { printf '%-50s | %-38s | %-10s | %s\n' "$@"; }
note() { row "$1" "$2" "" ""; }

# must WHAT MEASURED LIMIT CONDITION: CONDITION is one of awk's, false where something is missing.
must() {
	local verdict=ok
	if [ "$(awk "BEGIN { print ($4) ? 1 : 0 }" 2>/dev/null)" != 1 ]; then
		verdict=NO
		failed=$((failed + 1))
	fi
	row "$1" "$2" "$3" "$verdict"
}

# spread NAME VARIANT HOW: median, least and greatest of what a variant adds to plain, pair by
# pair: "difference", or "percent".
spread() {
	paste "$samples/$1.plain" "$samples/$1.$2" |
		awk -v how="$3" 'NF == 2 { print (how == "percent" ? ($2 / $1 - 1) * 100 : $2 - $1) }' |
		sort -g | awk '{ value[NR] = $1 }
			END {
				if (!NR) exit
				middle = (value[int((NR + 1) / 2)] + value[int(NR / 2) + 1]) / 2
				printf "%.2f %.2f %.2f\n", middle, value[1], value[NR]
			}'
}

median() { sort -g "$1" | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'; }

# added WHAT NAME VARIANT HOW UNIT [LIMIT]
added() {
	local median="" low="" high="" measured="no figure"
	read -r median low high < <(spread "$2" "$3" "$4")
	[ -z "$median" ] || measured=$(printf '%+.2f %s (%+.2f .. %+.2f)' "$median" "$5" "$low" "$high")
	if [ $# = 5 ]; then
		note "$1" "$measured"
	else
		must "$1" "$measured" "<= +$6 $5" "\"$median\" != \"\" && ${median:-1} <= $6"
	fi
}

# --- running -------------------------------------------------------------------------------------

lost=0
clock_error_ns=0

# account TRACE: adds the losses of a trace to their sum, and keeps the greatest clock error of all traces.
account() {
	local more error
	read -r more error < <("$PWRTRACE" report --format json "$1" | python3 -c '
import json, sys
coverage = json.load(sys.stdin)["coverage"]
print(coverage["lost_events"] + coverage["unfinished"], coverage["clock_error_ns"] or 10**9)')
	lost=$((lost + ${more:-1}))
	[ "${error:=1000000000}" -le "$clock_error_ns" ] || clock_error_ns=$error
}

# run VARIANT COMMAND...: runs a command in one variant, with its output in the file out.
run() {
	local settings=()
	case $1 in
	plain) timeout 60 "${@:2}" >out 2>err ;;
	attached) timeout 60 env PWRTRACE_OUTPUT=none LD_PRELOAD="$SHIM" "${@:2}" >out 2>err ;;
	cupti)
		timeout 60 env COUNT_RECORDS=count CUDA_INJECTION64_PATH="$PROGRAMS/count_records.so" \
			"${@:2}" >out 2>err
		;;
	profiler) timeout 60 "$2" "$3" --profiler "${@:4}" >out 2>err ;;
	*)
		[ "$1" = graph ] && settings+=(PWRTRACE_GRAPHS=graph)
		[ "$1" = replayed ] && settings+=(PWRTRACE_REPLAY=0.5)
		[ "$1" = layers ] && settings+=(PWRTRACE_LAYERS=torch)
		rm -rf trace
		timeout 60 env "${settings[@]}" "$PWRTRACE" record -o trace -- "${@:2}" >out 2>err
		account trace
		;;
	esac || { echo "$1: ${*:2}: exit status $?"; tail -3 err; } >&2
}

# sample VARIANT NAME...: the numbers NAME=NUMBER of the last run.
sample() {
	local name
	for name in "${@:2}"; do
		sed -n "s/^$name=\([0-9.]*\).*/\1/p" out >>"$samples/$name.$1"
	done
}

launches() {
	local variant
	for ((round = 0; round < ${ROUNDS:-3}; round++)); do
		for variant in plain attached cupti recorded recorded cupti attached plain; do
			run $variant "$PROGRAMS/empty_launches"
			sample $variant launch_ns
		done
	done
	note "empty launch, without pwrtrace" "$(median "$samples/launch_ns.plain") ns"
	added "empty launch, recorded: adds" launch_ns recorded difference ns 900
	added "empty launch, by CUPTI alone: adds" launch_ns cupti difference ns
	added "empty launch, LD_PRELOAD without recording: adds" launch_ns attached percent % 1
}

# Programs that keep the GPU busy, and programs that make it wait for launches.  For the latter CUPTI
# alone costs more than the limit, so that its cost is printed beside ours.
torch() {
	local variant way ways
	for ((round = 0; round < ${ROUNDS:-2}; round++)); do
		for variant in plain node layers cupti graph profiler profiler graph cupti layers node plain; do
			case $variant in
			graph) ways=(graph-small) ;;
			profiler) ways=(train eager) ;;
			*) ways=(train eager train-small eager-small graph-small) ;;
			esac
			run $variant python3 "$HERE/py/step_times.py" "${ways[@]}"
			sample $variant "${ways[@]}"
		done
	done
	for way in train eager train-small eager-small graph-small; do
		note "transformer, $way, without pwrtrace" "$(median "$samples/$way.plain") ms"
	done
	added "training step: adds" train node percent % 5
	added "training step, --layers torch: adds" train layers percent % 8
	added "training step, by CUPTI alone: adds" train cupti percent %
	added "training step, by torch.profiler: adds" train profiler percent %
	added "eager inference: adds" eager node percent % 5
	added "eager inference, --layers torch: adds" eager layers percent % 8
	added "eager inference, by CUPTI alone: adds" eager cupti percent %
	added "eager inference, by torch.profiler: adds" eager profiler percent %
	added "small training step: adds" train-small node percent %
	added "small training step, --layers torch: adds" train-small layers percent %
	added "small training step, by CUPTI alone: adds" train-small cupti percent %
	added "small eager inference: adds" eager-small node percent %
	added "small eager inference, --layers torch: adds" eager-small layers percent %
	added "small eager inference, by CUPTI alone: adds" eager-small cupti percent %
	added "replayed graph, PWRTRACE_GRAPHS=node: adds" graph-small node percent % 9
	added "replayed graph, by CUPTI alone, node by node: adds" graph-small cupti percent %
	added "replayed graph, PWRTRACE_GRAPHS=graph: adds" graph-small graph percent % 2
}

# cpu_ticks PID: the CPU time that a process has used, in hundredths of a second.
cpu_ticks() { awk '{ print $14 + $15 }' "/proc/$1/stat"; }

is_busy() { grep -q busy out; }

energy() {
	local recorder begin_ns begin_mj end_ns end_mj begin_ticks end_ticks counted_j attributed_j share
	rm -rf trace
	: >out
	"$PWRTRACE" record -o trace -- "$PROGRAMS/cublas" --seconds $((BUSY_S + 5)) >out 2>err &
	recorder=$!
	for ((tries = 0; tries < 300; tries++)); do
		is_busy && break
		sleep 0.1
	done
	sleep 2
	read -r begin_ns begin_mj < <("$HERE/energy_counter.py")
	begin_ticks=$(cpu_ticks $recorder)
	sleep $BUSY_S
	read -r end_ns end_mj < <("$HERE/energy_counter.py")
	end_ticks=$(cpu_ticks $recorder)
	wait $recorder
	account trace
	attributed_j=$("$PWRTRACE" report --by launch --format json trace |
		"$HERE/energy_between.py" "$begin_ns" "$end_ns")
	counted_j=$(awk "BEGIN { print ($end_mj - $begin_mj) / 1000 }")
	share=$(awk "BEGIN { print ($attributed_j / $counted_j - 1) * 100 }")
	note "energy of $BUSY_S s of matrix products, by the counter" "$counted_j J"
	must "energy attributed to them, against the counter" "$(printf '%+.2f %%' "$share")" "within 1 %" \
		"$counted_j > 0 && $share <= 1 && $share >= -1"
	share=$(awk "BEGIN { print ($end_ticks - $begin_ticks) * 1e9 / ($end_ns - $begin_ns) }")
	must "CPU of the sampler, of one core" "$(printf '%.2f %%' "$share")" "<= 2 %" "$share <= 2"
}

# compared SCRIPT [ARGUMENT...]: adds the rows that a script prints, WHAT|MEASURED|LIMIT|CONDITION.
compared() {
	local what measured limit condition
	while IFS='|' read -r what measured limit condition; do
		if [ -n "$limit" ]; then
			must "$what" "$measured" "$limit" "$condition"
		else
			row "$what" "$measured" "" "$condition"
		fi
	done < <("$HERE/$1" "${@:2}")
}

# Compares kernels in a mix with the same kernels alone, and with a mix in which they were replayed.
mix() {
	local way
	for way in alone mixed replayed; do
		run $way python3 "$HERE/py/mix.py" ${way/replayed/mixed} $BUSY_S
		"$PWRTRACE" report --format json trace >$way.json
		[ -z "${OUT-}" ] || tar -czf "$OUT/mix-$way.tgz" trace
	done
	compared mix_rows.py alone.json mixed.json replayed.json
}

sensors() {
	rm -rf trace
	XDG_CONFIG_HOME=$WORK/config "$PWRTRACE" sensors --calibrate --power nvml --api cuda --device 0 \
		-o trace --json >sensors.json 2>err || head -3 err >&2
	account trace
	compared answers.py <sensors.json
}

build_programs || grep -m 3 -i error "$WORK/build.log" >&2
row what measured must ok
parts=("$@")
[ $# -gt 0 ] || parts=(launches torch energy mix sensors)
for part in "${parts[@]}"; do "$part"; done
must "clock error, the worst of all recordings" "$clock_error_ns ns" "<= 2000 ns" "$clock_error_ns <= 2000"
must "lost events, all recordings" "$lost" "0" "$lost == 0"
if [ -n "${OUT-}" ]; then
	tar -czf "$OUT/samples.tgz" samples
	[ "$(du -sm trace 2>/dev/null | cut -f1)" -gt 30 ] || tar -czf "$OUT/trace.tgz" trace
fi
echo "$failed of these do not hold; $SECONDS s on $(nvidia-smi -L | head -1)"
[ $failed = 0 ]
