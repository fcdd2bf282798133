#!/bin/bash
# The HIP path on simulated GPUs, of which everything is known (tests/simgpu/hip_sim.h).
. "$(dirname "$0")/lib.sh"
. "$ROOT/tests/e2e/lib_simgpu.sh"

# --- ways to the runtime ------------------------------------------------------------------------

ways() {
	for way in name default deepbind resolve old entry per_thread; do
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

# Nodes belong to the layers in which they came to be.
layers() {
	on_gpu -- hip_layers
	says_nothing "layers of graphs' nodes"
	is_true "layers of graphs' nodes"
	same_as_printed "layers of graphs' nodes"
	unseen "layers of graphs' nodes" hip_layers
}

# --- the profiler missing or older ---------------------------------------------------------------

profilers() {
	mkdir -p without
	cp "$SIMGPU/libamdhip64.so.6" without
	on_gpu LD_LIBRARY_PATH="$PWD/without" -- hip_many
	is "no profiler: exit status" "$status" 0
	is "no profiler: one line says so" "$(said)" \
		"kernels are timed by HIP events, less exactly: neither rocprofiler-sdk nor roctracer is there"
	is_true "no profiler" around
	on_gpu SIMGPU_ROCPROFILER_REFUSES=1 -- hip_many
	is "the profiler refuses: exit status" "$status" 0
	is_true "the profiler refuses" around
	mkdir -p roctracer
	cp "$SIMGPU/libamdhip64.so.6" "$SIMGPU/libroctracer64.so.4" roctracer
	for program in "hip_many 4 3 500" hip_all hip_compiled; do
		[ -x "$CLIENTS/${program%% *}" ] || continue
		on_gpu LD_LIBRARY_PATH="$PWD/roctracer" -- $program
		says_nothing "roctracer, $program"
		is "roctracer, $program: copies and fills" "$(memory_kinds)" "$(printed_kinds)"
		# Kernels that one call starts on several devices cannot be told apart by it.
		[ "$program" = hip_all ] || is_true "roctracer, $program"
	done
	on_gpu LD_LIBRARY_PATH="$PWD/roctracer" -- hip_layers
	says_nothing "roctracer, layers of graphs' nodes"
	same_as_printed "roctracer, layers of graphs' nodes"
	on_gpu LD_LIBRARY_PATH="$PWD/roctracer" -- hip_graphs
	says_nothing "roctracer, graphs"
	has_launches "roctracer, graphs" trace "$(printed kernels)"
	is "roctracer, graphs: copies and fills" "$(memory_kinds | sed s/copy/write/ | sort)" "$(printed_kinds)"
	on_gpu SIMGPU_ROCPROFILER_VERSION=400 -- hip_many
	is "a profiler that is too old: exit status" "$status" 0
	is_true "a profiler that is too old" around
	on_gpu SIMGPU_ROCPROFILER_VERSION=600 -- hip_graphs
	says_nothing "an older profiler"
	is_true "an older profiler"
}

# What the runtime says of a kernel beside its name.
resources() {
	like "registers of a kernel" "$(events trace | grep -m 1 ' pwrtrace:kernel_def: ')" \
		'registers = 32, api = "hip"'
}

# --- programs of AMD's compiler ------------------------------------------------------------------

# compiled PROGRAM [ARGUMENT...]: with each way to time.
compiled() {
	local mode
	for mode in profiler:nodes events:around; do
		on_gpu PWRTRACE_HIP_TIMING=${mode%:*} -- "$@"
		says_nothing "$*, ${mode%:*}"
		is_true "$*, ${mode%:*}" ${mode#*:}
		unseen "$*, ${mode%:*}" "$@"
	done
}

compilers() {
	if [ ! -x "$CLIENTS/hip_compiled" ]; then
		skip "programs of AMD's compiler" "hipcc is not installed"
		return
	fi
	compiled hip_compiled
	is "hip_compiled: copies and fills" "$(memory_kinds)" "$(printed_kinds)"
	compiled hip_compiled_spt
	compiled hip_saxpy --size 1024 --steps 20
	is "layers of an example" "$(layer_counts trace kernel_exec)" \
		"$(printf '%s\n' '20 element by element' '20 four at a time')"

	# AMD's own library, without a GPU of its own here.
	LD_LIBRARY_PATH= run "$EXAMPLES/hip-saxpy"
	cp out plain && cp err plain.err && plain=$status
	if [ "$plain" = 0 ]; then
		skip "AMD's library without a GPU" "there is one"
	else
		LD_LIBRARY_PATH= run "$PWRTRACE" record -o real -- "$EXAMPLES/hip-saxpy"
		is "AMD's library without a GPU: exit status" "$status" "$plain"
		ok "AMD's library without a GPU: stdout" diff plain out
		is "AMD's library without a GPU: stderr, but for our lines" \
			"$(grep -v '^pwrtrace: ' err)" "$(cat plain.err)"
	fi
	local real
	real=$(ldd "$EXAMPLES/hip-saxpy" | sed -n 's/.*libamdhip64.* => \(.*\) (.*/\1/p')
	is "what of the table AMD's library, 5.2 or later, does not have" "$(LD_LIBRARY_PATH= \
		/usr/bin/python3 "$ROOT/tests/e2e/hip_table.py" "$real" "$ROOT"/preload/api/hip*.def 2>&1)" ""
}

# --- code objects --------------------------------------------------------------------------------

# needs: by what the notes of the code object say (llvm-readobj), of each kernel: name, registers,
# scalar ones, bytes of shared memory, of scratch, of arguments, and size of a wavefront.
needs() {
	awk '$1 ~ /^[.]/ { value[$1] = $2 }
		$1 == ".wavefront_size:" { print value[".name:"], value[".vgpr_count:"],
			value[".sgpr_count:"], value[".group_segment_fixed_size:"],
			value[".private_segment_fixed_size:"],
			value[".kernarg_segment_size:"], $2 }' | sort
}

# told [NAME]: the same by the trace, of kernels of that name or all.
told() {
	events trace | sed -n 's/.* shared_bytes = \([0-9]*\), registers = \([0-9]*\), api = "hip", name = "\([^"]*\)", scalar_registers = \([0-9]*\), accumulation_registers = [0-9]*, scratch_bytes = \([0-9]*\), kernarg_bytes = \([0-9]*\), wavefront_size = \([0-9]*\),.*/\3 \2 \4 \1 \5 \6 \7/p' |
		grep "^${1:-_Z}" | sort -u
}

GREEDY=_Z6greedyILm6000EEvPf
UNKNOWN=4294967295

code_objects() {
	local tools=/usr/lib/llvm-15/bin way
	if ! [ -x "$CLIENTS/hip_compiled" ] || ! [ -x $tools/llvm-readobj ]; then
		skip "code objects" "hipcc and its tools are not installed"
		return
	fi
	objcopy -O binary --only-section=.hip_fatbin "$CLIENTS/hip_compiled" fatbin
	$tools/clang-offload-bundler --unbundle --type=o --targets=hipv4-amdgcn-amd-amdhsa--gfx906 \
		--input=fatbin --output=object
	$tools/llvm-readobj --notes object | needs >needed
	is "code objects: shared memory and scratch are needed" \
		"$(awk '$1 == "'$GREEDY'" { print $4, ($5 > 0) }' needed)" "256 1"

	# The launch tells nothing: the compiler's own file does.
	on_gpu SIMGPU_HIP_SILENT=1 PWRTRACE_HIP_TIMING=events -- hip_compiled
	says_nothing "code in a program"
	is "code in a program: what kernels need" "$(told _Z6)" "$(grep ^_Z6 needed)"
	is "code in a program: what they are passed" "$(events trace |
		sed -n 's/.*name = "'$GREEDY'".* arguments = "\([^"]*\)".*/\1/p')" global_buffer:8
	is "code in a program: the report has it" "$("$PWRTRACE" report --format json trace |
		/usr/bin/python3 -c '
import json, sys
for row in json.load(sys.stdin)["rows"]:
    code = row.get("code")
    if code and row["name"].startswith("void greedy"):
        print(*(code[key] for key in ("registers", "scalar_registers", "shared_bytes",
            "scratch_bytes", "kernarg_bytes", "wavefront_size", "arguments")))')" \
		"$(sed -n "s/^$GREEDY //p" needed) global_buffer:8"
	is "code in a program: the report filters by it" "$("$PWRTRACE" report --format csv \
		--filter 'scratch > 1 && shared == 256' trace | grep -c greedy)" 1

	for way in file:object memory:object options:fatbin file:fatbin; do
		on_gpu SIMGPU_HIP_SILENT=1 PWRTRACE_HIP_TIMING=events -- \
			hip_modules ${way%:*} ${way#*:} $GREEDY
		says_nothing "code loaded, $way"
		is "code loaded, $way: what the kernel needs" "$(told)" "$(grep "^$GREEDY" needed)"
	done
	# What a launch tells stays, with the 128 bytes that it adds.
	on_gpu PWRTRACE_HIP_TIMING=events -- hip_compiled
	is "code of a runtime that tells: its registers and shared memory stay" \
		"$(told $GREEDY | cut -d ' ' -f 2,4)" "32 176"
	is "code of a runtime that tells: the rest is filled in" "$(told $GREEDY | cut -d ' ' -f 5)" \
		"$(awk '$1 == "'$GREEDY'" { print $5 }' needed)"
	unreadable
	several_targets $tools
}

# Said once, unknown, and the program runs on.
unreadable() {
	local name
	head -c 600 object >torn
	{ printf 'CCOB\2\0\1\0'; head -c 64 /dev/zero; } >compressed
	for name in "torn:are damaged" "compressed:are compressed (CCOB), which is not read"; do
		on_gpu SIMGPU_HIP_SILENT=1 PWRTRACE_HIP_TIMING=events -- \
			hip_modules file ${name%%:*} $GREEDY
		is "code that is ${name%%:*}: exit status" "$status" 0
		is "code that is ${name%%:*}: one line says so" "$(said)" \
			"$PWD/${name%%:*}: code objects ${name#*:}: what its kernels need stays unknown"
		is "code that is ${name%%:*}: nothing is known" "$(told)" \
			"$GREEDY$(printf " $UNKNOWN%.0s" 1 2 3 4 5 6)"
	done
}

# Of code for several GPUs, that of the one that is here (amdkfd's nodes: a CPU, a GPU).
several_targets() {
	local nodes=kfd/class/kfd/kfd/topology/nodes
	# The other GPU's has no such kernel.
	sed 's/_Z6greedy/_Z6modest/g' object >other
	"$1/clang-offload-bundler" --type=o --input=/dev/null --input=other --input=object \
		--targets=host-x86_64-unknown-linux,hipv4-amdgcn-amd-amdhsa--gfx1030,hipv4-amdgcn-amd-amdhsa--gfx906 \
		--output=several
	mkdir -p $nodes/0 $nodes/1
	printf 'cpu_cores_count 64\ngfx_target_version 0\n' >$nodes/0/properties
	printf 'cpu_cores_count 0\ngfx_target_version 90006\n' >$nodes/1/properties
	on_gpu SIMGPU_HIP_SILENT=1 PWRTRACE_HIP_TIMING=events PWRTRACE_SYSFS="$PWD/kfd" -- \
		hip_modules file several $GREEDY
	is "code for several GPUs: nothing is said" "$(said)" ""
	is "code for several GPUs: that of the one here" "$(told)" "$(grep "^$GREEDY" needed)"
	on_gpu SIMGPU_HIP_SILENT=1 PWRTRACE_HIP_TIMING=events PWRTRACE_SYSFS="$PWD/none" -- \
		hip_modules file several $GREEDY
	is "code for several GPUs: which one is not known" "$(said)" \
		"$PWD/several: code objects are for several processors, and it is not known which is here: what its kernels need stays unknown"
}

# --- energy -------------------------------------------------------------------------------------

# on_card DEVICES CARD ARGUMENT...: hip_many, recorded with a card of AMD's whose counter follows what
# the kernels draw; it is updated each millisecond and stamped with its own clock.
on_card() {
	local card punctual=()
	# Firmware does not wait for a busy machine, where that can be had.
	chrt -f 10 true 2>/dev/null && punctual=(chrt -f 10)
	rm -rf tree trace "$SIMGPU_CUDA_TRUTH"
	/usr/bin/python3 "$ROOT/tests/e2e/fake_sysfs.py" make tree
	"${punctual[@]}" /usr/bin/python3 "$ROOT/tests/e2e/hip_energy.py" card tree "$SIMGPU_CUDA_TRUTH" &
	card=$!
	sleep 0.3
	run env PWRTRACE_SYSFS="$PWD/tree" SIMGPU_CUDA_DEVICES="$1" SIMGPU_HIP_CARD="$2" \
		"$PWRTRACE" record -o trace --power amd -- "$CLIENTS/hip_many" "${@:3}"
	kill $card
	wait $card 2>/dev/null
	"$PWRTRACE" report --format json trace >report.json
}

# energies WHAT: nothing, or what the report says otherwise than it was.
energies() {
	/usr/bin/python3 "$ROOT/tests/e2e/hip_energy.py" "$1" "$SIMGPU_CUDA_TRUTH" report.json 2>&1
}

# Kernels of 400 and of 250 W.
energy() {
	on_card 1 0000:C1:00.0,0123456789abcdef 1 1 200 \
		_Z4burnILm20000000ELm300EEvv _Z4mildILm10000000ELm150EEvv
	says_nothing "energy of kernels"
	is "energy of kernels: the device is the sensors' card" "$(events trace |
		sed -n 's/.* pwrtrace:device: .* uuid = "\([^"]*\)", pci = "\([^"]*\)".*/\1 \2/p')" \
		"GPU-0123456789abcdef 0000:c1:00.0"
	is "energy of kernels: each within 1 %" "$(energies check)" ""
}

# Partitions of a card share its sensors, whether they share its unique id or have their own.
partitions() {
	for id in ,0123456789abcdef ''; do
		local name="partitions${id:+ of one id}"
		on_card 2 "0000:C1:00.0$id" 2 1 80 _Z4burnILm20000000ELm300EEvv
		is "$name: exit status" "$status" 0
		like "$name: it is said" "$(said)" '^several HIP devices are partitions of one card, 0000:c1:00.0, '
		is "$name: once" "$(said | wc -l)" 1
		is "$name: the card's energy is attributed" "$(energies total)" ""
		like "$name: the report says that they share a sensor" \
			"$("$PWRTRACE" report trace | grep '^  amd: ')" \
			'measures 2 devices \(partitions\) together'
	done
}

# --- stacked runtimes ---------------------------------------------------------------------------

stacked() {
	for mode in profiler events; do
		on_gpu LD_LIBRARY_PATH="$SIMGPU/over-opencl" PWRTRACE_HIP_TIMING=$mode -- hip_stacked
		is "HIP over OpenCL, $mode: exit status" "$status" 0
		has_launches "HIP over OpenCL, $mode" trace "$(printed kernels)"
		is "HIP over OpenCL, $mode: each is HIP's" "$(events trace |
			sed -n 's/.* pwrtrace:kernel_def: .* api = "\([a-z]*\)".*/\1/p')" hip
		is "HIP over OpenCL, $mode: and timed" "$(events trace | grep ' pwrtrace:kernel_exec: ' |
			grep -c 'duration_ns = 4294967295')" 0
	done
}

# --- children -----------------------------------------------------------------------------------

children() {
	for mode in profiler:nodes events:around; do
		local name="children, ${mode%:*}"
		on_gpu PWRTRACE_HIP_TIMING=${mode%:*} -- hip_fork
		says_nothing "$name"
		is "$name: launches of each process" \
			"$(sed -n 's/^process pid=\([0-9]*\) kernels=\([1-9][0-9]*\)$/\1 \2/p' out | sort)" \
			"$(executions_by_pid trace)"
		is "$name: the trace is true" "$(truth ${mode#*:})" ""
		is "$name: nothing is lost" "$(sum_lost trace)" 0
		unseen "$name" hip_fork
	done
}

# --- what it costs ------------------------------------------------------------------------------

system_calls() {
	local launches=20000 mode

	if ! strace -o /dev/null true 2>/dev/null; then
		skip "no system call per launch" "strace cannot trace here"
		return
	fi
	for mode in profiler events; do
		rm -rf trace
		run env -u SIMGPU_CUDA_TRUTH PWRTRACE_HIP_TIMING=$mode "$PWRTRACE" record -q -o trace -- \
			strace -f -o calls "$CLIENTS/hip_many" 1 1 $((2 * launches)) _Z7instantILm0EEvv
		is "system calls, $mode: the program ran" "$(printed kernels)" $((2 * launches))
		is "system calls, $mode: both marks are there" "$(grep -c 'getpgid(0' calls)" 2
		# A lock that is taken, a buffer that is new: now and then.
		ok "system calls, $mode: none per launch" \
			at_most "$(between_marks calls | wc -l)" $((launches / 10))
	done
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
layers
profilers
resources
no_gpu
compilers
code_objects
energy
partitions
stacked
children
system_calls
finish
