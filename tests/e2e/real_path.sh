#!/bin/bash
# Attribution against a known truth through the real path: a program on the simulated GPU, the
# preloaded library, LTTng, the sampler and the analyzer, in virtual time (tests/record_truth.sh).
# What make bench-accuracy measures at length is here in small, as in accuracy.sh, and more: the
# executions are those that were made up, and a seed gives the same trace again.
. "$(dirname "$0")/lib.sh"

lttng-sessiond --no-kernel --daemonize

accuracy() { /usr/bin/python3 "$ROOT/tests/accuracy.py" "$BUILD" --roads recorded "$@"; }
recorded() { "$ROOT/tests/record_truth.sh" "$BUILD" "$@" >/dev/null; }

for situation in "varied, 20 ms, lag and tail" "bursts, cold and warmed, 20 ms" \
	"two classes always together" "clock off by 50 µs, gain 0.95" "1 ms counter, 20 s"; do
	ok "$situation" accuracy --seeds 1 --rows "$situation" --settings "shortest_us=100" \
		--coverage 70:100
done

# payload TEXT: what its events say but for what the kernel chose, ids of processes and threads and
# where libraries are, in an order of its own: collector and sampler begin at once.
payload() {
	sed 's/^[^{]* pwrtrace:/pwrtrace:/; s/{ cpu_id = [0-9]* }, //
		s/\b\(pid\|parent_pid\|tid\|base\) = [0-9]*/\1/g' "$1" | sort
}

# executions TEXT: when each began and ended.
executions() {
	sed -n 's/.* pwrtrace:\(kernel\|memory\)_exec: .* begin_ns = \([0-9]*\), end_ns = \([0-9]*\), raw.*/\1 \2 \3/p' "$1" |
		sort
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
	"$(sed -n 's/.* pwrtrace:\(recording\|process\|recording_end\): .* pid = \([0-9]*\), .*/\2/p' one.text |
		uniq -c | awk '{ print $1 }')" 3

# off_by DIR SECONDS: by how many ns at most the times in the trace are off that begin later than so
# much after the run began.
off_by() {
	paste -d' ' <(executions "$1.text" | sort -k 2n) <(executions "$1-written.text" | sort -k 2n) |
		awk -v from=$((1000 + $2)) '
			function note(error) { most = error > most ? error : -error > most ? -error : most }
			$5 > from * 1e9 { note($2 - $5); note($3 - $6); count++ }
			END { print count ? most : "none is there" }'
}

# Anchors are seconds apart, since CUPTI hands out full buffers.
run_of="scenario=varied seconds=12 shortest_us=100 clock_error_us=50"
recorded $run_of drift
"$BUILD/tests/truth_writer" ${run_of% *} drift-written >truth.json
for dir in drift drift-written; do events $dir >$dir.text; done
ok "a clock that drifts by 50 µs a second: with two anchors, times are exact to 10 µs" \
	at_most "$(off_by drift 8)" 10000
finish
