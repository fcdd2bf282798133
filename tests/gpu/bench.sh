#!/bin/bash
# Prints what pwrtrace costs on a real GPU and how exact it is, with the limits that must hold.  Variants
# that are compared run in turns, back and forth: A B C C B A, and are judged by the differences of pairs,
# with the 95 % interval of their mean: "ok" and "NO" where all of it is within or beyond the limit, else
# "open", as more rounds would tell.
#
# usage: bench.sh [launches] [torch] [profiler] [energy] [mix] [sensors]        default: all of these
#        bench.sh mixes | replays | caches
#
#   ROUNDS=N   how many times back and forth, two pairs each (launches 3, torch and profiler 2)
#   MIXES=...  the mixes that are recorded, SEED-EMPHASIS of py/mix.py
#   AGAIN=...  those of them that are recorded a second time (1-balanced 2-compute)
#   WAYS=...   what torch times, of py/step_times.py (train eager train-small graph-small generate), or
#              which programs are replayed (train generate)
#   OUT=DIR    where the samples and the last recordings are kept
#   SECONDS_MAX=N  after so many seconds nothing more is begun, and what there is so far is judged; a run
#              of launches, torch or profiler that has begun takes 90 s at most
#
# launches, torch and profiler print their rows after every round; those after the last one count.
#
# On an H200 a round of launches takes 40 to 55 s; estimates by the samples of cupti_floor.py on an H100: of torch
# 480 s (380 s with WAYS="train-small generate"), of profiler 35 s; energy 45 s and mix 100 s, as their loads
# last so long; sensors as long as a calibration; replays of train 460 s and of generate 620 s, and 150 and
# 240 s less if the second replay is not begun within SECONDS_MAX; caches 285 s with OUT.  Most of a round of
# torch is the import of PyTorch and transformers, in each of its sixteen or more processes.
. "$(dirname "$0")/lib.sh"

BUSY_S=30   # of the load over which energies are compared
failed=0
open=0
samples=$WORK/samples
mkdir "$samples"
cd "$WORK" || exit 1

# --- the table -----------------------------------------------------------------------------------

row() { printf '%-48s | %-54s | %-12s | %s\n' "$@"; }
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

# median NAME UNIT: of the samples of plain.
median() {
	grep -s '[0-9]' "$samples/$1.plain" | sort -g |
		awk -v unit="$2" '{ value[NR] = $1 } END { print NR ? value[int((NR + 1) / 2)] " " unit : "no figure" }'
}

# added WHAT NAME VARIANT UNIT [LIMIT [BASE]]: what a variant adds to plain; the limit is of what it adds to
# BASE, plain or cupti.
added() {
	local measured verdict limit=${5-} must="" files=("$samples/$2.plain" "$samples/$2.$3")
	[ -z "$limit" ] || must="<= +$limit $4"
	if [ "${6-}" = cupti ]; then
		files+=("$samples/$2.cupti")
		must="CUPTI +$limit $4"
	fi
	IFS='|' read -r measured verdict < <("$HERE/paired.py" "$4" "$limit" "${files[@]}")
	case $limit/$verdict in
	/* | */ok) ;;
	*/open*) open=$((open + 1)) ;;
	*)
		verdict=NO
		failed=$((failed + 1))
		;;
	esac
	row "$1" "${measured:-no figure}" "$must" "$verdict"
}

# --- running -------------------------------------------------------------------------------------

lost=0
clock_error_ns=0
limit_s=90   # of a run
replay_s=0.5 # of each class of kernels that is replayed

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

# run VARIANT COMMAND...: runs a command in one variant, with its output in the file out.  Sets ran_s to how many
# seconds that took, if it was recorded.
run() {
	local settings=() begin_s=$SECONDS status=0
	case $1 in
	plain) timeout $limit_s "${@:2}" >out 2>err ;;
	attached) timeout $limit_s env PWRTRACE_OUTPUT=none LD_PRELOAD="$SHIM" "${@:2}" >out 2>err ;;
	cupti)
		# Buffers are kept, as pwrtrace keeps them: the cheapest of cupti_floor.py.
		timeout $limit_s env COUNT_RECORDS=count CUPTI_SETUP=spare-buffers=8 \
			CUDA_INJECTION64_PATH="$PROGRAMS/count_records.so" "${@:2}" >out 2>err
		;;
	profiler) timeout $limit_s "$2" "$3" --profiler "${@:4}" >out 2>err ;;
	*)
		[ "$1" = graph ] && settings+=(PWRTRACE_GRAPHS=graph)
		[ "$1" = replayed ] && settings+=(PWRTRACE_REPLAY=$replay_s)
		[ "$1" = layers ] && settings+=(PWRTRACE_LAYERS=torch)
		rm -rf trace
		timeout $limit_s env "${settings[@]}" "$PWRTRACE" record -o trace -- "${@:2}" >out 2>err || status=$?
		ran_s=$((SECONDS - begin_s))
		account trace
		(exit $status)
		;;
	esac || { echo "$1: ${*:2}: exit status $?"; tail -3 err; } >&2
}

# sample VARIANT NAME...: the numbers NAME=NUMBER of the last run, a line of each run, with - for none.
sample() {
	local name number
	for name in "${@:2}"; do
		number=$(sed -n "s/^$name=\([0-9.]*\).*/\1/p" out)
		echo "${number:--}" >>"$samples/$name.$1"
	done
}

time_is_up() { [ -n "${SECONDS_MAX-}" ] && [ $SECONDS -ge "$SECONDS_MAX" ]; }

# in_rounds N PART: calls PART_round N times, and PART_rows after each; the last rows count.
in_rounds() {
	local round rounds=${ROUNDS:-$1} failed_before=$failed open_before=$open
	for ((round = 1; round <= rounds; round++)); do
		"$2_round"
		[ "$rounds" = 1 ] || echo "-- $2, round $round of $rounds, after $SECONDS s"
		failed=$failed_before
		open=$open_before
		"$2_rows"
		! time_is_up || break
	done
}

# sample_own: how much of a launch the last run, a recorded one, spent in pwrtrace's libraries and in reading
# the clock, which a program without them does next to never.
sample_own() {
	awk -v launch_ns="$(sed -n 's/^launch_ns=//p' out)" '
		$1 ~ /libpwrtrace|linux-vdso/ { own++ }
		END { print NR && launch_ns ? own / NR * launch_ns : "-" }' where >>"$samples/own_ns.recorded"
	echo 0 >>"$samples/own_ns.plain"
}

launches_round() {
	local variant i
	for variant in plain attached cupti recorded recorded cupti attached plain; do
		! time_is_up || break
		run $variant "$PROGRAMS/empty_launches"
		sample $variant launch_ns
	done
	# More runs than above, as the figure of one varies by a tenth.
	for i in {1..6}; do
		! time_is_up || break
		run recorded "$PROGRAMS/empty_launches" --samples where
		sample_own
	done
}

launches_rows() {
	note "empty launch, without pwrtrace" "$(median launch_ns ns)"
	added "empty launch: adds" launch_ns recorded ns 100 cupti
	added "empty launch, of that in our code, by sampling" own_ns recorded ns 100
	added "empty launch, LD_PRELOAD without recording: adds" launch_ns attached % 1
}

launches() { in_rounds 3 launches; }

# Programs that keep the GPU busy, and programs that make it wait for launches.
read -ra all_ways <<<"${WAYS:-train eager train-small graph-small generate}"
read -ra ways_of_modules <<<"${all_ways[*]/graph*/}"

torch_round() {
	local variant ways way
	for variant in plain node cupti graph graph cupti node plain; do
		! time_is_up || break
		ways=("${all_ways[@]}")
		if [ $variant = graph ]; then
			[[ " ${ways[*]} " = *" graph-small "* ]] || continue
			ways=(graph-small)
		fi
		run $variant python3 "$HERE/py/step_times.py" "${ways[@]}"
		sample $variant "${ways[@]}"
	done
	for variant in cupti node layers layers node cupti; do
		! time_is_up || break
		ways=("${all_ways[@]}")
		[ $variant != layers ] || ways=("${ways_of_modules[@]}")
		run $variant python3 "$HERE/py/step_times.py" --samples "$PROGRAMS/libthread_samples.so" "${ways[@]}"
		for way in "${ways[@]}"; do
			sample_share "${variant/cupti/plain}" "$way"
		done
	done
	for variant in layers layers; do
		! time_is_up || break
		run $variant python3 "$HERE/py/step_times.py" --layers "${ways_of_modules[@]}"
		for way in "${ways_of_modules[@]}"; do
			sample_differences $variant "${way}_layers"
		done
	done
}

# sample_differences VARIANT NAME: the differences NAME=NUMBER, of which a run prints many.
sample_differences() {
	local difference
	for difference in $(sed -n "s/^$2=//p" out | grep . || echo -); do
		echo "$difference" >>"$samples/$2.$1"
		echo 0 >>"$samples/$2.plain"
	done
}

# sample_share VARIANT WAY: the percentage of a step that its threads spent in pwrtrace's libraries.
sample_share() {
	sed -n "s/^$2=//p; s/^${2}_own=//p" out |
		awk '{ value[NR] = $1 } END { print NR == 2 ? 100 * value[2] / value[1] : "-" }' >>"$samples/own_$2.$1"
}

# With layers of modules at most 4 points above CUPTI: two are what launches may take.  Sampling tells what is
# spent in our code; turns, which vary by more, what that costs the program besides.
torch_rows() {
	local way
	for way in "${all_ways[@]}"; do
		note "$way, without pwrtrace" "$(median "$way" ms)"
		added "$way: adds" "$way" node % 2 cupti
		added "$way, threads that launch in our code, by sampling" "own_$way" node "% of a step" 2
		if [[ $way != graph* ]]; then
			added "$way, --layers torch, our code, by sampling" "own_$way" layers "% of a step" 4
			added "$way, --layers torch, steps with and without in turns" "${way}_layers" layers "% of a step" 2
		fi
		[ "$way" != graph-small ] || added "$way, PWRTRACE_GRAPHS=graph: adds" "$way" graph % 2
	done
}

torch() { in_rounds 2 torch; }

# For comparison, what a program's own profiler costs.
profiler_round() {
	local variant
	for variant in plain profiler profiler plain; do
		! time_is_up || break
		run $variant python3 "$HERE/py/step_times.py" train
		sample $variant train
	done
}

profiler_rows() { added "train, by torch.profiler: adds" train profiler %; }

profiler() {
	local samples=$samples/profiler
	mkdir "$samples"
	in_rounds 2 profiler
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

MIXES=${MIXES:-1-balanced 2-compute 3-memory 4-short}
AGAIN=${AGAIN:-1-balanced 2-compute}

# record_mixes GPU PREFIX MIX...: records mixes that differ by chance or by what most of the time goes on, each
# in a folder PREFIX-SEED-EMPHASIS.
record_mixes() {
	local which name
	for which in "${@:3}"; do
		name=$2-$which
		CUDA_VISIBLE_DEVICES=$1 timeout $limit_s "$PWRTRACE" record -o "$name" -- \
			python3 "$HERE/py/mix.py" mixed $BUSY_S "${which%-*}" "${which#*-}" >"out-$1" 2>"err-$1" ||
			tail -3 "err-$1" >&2
		[ -z "${OUT-}" ] || tar -cJf "$OUT/mix-$name.tar.xz" "$name"
	done
}

# Whether two recordings of a mix say the same of its kernels; after mixes, of which some are recorded again.
again() {
	local of names
	read -ra names < <(printf '0-%s ' $AGAIN)
	record_mixes 0 again-0 $AGAIN
	for of in "${names[@]}"; do
		account "again-$of"
		"$PWRTRACE" report --library none --format json "again-$of" >"again-$of.json"
		"$PWRTRACE" report --library "$of.library" --format json "again-$of" >"again-$of-by-$of.json"
	done
	compared again_rows.py "${names[@]}"
}

# Whether a library of one mix tells the powers of the others, on each GPU of the machine and on another.
mixes() {
	local gpu of by names=()
	for ((gpu = 0; gpu < GPUS; gpu++)); do
		record_mixes $gpu $gpu $MIXES &
	done
	wait
	for of in [0-9]-[0-9]-*/; do
		of=${of%/}
		names+=("$of")
		account "$of"
		"$PWRTRACE" report --library none --format json "$of" >"$of.json" &
		"$PWRTRACE" library -o "$of.library" "$of"
	done
	for of in "${names[@]}"; do
		for by in "${names[@]}"; do
			[ "$of" = "$by" ] ||
				"$PWRTRACE" report --library "$by.library" --format json "$of" >"$of-by-$by.json" &
		done
		wait
	done
	compared library_rows.py "${names[@]}"
	again
}

# Whether the kernels of real programs are told apart: by what a run says of itself, by a replay, and in the
# first run by a library of the replay; and whether one more replay says the same.  The first two recordings are
# kept in $OUT.  The longer a program works itself, the better it is known how much less replays draw: both do
# for some ten seconds.  Replays may make a program 120 s longer; with 0.8 s for each class those of the training
# take 110 s.
replays() {
	local program alone_s longer_s again limit_s=300 replay_s=0.8
	local -x PWRTRACE_REPLAY_BUDGET=110
	local -A steps=([train]="--steps 700" [generate]="--times 12")
	for program in ${WAYS:-train generate}; do
		run recorded python3 "$HERE/py/$program.py" ${steps[$program]-}
		alone_s=$ran_s
		"$PWRTRACE" report --library none --format json trace >alone.json
		mv trace alone
		run replayed python3 "$HERE/py/$program.py" ${steps[$program]-}
		longer_s=$((ran_s - alone_s))
		"$PWRTRACE" report --library none --format json trace >replayed.json
		"$PWRTRACE" library -o replayed.library trace
		"$PWRTRACE" report --library replayed.library --format json alone >library.json
		mv trace replayed
		again=()
		if ! time_is_up; then
			run replayed python3 "$HERE/py/$program.py" ${steps[$program]-}
			"$PWRTRACE" report --library none --format json trace >again.json
			again=(again.json)
		fi
		must "$program, replayed: takes longer than recorded by" "$longer_s s" "<= 120 s" "$longer_s <= 120"
		compared replay_rows.py $program {alone,library,replayed}.json "${again[@]}"
		if [ -n "${OUT-}" ]; then
			tar -czf "$OUT/$program-reports.tgz" {alone,library,replayed}.json "${again[@]}" replayed.library
			tar -czf "$OUT/$program-alone.tgz" alone
			tar -czf "$OUT/$program-replayed.tgz" replayed
		fi
		rm -rf alone replayed
	done
}

# Whether replays tell what kernels draw whose data come from the device's cache, and from its memory.
caches() {
	local ring_mb way
	for ring_mb in 0 600; do
		for way in recorded replayed; do
			# With pauses of 150 ms it works for a hundredth of the time: its own readings tell nothing.
			run $way python3 "$HERE/py/caches.py" $ring_mb 15 $([ $way = recorded ] || echo 150)
			"$PWRTRACE" report --library none --format json trace >$way.json
			[ -z "${OUT-}" ] || tar -cJf "$OUT/caches-$ring_mb-$way.tar.xz" trace
		done
		compared cache_rows.py $ring_mb recorded.json replayed.json
	done
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
[ $# -gt 0 ] || parts=(launches torch profiler energy mix sensors)
for part in "${parts[@]}"; do
	if time_is_up; then
		note "$part" "not begun within SECONDS_MAX"
		open=$((open + 1))
	else
		"$part"
	fi
done
must "clock error, the worst of all recordings" "$clock_error_ns ns" "<= 2000 ns" "$clock_error_ns <= 2000"
must "lost events, all recordings" "$lost" "0" "$lost == 0"
if [ -n "${OUT-}" ]; then
	tar -czf "$OUT/samples.tgz" samples
	[ ! -d trace ] || [ "$(du -sm trace | cut -f1)" -gt 30 ] || tar -czf "$OUT/trace.tgz" trace
fi
echo "$failed of these do not hold, $open are open; $SECONDS s on $(nvidia-smi -L | head -1)"
[ $failed = 0 ]
