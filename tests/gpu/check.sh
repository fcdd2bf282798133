#!/bin/bash
# Runs programs that use CUDA with and without pwrtrace, on a real GPU, and prints a table of the results.
# Exit status: 0 if all are right.
#
# usage: check.sh [NAME...]        names may be patterns: 'launches*'
#
#   JOBS=N   how many run at the same time (4)
#   OUT=DIR  failures leave what they printed there, and small traces
. "$(dirname "$0")/lib.sh"

LIMIT_S=100      # for one run of a program
ENOUGH_S=340     # cases that have not begun by then fail

# name | how it is recorded | settings | command
#
#   record, preload    by pwrtrace record; by LD_PRELOAD alone
#   alone              no other case runs meanwhile, as its verdicts depend on times, or on room on the device
#   counted            count_records.so counts first what the device does
#   warm               runs once before: compilers of kernels try variants the first time
#   stacks             every execution has a call stack, and their joules are the kernels'
#   no-clock           the program takes CUPTI away, so that times are less exact
#   replayed, refused  some kernel was launched alone, to learn its power; all were refused or left alone
#   alike              sensors of one model have windows that agree, or their readings do not tell
#   utilized           it is known how busy each kernel that matters kept the parts of the GPU
#   within-N           it takes at most so many seconds longer than untraced
#   losses-counted     what was lost must have been counted as such
#   ends-N             its exit status, untraced too, as the shell sees it; else 0
cases() {
	sed '/^#/d; /^$/d' <<-'END'
	torch               | record counted |                             | py/transformer.py train eager graph
	torch-stacks        | record counted stacks |                      | py/transformer.py train eager graph
	torch-preload       | preload counted|                             | py/transformer.py eager
	torch-graph         | record counted | PWRTRACE_GRAPHS=graph       | py/transformer.py graph
	torch-events        | record counted | PWRTRACE_CUDA_TIMING=events | py/transformer.py eager
	torch-compile       | record counted warm |                        | py/transformer.py compile
	torch-profiler      | record no-clock|                             | py/profiler.py
	torch-nvtx          | record         |                             | py/nvtx.py
	torch-layers        | record counted | PWRTRACE_LAYERS=torch       | py/layers.py train infer
	torch-layers-preload | preload counted| PWRTRACE_LAYERS=torch      | py/layers.py train
	torch-layers-graph  | record counted | PWRTRACE_LAYERS=torch       | py/layers.py graph
	torch-layers-generate | record counted | PWRTRACE_LAYERS=torch     | py/layers.py generate
	torch-layers-compile | record counted warm | PWRTRACE_LAYERS=torch | py/layers.py compile
	torch-layers-compiled-step | record counted warm | PWRTRACE_LAYERS=torch | py/layers.py compiled_step
	torch-layers-fsdp   | record counted | PWRTRACE_LAYERS=torch       | py/layers.py fsdp
	torch-layers-parallel | record counted | PWRTRACE_LAYERS=torch     | py/layers.py parallel
	torch-layers-nvtx   | record counted |                             | py/layers.py nvtx
	nvtx                | record counted |                             | nvtx
	torch-loader-fork   | record         |                             | py/loader.py fork
	torch-loader-spawn  | record         |                             | py/loader.py spawn
	torch-two-gpus      | record         |                             | torchrun --nproc-per-node=2 @py/all_reduce.py
	torch-collectives   | record alone   |                             | torchrun --nproc-per-node=2 @py/collectives.py
	torch-loop-two-gpus | record alike   |                             | torchrun --nproc-per-node=2 @py/loop.py
	transformers-serve  | record         | PWRTRACE_LAYERS=transformers | py/serving.py
	torch-generate      | record counted |                             | py/generate.py
	triton              | record         |                             | py/triton_kernel.py
	cupy                | record         |                             | py/cupy_kernel.py
	jax                 | record counted warm |                        | py/jax_loop.py
	example-pytorch     | record counted |                             | examples/pytorch/train.py --steps 5
	example-cuda-matmul | record         |                             | examples/cuda-matmul --steps 5
	launches            | record         |                             | launches
	launches-many       | record         |                             | launches --launches 500000
	launches-shared     | record         |                             | launches-shared
	launches-per-thread | record         |                             | launches-per-thread
	launches-preload    | preload        |                             | launches
	launches-stacks     | record stacks  |                             | launches
	launches-walked     | record stacks  | PWRTRACE_STACKS=launch      | launches
	threads-stacks      | record stacks  | PWRTRACE_CUDA_TIMING=events | threads
	launches-graph      | record         | PWRTRACE_GRAPHS=graph       | launches
	launches-events     | record         | PWRTRACE_CUDA_TIMING=events | launches
	launches-none       | record         | PWRTRACE_CUDA_TIMING=none   | launches
	driver-linked       | record         |                             | driver linked
	driver-dlsym        | record         |                             | driver dlsym
	driver-resolved     | record         |                             | driver resolved
	driver-per-thread   | record         |                             | driver per-thread
	driver-deepbind     | record         |                             | loader deepbind %driver.so linked
	driver-dlmopen      | record         |                             | loader dlmopen %driver.so linked
	driver-events       | record         | PWRTRACE_CUDA_TIMING=events | driver linked
	dlsym-events        | record         | PWRTRACE_CUDA_TIMING=events | driver dlsym
	unload              | record         |                             | driver unload
	unload-events       | record         | PWRTRACE_CUDA_TIMING=events | driver unload
	fills               | record counted |                             | driver fills
	fills-events        | record         | PWRTRACE_CUDA_TIMING=events | driver fills
	copies              | record counted |                             | copies
	copies-events       | record         | PWRTRACE_CUDA_TIMING=events | copies
	graphs              | record counted |                             | graphs
	graphs-preload      | preload counted|                             | graphs
	graphs-graph        | record counted | PWRTRACE_GRAPHS=graph       | graphs
	graphs-events       | record         | PWRTRACE_CUDA_TIMING=events | graphs
	graphs-none         | record         | PWRTRACE_CUDA_TIMING=none   | graphs
	threads             | record         |                             | threads
	threads-events      | record         | PWRTRACE_CUDA_TIMING=events | threads
	waits               | record         |                             | waits
	waits-events        | record         | PWRTRACE_CUDA_TIMING=events | waits
	layers              | record         |                             | layers
	layers-events       | record         | PWRTRACE_CUDA_TIMING=events | layers --graphs 0
	cublas              | record counted |                             | cublas
	two-devices         | record counted      |                             | devices
	counters            | record counted alone utilized | PWRTRACE_COUNTERS=120 | py/train.py --gigabytes 0 --steps 200
	counters-bursts     | record counted alone utilized | PWRTRACE_COUNTERS=1 | py/train.py --gigabytes 0 --steps 700
	replay              | record replayed| PWRTRACE_REPLAY=0.1         | replay
	replay-preload      | preload replayed | PWRTRACE_REPLAY=0.1       | replay
	replay-events       | record replayed| PWRTRACE_REPLAY=0.1 PWRTRACE_CUDA_TIMING=events | replay
	replay-graph        | record replayed| PWRTRACE_REPLAY=0.1         | replay --graph 1
	replay-managed      | record refused | PWRTRACE_REPLAY=0.1         | replay --managed 1
	replay-reached      | record replayed| PWRTRACE_REPLAY=0.1         | replay --reached 1
	replay-threads      | record replayed| PWRTRACE_REPLAY=0.1         | threads
	replay-graphs       | record         | PWRTRACE_REPLAY=0.1         | graphs
	replay-large        | record alone replayed within-30 | PWRTRACE_REPLAY=0.1 PWRTRACE_REPLAY_BUDGET=20 | replay --gigabytes 30
	replay-large-host   | record alone replayed within-30 | PWRTRACE_REPLAY=0.1 PWRTRACE_REPLAY_BUDGET=20 | replay --gigabytes 30 --pinned 1 --launches 150 --pause-ms 100
	replay-train        | record replayed counted within-120 | PWRTRACE_REPLAY=0.2 | py/train.py --gigabytes 30
	replay-numerics     | record replayed counted within-60 | PWRTRACE_REPLAY=0.05 | py/numerics.py --steps 40
	replay-torch        | record replayed| PWRTRACE_REPLAY=0.05        | py/transformer.py train eager
	replay-torch-graph  | record replayed| PWRTRACE_REPLAY=0.05        | py/transformer.py graph
	replay-generate     | record counted within-90 | PWRTRACE_REPLAY=0.1 | py/generate.py
	fork                | record         |                             | processes fork
	fork-preload        | preload        |                             | processes fork
	fork-idle           | record         |                             | processes fork-idle
	fork-idle-events    | record         | PWRTRACE_CUDA_TIMING=events | processes fork-idle
	spawn               | record         |                             | processes spawn
	vfork               | record         |                             | processes vfork
	vfork-preload       | preload        |                             | processes vfork
	end-exit            | record ends-3  |                             | launches --end exit
	end-_exit           | record ends-4  |                             | launches --end _exit
	end-quick_exit      | record ends-5  |                             | launches --end quick_exit
	end-abort           | record ends-134|                             | launches --end abort
	end-sigterm         | record ends-143|                             | launches --end sigterm
	end-exec            | record         |                             | launches --end exec
	end-atexit          | record         |                             | launches --end atexit
	end-_exit-preload   | preload ends-4 |                             | launches --end _exit
	end-sigterm-preload | preload ends-143|                             | launches --end sigterm
	end-exec-preload    | preload        |                             | launches --end exec
	reset               | record         |                             | launches --reset 1
	reset-events        | record losses-counted | PWRTRACE_CUDA_TIMING=events | launches --reset 1
	cupti-before        | record no-clock|                             | profiled before
	cupti-after         | record no-clock|                             | profiled after
	cupti-activity      | record no-clock|                             | profiled activity
	END
}

# --- one case, in a folder of its own ------------------------------------------------------------

# run NAME COMMAND...: leaves NAME.out, NAME.err, NAME.status and NAME.seconds.  The traced run may take as much
# longer as the case's within-N says, in check's $how.
run() {
	local begin=$SECONDS limit_s=$LIMIT_S
	[[ $1 = traced && $how =~ within-([0-9]+) ]] && limit_s=$((LIMIT_S + BASH_REMATCH[1]))
	timeout -k 5 $limit_s "${@:2}" >"$1.out" 2>"$1.err" </dev/null
	echo $? >"$1.status"
	echo $((SECONDS - begin)) >"$1.seconds"
}

# setting NAME DEFAULT SETTINGS: the value that the settings give to PWRTRACE_NAME.
setting() {
	local value=${3##*PWRTRACE_"$1"=}
	[ "$value" != "$3" ] && echo "${value%% *}" || echo "$2"
}

# differences HOW SETTINGS: prints a line for each difference between the recording and what must hold.
differences() {
	local arguments=()
	local expected=0 run longer
	[[ $1 =~ ends-([0-9]+) ]] && expected=${BASH_REMATCH[1]}
	for run in plain traced; do
		[ "$(cat $run.status)" = "$expected" ] ||
			echo "$run exit status $(cat $run.status), expected $expected"
	done
	cmp -s plain.out traced.out || echo "stdout differs: $(diff plain.out traced.out | sed -n 2p)"
	longer=$(($(cat traced.seconds) - $(cat plain.seconds)))
	[[ $1 =~ within-([0-9]+) && $longer -gt ${BASH_REMATCH[1]} ]] &&
		echo "it takes $longer s longer, ${BASH_REMATCH[1]} at most expected"
	[[ $1 = *counted* ]] && arguments+=(--counted count)
	[[ $1 = *no-clock* ]] && arguments+=(--no-clock)
	[[ $1 = *stacks* ]] && arguments+=(--stacks)
	[[ $1 = *replayed* ]] && arguments+=(--replayed)
	[[ $1 = *alike* ]] && arguments+=(--alike)
	[[ $1 = *utilized* ]] && arguments+=(--utilized)
	[[ $1 = *refused* ]] && arguments+=(--refused)
	[[ $1 = *losses-counted* ]] && arguments+=(--losses-counted)
	python3 "$HERE/judge.py" "$PWRTRACE" trace traced.out "${arguments[@]}" \
		--timing "$(setting CUDA_TIMING cupti "$2")" \
		--graphs "$(setting GRAPHS node "$2")" 2>judge.err
	[ -s judge.err ] && echo "the recording cannot be judged: $(tail -1 judge.err)"
}

# result VERDICT [REASON]
result() { printf '%s\n' "$1" "$SECONDS" "${2-}" >result; }

# check HOW SETTINGS COMMAND...
check() {
	local how=$1 settings=() why
	read -ra settings <<<"$2"
	command_of "${@:3}"
	SECONDS=0
	if [ ! -e "${COMMAND[0]}" ] && [[ ${COMMAND[0]} = */* ]]; then
		result FAIL "${COMMAND[0]##*/} could not be built here"
		return
	fi
	[[ $how = *warm* ]] && run warm "${COMMAND[@]}"
	if [[ $how = *counted* ]]; then
		run plain env CUDA_INJECTION64_PATH="$COUNTER" COUNT_RECORDS="$PWD/count" "${COMMAND[@]}"
	else
		run plain "${COMMAND[@]}"
	fi
	# A launcher may replace the exit status of a client that skips itself by its own.
	why=$(sed -n 's/^skipped: //p' plain.out; sed -n 's/^ModuleNotFoundError: //p' plain.err)
	if [ "$(cat plain.status)" != 0 ] && [ -n "$why" ]; then
		result skip "${why%%$'\n'*}"
		return
	fi
	if [[ $how = *preload* ]]; then
		run traced env "${settings[@]}" LD_PRELOAD="$SHIM" PWRTRACE_OUTPUT="$PWD/trace" "${COMMAND[@]}"
		finished trace
	else
		run traced env "${settings[@]}" "$PWRTRACE" record -o trace -- "${COMMAND[@]}"
	fi
	why=$(differences "$how" "$2" | paste -sd';')
	if [ -z "$why" ]; then
		result pass
	else
		result FAIL "$why"
	fi
}

# --- all of them ---------------------------------------------------------------------------------

# keep NAME: what a failed case leaves in $OUT.
keep() {
	local file
	{
		echo "=== $1"
		for file in result warm.err plain.status plain.out plain.err traced.status traced.out \
			traced.err judge.err check.err; do
			[ -s "$file" ] && echo "--- $file" && tail -n 60 "$file"
		done
		[ -d trace ] && echo "--- info" && "$PWRTRACE" info trace 2>&1
	} >>"$OUT/failures.log"
	[ "$(du -sm trace 2>/dev/null | cut -f1)" -gt 2 ] 2>/dev/null || failed_small+=("$1/trace")
}

wanted() {
	local name=$1 pattern
	shift
	[ $# = 0 ] && return
	# shellcheck disable=SC2053 # patterns are meant
	for pattern; do [[ $name = $pattern ]] && return; done
	return 1
}

words() { xargs <<<"$1"; }

names=()
running=0
build_programs || echo "not all programs could be built: $(grep -m 1 -i error "$WORK/build.log")"
mapfile -t rows <<<"$(cases)"
for row in "${rows[@]}"; do
	IFS='|' read -r name how settings command <<<"$row"
	name=$(words "$name")
	wanted "$name" "$@" || continue
	names+=("$name")
	mkdir "$WORK/$name"
	if [[ $how = *alone* ]]; then
		wait
		running=0
	elif [ $running -ge "${JOBS:-4}" ]; then
		wait -n
		running=$((running - 1))
	fi
	if [ $SECONDS -ge $ENOUGH_S ]; then
		printf 'FAIL\n0\nno time was left\n' >"$WORK/$name/result"
		continue
	fi
	# shellcheck disable=SC2086 # the command is words
	(cd "$WORK/$name" && check "$(words "$how")" "$(words "$settings")" $command) 2>"$WORK/$name/check.err" &
	if [[ $how = *alone* ]]; then
		wait
	else
		running=$((running + 1))
	fi
done
wait
[ ${#names[@]} -gt 0 ] || { echo "check.sh: no case is called $*" >&2; exit 2; }

failed_small=()
declare -A count=([pass]=0 [FAIL]=0 [skip]=0)
printf '%-20s %-4s %4s  %s\n' case "" s why
for name in "${names[@]}"; do
	verdict=FAIL seconds=0 why="it left no result"
	{ read -r verdict; read -r seconds; read -r why; } <"$WORK/$name/result"
	printf '%-20s %-4s %4d  %s\n' "$name" "$verdict" "$seconds" "${why:0:300}"
	count[$verdict]=$((count[$verdict] + 1))
	[ "$verdict" = FAIL ] && [ -n "${OUT-}" ] && cd "$WORK/$name" && keep "$name"
done
[ ${#failed_small[@]} = 0 ] || tar -C "$WORK" -czf "$OUT/failures.tgz" "${failed_small[@]}" 2>/dev/null
echo "${count[pass]} passed, ${count[FAIL]} failed, ${count[skip]} skipped on $GPUS GPU(s) in $SECONDS s"
[ "${count[FAIL]}" = 0 ]
