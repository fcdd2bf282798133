# What the tests of replays share, on simulated GPUs; after lib_simgpu.sh.

# outcomes: each kernel class with the outcome of its replay, from the trace. Classes are counted in the
# order of their first launch, since the trace's numbers of kernels depend on when a replay comes: what
# saves and restores memory is numbered among them.
outcomes() {
	events trace | sed -n 's/.* pwrtrace:replay: .* kernel = \([0-9]*\), .* count = \([0-9]*\), reason = "\(.*\)", needed_ns = .*/\1 \2 \3/p' |
		sed "s/\\\\'/'/g" | sort -n | awk '$1 != kernel { kernel = $1; class++ } { $1 = class; $2 = $2 ? "some" : 0; print }' |
		sed 's/ $//' | uniq
}

# says_of_replays NAME: the last run succeeded, and every further line on stderr is about replays.
says_of_replays() {
	is "$1: exit status" "$status" 0
	is "$1: nothing else is said but where the trace is" "$(said | grep -v '^replay: ')" ""
}

# copy_rows: the report's rows of the program's copies and fills, each with its number.
copy_rows() {
	reported trace "sorted((row['name'], row['executions']) for row in rows if row.get('kind') == 'memory')"
}

# copies_are_its_own NAME: the report has as many copies and fills as the program printed, so none of
# those that save and restore memory for replays.
copies_are_its_own() {
	local word sum=0
	for word in reads writes copies fills maps unmaps migrates; do
		sum=$((sum + $(printed $word)))
	done
	is "$1: the report has the program's copies alone" "$(reported trace "sum(row['executions']
		for row in rows if row.get('kind') == 'memory')")" "$sum"
}

# balance_closes NAME: what was drawn for replays is in the balance, which is exact.
balance_closes() {
	is "$1: the balance closes" "$(reported trace "(lambda b: (b['replay_j'] > 0, round(1e9 * (b['measured_j'] -
		b['attributed_j'] - b['idle_j'] - b['unattributed_j'] - b['replay_j'])) == 0))(r['balance'])")" "(True, True)"
}

# own EXPRESSION: the sum of a Python expression over the rows that are the program's kernels.
own() {
	reported trace "sum($1 for row in rows if row.get('kind') == 'kernel')"
}

# replayed NAME SETTING CASE OUTCOMES [MODE]: a case of $CLIENT is replayed with these outcomes, and
# the program does what it does without replay.
replayed() {
	on_gpu PWRTRACE_REPLAY=0.1 "$2" -- "$CLIENT" "$3"
	says_of_replays "$1"
	is "$1: each class once" "$(outcomes)" "$4"
	is "$1: the trace is true" "$(truth "${@:5}")" ""
	is "$1: nothing is lost" "$(sum_lost trace)" 0
	is "$1: the report has the program's launches" "$(own "row['executions']")" "$(printed kernels)"
	copies_are_its_own "$1"
	is "$1: nothing else is in the report" \
		"$(reported trace "sum(row['executions'] for row in rows) - r['coverage']['executions'],
			r['replays']['executions'] > 0")" "0 True"
	is "$1: the report by layer has the same" \
		"$(reported trace "sum(row['executions'] for row in rows) == r['coverage']['executions']" --by layer)" True
	balance_closes "$1"
	unseen "$1" "$CLIENT" "$3"
}

# in_replays KERNEL LEAST_MS EXPRESSION: the list of what a Python expression gives for each replay of this
# kernel that took so long, in their order, but for the part that is of reads alone.  It knows begin and end,
# and the kernel's executions in between: a list of (begin, length).  Times are in nanoseconds.
in_replays() {
	events trace | /usr/bin/python3 -c "
import re, statistics, sys
spans, times, numbers = [], [], set()
for line in sys.stdin:
    fields = dict(re.findall(r'(\w+) = (-?\d+)', line))
    if ':kernel_def:' in line and '$1' in line:
        numbers.add(fields['kernel'])
    elif ':kernel_exec:' in line:
        times.append((fields['kernel'], *(int(fields[key]) for key in ('enqueue_ns', 'delay_ns', 'duration_ns'))))
    elif ':replay:' in line:
        spans.append((int(fields['begin_ns']), int(fields['end_ns']), fields['kernel']))
def of(begin, end, executions):
    return $3
replays = [(begin, end, [(at + delay, length) for k, at, delay, length in times if k in numbers and begin <= at < end])
           for begin, end, kernel in sorted(spans) if kernel in numbers and end - begin >= $2e6]
print([of(*replay) for replay in replays if replay[2]])"
}

# replays_of KERNEL [LEAST_MS]: of each replay, the median time of this kernel in microseconds.
replays_of() {
	in_replays "$1" "${2:-0}" "round(statistics.median(length for _, length in executions) / 1e3)"
}

# idle_of KERNEL: the part of each of its replays' middle half in which it did not run, in per cent.
idle_of() {
	in_replays "$1" 0 "round(100 - 200 * sum(length for at, length in executions
		if abs(at - (begin + end) / 2) < (end - begin) / 4) / (end - begin))"
}

# sizes_of KERNEL: what its launches take that were replayed for 0.1 s, and not only tried.
sizes_of() { replays_of "$1" 100 | grep -o '[0-9]*' | sort -nu; }

# What memory_kinds prints for a program that writes one block, reads two and has two kernels, each of
# which reaches one of two blocks: by where what they reach was saved, or both blocks for each.
# Each is read before its replay, for pointers, and after the first repetition, for counters: as it is,
# and where it is saved on the device as it was.
REACHED_ON_DEVICE=$(printf '%s\n' 'copy 4' 'read 8' 'write 1')
REACHED_ON_HOST=$(printf '%s\n' 'read 8' 'write 3')
ON_DEVICE=$(printf '%s\n' 'copy 8' 'read 14' 'write 1')
ON_HOST=$(printf '%s\n' 'read 12' 'write 5')

both=$(printf '1 some\n2 some')

# same_copies CLIENT [SETTING]...: the program's copies are the same with replay and without.
same_copies() {
	local rows
	on_gpu "${@:2}" -- "$1"
	rows=$(copy_rows)
	like "$1 ${*:2}: there are copies" "$rows" 'Memcpy|Buffer'
	on_gpu "${@:2}" PWRTRACE_REPLAY=0.1 -- "$1"
	like "$1 ${*:2}: classes are replayed" "$(outcomes)" '1 some'
	is "$1 ${*:2}: the rows of copies are the same with replay" "$(copy_rows)" "$rows"
	balance_closes "$1 ${*:2}"
}

# slow_copies: a class is not replayed where saving its memory would take longer than what is left of
# the budget.
SLOW=SIMGPU_COPY_GB_S=0.16 # at this speed the memory of large_memory is copied in a second
NO_TIME='what was left of the budget of all replays was not enough'
TOO_SLOW="to save and restore its memory takes longer than what was left of the budget of all replays"
slow_copies() {
	rm -rf trace "$SIMGPU_CUDA_TRUTH"
	run env "$SLOW" "$PWRTRACE" record -o trace --replay=0.1 --replay-budget=1.5 -- "$CLIENTS/$CLIENT" large_memory
	left "slow copies" "$(printf '%s\n' "1 0 $TOO_SLOW" "2 0 $NO_TIME")"
	is "slow copies: only one was tried" "$(count trace replay_begin)" 1
	like "slow copies: it is said" "$(said | tail -1)" '^replay: 0 classes of kernels replayed in [^;]*; 2 left alone for the budget of 1\.5 s '
	unseen "slow copies" "$CLIENT" large_memory
}

# left NAME LINES: what the trace and the report say of classes that were not replayed.
left() {
	is "$1: what became of each class" "$(outcomes)" "$2"
	is "$1: nothing is lost" "$(sum_lost trace)" 0
	is "$1: the report has the program's launches" "$(own "row['executions']")" "$(printed kernels)"
	copies_are_its_own "$1"
}

# refused CASE WHY [SETTING]...: a case of $CLIENT is not replayed; trace and report say why.
refused() {
	on_gpu PWRTRACE_REPLAY=0.1 "${@:3}" -- "$CLIENT" "$1"
	says_of_replays "refused, $1"
	like "refused, $1: the trace says why" "$(outcomes)" "$2"
	is_true "refused, $1"
	like "refused, $1: the report says why" "$("$PWRTRACE" report trace)" "Not replayed: [12] class.* of kernels: .*$2"
	copies_are_its_own "refused, $1"
	unseen "refused, $1" env "${@:3}" "$CLIENT" "$1"
}

# A loop of 25 ms, seen every 100 ms by a sensor with half a percent of noise: the errors of the
# energies of its classes, "MEAN WORST" in percent.
loop_errors() {
	reported trace "'%.2f %.2f' % (sum(e) / len(e), max(e)) if (e := [
		abs(100 * row['energy_j'] / (row['time_s'] * (100 + int(row['name'].split(',')[1].split('u')[0]))) - 100)
		for row in rows if row['name'].startswith('void heat<')]) else rows"
}

# loop_widths: the mean half-width of the intervals of the loop's kernels, in percent of their energies.
loop_widths() {
	reported trace "'%.2f' % (sum(w) / len(w)) if (w := [100 * row['ci95_j'] / row['energy_j']
		for row in rows if row['name'].startswith('void heat<')]) else rows"
}

# Settings by which a sensor is too slow for the loop of cuda_loop and hip_loop.
SLOW_SENSOR=(SIMGPU_NVML_LOAD="$SIMGPU_CUDA_TRUTH" SIMGPU_NVML_PERIOD_MS=100 PWRTRACE_POWER=nvml
	SIMGPU_NVML_UNSUPPORTED=nvmlDeviceGetTotalEnergyConsumption)

# replays_a_loop CLIENT [ARGUMENT]: with replay, all kernels of such a loop are told apart, with the right
# energies.  Without it a pause of the machine may tell some of them apart, so only widths are compared.
replays_a_loop() {
	local wide narrow

	on_gpu "${SLOW_SENSOR[@]}" -- "$1" 100 "${@:2}"
	wide=$(loop_widths)
	on_gpu "${SLOW_SENSOR[@]}" PWRTRACE_REPLAY=0.6 -- "$1" 100 "${@:2}"
	not_like "a loop, replayed: how energy is divided can be trusted" "$("$PWRTRACE" report trace)" 'Do not trust'
	is "a loop, replayed: all are told apart" "$(reported trace "r['groups']")" "[]"
	narrow=$(loop_widths)
	ok "a loop, replayed: intervals are less than a fifth as wide ($narrow %, $wide % without)" \
		awk "BEGIN { exit !($narrow < $wide / 5) }"
	read -r mean worst <<<"$(loop_errors)"
	ok "a loop, replayed: energies are right within 1 % in the mean ($mean)" \
		awk "BEGIN { exit !($mean <= 1) }"
	ok "a loop, replayed: and within 2 % at worst ($worst)" awk "BEGIN { exit !($worst <= 2) }"
}
