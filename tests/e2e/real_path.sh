#!/bin/bash
# Attribution against a known truth through the real path: a program on the simulated GPU, the
# preloaded library, LTTng, the sampler and the analyzer, in virtual time (tests/truth/record_truth.sh).
# Like accuracy.sh, it does in short what make bench-accuracy measures at length.  It also checks that
# the recorded executions are the made-up ones, and that a seed gives the same trace again.
. "$(dirname "$0")/lib.sh"

lttng-sessiond --no-kernel --daemonize

accuracy() { /usr/bin/python3 "$ROOT/tests/truth/accuracy.py" "$BUILD" --roads recorded "$@"; }
recorded() { "$ROOT/tests/truth/record_truth.sh" "$BUILD" "$@" >/dev/null; }

for situation in "varied, 20 ms, lag and tail" "bursts, cold and warmed, 20 ms" \
	"two classes always together" "clock off by 50 µs, gain 0.95" "1 ms counter, 20 s"; do
	ok "$situation" accuracy --seeds 1 --rows "$situation" --settings "shortest_us=100"
done

# payload TEXT: the events of a trace without what differs from run to run (process and thread ids,
# addresses of libraries), sorted, because collector and sampler begin at the same time.
payload() {
	sed 's/^[^{]* pwrtrace:/pwrtrace:/; s/{ cpu_id = [0-9]* }, //
		s/\b\(process\|pid\|parent_pid\|tid\|base\) = [0-9]*/\1/g' "$1" | sort
}

# executions TEXT: begin and end of each execution.
executions() {
	/usr/bin/python3 -c '
import sys
sys.path.insert(0, sys.argv[1])
from trace_events import read_events
events = read_events(sys.stdin)
for kind in "kernel_exec", "memory_exec":
    for e in events.get(kind, []):
        print(kind, e["begin_ns"], e["end_ns"])
' "$ROOT/tests/e2e" <"$1" | sort
}

run_of="scenario=streams seconds=3 shortest_us=100 period_ms=20 window_ms=25 jitter_ms=2"
recorded $run_of one
recorded $run_of again
recorded $run_of seed=2 another
"$BUILD/tests/truth_writer" $run_of written >truth.json
for dir in one again another written; do events $dir >$dir.text; done

like "a trace has events" "$(payload one.text | wc -l)" '^[0-9]{4,}$'
ok "a seed gives the same payloads" cmp <(payload one.text) <(payload again.text)
ok "another seed gives others" not cmp <(payload one.text) <(payload another.text)
ok "what was made up ran, then and there" cmp <(executions one.text) <(executions written.text)
like "and that was something" "$(executions one.text | wc -l)" '^[0-9]{3,}$'
is "nothing is lost" "$(sum_lost one)" 0
is "client, collector and sampler are one process" \
	"$(sed -n 's/.* pwrtrace:\(recording\|process\|recording_end\): .* process = \([0-9]*\), .*/\2/p' one.text |
		uniq -c | awk '{ print $1 }')" 3

# off_by TRACE TRUTH: the greatest error of an execution's time in the report, in ns, and the bound that
# the report states.
off_by() {
	for dir; do
		"$PWRTRACE" report --by launch --method overlap --format json "$dir" >"$dir.json"
	done
	/usr/bin/python3 - "$1.json" "$2.json" <<'END'
import json, sys
told, true = (json.load(open(path)) for path in sys.argv[1:])
def times(report):
    """By kind, because neighbours in time may change places."""
    rows = [(row["kind"], row["begin_ns"], row["begin_ns"] + round(row["time_s"] * 1e9))
            for row in report["rows"]]
    return [sorted((row[0], row[side]) for row in rows) for side in (1, 2)]
pairs = [pair for sides in zip(times(told), times(true)) for pair in zip(*sides, strict=True)]
assert all(a[0] == b[0] for a, b in pairs)
print(max(abs(a[1] - b[1]) for a, b in pairs), told["coverage"]["clock_error_ns"])
END
}

# The clocks are compared seconds apart, whenever CUPTI hands out a full buffer.
run_of="scenario=varied seconds=12 shortest_us=100 clock_error_us=50"
recorded $run_of drift
"$BUILD/tests/truth_writer" ${run_of% *} drift-written >truth.json
read -r off_ns bound_ns < <(off_by drift drift-written)
ok "a clock that drifts by 50 µs a second: all executions are as exact as the report says" \
	at_most "$off_ns" "$bound_ns"
ok "which is better than a microsecond" at_most "$bound_ns" 1000
like "and info says how fast" "$("$PWRTRACE" info drift)" 'drift \+50 ppm; [0-9]+ ns'
finish
