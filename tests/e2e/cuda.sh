#!/bin/bash
# The CUDA path on simulated GPUs, of which everything is known (tests/simgpu/cuda_sim.h).
. "$(dirname "$0")/lib.sh"

. "$ROOT/tests/e2e/lib_simgpu.sh"

# --- ways to the driver -------------------------------------------------------------------------

ways() {
	for way in name path deepbind default dlmopen resolve resolve_v2 per_thread; do
		on_gpu -- cuda_ways $way 50
		says_nothing "$way"
		is_true "$way"
	done
	for way in local deepbind dlmopen; do
		on_gpu -- cuda_loader $way "$CLIENTS/cuda_many.so"
		says_nothing "a library, $way"
		is_true "a library, $way"
	done
	for timing in cupti events; do
		on_gpu PWRTRACE_CUDA_TIMING=$timing -- cuda_own
		says_nothing "functions of its own, $timing"
		has_launches "functions of its own, $timing" trace "$(printed kernels)"
		on_gpu PWRTRACE_CUDA_TIMING=$timing "LD_PRELOAD=$CLIENTS/cuda_own.so" -- cuda_many
		says_nothing "another interposer, $timing"
		has_launches "another interposer, $timing" trace "$(printed kernels)"
	done
	for program in cuda_constructor "cuda_loader local $CLIENTS/cuda_constructor.so"; do
		# shellcheck disable=SC2086 # it is several words
		on_gpu -- $program
		says_nothing "a constructor, ${program%% *}"
		is_true "a constructor, ${program%% *}"
	done
	rm -rf bare
	bare bare "$CLIENTS/cuda_loader" local "$CLIENTS/cuda_constructor.so"
	has_launches "a constructor, bare" bare "$(printed kernels)"
	on_gpu -- cuda_cancelled
	says_nothing "the first thread is cancelled"
	is_true "the first thread is cancelled"
	on_gpu -- cuda_many --launches 20000 --streams 4
	says_nothing "many launches"
	is_true "many launches"
	on_gpu -- cuda_many --launches 2000 --streams 3 --threads 8
	says_nothing "8 threads"
	is_true "8 threads"
	on_gpu CUDA_INJECTION64_PATH=/another/tool.so -- cuda_many
	says_nothing "another tool's injection"
	is_true "another tool's injection"
	rm -rf bare
	bare bare "$CLIENTS/cuda_many" --launches 200
	has_launches "bare" bare 200
	for way in name dlmopen; do
		rm -rf trace
		record trace env LD_PRELOAD= "$CLIENTS/cuda_ways" $way 50
		is "LD_PRELOAD taken away, $way: exit status" "$status" 0
		has_launches "LD_PRELOAD taken away, $way" trace "$(printed kernels)"
	done
}

# --- what is in the trace -----------------------------------------------------------------------

# Which wait awaits which record, both counted in the order of the program's calls.
dependencies() {
	events trace | /usr/bin/python3 -c '
import sys
sys.path.insert(0, sys.argv[1])
from trace_events import read_events
events = read_events(sys.stdin)
number, count = {}, {}
for sync in sorted(events["sync"], key=lambda e: e["begin_ns"]):
    kind = "record" if "Record" in sync["name"] else "wait"
    if kind == "record" or "Event" in sync["name"]:
        number[sync["correlation"]] = count[kind] = count.get(kind, 0) + 1
for e in events["dependency"]:
    print("after %d<-%d" % (number[e["correlation"]], number.get(e["after_correlation"], 0)))
' "$ROOT/tests/e2e" | sort
}

contents() {
	on_gpu "$2" -- cuda_all
	says_nothing "every call, $1"
	is_true "every call, $1" "${@:3}"
	is "every call, $1: copies and fills" "$(memory_kinds)" "$(printed_kinds)"
	is "every call, $1: orders and waits" "$(count trace sync)" "$(printed syncs)"
	unseen "every call, $1" cuda_all

	on_gpu "$2" -- cuda_order
	says_nothing "orders, $1"
	if [ "$1" = events ]; then
		is "orders, $1: executions" "$(count trace kernel_exec)" "$(printed kernels)"
		is "orders, $1: fills" "$(count trace memory_exec)" "$(printed fills)"
		is "orders, $1: losses" "$(sum_lost trace)" 0
	else
		is_true "orders, $1" "${@:3}"
	fi
	is "orders, $1: syncs" "$(count trace sync)" "$(printed syncs)"
	is "orders, $1: what awaits what" "$(dependencies)" "$(grep ^after out | sort)"
	unseen "orders, $1" cuda_order
}

# --- layers and graphs --------------------------------------------------------------------------

layers() {
	on_gpu -- cuda_layers
	says_nothing "layers"
	is_true "layers"
	same_as_printed "layers"
	unseen "layers" cuda_layers
}

# graph_classes NAME: the trace has the two graph classes of cuda_graphs, from before and after its update.
graph_classes() {
	is "$1: classes" "$(count trace graph_def)" 2
	is "$1: what they consist of" "$(parts)" "$(printf '%s\n' \
		"1 1 fill 4096" "1 1 kernel" "1 1 kernel" "1 1 kernel" "1 1 write 4096" \
		"2 1 fill 4096" "2 1 kernel" "2 1 kernel" "2 1 kernel" "2 1 write 4096")"
}

graphs() {
	on_gpu -- cuda_graphs
	says_nothing "graphs by node"
	is_true "graphs by node"
	is "graphs by node: launches" "$(count trace graph_launch)" "$(printed graphs)"
	is "graphs by node: copies and fills" "$(memory_kinds)" "$(printed_kinds)"
	graph_classes "graphs by node"
	unseen "graphs by node" cuda_graphs

	on_gpu PWRTRACE_GRAPHS=graph -- cuda_graphs
	says_nothing "graphs as units"
	is_true "graphs as units" graphs
	is "graphs as units: launches" "$(count trace graph_launch)" "$(printed graphs)"
	graph_classes "graphs as units"
	unseen "graphs as units" cuda_graphs
}

# --- ways to time -------------------------------------------------------------------------------

timing() {
	contents events PWRTRACE_CUDA_TIMING=events around
	contents none PWRTRACE_CUDA_TIMING=none untimed
	for mode in events none; do
		local times=around
		[ $mode = none ] && times=untimed
		on_gpu PWRTRACE_CUDA_TIMING=$mode -- cuda_graphs
		says_nothing "graphs, $mode"
		is_true "graphs, $mode" $times
		graph_classes "graphs, $mode"
		unseen "graphs, $mode" cuda_graphs
		on_gpu PWRTRACE_CUDA_TIMING=$mode -- cuda_many --launches 500 --streams 3 --threads 8
		is_true "8 threads, $mode" $times
		on_gpu PWRTRACE_CUDA_TIMING=$mode -- cuda_ways per_thread 50
		is_true "per-thread streams, $mode" $times
		on_gpu PWRTRACE_CUDA_TIMING=$mode -- cuda_all old
		has_launches "every old launch, $mode" trace "$(printed kernels)"
	done
	on_gpu PWRTRACE_CUDA_TIMING=events -- cuda_many --threads 300 --launches 1 --one-by-one
	is_true "300 threads, one by one" around
	is "300 threads, one by one: they have the events of those that have ended" \
		"$(($(printed events) < 30))" 1
	# Where the device is behind, nothing comes between an event and its work.
	on_gpu PWRTRACE_CUDA_TIMING=events -- cuda_many --launches 500 --streams 3 --behind
	is "events of a busy device: the times are exact" \
		"$(truth graphs | grep -v _Z5first)" ""
}

# The times of an older CUPTI are of a clock of its own.
clocks() {
	mkdir -p old
	cp "$SIMGPU/libcuda.so.1" old
	sed 's/cuptiActivityRegisterTimestampCallback/cuptiActivityRegisterTimestampCallbacc/g' \
		"$SIMGPU/libcupti.so.13" >old/libcupti.so.13
	on_gpu LD_LIBRARY_PATH="$PWD/old" -- cuda_many --streams 3
	says_nothing "a clock of CUPTI's own"
	is_true "a clock of CUPTI's own"

	# Records that are early: work that begins before its launch cannot be.
	on_gpu SIMGPU_CUPTI_SKEW_NS=100000 -- cuda_many --launches 10
	says_nothing "a clock that is wrong"
	is "a clock that is wrong: by how much the trace's clock may be" \
		"$(events trace | sed -n 's/.* pwrtrace:clock_sync: .* error_ns = \([0-9]*\),.*/\1/p' |
			sort -g | tail -1 | awk '{ print ($1 > 50000 && $1 <= 100000) }')" 1

	# Records that are late: work that ends after a wait for it cannot be.
	on_gpu SIMGPU_CUPTI_SKEW_NS=-5000000000 -- cuda_many --launches 10
	says_nothing "a clock that is late"
	is "a clock that is late: what cannot be is counted, and the error is as large" \
		"$(reported trace "r['coverage']['clock_contradicted'],
			4e9 < r['coverage']['clock_error_ns'] <= 5e9")" "10 True"
	like "a clock that is late: a line says so" "$("$PWRTRACE" report trace)" \
		'ended after a wait for them, by more than the stated error: 10; it is off by [45]\.[0-9]+ s at least'
}

# --- CUPTI and the driver missing or taken ------------------------------------------------------

by_events() {
	is "$1: exit status" "$status" 0
	like "$1: one line says so" "$(said)" "$2"
	is "$1: and no other" "$(said | wc -l)" 1
	is_true "$1" around
}

missing() {
	on_gpu PWRTRACE_CUPTI=/none -- cuda_many
	by_events "no CUPTI" 'by CUDA events, less exactly: libcupti is not found'
	on_gpu SIMGPU_CUPTI_REFUSES=35 -- cuda_many
	by_events "CUPTI refuses" 'by CUDA events, less exactly: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES'

	LD_LIBRARY_PATH= on_gpu -- cuda_ways name
	cp err recorded.err
	LD_LIBRARY_PATH= run "$CLIENTS/cuda_ways" name
	if [ "$status" = 0 ]; then
		skip "no driver" "a real one is installed"
	else
		is "no driver: what the program says" "$(grep -v ^pwrtrace recorded.err)" "$(cat err)"
		is "no driver: one line of ours" "$(grep -c ^pwrtrace recorded.err)" 1
		LD_LIBRARY_PATH= on_gpu -- cuda_ways name
		is "no driver: exit status" "$status" 1
	fi

	for devices in 0 1; do
		run env SIMGPU_CUDA_DEVICES=$devices "$CLIENTS/cuda_devices"
		cp out plain && cp err plain.err && plain=$status
		on_gpu SIMGPU_CUDA_DEVICES=$devices -- cuda_devices
		is "$devices devices: exit status" "$status" "$plain"
		ok "$devices devices: stdout" diff plain out
		ok "$devices devices: stderr" diff plain.err <(grep -v ^pwrtrace err)
	done
}

taken() {
	for when in before after; do
		on_gpu -- cuda_profiled $when
		is "profiled $when: exit status" "$status" 0
		is "profiled $when: every launch" "$(count trace kernel_exec)" "$(printed kernels)"
		is "profiled $when: nothing is lost" "$(sum_lost trace)" 0
		like "profiled $when: one line says so" "$(said)" 'CUPTI'
		is "profiled $when: and no other" "$(said | wc -l)" 1
		unseen "profiled $when" cuda_profiled $when
	done
	# As PyTorch has its profiler.
	on_gpu -- cuda_loader local "$CLIENTS/cuda_profiled.so" after
	is "profiled by a library: every launch" "$(count trace kernel_exec)" "$(printed kernels)"
	unseen "profiled by a library" cuda_loader local "$CLIENTS/cuda_profiled.so" after
}

# --- devices and energy -------------------------------------------------------------------------

devices() {
	on_gpu SIMGPU_CUDA_DEVICES=2 -- cuda_devices
	says_nothing "two devices"
	is_true "two devices"
	on_gpu SIMGPU_CUDA_DEVICES=4 CUDA_VISIBLE_DEVICES=3,1 -- cuda_devices
	says_nothing "chosen devices"
	is_true "chosen devices"
	on_gpu SIMGPU_CUDA_DEVICES=2 SIMGPU_NVML_DEVICES=2 PWRTRACE_POWER=nvml -- cuda_devices 1
	is "energy of two devices: exit status" "$status" 0
	is_true "energy of two devices"
	# Power comes and goes whatever runs: what was drawn meanwhile is known, what work adds is not.
	"$PWRTRACE" report --method overlap --format json trace >report.json
	is "energy of two devices: it is true, and the balance closes" "$(events trace |
		/usr/bin/python3 "$ROOT/tests/e2e/cuda_energy_truth.py" "$SIMGPU_CUDA_TRUTH" report.json 2>&1)" ""
	is "energy of two devices: in the report" "$(reported trace \
		"sorted(set(row['device'] for row in rows if row['energy_j'] > 100))")" \
		"['Simulated GPU 0', 'Simulated GPU 1']"
}

# --- processes ----------------------------------------------------------------------------------

endings() {
	for way in return exit quick_exit _exit abort thread atexit; do
		on_gpu -- cuda_end $way --finish --launches 200
		has_launches "leaving by $way" trace "$([ $way = atexit ] && echo 400 || echo 200)"
		is "leaving by $way: the trace is true" "$(truth)" ""
		is "leaving by $way: it is no loss" "$(cut_off trace)" 0
		is "leaving by $way: its end is written once" "$(count trace process_end)" 1
		unseen "leaving by $way" cuda_end $way --finish --launches 200
	done
	# Killed, a program leaves what was written before; the rest is missing, and never more.
	for way in kill terminate exec; do
		on_gpu -- cuda_end $way --finish --launches 200
		ok "leaving by $way: the trace can be read" "$PWRTRACE" report trace
		ok "leaving by $way: nothing is there that was not" \
			at_most "$(count trace kernel_exec)" 200
		is "leaving by $way: the report says so" "$(cut_off trace)" 1
		unseen "leaving by $way" cuda_end $way --finish --launches 200
	done
	# Work that nobody waits for.
	for way in return _exit; do
		on_gpu -- cuda_end $way --launches 2000
		is "leaving work behind by $way: every launch is there, unfinished or lost" \
			"$(($(count trace kernel_exec) + $(count trace kernel_launch) + $(sum_lost trace)))" \
			2000
	done
}

ended_processes() {
	events trace | sed -n 's/.* pwrtrace:process_end: .*{ process = \([0-9]*\),.*/\1/p' | sort
}

process_tree() {
	on_gpu PWRTRACE_CUDA_TIMING="$2" -- cuda_fork "$3" 20
	says_nothing "$1"
	is "$1: launches of each process" \
		"$(sed -n 's/.*pid=\([0-9]*\) kernels=\([1-9][0-9]*\)$/\1 \2/p' out | sort)" \
		"$(executions_by_pid trace)"
	is "$1: the trace is true" "$(truth "$4")" ""
	is "$1: nothing is lost" "$(sum_lost trace)" 0
	is "$1: no process ends twice" "$(ended_processes | uniq -d)" ""
	is "$1: every process ends" "$(ended_processes | wc -l)" "$(count trace process)"
	unseen "$1" cuda_fork "$3" 20
}

process_trees() {
	for way in fork exec spawn vfork after; do
		process_tree "children by $way" cupti $way nodes
	done
	for way in fork after; do
		process_tree "children by $way, events" events $way around
	done
	rm -rf trace
	bare trace timeout 60 "$CLIENTS/cuda_fork" opening 20
	is "children while the parent opens: exit status" "$status" 0
	is "children while the parent opens: launches of each process" \
		"$(sed -n 's/.*pid=\([0-9]*\) kernels=\([1-9][0-9]*\)$/\1 \2/p' out | sort)" \
		"$(executions_by_pid trace)"
}

# A forked child closes our socket, but no file of the program's that has its number by now.
own_descriptors() {
	on_gpu -- cuda_descriptors
	is "a file with the number of our socket: exit status" "$status" 0
	is "a file with the number of our socket: a forked child has it" "$(cat out)" "files=1 lacking=0"
}

two_apis() {
	on_gpu -- cuda_opencl
	says_nothing "OpenCL in a child of CUDA"
	has_launches "OpenCL in a child of CUDA" trace 20
	is "OpenCL in a child of CUDA: its fills" "$(count trace memory_exec)" 10
	unseen "OpenCL in a child of CUDA" cuda_opencl
}

# --- what it costs ------------------------------------------------------------------------------

system_calls() {
	local launches=20000

	if ! strace -o /dev/null true 2>/dev/null; then
		skip "no system call per launch" "strace cannot trace here"
		return
	fi
	unset SIMGPU_CUDA_TRUTH
	for mode in cupti events; do
		rm -rf trace
		run env PWRTRACE_CUDA_TIMING=$mode "$PWRTRACE" record -q -o trace -- strace -f -o calls \
			"$CLIENTS/cuda_many" --mark --launches $launches
		is "system calls, $mode: the program ran" "$(printed kernels)" $((2 * launches))
		is "system calls, $mode: both marks are there" "$(grep -c 'getpgid(0' calls)" 2
		# A lock that is taken, a buffer that is new: now and then.
		ok "system calls, $mode: none per launch" \
			at_most "$(between_marks calls | wc -l)" $((launches / 10))
	done
	export SIMGPU_CUDA_TRUTH=$WORK/truth
}

# --- the real runtime ---------------------------------------------------------------------------

# NVIDIA's runtime finds out that the simulated driver is not a real one.  Up to that point, everything
# must be as without pwrtrace.
runtime() {
	local nvcc=${CUDA:-/usr/local/cuda}/bin/nvcc kind

	if [ ! -x "$nvcc" ]; then
		skip "NVIDIA's runtime" "nvcc is not installed"
		return
	fi
	cat >runtime.cu <<-'END'
	#include <cstdio>
	__global__ void kernel() {}
	int main()
	{
		int count = -1;
		cudaError_t error = cudaGetDeviceCount(&count);

		printf("%d devices: %s\n", count, cudaGetErrorName(error));
		kernel<<<1, 1>>>();
		printf("launch: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
		return error != cudaSuccess;
	}
	END
	for kind in static shared; do
		"$nvcc" -cudart $kind -Wno-deprecated-gpu-targets -o runtime-$kind runtime.cu || return
		for path in "$SIMGPU" ''; do
			local name="NVIDIA's runtime, $kind, ${path:+simulated driver}${path:-no driver}"
			name=${name%"$path"}
			path=$path:${nvcc%/bin/nvcc}/lib64
			run env LD_LIBRARY_PATH="$path" ./runtime-$kind
			cp out plain && plain=$status
			rm -rf trace
			run env LD_LIBRARY_PATH="$path" "$PWRTRACE" record -o trace -- ./runtime-$kind
			is "$name: exit status" "$status" "$plain"
			ok "$name: stdout" diff plain out
		done
	done
}

ways
contents cupti PWRTRACE_CUDA_TIMING=cupti
on_gpu -- cuda_all old
is_true "every old launch"
layers
graphs
timing
clocks
missing
taken
devices
endings
process_trees
own_descriptors
two_apis
system_calls
runtime
finish
