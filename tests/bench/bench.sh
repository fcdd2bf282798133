#!/bin/bash
# Prints what pwrtrace costs, as one page: a row for each figure with the limit that it must keep.  What is
# compared runs in turns, and medians are shown.
#
# usage: bench.sh [BUILD], with settings from the environment:
#   NAMES="reading memory"   only these sections (tests/bench/SECTION.sh)
#   KEEP=1                   also writes the page to tests/bench/pages/
#   NOTE="others ran"        a line of the page's head
#   ROUNDS=5                 how many turns
#   LAUNCHES=1000000         of the traces that are read
#   BENCH_SECONDS=600        of the made-up run of section attributing, 8700 executions each
#   BENCH_EXECUTIONS=5000000 of the trace of section memory; its limits are for 50000000, which takes
#                            4 GB below TMPDIR, else /var/tmp
#   IPROF=FILE               iprof of THAPI, the peer, where it is not found by PATH
#                            (for root its session daemon lives in /var/run/lttng, while iprof looks in
#                            LTTNG_HOME: patch it, and run it under unshare -m)
. "$(dirname "$0")/../e2e/lib.sh"
. "$ROOT/tests/bench/lib.sh"

SECTIONS="bytes launching naming starting reading attributing memory"

for name in ${NAMES:=$SECTIONS}; do
	if [[ " $SECTIONS " != *" $name "* ]]; then
		echo "bench: no section is called $name; there are: $SECTIONS" >&2
		exit 2
	fi
done
head_of_page
for name in $NAMES; do
	mkdir "$WORK/$name" && cd "$WORK/$name" && . "$ROOT/tests/bench/$name.sh"
	rm -rf "${WORK:?}/$name" "${SCRATCH:?}"/*
done
end_of_page
exit $((over > 0))
