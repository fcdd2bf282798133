#!/bin/bash
# perfetto.sh BUILD: loads reports for other programs (report --format perfetto) into Perfetto's trace
# processor, and prints TAP.  It needs the libtest_trace_processor.so of Debian's chromium-shell
# (TRACE_PROCESSOR names another one), and skips all where that is missing or other than expected.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
library=${TRACE_PROCESSOR:-/usr/lib/chromium/libtest_trace_processor.so}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0 failed=0

# is DESCRIPTION GOT WANTED
is() {
	count=$((count + 1))
	[ "$2" = "$3" ] && { echo "ok $count - $1"; return; }
	failed=$((failed + 1))
	printf 'not ok %d - %s\n# got    %s\n# wanted %s\n' $count "$1" "$2" "$3"
}

# query TRACE SQL: its rows without the names of columns.
query() { "$work/trace_processor" "$library" "$work/$1.perfetto" "$2" | tail -n +2; }

# joules TRACE: what the JSON report attributes, with nine decimals.
joules() {
	"$build/bin/pwrtrace" report --format json "$work/$1" 2>/dev/null |
		sed -n 's/.*"balance":{[^[]*"attributed_j":\([0-9.]*\).*/\1/p' | head -1
}

# launches TRACE: its executions by the JSON report: when each begins after the first one, its nanoseconds,
# its name and joules.
launches() {
	"$build/bin/pwrtrace" report --by launch --sort begin --format json "$work/$1" 2>/dev/null |
		/usr/bin/python3 -c '
import decimal, json, sys
rows = json.load(sys.stdin, parse_float=decimal.Decimal)["rows"]
for row in rows:
    print(row["begin_ns"] - rows[0]["begin_ns"], round(row["time_s"] * 10**9), row["short_name"], row["energy_j"], sep="\t")'
}

${CC:-gcc} -O1 -o "$work/trace_processor" "$here/trace_processor.c" -ldl || exit 1
"$build/tests/trace_writer" -n 20000 -k 4 -p 5 -l 4 -o "$work/fitted"
for name in names layers tree iterations stacks replay graphs; do
	"$build/tests/trace_text" "$work/$name" <"$here/../golden/$name.txt"
done
/usr/bin/python3 "$here/../e2e/counters_trace.py" 2 1000 | "$build/tests/trace_text" "$work/counted"
. "$here/../e2e/lib_hostile.sh"
hostile_text "$here/../golden" | "$build/tests/trace_text" -p 16777216 "$work/hostile"
for name in fitted names layers tree iterations stacks replay graphs counted hostile; do
	"$build/bin/pwrtrace" report --format perfetto -o "$work/$name.perfetto" "$work/$name" 2>/dev/null
done
"$work/trace_processor" "$library" "$work/fitted.perfetto" "select 1" >/dev/null 2>"$work/err"
[ $? = 77 ] && { echo "1..0 # SKIP no trace processor: $(cat "$work/err")"; exit 0; }

for name in fitted names layers tree iterations stacks replay graphs counted hostile; do
	is "$name: loads without an error" \
		"$(query $name "select name, value from stats where value > 0 and severity <> 'info'")" ""
	is "$name: the joules of executions are those attributed" "$(query $name "
		select printf('%.9f', coalesce(sum(real_value), 0)) from gpu_slice
		join args using (arg_set_id) where key = 'energy_j'")" "$(joules $name)"
done
for name in fitted layers iterations tree; do
	is "$name: each execution is one of JSON, with its times, name and joules" "$(query $name "
		select ts - (select min(ts) from gpu_slice), dur, name, printf('%.9f', real_value) from gpu_slice
		join args using (arg_set_id) where key = 'energy_j' order by ts, gpu_slice.id")" "$(launches $name)"
done
is "each launch leads to its execution" "$(query fitted "select count(*) from flow")" 20000
is "layers are slices of a thread, one in another" \
	"$(query fitted "select name, depth, count(*) from slice where name in ('model', 'block0')
		group by name, depth order by depth" | tr '\t\n' '  ')" "model 0 5000 block0 1 1250 "
is "an execution knows its layer" "$(query fitted "select distinct string_value from gpu_slice
	join args using (arg_set_id) where key = 'layer' order by 1" | tr '\n' ' ')" \
	"model/block0 model/block1 model/block2 model/block3 "
is "what sensors measured is a counter" "$(query fitted "select max(value) from counter
	join gpu_counter_track on track_id = gpu_counter_track.id")" 100
is "how busy the tensor cores of each GPU were is a counter, in percent" "$(query counted "
	select name, cast(round(max(value) / 10) * 10 as int), cast(round(avg(value)) as int) from counter
	join gpu_counter_track on track_id = gpu_counter_track.id where name like 'tensor%' group by name
	order by name" | sed 's/ (0 %: idle, or not counted)//' | tr '\t\n' '  ')" \
	"tensor cores of GPU-1 80 27 tensor cores of GPU-2 40 13 "
. "$here/../e2e/lib_hosts.sh"
host_text "$here/../golden" day-a 0 9000 | "$build/tests/trace_text" "$work/day-a"
host_text "$here/../golden" day-b 8000 1001 | "$build/tests/trace_text" "$work/day-b"
"$build/bin/pwrtrace" report --format perfetto -o "$work/machines.perfetto" "$work"/day-{a,b} 2>/dev/null
is "two machines are set side by side by the time of day" "$(query machines "
	select distinct (ts - (select min(ts) from gpu_slice)) / 1000000000 from gpu_slice order by 1" | xargs)" "0 1"
is "processes of two machines with the same pid are two" "$(query machines "
	select name from process where name like '% on day-%' order by 1" | sed 's/.* on //' | xargs)" "day-a day-b"
is "powers of two machines are each a counter" "$(query machines "
	select name from gpu_counter_track where name like 'power of GPU-1 on %' order by 1" |
	sed 's/.* on \([^ ]*\) .*/\1/' | xargs)" "day-a day-b"
echo "1..$count"
[ $failed = 0 ]
