#!/bin/bash
# Replay of HIP's kernels, on GPUs of our own making.
. "$(dirname "$0")/lib.sh"

. "$ROOT/tests/e2e/lib_simgpu.sh"
. "$ROOT/tests/e2e/lib_replay.sh"

CLIENT=hip_replay

# --- programs and their code --------------------------------------------------------------------

# code FILE ARGUMENT...: a code object (code_object.py).
code() { /usr/bin/python3 "$ROOT/tests/e2e/code_object.py" "${@:2}" >"$1"; }

# with_code PROGRAM FILE: a copy of it, with what it would have of AMD's compiler.
with_code() { objcopy --add-section ".hip_fatbin=$2" "$COMPILED/$1" "$CLIENTS/$1"; }

COMPILED=$CLIENTS CLIENTS=$WORK/clients
mkdir "$CLIENTS"
POINTER=global_buffer:8
HIDDEN=_Z6hiddenPm=$POINTER
COUNTED=_Z7countedPm=$POINTER
TWICE=_Z5twicePfm=$POINTER,by_value:8
code fatbin --bundle --variable __hip_cuid_1f $TWICE \
	$COUNTED _Z4growPm=$POINTER _Z6sharedPm=$POINTER _Z5shortILm2000EEvv _Z4slowILm1100000000EEvv \
	_Z4manyPm=$POINTER$(printf ,by_value:8%.0s {1..39}) _Z17ncclDevKernel_Addv \
	_Z6printsPm=$POINTER,hidden_hostcall_buffer:8
with_code hip_replay fatbin
code loop.fatbin --bundle _Z4heatILm{1000000ELm500,400000ELm120,2500000ELm330,250000ELm620,700000ELm210,150000ELm430}EEvv
with_code hip_loop loop.fatbin
code image --variable variable_of_module $HIDDEN
code other.image $COUNTED
export REPLAY_IMAGE=$WORK/image REPLAY_OTHER_IMAGE=$WORK/other.image

# --- what is replayed ---------------------------------------------------------------------------

plainly() {
	replayed "two kernels" A=b plain "$both"
	like "two kernels: their rows are marked" "$("$PWRTRACE" report trace)" \
		' twice \(replayed\).*Replayed: 2 classes of kernels\.'
	is "two kernels: for as long as asked" \
		"$(reported trace "all(row['replays']['executions'] > 100 and 0.1 < r['replays']['span_s'] < 10
			for row in rows if row.get('kind') == 'kernel')")" True
	is "two kernels: what each reaches, and nothing else, is saved on the device" "$(memory_kinds)" \
		"$REACHED_ON_DEVICE"
	replayed "too little memory of the device's" SIMGPU_CUDA_MEMORY=13000 plain "$both"
	is "too little memory of the device's: it is saved on the host" "$(memory_kinds)" "$REACHED_ON_HOST"
	replayed "two kernels by events" PWRTRACE_HIP_TIMING=events plain "$both" around
	mkdir roctracer
	cp "$SIMGPU/libamdhip64.so.6" "$SIMGPU/libroctracer64.so.4" roctracer
	replayed "two kernels by roctracer" LD_LIBRARY_PATH="$PWD/roctracer" plain "$both"
	replayed "two kernels of HIP 5.2" SIMGPU_HIP_VERSION=50200000 plain "$both"
	replayed "the thread's default stream" A=b per_thread '1 some'
	replayed "host memory out of reach" A=b unreached "$both"
	is "host memory out of reach: memory is saved on the device" "$(memory_kinds)" "$REACHED_ON_DEVICE"
	replayed "host memory that the kernels change" A=b host "$both"
	replayed "host memory in a buffer of arguments" A=b host_in_buffer '1 some'
	replayed "device memory that points to the program's own" A=b registered "$both"
	replayed "much memory out of reach" A=b large "$both"
	replayed "host memory by every call" A=b host_allocations "$both"
	replayed "device memory by every call" A=b allocations "$both"
	is "device memory by every call: is looked into, saved and restored where a kernel reaches it" \
		"$(memory_kinds)" "$(printf '%s\n' 'copy 16' 'read 14' 'write 2')"
	replayed "memory that was freed" A=b freed "$both"
	is "memory that was freed: is not saved" "$(memory_kinds)" "$(printf '%s\n' 'copy 4' 'read 8' 'write 2')"
	replayed "memory that its own device may access" A=b own_access "$both"
	replayed "five threads" A=b threads "$(printf '1 some\n2 some\n3 some')"
	replayed "what is filled before each launch" A=b refilled '1 some'
	is "what is filled before each launch: its replays are as long" \
		"$(reported trace "[round(row['replays']['time_s'] * 1e3 / row['replays']['executions'], 2)
			for row in rows if row.get('kind') == 'kernel']")" "[1.0]"
	replayed "a counter that is set before another kernel" A=b shared_out "$both"
	is "a counter that is set before another kernel: no work that is not there" "$(replays_of _Z6shared | tr -d '[]' | sort -u)" 1000
	on_gpu -- hip_replay
	is "not asked for: the trace knows nothing of it" "$(outcomes)" ""
	has_launches "not asked for" trace "$(printed kernels)"
}

modules() {
	replayed "a variable of the module" A=b hidden '1 some'
	replayed "a module that was unloaded" A=b unloaded "$both"
	is "a module that was unloaded: its variable is not saved any more" \
		"$(memory_kinds)" "$(printf '%s\n' 'copy 6' 'read 11' 'write 1')"
}

# What constants hold is not read: all memory may be reached.
constants() {
	cp fatbin plain.fatbin
	code fatbin --bundle --constant table $TWICE $COUNTED
	with_code hip_replay fatbin
	replayed "constants" A=b plain "$both"
	is "constants: all memory is saved, on the device" "$(memory_kinds)" "$ON_DEVICE"
	replayed "constants, and host memory" A=b unreached "$both"
	is "constants, and host memory: all memory is saved, on the host" "$(memory_kinds)" "$ON_HOST"
	refused host "it is given an address of the host's memory"
	refused registered "device memory has addresses of the host's"
	refused large '17592\.2 GB of device memory are in use, and [0-9.]+ GB of the host.s are free'
	mv plain.fatbin fatbin
	with_code hip_replay fatbin
}

# From HIP 7 on an error stays until it is asked for.
errors() {
	for version in 60200000 70000000; do
		on_gpu PWRTRACE_REPLAY=0.1 SIMGPU_HIP_VERSION=$version -- hip_replay last_errors
		is "errors, HIP $version: replayed" "$(outcomes)" "1 some"
		is "errors, HIP $version: there is none" "$(sort -u out | grep '^last error')" "last error: 0"
		unseen "errors, HIP $version" env SIMGPU_HIP_VERSION=$version hip_replay last_errors
	done
	replayed "an error before" SIMGPU_HIP_VERSION=60200000 failure "$both"
	refused failure "the program has not looked at an error of HIP's yet" SIMGPU_HIP_VERSION=70000000
	is "refused, failure: it still can" "$(tail -1 out)" "last error: 101"
}

# --- what is refused ----------------------------------------------------------------------------

refusals() {
	refused managed 'managed memory is in use'
	refused peer "devices reach one another's memory"
	refused other_access "devices reach one another's memory"
	refused shared 'processes share device memory'
	refused surface 'surfaces are in use'
	refused unreached "devices know the host's memory by other addresses" SIMGPU_HIP_FAR=1
	refused waits_for_host 'streams wait for what the host writes'
	refused collective 'kernels work together with those of other devices'
	refused together 'kernels work together with those of other devices'
	refused untold 'what its code may change is not known'
	refused prints 'it may print, or allocate memory'
	refused many_arguments 'what it is passed is not known'
	refused slow 'it takes more than a second'
	refused cooperative 'it is a cooperative launch'
	refused event 'its launch triggers an event'
	refused unordered 'it may run out of order'
	refused attributes 'its launch has attributes'
	refused elsewhere 'its stream is of a device that is not the current one' SIMGPU_CUDA_DEVICES=2

	cp "$COMPILED/hip_loop" "$CLIENTS/hip_untold_loop"
	on_gpu "${SLOW_SENSOR[@]}" PWRTRACE_REPLAY=0.1 -- hip_untold_loop 100
	like "refused, a loop: the report does not propose what was refused" "$("$PWRTRACE" report trace)" \
		'Not replayed: 6 classes of kernels: what its code may change is not known\..*  Narrower: longer will not help: [^;]*; (pwrtrace sensors --calibrate, )?report --library would'
	on_gpu PWRTRACE_REPLAY=0.1 -- hip_replay grow
	like "refused, grow: the trace says why" "$(outcomes)" '1 some its second run takes much longer'
	unseen "refused, grow" hip_replay grow
	on_gpu PWRTRACE_REPLAY=0.1 -- hip_replay captured
	is "launched by a graph: nothing is replayed" "$(count trace kernel_exec)" "$(printed kernels)"
	unseen "launched by a graph" hip_replay captured
	on_gpu PWRTRACE_REPLAY=0.1 -- hip_replay reset
	is "refused, reset: the trace says why" "$(outcomes)" '1 0 a device was reset'
	unseen "refused, reset" hip_replay reset
}

# What code objects say, or do not.
refusals_by_code() {
	code image --variable another $HIDDEN
	refused hidden 'a variable of its module cannot be saved'
	code fatbin --bundle --variable variable_of_module $HIDDEN
	with_code hip_replay fatbin
	refused symbol_with_variable 'a variable of its module cannot be saved'
	printf 'CCOB\2\0\1\0' >fatbin
	with_code hip_replay fatbin
	on_gpu PWRTRACE_REPLAY=0.1 -- hip_replay
	like "refused, compressed code: the trace says why" "$(outcomes)" 'what its code may change is not known'
}

forks() {
	cp "$COMPILED/hip_fork" "$CLIENTS"
	on_gpu PWRTRACE_REPLAY=0.1 -- hip_fork
	is "forked processes: exit status" "$status" 0
	unseen "forked processes" hip_fork
}

# --- programs of AMD's compiler -----------------------------------------------------------------

compilers() {
	if [ ! -x "$COMPILED/hip_compiled" ]; then
		skip "programs of AMD's compiler" "hipcc is not installed"
		return
	fi
	cp "$COMPILED"/hip_{compiled,saxpy} "$CLIENTS"
	on_gpu PWRTRACE_REPLAY=0.1 -- hip_saxpy --size 1024 --steps 5
	says_of_replays "hip_saxpy"
	is "hip_saxpy: each class once" "$(outcomes)" "$both"
	unseen "hip_saxpy" hip_saxpy --size 1024 --steps 5
	# It has a variable.
	on_gpu PWRTRACE_REPLAY=0.1 -- hip_compiled
	is "hip_compiled: what becomes of its classes" "$(outcomes | cut -d ' ' -f 2- | sort | uniq -c | sed 's/^ *//')" \
		"$(printf '5 0 a variable of its module cannot be saved\n1 0 it is a cooperative launch')"
	unseen "hip_compiled" hip_compiled
}

plainly
slow_copies
same_copies hip_replay
modules
constants
errors
replays_a_loop hip_loop
forks
compilers
refusals
refusals_by_code
finish
