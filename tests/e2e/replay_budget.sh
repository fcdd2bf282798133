#!/bin/bash
# The cost of replays: it is announced before, kept within a budget, and not counted as the program's.
. "$(dirname "$0")/lib.sh"

. "$ROOT/tests/e2e/lib_simgpu.sh"
. "$ROOT/tests/e2e/lib_replay.sh"

CLIENT=cuda_replay

# --- what is said -------------------------------------------------------------------------------

words() {
	on_gpu PWRTRACE_REPLAY=0.1 -- cuda_replay
	is "what is said: a line before, a line at the end" "$(said | wc -l)" 2
	like "what is said before: what it costs" "$(said | head -1)" \
		'^replay: 2 classes of kernels so far, 0\.1 s each; 4\.1 kB of device memory are saved on the device and restored for each, at 100 GB/s \(assumed, until it is measured\): about [0-9.]+ s in all; the budget is 60 s \(--replay-budget=SECONDS\)$'
	like "what is said at the end: what was done" "$(said | tail -1)" \
		'^replay: 2 classes of kernels replayed in [0-9.]+ s; 0 left alone for the budget of 60 s \(--replay-budget=SECONDS\); 0 refused \(pwrtrace report says why\)$'
	on_gpu PWRTRACE_REPLAY=0.1 PWRTRACE_LOG=error -- cuda_replay
	is "quiet: nothing is said" "$(cat err)" ""
	on_gpu PWRTRACE_REPLAY=0.1 -- cuda_replay plain 2
	is "nothing to replay: nothing is said of it" "$(said)" ""
}

# on_terminal TYPE: records with replay on a terminal of this type; see replay_terminal.py.
on_terminal() {
	rm -rf trace
	TERM=$1 /usr/bin/python3 "$ROOT/tests/e2e/replay_terminal.py" "$PWRTRACE" record -o trace --replay=0.1 -- \
		sh -c '"$0" >own.out' "$CLIENTS/cuda_replay"
}

progress() {
	local before after shown
	before='left: pwrtrace: replay: 2 classes of kernels so far, .*\(--replay-budget=SECONDS\)'
	after='pwrtrace: replay: 2 classes of kernels replayed in .* why\)pwrtrace: recorded to .*'
	shown=$(on_terminal xterm)
	is "on a terminal: each class is shown, in one line" "$(grep -v '^left: ' <<<"$shown")" \
		"$(printf '%s\n' 'status: 0' "pwrtrace: replay: N done, N waiting; N of N s; now "{twice,counted})"
	like "on a terminal: the program's part of a line remains, and what is said without" \
		"$(grep '^left: ' <<<"$shown")" "^${before}step 1 $after$"
	run "$CLIENTS/cuda_replay"
	ok "on a terminal: stdout is the program's" diff own.out out
	shown=$(on_terminal dumb)
	like "on a terminal that cannot erase: nothing is shown" "$(tail -n +2 <<<"$shown" | tr -d '\n')" "^$before$after$"
}

refused_values() {
	run "$PWRTRACE" record -o trace --replay-budget=-1 -- true
	refuses "--replay-budget=-1" 2 '^pwrtrace: --replay-budget takes 0 to 86400 seconds, not "-1"; see '
	run "$PWRTRACE" record -o trace --replay-budget -- true
	refuses "--replay-budget with a word" 2 '^pwrtrace: --replay-budget takes 0 to 86400 seconds, not "--"; see '
	on_gpu PWRTRACE_REPLAY=0.1 PWRTRACE_REPLAY_BUDGET=plenty -- cuda_replay
	like "PWRTRACE_REPLAY_BUDGET=plenty: one line says so" "$(said | head -1)" \
		'^PWRTRACE_REPLAY_BUDGET=plenty: it takes 0 to 86400 seconds; the default is taken$'
	is "PWRTRACE_REPLAY_BUDGET=plenty: the default is taken" "$(outcomes)" "$both"
}

# --- it is kept ---------------------------------------------------------------------------------

budgets() {
	on_gpu PWRTRACE_REPLAY=0.1 PWRTRACE_REPLAY_BUDGET=0 -- cuda_replay
	left "no time at all" "$(printf '%s\n' "1 0 $NO_TIME" "2 0 $NO_TIME")"
	is "no time at all: no memory is saved" "$(count trace replay_begin)" 0
	like "no time at all: it is said" "$(said)" '^replay: 0 classes of kernels replayed in [^;]*; 2 left alone for the budget of 0 s '
	like "no time at all: the report says why" "$("$PWRTRACE" report trace)" "Not replayed: 2 classes of kernels: $NO_TIME"

	slow_copies
	replayed "slow copies and time" "$SLOW" large_memory "$both"
	is "slow copies and time: by pieces, there and back, of two classes" "$(memory_kinds)" \
		"$(printf '%s\n' "copy $((2 * 2 * 3))" 'read 8' 'write 2')"
	on_gpu PWRTRACE_REPLAY=0.1 SIMGPU_CUDA_MEMORY=200000000 -- cuda_replay large_memory
	is "large memory, on the host" "$(outcomes)" "$both"
	like "large memory, on the host: it is said" "$(said | head -1)" '; 168 MB of device memory are saved on the host and restored for each, at 2 GB/s \(assumed'
	unseen "large memory, on the host" cuda_replay large_memory
}

# The budget is enough for one class, and the busiest is launched last.
order() {
	on_gpu PWRTRACE_REPLAY=0.5 PWRTRACE_REPLAY_BUDGET=0.9 -- cuda_replay unequal 40
	is "too many classes: the busiest is replayed" \
		"$(reported trace "[row['short_name'] for row in rows if 'replays' in row]")" "['long']"
	left "too many classes" "$(printf '%s\n' "1 0 $NO_TIME" "2 0 $NO_TIME" "3 some")"
	unseen "too many classes" cuda_replay unequal 40
	on_gpu PWRTRACE_REPLAY=10 PWRTRACE_REPLAY_BUDGET=15 -- cuda_replay unequal 10
	left "a program that is shorter than a replay" "$(
		for class in 1 2 3; do
			echo "$class 0 when it was last launched, the program had not run for as long as its replay takes"
		done
	)"
}

# The budget is enough for both sizes of the busiest kernel and some of the eight others, of which all could
# be replayed before the other size is known.  What a busy host adds to a replay, and a try that meets the
# wrong size, are small beside replays of this length.
sizes() {
	on_gpu PWRTRACE_REPLAY=0.5 PWRTRACE_REPLAY_BUDGET=4 -- cuda_replay sizes_among_many 500
	is "sizes of a kernel before other kernels: both are replayed" "$(sizes_of _Z5sizedm)" "$(printf '1000\n3000')"
	like "sizes of a kernel before other kernels: some of these are left alone" "$(outcomes)" ' 0 '"$NO_TIME"
}

# The budget is enough for both kernels, but not for twice as much.
rare() {
	on_gpu PWRTRACE_REPLAY=0.5 PWRTRACE_REPLAY_BUDGET=1.8 -- cuda_replay rare 200
	left "a kernel that hardly ran" \
		"$(printf '%s\n' "1 some" "2 0 it hardly ran, and the budget of all replays was not enough for all")"
	like "a kernel that hardly ran: it is said" "$(said | tail -1)" \
		'^replay: 1 class of kernels replayed in [^;]*; 0 left alone for the budget of 1\.8 s \([^)]*\), and 1 that hardly ran; 0 refused '
	on_gpu PWRTRACE_REPLAY=0.5 PWRTRACE_REPLAY_BUDGET=10 -- cuda_replay rare 200
	is "a kernel that hardly ran, with time for all" "$(outcomes)" "$(printf '%s\n' "1 some" "2 some")"
}

# What would have been replayed but for the budget is proposed with one that is enough.
advice() {
	local budget
	on_gpu "${SLOW_SENSOR[@]}" PWRTRACE_REPLAY=0.6 PWRTRACE_REPLAY_BUDGET=0 -- cuda_loop 100
	like "left alone for the budget: the report says which budget to give" "$("$PWRTRACE" report trace)" \
		'  Narrower: .*record --replay --replay-budget=[0-9]+ \(about [0-9]+ s\) or report --library'
	budget=$(reported trace "'%d' % r['fits'][0]['advice']['replay_budget_s']")
	on_gpu "${SLOW_SENSOR[@]}" PWRTRACE_REPLAY=0.6 PWRTRACE_REPLAY_BUDGET="$budget" -- cuda_loop 100
	is "with that budget: all are replayed" "$(outcomes)" "$(printf '%d some\n' {1..6})"
	is "with that budget: replay is not proposed again" "$(reported trace "(lambda advice: (advice['replay_kernels'],
		advice['replay_budget_s']))(r['fits'][0]['advice'])")" "(0, None)"
}

# --- none of it is the program's ----------------------------------------------------------------

# The program is killed while its first class is replayed.
killed() {
	rm -rf trace pid
	: >err
	"$PWRTRACE" record -o trace --replay=60 --replay-budget=600 -- \
		sh -c 'echo $$ >pid; exec "$0"' "$CLIENTS/cuda_replay" >out 2>>err &
	ok "killed: its first replay begins" wait_until 60 grep -q '^pwrtrace: replay: ' err
	sleep 0.3
	kill -KILL "$(cat pid)"
	wait $!
	is "killed: exit status" $? 137
	ok "killed: what it launched alone is not the program's" test "$(own "row['executions']")" -le 6
	ok "killed: it was, and is told apart" test "$(reported trace "r['replays']['executions']")" -gt 10
	is "killed: the program's copies are" "$(copy_rows)" "[('cuMemcpyHtoD_v2', 1)]"
	like "killed: the report says so" "$("$PWRTRACE" report trace)" 'Not replayed: 1 class of kernels: its process ended meanwhile'
}

words
progress
refused_values
budgets
order
sizes
rare
advice
same_copies cuda_replay
same_copies cuda_replay PWRTRACE_CUDA_TIMING=events
same_copies cl_replay
killed
finish
