#!/bin/bash
# The critical path, slack and energy bloat, of made-up traces of which they are known.
. "$(dirname "$0")/lib.sh"

made_up() { /usr/bin/python3 "$ROOT/tests/e2e/critical_trace.py" "$@"; }

# written CASE [SEED]: writes the trace of a case of critical_trace.py to a folder that has both in its name.
written() { made_up "$@" >text && "$BUILD/tests/trace_text" "$1${2-}" <text; }

# asked DIR EXPRESSION [OPTION]...: a value of the answer r as Python prints it.
asked() {
	"$PWRTRACE" critical --method overlap --format json "${@:3}" "$1" >critical.json &&
		/usr/bin/python3 -c "
import json
r = json.load(open('critical.json'), parse_constant=lambda name: 1 / 0)
rows = r['rows']
total = lambda member: round(sum(row[member] for row in rows), 9)
print($2)" || nothing "no answer"
}

written beside
is "beside: as text" "$("$PWRTRACE" critical --method overlap beside)" \
	"45.0 ms: device 45.0, launch 0, host 0, peer 0;  3.90 J on the path, 600 mJ off
30.0 ms  slack     0  2.40 J  B
10.0 ms  slack     0  1.00 J  A
 5.0 ms  slack     0   500 mJ D
 0.0 ms  slack 18 ms   600 mJ C"
is "beside: as CSV" "$("$PWRTRACE" critical --method overlap --format csv beside | tr -d '\r')" \
	"name,critical_s,slack_s,critical_j,energy_j
B,0.03,0,2.4,2.4
A,0.01,0,1,1
D,0.005,0,0.5,0.5
C,0,0.018,0,0.6"
is "beside: the members of the schema" "$(asked beside "r['schema'], sorted(r), sorted(r['pieces']), sorted(rows[0])")" \
	"pwrtrace-critical/1 ['bloat_j', 'coverage', 'estimated', 'method', 'pieces', 'rows', 'schema', 'span_s', 'tags', 'trace'] ['device_s', 'host_s', 'launch_s', 'peer_s'] ['critical_j', 'critical_s', 'energy_j', 'name', 'slack_s']"

written even
is "four stages, eight microbatches: 33 ms" "$(asked even "r['span_s'], r['pieces']['device_s']")" "0.033 0.033"
written uneven
is "the last stage slower by 1.25: 39 ms, no slack in 22 of 64" "$(asked uneven \
	"r['span_s'], sum(row['slack_s'] == 0 for row in rows), len(rows)" --by launch)" "0.039 22 64"
is "its energy, on the path and in all, and no bloat without curves" \
	"$(asked uneven "total('critical_j'), total('energy_j'), r['bloat_j']")" "15.6 40.8 None"
is "with the idle energy, it is what was measured" \
	"$("$PWRTRACE" report --method overlap uneven | grep total:)" \
	"  total: 40.8 J attributed + 5.40 J idle + 0 J unattributed = 46.2 J measured"
is "by device: the last stage takes most of the path" \
	"$(asked uneven "[(row['name'], row['critical_s']) for row in rows][0]" --by device)" \
	"('Some GPU [GPU-4]', 0.03)"

# curves SLOWER...: of each kernel of the pipeline 400 W, and 260 W at each of these parts longer.
curves() {
	echo name,time_s,energy_j
	for kernel in F1:1 F2:1 F3:1 F4:1.25 B1:2 B2:2 B3:2 B4:2.5; do
		awk -v name="${kernel%:*}" -v ms="${kernel#*:}" -v all="$*" 'BEGIN {
			printf "%s,%.9f,%.9f\n", name, ms / 1e3, ms * 0.4
			for (i = split(all, slower, " "); i > 0; i--)
				printf "\"%s\",%.9f,%.9f\n", name, ms / 1e3 * slower[i], ms * 0.26 * slower[i]
		}'
	done
}
curves 1.25 >curves.csv
is "bloat, where each may take 1.25 times as long at 260 W" \
	"$(asked uneven "round(r['bloat_j'], 6)" --curves curves.csv)" 6.3
is "bloat, as text" "$("$PWRTRACE" critical --method overlap --curves curves.csv uneven | sed -n 2p)" \
	"energy bloat 6.30 J: the same time does not need them"
{ cat curves.csv; printf '"two\r\nlines, ""2""",1,0\r\nF1,1,\r\n'; } >more.csv
is "points without an energy are left out, with one note" "$("$PWRTRACE" critical --method overlap \
	--curves more.csv uneven 2>&1 | sed -n '/^pwrtrace/p; /bloat/p')" \
	"pwrtrace: more.csv: points without an energy above 0 are left out (2 of 18), and a kernel without \
others is taken to need what it does now
energy bloat 6.30 J: the same time does not need them"
sed '/F1/s/,[^,]*$/,0/' curves.csv >zero.csv
is "a kernel without any other stays as it is" \
	"$(asked uneven "0 < r['bloat_j'] < 6.3" --curves zero.csv)" True
curves >one.csv
is "no bloat, where nothing can be slower" "$(asked uneven "abs(r['bloat_j']) < 1e-9" --curves one.csv)" True

# A kernel that has 2 J, 0.5 J of it its share of the idle power, may take twice as long with 1.8 J, of
# which the share is 1 J: 1.5 J and 0.8 J of its own.
for case in overlapping:0.01 joint:0.005; do
	written ${case%:*}
	awk -v now=${case#*:} 'BEGIN {
		printf "name,time_s,energy_j\nlong,1,1\nshort,%s,2\nshort,%s,1.8\n", now, 2 * now
	}' >${case%:*}.csv
	is "${case%:*}: the idle power counts once for what shares it" \
		"$(asked ${case%:*} "round(r['bloat_j'], 6)" --curves ${case%:*}.csv)" 0.7
done

written host
is "host: pieces, which add up" "$(asked host "r['span_s'], sorted(r['pieces'].items())")" \
	"0.00292 [('device_s', 0.00231), ('host_s', 0.00053), ('launch_s', 4e-05), ('peer_s', 4e-05)]"
is "host: what an event and a wait hold back" "$(asked host "[(row['name'], row['slack_s']) for row in rows]")" \
	"[('first', 0.0), ('second', 0.0), ('third', 0.0), ('aside', 0.00215)]"

written blocked
is "a copy that blocks: the host goes on when it has ended" \
	"$(asked blocked "r['span_s'], sorted(r['pieces'].items()), [(row['name'], row['slack_s']) for row in rows]")" \
	"0.00284 [('device_s', 0.00228), ('host_s', 0.00052), ('launch_s', 4e-05), ('peer_s', 0.0)] \
[('first', 0.0), ('second', 0.0), ('copy', 0.0)]"

written ranks
is "ranks: the path goes through the rank that came last, and through the sender" \
	"$(asked ranks "r['span_s'], [(row['name'].split()[0], row['critical_s']) for row in rows if row['critical_s']]")" \
	"0.02 [('long', 0.01), ('after', 0.005), ('reduce', 0.003), ('receive', 0.001), ('last', 0.001)]"
is "ranks: what ran before another rank came has slack, what waited for it draws off the path" \
	"$(asked ranks "[row['slack_s'] for row in rows if row['name'] == 'short'], total('critical_j'), total('energy_j')")" \
	"[0.006] 8.0 15.6"
is "ranks: a send has no more slack than its receive" \
	"$(asked ranks "[row['slack_s'] for row in rows if row['name'][:4] in ('send', 'rece')]")" "[0.0, 0.0]"

# Sixty executions in four streams with dependencies at random: their slacks, found by trying.
for seed in 1 2 3 4 5 6 7 8; do
	written random $seed
	is "random order $seed: as much slack as can be tried out" \
		"$(asked random$seed "*sorted(f'{row[\"name\"]} {round(row[\"slack_s\"] * 1e9)}' for row in rows), sep='\n'")" \
		"$(made_up slack $seed | LC_ALL=C sort)"
	is "random order $seed: the pieces of the path add up" \
		"$(asked random$seed "round(sum(r['pieces'].values()) - r['span_s'], 9), round(total('critical_s') - r['pieces']['device_s'], 9)")" "0.0 0.0"
done

# refused MESSAGE [OPTION]... TRACE: in one line, with status 1.
refused() {
	run "$PWRTRACE" critical "${@:2}"
	is "refused: $1" "$status $(cat err)" "1 pwrtrace: $1"
}
written circle
refused "the dependencies of the trace form a circle, for which A would have to wait" circle
written empty
refused "no execution in the trace has a time: there is no path" empty
grep -v 'B[23]' curves.csv >less.csv
refused "less.csv has no curve of B2, B3" --method overlap --curves less.csv uneven
refused "the points cannot be read: Failed to open file “no.csv”: No such file or directory" --curves no.csv uneven
sed 1s/energy_j/joules/ curves.csv >wrong.csv
refused "wrong.csv: its first line has no heading energy_j; it needs name, time_s and energy_j" \
	--curves wrong.csv uneven
sed 2s/0.001/-1/ curves.csv >wrong.csv
refused "wrong.csv, line 2: \"F1\" needs a time_s above 0 and an energy_j" \
	--curves wrong.csv uneven
head -1 curves.csv >wrong.csv
refused "wrong.csv has no points" --curves wrong.csv uneven
sed 's/,[^,]*$/,0/; 1s/0$/energy_j/' curves.csv >wrong.csv
refused "wrong.csv has no point with an energy above 0" --curves wrong.csv uneven
{ cat curves.csv; printf '"two\nlines",1,0\nF1,1,\nslow,-1,1\n'; } >wrong.csv
refused "wrong.csv, line $(wc -l <wrong.csv): \"slow\" needs a time_s above 0 and an energy_j" \
	--curves wrong.csv uneven
printf 'name,time_s,energy_j\nA,1,1\nB,1,1\nC,1,1\nD,1,1\n' >four.csv
refused "the idle power of Some GPU is not known, so the bloat is not: it was not idle while its power was measured" \
	--method overlap --curves four.csv beside


"$BUILD/tests/trace_text" replayed <"$ROOT/tests/golden/replay.txt"
run "$PWRTRACE" critical replayed
like "replays are no time of the program's, nor of its host's" "$(head -1 out)" '^14\.1 ms: device 3\.00, launch 0, host 11\.1'

finish
