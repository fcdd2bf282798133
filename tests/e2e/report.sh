#!/bin/bash
# Reports of made-up traces whose truth is known.  tests/golden/NAME.txt is a trace in the format of
# tests/writers/trace_text.c.  tests/golden/NAME.session is a session: commands, each after "$ ", and
# what they print, including errors and an exit status other than 0.  GOLDEN=update writes the sessions
# anew; read the difference before you commit it.
. "$(dirname "$0")/lib.sh"
. "$ROOT/tests/e2e/lib_hosts.sh"

export GOLDEN_DIR=$ROOT/tests/golden
export NO_COLOR=1 LC_ALL=C.UTF-8
PATH=$BUILD/bin:$BUILD/tests:$PATH

# run_session SESSION: prints the commands of a session, and what they print now.
run_session() {
	grep '^\$ ' "$1" | while read -r _ command; do
		printf '$ %s\n' "$command"
		bash -c "$command" </dev/null 2>&1
		status=$?
		[ $status = 0 ] || echo "[$status]"
	done
}

# host NAME BOOTED_S DAY_S: a trace by host_text.
host() { host_text "$GOLDEN_DIR" "$@" | trace_text "$1"; }
export -f host host_text

# check_json FILE: a report in JSON can be parsed, and its sums are exact.
check_json() {
	/usr/bin/python3 - "$1" <<'END'
import decimal, json, sys
def unique(pairs):
    assert len({key for key, _ in pairs}) == len(pairs), f"a key twice: {pairs}"
    return dict(pairs)
def refuse(constant):
    raise ValueError(f"{constant} is no JSON")
with open(sys.argv[1], encoding="utf-8") as file:
    r = json.load(file, parse_float=decimal.Decimal, parse_constant=refuse, object_pairs_hook=unique)
for b in [r["balance"], *r["balance"]["devices"]]:
    if b["measured_j"] is not None:
        assert b["attributed_j"] + b["idle_j"] + b["unattributed_j"] + b.get("replay_j", 0) == b["measured_j"], b
energies = [row["energy_j"] for row in r["rows"]]
if r["balance"]["attributed_j"] is None:
    assert not any(energies), energies
elif None not in energies:
    assert sum(energies) == r["balance"]["attributed_j"], energies
loop = r.get("iterations")
if loop and loop["outside_j"] is not None:
    for part, whole in ("energy_j", "attributed_j"), ("idle_j", "idle_j"):
        outside = loop["outside_j" if part == "energy_j" else "outside_idle_j"]
        assert sum(each[part] for each in loop["each"]) + outside == r["balance"][whole], loop
tree = [row for row in r["rows"] if "depth" in row]
if tree and None not in energies and r["balance"]["idle_j"] is not None:
    by_path = {tuple(row["path"]): row for row in tree}
    assert len(by_path) == len(tree)
    assert sum(row["idle_j"] for row in tree) == r["balance"]["idle_j"], tree
    for path, row in by_path.items():
        inside = [other for below, other in by_path.items() if below[:len(path)] == path]
        assert row["depth"] == len(path), row
        assert row["inclusive_j"] == sum(other["energy_j"] for other in inside), row
        assert row["inclusive_idle_j"] == sum(other["idle_j"] for other in inside), row
        assert row["inclusive_executions"] == sum(other["executions"] for other in inside), row
        times = [other["busy_s"] or 0 for other in inside]
        assert max(times) <= (row["inclusive_busy_s"] or 0) <= sum(times), row
END
}

# reports_add_up OPTION-OR-TRACE...: check_json for a report by each kind of row.
reports_add_up() {
	local by
	for by in kernel layer stream device process stack launch collective; do
		pwrtrace report --by $by --format json "$@" >report.json && check_json report.json ||
			{ echo "--by $by"; return 1; }
	done
}

# deep_text: a trace with layers nested 10 000 deep, a kernel in every thousandth of them, and odd names:
# with ";", "/", line ends and bytes that are not UTF-8, of 1 KiB, and empty.
deep_text() {
	sed '/^layer_def/,$d' "$GOLDEN_DIR/names.txt"
	awk 'BEGIN {
		deepest = 10000
		for (i = 1; i <= 1024; i++)
			name[251] = name[251] "x"
		name[250] = "a;b/c"
		name[252] = "line\\nend"
		name[253] = "\\xff\\xfe"
		name[254] = "\\\\ \\\""
		for (i = 1; i <= deepest; i++) {
			text = i in name ? name[i] : i == 255 ? "" : "l" i
			printf "layer_def pid=1 layer=%d parent_layer=%d source=api name=\"%s\"\n", i, i - 1, text
			printf "layer_push pid=1 tid=1 layer=%d begin_ns=%d\n", i, i * 100
		}
		for (i = 1000; i <= deepest; i += 1000)
			printf "kernel_launch pid=1 tid=1 correlation=%d kernel=1 stream=1 layer=%d enqueue_ns=2000000 return_ns=2000000\n", i, i
		print "at 15000000"
		for (i = 1000; i <= deepest; i += 1000)
			printf "kernel_exec pid=1 correlation=%d kernel=1 stream=1 begin_ns=%d000 end_ns=%d000 name=k\n", i, i, i + 500
		print "power_sample pid=1 sensor=1 time_ns=15000000 power_mw=10000"
	}'
}

# equal_text: a trace of a device that is always busy, with 200 equal readings.
equal_text() {
	sed '/^kernel_def/,$d' "$GOLDEN_DIR/names.txt"
	awk 'BEGIN {
		for (k = 1; k <= 2; k++)
			printf "kernel_def pid=1 kernel=%d global_x=1 global_y=1 global_z=1 local_x=1 local_y=1 local_z=1 api=opencl name=k%d\n", k, k
		for (i = 1; i <= 200; i++) {
			printf "kernel_exec pid=1 correlation=%d kernel=%d stream=1 begin_ns=%d end_ns=%d\n", i, i % 2 + 1, (i - 1) * 5000000, i * 5000000
			printf "power_sample pid=1 sensor=1 time_ns=%d power_mw=60000\n", i * 5000000
		}
		print "recording_end pid=1 end_ns=1000000000"
	}'
}

# drawn_text: a trace of 800 ms of one kernel and 200 ms of another; 60 W for 500 ms, and then 30 W.
drawn_text() {
	sed '/^kernel_def/,$d' "$GOLDEN_DIR/names.txt"
	awk 'BEGIN {
		for (k = 1; k <= 2; k++)
			printf "kernel_def pid=1 kernel=%d global_x=1 global_y=1 global_z=1 local_x=1 local_y=1 local_z=1 api=opencl name=k%d\n", k, k
		printf "kernel_exec pid=1 correlation=1 kernel=1 stream=1 begin_ns=0 end_ns=800000000\n"
		printf "kernel_exec pid=1 correlation=2 kernel=2 stream=1 begin_ns=800000000 end_ns=1000000000\n"
		for (i = 1; i <= 200; i++)
			printf "power_sample pid=1 sensor=1 time_ns=%d power_mw=%d\n", i * 5000000, i <= 100 ? 60000 : 30000
		print "recording_end pid=1 end_ns=1000000000"
	}'
}

# on_terminal COLUMNS COMMAND...: runs a command on a terminal of that width and prints its output;
# fails where a line is wider.
on_terminal() {
	/usr/bin/python3 - "$@" <<'END'
import fcntl, os, pty, re, struct, subprocess, sys, termios
columns = int(sys.argv[1])
reading, terminal = pty.openpty()
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", 40, columns, 0, 0))
run = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL, stdout=terminal)
os.close(terminal)
printed = b""
try:
    while part := os.read(reading, 1 << 16):
        printed += part
except OSError: # that is how a terminal ends
    pass
text = printed.decode().replace("\r\n", "\n")
sys.stdout.write(text)
assert run.wait() == 0 and text, "it fails"
for line in text.split("\n"):
    assert len(re.sub("\033[^m]*m", "", line)) <= columns, f"more than {columns} columns: {line}"
END
}

# fits COMMAND...: the output of a command fits terminals of several widths.
fits() {
	local columns
	for columns in 20 60 80 120; do
		on_terminal $columns "$@" >printed || return 1
	done
}

# long_text TEXT: prints a trace again, with names of thousands of characters.
long_text() {
	local long
	long=$(printf 'void kernel<int, %s>' "$(printf 'std::tuple<int, float>, %.0s' {1..200})")
	sed -E "s/\<(name|executable|command|host|why|domain|source|key|unit)=(\"([^\"]*)\"|([^ ]+))/\1=\"\3\4 $long \3\4\"/g" "$1"
}

# controls_text TEXT: prints a trace again, with an escape sequence in each name.
controls_text() {
	local value='=("([^"]+)"|(\w\S*))' marked='="\3\4\\x1b[31m"'
	sed -E -e "/^(device|stream_def) /!s/\<(device)$value/\1$marked/" \
		-e "/^(collective|memory_exec) /s/\<(kind)$value/\1$marked/" \
		-e "s/\<(name|executable|command|host|why|domain|source|key|unit|part_of|uuid|calibrated)$value/\1$marked/g" "$1"
}

# is_escaped COMMAND...: a command succeeds, and prints names, and no character that controls a terminal.
is_escaped() {
	"$@" >printed && grep -qF '\x1b[31m' printed && ! grep -n "[[:cntrl:]]" printed
}

for text in "$GOLDEN_DIR"/*.txt; do
	name=$(basename "$text" .txt)
	ok "$name is a trace" trace_text "$name" <"$text"
	ok "$name: every report is JSON and adds up" reports_add_up "$name"
done
pwrtrace graphs -o profile.json nodes 2>err
ok "graphs, split by a profile: every report is JSON and adds up" \
	reports_add_up --graphs profile.json graphs
deep_text | trace_text deep
ok "layers 10 000 deep: every report is JSON and adds up" reports_add_up deep
is "layers 10 000 deep: the innermost row is the 256th, with all their names" \
	"$(reported deep "rows[0]['path'][249:255] if len(rows) == 1 else rows" --by layer \
		--filter 'depth == 256')" \
	"['a;b/c', '$(printf 'x%.0s' {1..1024})', 'line\\nend', '\\\\xff\\\\xfe', '\\\\ \"', '']"
ok "layers 10 000 deep: a small stack is enough" \
	bash -c "ulimit -s 256; pwrtrace report --by layer deep >report.txt"
equal_text | trace_text equal
ok "equal readings: every report is JSON and adds up" reports_add_up equal
is "equal readings: they are fitted" "$(reported equal 'r["method"]')" regress
for format in text json csv; do
	is "equal readings: no number that is none, as $format" \
		"$(pwrtrace report -v --format $format equal | grep -Ewi '[+-]?(inf|nan|infinity)')" ""
done
trace_writer -n 20000 -k 4 -p 5 -l 4 -o fitted
ok "a run with a sensor: every report is JSON and adds up" reports_add_up fitted
is "a layer around all has the interval of its device, not the sum of the layers'" \
	"$(reported fitted "rows[0]['inclusive_ci95_j'] > 0 and rows[0]['depth'] == 1 and
		rows[0]['inclusive_ci95_j']" --by layer)" \
	"$(reported fitted "rows[0]['ci95_j']" --by device)"
ok "merged runs: every report is JSON and adds up" reports_add_up run1 run2
for name in clocks tree iterations sensors replay run1 stacks; do
	long_text "$GOLDEN_DIR/$name.txt" | trace_text -p 1048576 "long-$name"
	ok "long names, $name: info fits a terminal" fits pwrtrace info "long-$name"
	for by in kernel layer stream device process stack launch collective; do
		ok "long names, $name, by $by: a report fits a terminal" \
			fits pwrtrace report -v --by $by "long-$name"
	done
done
for name in calibrated collectives work; do
	controls_text "$GOLDEN_DIR/$name.txt" | trace_text "controls-$name"
	for command in info "report -v" "report -v --by layer" "report --by collective" "report --domains" \
		power critical "compare controls-$name"; do
		ok "control characters in names, $name: $command escapes them" \
			is_escaped pwrtrace $command "controls-$name"
	done
done
ok "the list of sensors fits a terminal" fits pwrtrace sensors
like "a name that does not fit is cut in the middle" \
	"$(on_terminal 120 pwrtrace report long-clocks)" '  fast void kernel<int, .*….* fast
'
like "a pipe gets all of it" "$(pwrtrace report long-clocks)" \
	'fast void kernel<int, (std::tuple<int, float>, ){200}> fast'
drawn_text | trace_text drawn
is "a terminal without UTF-8 gets ASCII" \
	"$(LC_ALL=C on_terminal 80 pwrtrace report -v --color=never drawn long-clocks >printed &&
		LC_ALL=C grep -c '[^ -~]' printed)" 0
is "on a terminal, power over time is drawn, and shares are bars" \
	"$(on_terminal 60 pwrtrace report --color=never --method overlap drawn |
		sed -n 's/ *$//; 2,10p')" "\
    60.0 W ┤████████████████████████
           ┤████████████████████████
           ┤████████████████████████████████████████████████
       0 W ┤████████████████████████████████████████████████
            0 s                                       1.00 s

   ENERGY   ±95 %    SHARE     POWER            kernel
   39.0 J  unknown   86.7 %    48.8 W  ████████  k1
   6.00 J  unknown   13.3 %    30.0 W  █▎        k2"
# pictures TRACE...: the pictures of power over time in a report on a terminal.
pictures() {
	on_terminal 52 pwrtrace report --color=never "$@" | sed -n '/ENERGY/q; s/ *$//; p'
}
host day-a 0 9000
host day-b 8000 1001
host no-day 8000 0
is "two machines are drawn on one axis, by the time of day" "$(pictures day-a day-b)" "\
Power of GPU-1 on day-a, gpu, in means over 50.0 ms
     300 W ┤█▃█▃█▃█▃█▃█▃█▃█▃█▃█▃····················
Power of GPU-2 on day-a, gpu, in means over 50.0 ms
     300 W ┤█▃█▃█▃█▃█▃█▃█▃█▃█▃█▃····················
Power of GPU-1 on day-b, gpu, in means over 50.0 ms
     300 W ┤····················█▃█▃█▃█▃█▃█▃█▃█▃█▃█▃
Power of GPU-2 on day-b, gpu, in means over 50.0 ms
     300 W ┤····················█▃█▃█▃█▃█▃█▃█▃█▃█▃█▃
            0 s                               2.00 s"
is "devices of two machines that are called alike have a balance each" \
	"$(pwrtrace report day-a day-b | sed -n '/^Balance/,/^$/s/: .*//p' | sed 's/^ *//'
		pwrtrace report --format json day-a day-b | grep -o '"host":"day[^"]*"' | xargs)" "\
total
GPU-1 on day-a, gpu
GPU-2 on day-a, gpu
GPU-1 on day-b, gpu
GPU-2 on day-b, gpu
host:day-a host:day-a host:day-b host:day-b"
is "their powers are each a machine's" \
	"$(pwrtrace power --format csv day-a day-b | sed 1d | cut -d, -f1 | sort -u)" "\
GPU-1 on day-a
GPU-1 on day-b
GPU-2 on day-a
GPU-2 on day-b
sum"
like "a machine that does not know the time of day is drawn on an axis of its own" \
	"$(pictures day-a no-day)" '1.00 s

Power of GPU-1 on no-day, gpu, in means over 25.0 ms'
is "two recordings of a device are one picture, as are sensors that fill each other's holes" \
	"$(pictures run1 run2 | sed 1q; pictures run1 run2 | sed -n 5p; pictures filled | sed -n 5p)" "\
Power of cpu, package-0, in means over 375 µs
       0 W ┤████████████████████████████████████████
       0 W ┤████████████████████████████████████████"
on_terminal 1000 pwrtrace report -v --wide run1 >printed
is "a terminal that is wide enough gets what a pipe does" "$(pwrtrace report -v run1)" \
	"$(cat printed)"
for session in "$GOLDEN_DIR"/*.session; do
	run_session "$session" >replayed
	[ "${GOLDEN:-}" = update ] && cp replayed "$session"
	ok "$(basename "$session" .session): prints what it should" diff "$session" replayed
done
finish
