# What the tests of simulated GPUs share (tests/simgpu/cuda_sim.h); after lib.sh.

SIMGPU=$BUILD/tests/simgpu
export LD_LIBRARY_PATH=$SIMGPU SIMGPU_CUDA_TRUTH=$WORK/truth PWRTRACE_POWER=model

# on_gpu [VARIABLE=VALUE]... -- PROGRAM ARGUMENT...: records a program on simulated GPUs into the trace
# `trace`, and what the GPUs did into a new file of truth.
on_gpu() {
	local settings=()
	while [ "$1" != -- ]; do
		settings+=("$1")
		shift
	done
	rm -rf trace "$SIMGPU_CUDA_TRUTH"
	run env "${settings[@]}" "$PWRTRACE" record -o trace -- "$CLIENTS/$2" "${@:3}"
}

# truth [MODE]: prints where the trace differs from what the GPUs did; nothing if it does not.
truth() {
	events trace | /usr/bin/python3 "$ROOT/tests/e2e/cuda_truth.py" "$SIMGPU_CUDA_TRUTH" "$@" 2>&1
}

# is_true NAME [MODE]: the trace has all executions of the GPUs, nothing else, and the right times.
is_true() {
	local kernels
	[ "${2:-nodes}" = nodes ] || kernels=$(printed direct)
	has_launches "$1" trace "${kernels:-$(printed kernels)}"
	is "$1: the trace is true" "$(truth "${@:2}")" ""
}

# The lines that pwrtrace printed, except the last one, which says where the trace is.
said() { sed -n '/^pwrtrace: recorded to /d; s/^pwrtrace: //p' err; }

says_nothing() {
	is "$1: exit status" "$status" 0
	is "$1: nothing is said but where the trace is" "$(wc -l <err; said)" 1
}

# Sorted, because the lines of processes that run at the same time come in any order.
without_pids() { sed 's/ pid=[0-9]*//' "$1" | sort; }

# unseen NAME PROGRAM ARGUMENT...: the output and status of the last run are those without pwrtrace.
unseen() {
	local name=$1 recorded_status=$status
	without_pids out >recorded
	grep -v '^pwrtrace: ' err >recorded.err
	run env "PATH=$CLIENTS:$PATH" "${@:2}"
	is "$name: the exit status is the program's" "$recorded_status" "$status"
	ok "$name: stdout is the program's" diff <(without_pids out) recorded
	ok "$name: stderr is the program's, but for our lines" diff err recorded.err
}

# memory_kinds: the numbers of copies and fills of each kind in the trace, in the form in which the
# program prints them.
memory_kinds() {
	events trace | sed -n 's/.* pwrtrace:memory_exec: .* kind = "\([a-z]*\)".*/\1/p' | sort | uniq -c |
		awk '{ print $2, $1 }'
}
printed_kinds() {
	local word
	for word in copies:copy fills:fill migrates:migrate reads:read writes:write; do
		[ "$(printed "${word%:*}")" = 0 ] || echo "${word#*:} $(printed "${word%:*}")"
	done
}

# The parts of the graphs that were launched, by kernel class.
parts() {
	events trace | sed -n 's/.* pwrtrace:graph_part: .* graph = \([0-9]*\), .* count = \([0-9]*\), bytes = \([0-9]*\), kind = "\([a-z]*\)".*/\1 \2 \4 \3/p' |
		sed 's/ 18446744073709551615$//' | sort
}

# between_marks LOG: the system calls of the launching thread while it launches, without its waits for
# the lock of the simulated runtime, which the collector takes when it polls events.
between_marks() {
	awk '/getpgid\(0/ { marks++; thread = $1; next }
		marks == 1 && $1 == thread && !/futex/' "$1"
}
