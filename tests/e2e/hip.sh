#!/bin/bash
# The HIP path on GPUs of our own making, of which everything is known (tests/simgpu/hip_sim.h).
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
	on_gpu LD_LIBRARY_PATH="$PWD/roctracer" -- hip_graphs
	says_nothing "roctracer, graphs"
	has_launches "roctracer, graphs" trace "$(printed kernels)"
	is "roctracer, graphs: copies and fills" "$(memory_kinds | sed s/copy/write/ | sort)" "$(printed_kinds)"
	on_gpu SIMGPU_ROCPROFILER_OLD=1 -- hip_graphs
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
	is "layers of an example" "$(layer_counts trace kernel_launch)" \
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
		/usr/bin/python3 "$ROOT/tests/e2e/hip_table.py" "$ROOT/preload/gpu/hip.def" "$real" 2>&1)" ""
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
			grep -c 'begin_ns = 18446744073709551615')" 0
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
			"$(events trace | sed -n 's/.*kernel_exec: .*{ pid = \([0-9]*\),.*/\1/p' |
				sort | uniq -c | awk '{ print $2, $1 }' | sort)"
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
profilers
resources
no_gpu
compilers
energy
partitions
stacked
children
system_calls
finish
