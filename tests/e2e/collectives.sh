#!/bin/bash
# Collectives of two ranks on a simulated NCCL (tests/simgpu/nccl_sim.h): which calls are recorded, which
# kernels are theirs, and which ranks meet.
. "$(dirname "$0")/lib.sh"

. "$ROOT/tests/e2e/lib_simgpu.sh"
export SIMGPU_CUDA_DEVICES=2

# What a report by collective must say: executions of both ranks, and their time in nanoseconds: 10 us and
# 10 ns for each KB, and of rank 0 another 50 us, as it is made to wait.
known="all_gather 8 KiB 2 70162
all_reduce 1 MiB 10 454850
all_reduce 128 KiB 10 363100
all_reduce 2 KiB 2 70040
all_reduce 4 KiB 2 70080
all_reduce 512 B 2 70010
all_reduce 64 KiB 10 356550
all_to_all 8 KiB 2 70162
broadcast 4 KiB 2 70080
(no collective) 6 12000
recv 8 KiB 1 10081
recv+send 8 KiB 2 70162
reduce 4 KiB 2 70080
reduce_scatter 8 KiB 2 70162
send 8 KiB 1 60081"

# by_collective: those of a trace, in the same form.
by_collective() {
	reported trace '"\n".join("%s %d %d" % (row["name"], row["executions"], round(1e9 * row["time_s"])) for row in rows)' \
		--by collective | sort
}

# meetings: of each communicator and sequence, how many ranks called the same, a line for each number.
meetings() {
	events trace | /usr/bin/python3 -c '
import sys
sys.path.insert(0, sys.argv[1])
from collections import Counter
from trace_events import read_events
calls = read_events(sys.stdin)["collective"]
ranks = Counter()
for e in calls:
    way = (e["rank"], e["peer"]) if e["kind"] == "send" else (e["peer"], e["rank"])
    pair = way if e["kind"] in ("send", "recv") else ()
    kind = "pair" if pair else e["kind"]
    ranks[e["communicator"], e["sequence"], kind, pair, e["bytes"]] += 1
for (known, count), times in sorted(Counter((c[0] != 0, n) for c, n in ranks.items()).items()):
    print("known" if known else "unknown", count, "ranks:", times)
print("communicators:", len({e["communicator"] for e in calls if e["communicator"]}))
' "$ROOT/tests/e2e"
}

for way in linked dlsym; do
	for how in threads processes; do
		name="$way, $how"
		on_gpu -- cuda_nccl $way $how
		says_nothing "$name"
		is "$name: the trace is true" "$(truth)" ""
		is "$name: each kernel is that of its call" "$(by_collective)" "$(sort <<<"$known")"
		is "$name: ranks meet" "$(meetings)" "unknown 2 ranks: 1
known 2 ranks: 26
communicators: 3"
		is "$name: nothing is lost" "$(sum_lost trace)" 0
	done
done
on_gpu -- cuda_nccl linked together 4
says_nothing "one thread"
is "one thread: each kernel is that of its rank" "$(by_collective)" "all_reduce 64 KiB 8 285240"
is "one thread: ranks meet" "$(meetings)" "known 2 ranks: 4
communicators: 1"
is "one thread: each rank is known to the other" \
	"$(reported trace 'rows[0]["met_executions"], round(1e9 * rows[0]["met_s"])' --by collective)" "8 285240"
on_gpu -- cuda_nccl linked open 4
is "a group that does not end: its collectives are lost" "$(sum_lost trace)" 2
is "a group that does not end: others are not" "$(by_collective)" "all_reduce 64 KiB 6 213930"
on_gpu -- cuda_nccl linked processes
unseen "two processes" cuda_nccl linked processes
on_gpu PWRTRACE_CUDA_TIMING=events -- cuda_nccl
is "timed by events: which kernels are whose" "$(by_collective | sed 's/ [0-9]*$//')" \
	"$(sort <<<"$known" | sed 's/ [0-9]*$//')"
finish
