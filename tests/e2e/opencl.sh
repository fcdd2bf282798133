#!/bin/bash
# Real OpenCL programs, and clients that try every call: trace and report have exactly the work that the
# program started.
. "$(dirname "$0")/lib.sh"

# memory_kind DIR KIND: the number of copies of a kind in the trace.
memory_kind() { events "$1" | grep " pwrtrace:memory_exec: " | grep -c " kind = \"$2\""; }

# client ROUTE-NAME PROGRAM ARGUMENT...: records a client and compares every kind of work that it counts.
client() {
	local name=$1 word kind
	shift
	rm -rf trace
	record trace "$CLIENTS/$1" "${@:2}"
	is "$name: exit status" "$status" 0
	has_launches "$name" trace "$(printed kernels)"
	while read -r word kind; do
		is "$name: $word" "$(memory_kind trace "$kind")" "$(printed "$word")"
	done <<-END
		reads read
		writes write
		copies copy
		fills fill
		maps map
		unmaps unmap
		migrates migrate
	END
}

# The output is the same with and without pwrtrace.
unseen() {
	run "$CLIENTS/$1"
	cp out plain
	record "unseen-$1" "$CLIENTS/$1"
	ok "$1: what the program sees is unchanged" diff plain out
}

dlopened() {
	for route in name path deepbind default version reopen moved dlmopen; do
		rm -rf trace
		record trace "$CLIENTS/cl_dlopen" $route 50
		is "dlopen, $route: exit status" "$status" 0
		has_launches "dlopen, $route" trace 50
	done
	rm -rf trace
	PWRTRACE_OPENCL=symbols record trace "$CLIENTS/cl_dlopen" moved 50
	is "dlopen, moved, by symbols: exit status" "$status" 0
	has_launches "dlopen, moved, by symbols" trace 50
}

process_trees() {
	for route in fork exec spawn vfork after; do
		rm -rf trace
		record trace "$CLIENTS/cl_fork" $route 20
		is "children by $route: exit status" "$status" 0
		is "children by $route: launches of each process" \
			"$(sed -n 's/.*pid=\([0-9]*\) kernels=\([1-9][0-9]*\)$/\1 \2/p' out | sort)" \
			"$(executions_by_pid trace)"
		rm -rf bare
		bare bare "$CLIENTS/cl_fork" $route 20
		is "children by $route, bare: exit status" "$status" 0
		has_launches "children by $route, bare" bare \
			"$(awk -F= '/^process/ { total += $NF } END { print total }' out)"
	done
}

# All launches have finished when the program ends, so none may be missing.  A SIGKILL may lose those
# that were not written yet, and no others.
ends() {
	for route in return exit quick_exit _exit abort thread atexit; do
		rm -rf trace
		record trace "$CLIENTS/cl_nofinish" $route --finish --launches 200
		has_launches "leaving by $route" trace "$([ $route = atexit ] && echo 400 || echo 200)"
		is "leaving by $route: it is no loss" "$(cut_off trace)" 0
		is "leaving by $route: its end is written" "$(count trace process_end)" 1
	done
	rm -rf trace
	record trace "$CLIENTS/cl_nofinish" kill --finish --launches 200
	is "leaving by kill: the report says so" "$(cut_off trace)" 1
	for route in return exit atexit; do
		rm -rf trace
		record trace "$CLIENTS/cl_nofinish" $route --launches 200
		is "$route without clFinish: launches, finished or not" \
			"$(($(count trace kernel_exec) + $(count trace kernel_launch)))" \
			"$([ $route = atexit ] && echo 400 || echo 200)"
	done
}

# counted NAME COMMAND...: records a program that does not print its launches; count_launches.so does.
counted() {
	local name=$1 launches
	shift
	rm -rf trace launches
	touch launches
	run env LD_PRELOAD="$BUILD/tests/count_launches.so" COUNT_LAUNCHES="$PWD/launches" \
		"$PWRTRACE" record -o trace -- "$@"
	launches=$(cat launches)
	is "$name: exit status" "$status" 0
	ok "$name: it launches kernels" test "${launches:-0}" -gt 0
	has_launches "$name" trace "$launches"
	is "$name: the report has every launch" \
		"$(reported trace "sum(row['executions'] for row in rows
			if not row['name'].startswith('clEnqueue'))")" "$launches"
}

# The variable by which the loader finds our layer outlives an LD_PRELOAD that is taken away.
without_preload() {
	rm -rf trace
	record trace sh -c 'unset LD_PRELOAD; exec "$@"' sh "$CLIENTS/cl_all_enqueues"
	is "LD_PRELOAD taken away: exit status" "$status" 0
	has_launches "LD_PRELOAD taken away" trace "$(printed kernels)"
	like "LD_PRELOAD taken away: says what is not seen" "$(head -1 err)" \
		'^pwrtrace: cl_all_enqueues runs without libpwrtrace.so in LD_PRELOAD: '
	rm -rf trace
	record trace env LD_PRELOAD= "$CLIENTS/cl_fork" fork 20
	is "LD_PRELOAD emptied, children: exit status" "$status" 0
	has_launches "LD_PRELOAD emptied, children" trace \
		"$(awk -F= '/^process/ { total += $NF } END { print total }' out)"
	rm -rf trace
	record trace env LD_PRELOAD= "$CLIENTS/cl_dlopen" dlmopen 50
	is "LD_PRELOAD emptied, dlmopen: exit status" "$status" 0
	has_launches "LD_PRELOAD emptied, dlmopen" trace 50
	rm -rf trace
	run env OPENCL_LAYERS="$SHIM" PWRTRACE_OUTPUT=trace "$CLIENTS/cl_many" --launches 200
	is "as a layer alone: exit status" "$status" 0
	has_launches "as a layer alone" trace "$(printed kernels)"
}

cat >with_pyopencl.py <<'END'
import numpy, pyopencl as cl
context = cl.Context(cl.get_platforms()[0].get_devices())
queue = cl.CommandQueue(context)
program = cl.Program(context, "kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }")
x = numpy.ones(1024, numpy.float32)
buffer = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=x)
kernel = program.build().twice
for i in range(7):
    kernel(queue, x.shape, None, buffer)
cl.enqueue_copy(queue, x, buffer)
assert x[0] == 128
END

counted clpeak clpeak --kernel-latency
counted "a tuner of CLBlast" clblast_tuner_xaxpy -platform 0 -device 0 -runs 1 -fraction 16
if /usr/bin/python3 -c 'import pyopencl' 2>/dev/null; then
	counted pyopencl /usr/bin/python3 with_pyopencl.py
else
	skip pyopencl "python3-pyopencl is not installed"
fi
record duty "$EXAMPLES/duty-cycle" --seconds 1
has_launches duty-cycle duty "$(printed launches)"

record limit "$EXAMPLES/opencl-power-limit" 0.1
has_launches opencl-power-limit limit "$(printed launches)"

client "many launches" cl_many --launches 20000
client "every enqueue" cl_all_enqueues
client "orders of execution" cl_order
unseen cl_order
unseen cl_all_enqueues
dlopened
process_trees
without_preload
ends
PWRTRACE_OPENCL=symbols client "by symbols" cl_all_enqueues
PWRTRACE_OPENCL=layer client "by the ICD loader's layer" cl_all_enqueues
finish
