#!/bin/bash
# The HIP path on GPUs of our own making, of which everything is known (tests/simgpu/hip_sim.h).
. "$(dirname "$0")/lib.sh"
. "$ROOT/tests/e2e/lib_simgpu.sh"

# --- ways to the runtime ------------------------------------------------------------------------

ways() {
	for way in name default deepbind resolve old; do
		on_gpu -- hip_ways $way
		says_nothing "$way"
		is_true "$way"
		unseen "$way" hip_ways $way
	done
	rm -rf bare
	bare bare "$CLIENTS/hip_many" 1 1 200
	has_launches "bare" bare 200
}

# --- what is in the trace -----------------------------------------------------------------------

# contents MODE TIMES [VARIABLE=VALUE]
contents() {
	local name="every call, $1${3:+, $3}"
	on_gpu PWRTRACE_HIP_TIMING="$1" "${@:3}" -- hip_all
	says_nothing "$name"
	is_true "$name" "$2"
	is "$name: copies and fills" "$(memory_kinds)" "$(printed_kinds)"
	is "$name: orders and waits" "$(count trace sync)" "$(printed syncs)"
	unseen "$name" env "${@:3}" hip_all
}

threads() {
	on_gpu PWRTRACE_HIP_TIMING="$1" -- hip_many 8 3 500
	says_nothing "8 threads, $1"
	is_true "8 threads, $1" "$2"
	on_gpu PWRTRACE_HIP_TIMING="$1" SIMGPU_CUDA_DEVICES=3 -- hip_many 6 2 200
	says_nothing "three devices, $1"
	is_true "three devices, $1" "$2"
}

graphs() {
	for version in 50200000 60200000; do
		local name="graphs, $1, HIP $version"
		on_gpu PWRTRACE_HIP_TIMING="$1" SIMGPU_HIP_VERSION=$version -- hip_graphs
		says_nothing "$name"
		is_true "$name" "$2"
		is "$name: launches" "$(count trace graph_launch)" "$(printed graphs)"
		is "$name: what they consist of" "$(parts)" "$(printf '%s\n' \
			"1 1 fill 4096" "1 1 kernel" "1 1 kernel" "1 1 write 4096" \
			"2 1 fill 4096" "2 1 kernel" "2 1 kernel" "2 1 write 4096")"
		unseen "$name" hip_graphs
	done
}

# --- the profiler missing or older ---------------------------------------------------------------

profilers() {
	mkdir -p without
	cp "$SIMGPU/libamdhip64.so.6" without
	on_gpu LD_LIBRARY_PATH="$PWD/without" -- hip_many
	is "no profiler: exit status" "$status" 0
	is "no profiler: one line says so" "$(said)" \
		"kernels are timed by HIP events, less exactly: rocprofiler-sdk is not there"
	is_true "no profiler" around
	on_gpu SIMGPU_ROCPROFILER_REFUSES=1 -- hip_many
	is "the profiler refuses: exit status" "$status" 0
	is_true "the profiler refuses" around
	on_gpu SIMGPU_ROCPROFILER_OLD=1 -- hip_graphs
	says_nothing "an older profiler"
	is_true "an older profiler"
}

# What the runtime says of a kernel beside its name.
resources() {
	like "registers of a kernel" "$(events trace | grep -m 1 ' pwrtrace:kernel_def: ')" \
		'registers = 32, api = "hip"'
}

# --- no GPU -------------------------------------------------------------------------------------

no_gpu() {
	run env SIMGPU_CUDA_DEVICES=0 "$CLIENTS/hip_many"
	cp err plain.err && plain=$status
	on_gpu SIMGPU_CUDA_DEVICES=0 -- hip_many
	is "no GPU: exit status" "$status" "$plain"
	is "no GPU: what the program says" "$(grep -v '^pwrtrace: ' err)" "$(cat plain.err)"
	like "no GPU: it is hipErrorNoDevice" "$(cat plain.err)" 'HIP error 100$'
}

ways
for mode in profiler:nodes events:around none:untimed; do
	contents ${mode%:*} ${mode#*:}
	threads ${mode%:*} ${mode#*:}
	graphs ${mode%:*} ${mode#*:}
done
contents events around SIMGPU_HIP_VERSION=50200000
profilers
resources
no_gpu
finish
