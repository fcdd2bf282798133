# What the tests of replays share, on simulated GPUs; after lib_simgpu.sh.

# outcomes: each class and what became of it, in the trace.
outcomes() {
	events trace | sed -n 's/.* pwrtrace:replay: .* kernel = \([0-9]*\), .* count = \([0-9]*\), reason = "\(.*\)" }$/\1 \2 \3/p' |
		sed "s/\\\\'/'/g" | awk '{ $2 = $2 ? "some" : 0; print }' | sed 's/ $//' | sort | uniq
}

# own EXPRESSION: of the rows that are the program's kernels.
own() {
	reported trace "sum($1 for row in rows if row.get('kind') == 'kernel')"
}

# replayed NAME SETTING CASE OUTCOMES [MODE]: a case of $CLIENT is, and does what it does without.
replayed() {
	on_gpu PWRTRACE_REPLAY=0.1 "$2" -- "$CLIENT" "$3"
	says_nothing "$1"
	is "$1: each class once" "$(outcomes)" "$4"
	is "$1: the trace is true" "$(truth "${@:5}")" ""
	is "$1: nothing is lost" "$(sum_lost trace)" 0
	is "$1: the report has the program's launches" "$(own "row['executions']")" "$(printed kernels)"
	is "$1: and all others as replays" \
		"$(reported trace "r['replays']['executions'] + sum(row['executions'] for row in rows
			if row['name'] != '(replays)') == r['coverage']['executions']")" True
	is "$1: the report by layer has the same" \
		"$(reported trace "sum(row['executions'] for row in rows if row['name'] != '(replays)') -
			$(own "-row['executions']")" --by layer)" \
		"$(reported trace "sum(row['executions'] for row in rows if row['name'] != '(replays)') + $(printed kernels)")"
	unseen "$1" "$CLIENT" "$3"
}

# memory_kinds of a program that writes one block, reads two and has two kernels and two blocks, by
# where these were saved.
ON_DEVICE=$(printf '%s\n' 'copy 8' 'read 2' 'write 1')
ON_HOST=$(printf '%s\n' 'read 6' 'write 5')

both=$(printf '1 some\n2 some')

# refused CASE WHY [SETTING]...: a case of $CLIENT is, which the trace and the report say.
refused() {
	on_gpu PWRTRACE_REPLAY=0.1 "${@:3}" -- "$CLIENT" "$1"
	says_nothing "refused, $1"
	like "refused, $1: the trace says why" "$(outcomes)" "$2"
	is_true "refused, $1"
	like "refused, $1: the report says why" "$("$PWRTRACE" report trace)" "Not replayed: [12] class.* of kernels: .*$2"
	unseen "refused, $1" env "${@:3}" "$CLIENT" "$1"
}

# A loop of 25 ms seen every 100 ms, by a sensor that is off by half a percent: how much the energy of
# a class is off, "MEAN WORST" in percent.
loop_errors() {
	reported trace "'%.2f %.2f' % (sum(e) / len(e), max(e)) if (e := [
		abs(100 * row['energy_j'] / (row['time_s'] * (100 + int(row['name'].split(',')[1].split('u')[0]))) - 100)
		for row in rows if row['name'].startswith('void heat<')]) else rows"
}

# replays_a_loop CLIENT: all kernels of a loop are told apart, and right.
replays_a_loop() {
	local loop=(SIMGPU_NVML_LOAD="$SIMGPU_CUDA_TRUTH" SIMGPU_NVML_PERIOD_MS=100 PWRTRACE_POWER=nvml
		SIMGPU_NVML_UNSUPPORTED=nvmlDeviceGetTotalEnergyConsumption)
	on_gpu "${loop[@]}" -- "$1" 100
	ok "a loop and a slow sensor: not told apart without replay" test "$(reported trace "len(r['groups'])")" -gt 0
	on_gpu "${loop[@]}" PWRTRACE_REPLAY=0.6 -- "$1" 100
	is "a loop, replayed: all are told apart" "$(reported trace "r['groups']")" "[]"
	read -r mean worst <<<"$(loop_errors)"
	ok "a loop, replayed: energies are right within 1 % in the mean ($mean)" \
		awk "BEGIN { exit !($mean <= 1) }"
	ok "a loop, replayed: and within 2 % at worst ($worst)" awk "BEGIN { exit !($worst <= 2) }"
}
