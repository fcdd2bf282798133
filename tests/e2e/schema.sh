#!/bin/bash
# The schema of traces: both schemas say the same; times that do not fit, processes of one pid, launches
# that never end, and names are as events.def says.
. "$(dirname "$0")/lib.sh"

HELPERS=$ROOT/tests/e2e

# --- both schemas -------------------------------------------------------------------------------

# as_json DIR BY: the report of the trace in a directory, and what it says on stderr.
as_json() { (cd "$1" && "$PWRTRACE" report --format json --by "$2" trace 2>&1); }

# same_reports: the traces in the directories 1 and 2 have the same reports, each with a row or more.
same_reports() {
	local by
	for by in kernel layer launch; do
		as_json 1 $by >1.json && as_json 2 $by >2.json && diff 1.json 2.json || return 1
	done
}

mkdir 1 2
converted=0
for text in "$ROOT"/tests/golden/*.txt; do
	name=$(basename "$text" .txt)
	# No clock_sync of that trace converted its times.
	[ "$name" = step ] && continue
	# What is new in schema 2.
	grep -q 'schema=2' "$text" && continue
	rm -rf 1/trace 2/trace
	ok "$name: schema 2 can say it" /usr/bin/python3 "$HELPERS/to_schema_2.py" "$text" 2.txt &&
		converted=$((converted + 1))
	"$BUILD/tests/trace_text" 1/trace <"$text"
	"$BUILD/tests/trace_text" 2/trace <2.txt
	ok "$name: both schemas have the same reports" same_reports
done
ok "most traces are compared" at_most 25 "$converted"
/usr/bin/python3 "$HELPERS/to_schema_2.py" "$ROOT/tests/golden/drift.txt" 2.txt
is "drift: its times are raw, by several anchors" \
	"$(grep '^kernel_exec' 2.txt | grep -o ' anchor=[0-9]*' | sort -u | paste -sd,)" \
	" anchor=1, anchor=2, anchor=3"

# --- traces as texts ----------------------------------------------------------------------------

# begin_text: the beginning of a trace of schema 2, of a process with the number 7 and the
# pid 1.
begin_text() {
	cat <<-'END'
		at 0
		recording process=7 schema=2 begin_ns=0 host=h boot_id=b command=c power=replay
		process process=7 schema=2 pid=1 parent_pid=0 begin_ns=1 host=h boot_id=b executable=/bin/c
		device process=7 device=1 parent_device=0 compute_units=8 api=cuda kind=gpu name="Some GPU" uuid=GPU-1
		stream_def process=7 stream=1 context=1 device=1 out_of_order=0 clock=0
		kernel_def process=7 kernel=1 global_x=64 global_y=1 global_z=1 local_x=64 local_y=1 local_z=1 api=cuda name=k
	END
}

# trace_of NAME: makes a trace of what stands on stdin.
trace_of() {
	rm -rf "$1"
	"$BUILD/tests/trace_text" "$1"
}

# executed CORRELATION WORD...: an execution, with further fields.
executed() {
	echo "kernel_exec process=7 tid=1 correlation=$1 kernel=1 stream=1 layer=0 stack=0 name=k ${*:2}"
}

# What has no room just so, 2^32 - 2 ns of duration or 2^31 ns of delay, and what just has.
longest=4294967294
{
	begin_text
	echo "long_times process=7 correlation=1 enqueue_ns=1000 return_ns=2000 begin_ns=3000 end_ns=$((3000 + longest))"
	executed 1 anchor=0 enqueue_ns=1000 duration_ns=$longest
	echo "long_times process=7 correlation=2 enqueue_ns=4000 return_ns=5000 begin_ns=2147487648 end_ns=2147488148"
	executed 2 anchor=0 enqueue_ns=4000 duration_ns=$longest
	echo "long_times process=7 correlation=3 begin_ns=5000000000 end_ns=5000000700"
	executed 3 anchor=0 duration_ns=$longest
	executed 4 anchor=0 enqueue_ns=6000000000 call_ns=10 delay_ns=2147483647 duration_ns=$((longest - 1))
} | trace_of long
is "long times: all are exact, whatever is known of the launch" \
	"$(reported long '[(row["begin_ns"], round(1e9 * row["time_s"])) for row in rows]' --by launch)" \
	"[(3000, 4294967294), (2147487648, 500), (5000000000, 700), (8147483647, 4294967293)]"
is "long times: nothing is missing" \
	"$(reported long 'r["coverage"]["without_time"], r["coverage"]["unfinished"]')" "0 0"

# The device's clock is 10 s behind, which only the second anchor tells; one execution lacks its own
# times, and one was recorded before the first comparison.
{
	begin_text
	executed 1 anchor=4294967295 enqueue_ns=10000001000 duration_ns=$longest |
		sed '1i long_times process=7 correlation=1 enqueue_ns=10000001000 return_ns=10000001500 begin_ns=2000 end_ns=5000'
	echo "clock_sync process=7 device=1 host_ns=5 raw_ns=5 error_ns=0 clock=7 anchor=1"
	echo "clock_sync process=7 device=1 host_ns=10000000000 raw_ns=0 error_ns=10 clock=0 anchor=2"
	echo "clock_sync process=7 device=1 host_ns=20000000000 raw_ns=10000000000 error_ns=10 clock=0 anchor=3"
	executed 2 anchor=2 enqueue_ns=10000006000 call_ns=100 delay_ns=1000 duration_ns=600
	executed 3 anchor=2 enqueue_ns=10000008000 call_ns=100
} | trace_of raw
is "raw times: converted by what was compared later, too" \
	"$(reported raw '[(row["begin_ns"], round(1e9 * row["time_s"])) for row in rows if row["begin_ns"]]' --by launch)" \
	"[(10000002000, 3000), (10000007000, 600)]"
is "raw times: what has none is told of" "$(reported raw 'r["coverage"]["without_time"]')" 1

# --- launches that do not end -------------------------------------------------------------------

# unfinished DIR: how many launches did not end, how many executions there are, and losses.
unfinished() {
	reported "$1" 'r["coverage"]["unfinished"], r["coverage"]["executions"], r["coverage"]["lost_events"]'
}

# five_in_flight: at 1000, five launches are under way, of which two are written later; a launch after that
# is no matter.
five_in_flight() {
	begin_text
	executed 1 anchor=0 enqueue_ns=100 call_ns=10 delay_ns=100 duration_ns=100
	echo "in_flight process=7 time_ns=1000 count=5"
	echo "at 2000"
	executed 2 anchor=0 enqueue_ns=700 call_ns=10 delay_ns=800 duration_ns=100
	executed 3 anchor=0 enqueue_ns=800 call_ns=10 delay_ns=800 duration_ns=100
	executed 4 anchor=0 enqueue_ns=1200 call_ns=10 delay_ns=100 duration_ns=100
}
five_in_flight | trace_of killed
is "a process is killed: what was under way and did not land" "$(unfinished killed)" "3 4 0"
is "a process is killed: it is said" "$(cut_off killed)" 1
like "a process is killed: info says it" "$("$PWRTRACE" info killed)" 'unfinished +3 launches'
{
	five_in_flight
	echo "process_end process=7 end_ns=2000"
} | trace_of ended
is "a process ends: nothing is under way" "$(unfinished ended)" "0 4 0"

{
	begin_text
	executed 1 anchor=0 enqueue_ns=100 call_ns=10 delay_ns=100 duration_ns=100
	echo "kernel_launch process=7 tid=1 correlation=2 kernel=1 stream=1 layer=0 stack=0 enqueue_ns=500 return_ns=600"
	echo "in_flight process=7 time_ns=1000 count=1"
	echo "process_end process=7 end_ns=2000"
} | trace_of launched
is "a launch without an execution: it counts once" "$(unfinished launched)" "1 1 0"

# --- two processes of one pid -------------------------------------------------------------------

# by_process DIR: the executions and the name of each row by process, sorted.
by_process() {
	reported "$1" '"; ".join(sorted("%d %s" % (row["executions"], row["name"]) for row in rows))' --by process
}

{
	begin_text
	begin_text | grep -v '^at\|^recording' | sed 's/process=7/process=8/'
	executed 1 anchor=0 enqueue_ns=100 call_ns=10 delay_ns=100 duration_ns=100
	executed 1 anchor=0 enqueue_ns=300 call_ns=10 delay_ns=100 duration_ns=100 | sed 's/process=7/process=8/'
	executed 2 anchor=0 enqueue_ns=500 call_ns=10 delay_ns=100 duration_ns=100 | sed 's/process=7/process=8/'
} | trace_of same-pid
is "two processes of one pid: each has its executions" "$(by_process same-pid)" \
	"1 c, process 1 on h; 2 c, process 1 on h"

# in_namespaces: records two programs, each of which is process 1 of its own pid namespace.  Both use the
# GPU before either ends.
in_namespaces() {
	mkfifo go
	cat >both.sh <<-'END'
		sleep 1000 >go &
		holder=$!
		for launches in 20 30; do
			unshare -p -f --mount-proc "$1" exit --launches $launches <go >said-$launches &
		done
		turns=0
		until [ -s said-20 ] && [ -s said-30 ] || [ $((turns += 1)) -gt 1000 ]; do sleep 0.05; done
		kill $holder
		wait
	END
	record namespaces sh both.sh "$CLIENTS/cl_held"
	is "two containers: exit status" "$status" 0
	is "two containers: both are in the trace, by their own pids" \
		"$(events namespaces | grep -o 'pwrtrace:process: .*, pid = [0-9]*' | sed 's/.*, //' | paste -sd,)" \
		"pid = 1,pid = 1"
	is "two containers: info shows both" \
		"$("$PWRTRACE" info namespaces | grep -c '^process  *1 .*/cl_held$')" 2
	is "two containers: each has its executions" "$(by_process namespaces | sed 's/ on [^;]*//g')" \
		"2 cl_held, process 1; 2 cl_held, process 1"
	is "two containers: each has its launches that did not end" \
		"$(events namespaces | grep 'kernel_launch: ' | grep -o '{ process = [0-9]*' | sort | uniq -c |
			awk '{ print $1 }' | sort | paste -sd,)" 20,30
}
if [ "$(id -u)" = 0 ]; then
	in_namespaces
else
	skip "two containers" "only root may make them"
fi

# --- programs whose launches do not end ----------------------------------------------------------

# session_of DIR: a session of the user's own, of which what was written is soon on disk.
session_of() {
	lttng --quiet create "$1" --output="$PWD/$1"
	lttng --quiet enable-channel --userspace --switch-timer=50000 metadata
	lttng --quiet enable-channel --userspace --switch-timer=50000 events
	lttng --quiet enable-event --userspace --channel=events 'pwrtrace:*'
	lttng --quiet start
}

# knows DIR COUNT: the trace tells so far of so many launches, written as executions or under way after.
knows() {
	babeltrace2 "$1" 2>/dev/null | awk -v all="$2" '
		/ pwrtrace:kernel_exec: / { written++ }
		/ pwrtrace:in_flight: / { sub(/.* count = /, ""); known = written + $1 == all }
		END { exit !known }'
}

# holds NAME PROGRAM: a program ends, or is killed, while 40 launches do not end and two others did.  A
# profiler may still hold the records of those two when the program is killed.
holds() {
	record "$1-exits" "$CLIENTS/$2" exit --launches 40
	is "$1, at exit: the launches that did not end" "$(unfinished "$1-exits")" "40 2 0"
	is "$1, at exit: they are in the trace" "$(count "$1-exits" kernel_launch)" 40
	session_of "$1-killed" >session.log
	mkfifo "$1-go"
	LD_PRELOAD=$SHIM "$CLIENTS/$2" kill --launches 40 <"$1-go" >out 2>err &
	exec 3>"$1-go"
	ok "$1: the trace tells of all launches" wait_until 60 knows "$1-killed" 42
	exec 3>&-
	wait $! 2>/dev/null
	is "$1, killed: exit status" $? 137
	lttng --quiet destroy "$1-killed"
	is "$1, killed: it is said" "$(cut_off "$1-killed")" 1
	ok "$1, killed: so many launches are missing at least" at_most 40 \
		"$(reported "$1-killed" 'r["coverage"]["unfinished"]')"
	is "$1, killed: each launch is missing or executed" \
		"$(reported "$1-killed" 'r["coverage"]["unfinished"] + r["coverage"]["executions"]')" 42
}
holds opencl cl_held
. "$ROOT/tests/e2e/lib_simgpu.sh"
holds cuda cuda_held
export SIMGPU_CUPTI_REFUSES=39
holds events cuda_held
unset SIMGPU_CUPTI_REFUSES

# --- programs whose launches take long -------------------------------------------------------------

on_gpu -- cuda_long
is "long times, recorded: they are beside the executions" "$(count trace long_times)" 2
is "long times, recorded: as long as they were" \
	"$(reported trace '[(row["short_name"], round(1e9 * row["time_s"])) for row in rows]' --by launch)" \
	"[('longest', 4400000000), ('short', 2000)]"
is "long times, recorded: the second begins where the first ends" \
	"$(reported trace 'rows[1]["begin_ns"] - rows[0]["begin_ns"]' --by launch)" 4400000000

# --- names ---------------------------------------------------------------------------------------

# names_of EVENT: the names in all such events of the trace, sorted, each once.
names_of() { events trace | sed -n "s/.* pwrtrace:$1: .*\\bname = \"\\([^\"]*\\)\".*/\\1/p" | sort -u; }

names=$ROOT/tests/data/pytorch-kernels/names.txt
on_gpu -- cuda_names "$names" 1000
is "names: exit status" "$status" 0
is "names: the definitions have those of the functions" "$(names_of kernel_def)" "$(sort -u "$names")"
is "names: those of executions are identifiers of 31 bytes at most" \
	"$(names_of kernel_exec | LC_ALL=C grep -vE '^[A-Za-z_][A-Za-z0-9_]{0,30}$')" ""
ok "names: those of executions are not few" at_most 20 "$(names_of kernel_exec | grep -c .)"
is "names: an execution has the function's own" \
	"$(names_of kernel_exec | grep -xE 'vectorized_elementwise_kernel|multi_tensor_apply_kernel' | paste -sd' ')" \
	"multi_tensor_apply_kernel vectorized_elementwise_kernel"
reported trace '"\n".join(sorted(row["name"] for row in rows if row["kind"] == "kernel"))' >in-report
sort -u "$names" | c++filt | sort >demangled
ok "names: the report has all of them, demangled" diff <(sort -u demangled) <(sort -u in-report)
finish
