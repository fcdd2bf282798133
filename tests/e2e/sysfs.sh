#!/bin/bash
# The sources of power that read sysfs, on a simulated sysfs (tests/e2e/fake_sysfs.py), and external
# meters (exec, replay of a file) beside them.
. "$(dirname "$0")/lib.sh"

FAKE=$ROOT/tests/e2e/fake_sysfs.py
fake() { /usr/bin/python3 "$FAKE" "$@"; }

# on_tree DIR SOURCES COMMAND...: records a command with the sensors of the sysfs in the folder `tree`.
on_tree() {
	local dir=$1 sources=$2
	shift 2
	run env PWRTRACE_SYSFS="$PWD/tree" "$PWRTRACE" record -o "$dir" --power "$sources" -- "$@"
}

new_tree() { rm -rf tree && fake make tree; }

# sensors DIR: a line for each sensor of a trace: source, device, domain, part_of, quantity.
sensors() {
	events "$1" | sed -n 's/.* pwrtrace:sensor_def: .* source = "\([^"]*\)", device = "\([^"]*\)", domain = "\([^"]*\)", part_of = "\([^"]*\)", quantity = "\([^"]*\)".*/\1 \2 \3 \4 \5/p'
}

# joules DIR: the measured energy of each domain, rounded to millijoules, with "summed" where it is part
# of the total, and the total.
joules() {
	reported "$1" "'\n'.join([f\"{b['domain']} {b['measured_j']:.3f}{' summed' * b['summed']}\" for b in r['balance']['devices']] + [f\"total {r['balance']['measured_j']:.3f}\"])" |
		sort
}

lost() { events "$1" | sed -n 's/.* pwrtrace:lost: .* what = "\(.*\)", why = "\(.*\)" }$/\1: \2/p'; }
lines_of_ours() { grep -c "^pwrtrace: $1: " err; }

# --- every family ------------------------------------------------------------------------------

new_tree
on_tree all rapl,amd,intel /usr/bin/python3 "$FAKE" move tree 1
is "all families: exit status" "$status" 0
is "all families: sensors" "$(sensors all)" "$(cat <<'END'
rapl cpu package-0  energy
rapl cpu core-0 package-0 energy
rapl cpu dram-0  energy
rapl cpu psys * energy
amd GPU-0123456789abcdef gpu  energy
amd GPU-0123456789abcdef gpu  power
amd GPU-0123456789abcdef gpu  state
intel 0000:03:00.0 gpu  energy
intel 0000:03:00.0 pkg gpu energy
intel 0000:03:00.0 gpu  state
END
)"
# The energy of one second: a package of 50 W, of which the cores draw 30 W; DRAM of 10 W; cards of 500
# and 150 W.  Counters wrap, and no wrap is lost.
is "all families: joules are true, and none counts twice" "$(joules all)" "$(sort <<'END'
core-0 30.000
dram-0 10.000 summed
gpu 150.000 summed
gpu 500.000 summed
package-0 50.000 summed
pkg 100.000
psys 900.000
total 710.000
END
)"
is "all families: nothing is lost" "$(sum_lost all)" 0
is "all families: nothing is said of them" "$(lines_of_ours '[a-z]*')" 0
is "all families: a state that does not change is written once" "$(count all device_state)" 2
like "all families: an energy's resolution, and what it costs" \
	"$(events all | grep 'source = "amd".*quantity = "energy"')" \
	'read_cost_ns = [1-9][0-9]*, .*resolution_nj = 15259,'

new_tree
run env PWRTRACE_SYSFS="$PWD/tree" "$PWRTRACE" record -o found -- true
like "found without being asked for" "$(events found | grep ' pwrtrace:recording: ')" \
	'power = "rapl,amd,intel"'

# --- a device that vanishes ----------------------------------------------------------------------

new_tree
on_tree pulled rapl,amd,intel /usr/bin/python3 "$FAKE" pull tree 2
is "cards off the bus: exit status" "$status" 0
is "cards off the bus: one line each" "$(lines_of_ours amd) $(lines_of_ours intel)" "1 1"
like "cards off the bus: in the trace" "$(lost pulled)" 'GPU-0123456789abcdef: .*not measured from here on'
is "cards off the bus: the rest is measured" "$(joules pulled | grep package)" \
	"package-0 100.000 summed"
is "cards off the bus: the time after that is not covered" \
	"$(reported pulled "0.3 < r['coverage']['power_gap_s'] < 2")" True

# --- an APU's socket holds the CPU -----------------------------------------------------------------

new_tree
/usr/bin/python3 - <<'END'
import struct
table = bytearray(b"\xff" * 120)
struct.pack_into("<HBB", table, 0, len(table), 2, 1)
struct.pack_into("<H", table, 40, 28000)
struct.pack_into("<H", table, 46, 15000)
with open("tree/class/drm/card0/device/gpu_metrics", "wb") as file:
    file.write(table)
END
on_tree apu rapl,amd sleep 0.5
is "an APU: its socket is summed, the package in it is not" \
	"$(sensors apu | grep 'package-0\|socket\|dram')" "$(cat <<'END'
rapl cpu package-0 * energy
rapl cpu core-0 package-0 energy
rapl cpu dram-0 * energy
amd GPU-0123456789abcdef socket  power
amd GPU-0123456789abcdef gfx socket power
amd GPU-0123456789abcdef socket  state
END
)"

# --- meters --------------------------------------------------------------------------------------

new_tree
on_tree meters "rapl,exec:while echo 12.5; do sleep 0.02; done" \
	/usr/bin/python3 "$FAKE" move tree 1
is "a meter beside: the total is that of the sensors" \
	"$(joules meters | grep 'total\|while.*summed')" "total 60.000"
is "a meter beside: it is measured too" \
	"$(reported meters "[8 < b['measured_j'] < 40 for b in r['balance']['devices'] if b['domain'] == 'while']")" "[True]"
is "a meter beside: its program has ended" "$(pgrep -f 'while echo 12[.]5' | wc -l)" 0
on_tree meter-only "exec:while echo 12.5; do sleep 0.02; done" sleep 0.5
is "a meter alone: it counts" "$(reported meter-only "r['balance']['measured_j'] > 1")" True
on_tree ended "exec:echo 12.5" sleep 0.3
is "a meter that ends: one line" "$(lines_of_ours exec)" 1
like "a meter that ends: in the trace" "$(lost ended)" 'power_sample: echo has ended'
mkdir full && touch full/file
PWRTRACE_POWER="exec:exec sleep 1234567" bare full \
	sh -c '"$@"; "$@"' sh "$CLIENTS/cl_many" --launches 1
like "no recording can begin: it is said" "$(cat err)" ': full exists and is not empty'
ok "no recording can begin: its meter is not left behind" wait_until 5 not pgrep -f 'sleep 123456[7]'

mkfifo meter
(for i in $(seq 60); do echo "$i 33"; sleep 0.02; done >meter) &
on_tree fifo "fifo:$PWD/meter" sleep 0.5
wait
is "a FIFO: exit status" "$status" 0
like "a FIFO: its domain" "$(sensors fifo)" '^fifo \* meter \* power$'
like "a FIFO: power" "$(count fifo power_sample)" '^[1-9]'

for wrong in "exec:|which command" "fifo:nowhere|No such file" "fifo:tree|no FIFO" \
	"rapl:x|takes no argument" "none|there are rapl, nvml, amd, intel, counters, replay:FILE"; do
	on_tree none "${wrong%%|*}" true
	refuses "--power ${wrong%%|*}" 125 "${wrong#*|}"
done

# --- what nvidia-smi wrote -----------------------------------------------------------------------

cat >smi.csv <<'END'
timestamp, clocks.current.sm [MHz], power.draw [W], power.draw.instant [W], temperature.gpu
2025/03/09 14:05:07.000, 1980 MHz, 600.00 W, 700.00 W, 61
2025/03/09 14:05:07.100, 1980 MHz, 600.00 W, 700.00 W, 61
2025/03/09 14:05:07.200, 1755 MHz, 600.00 W, 700.00 W, 61
END
on_tree smi "replay:$PWD/smi.csv" sleep 0.5
is "nvidia-smi's series: sensors" "$(sensors smi)" "$(cat <<'END'
replay gpu gpu  power
replay gpu power.draw * power
replay gpu gpu  state
END
)"
is "nvidia-smi's series: joules" "$(joules smi | grep total)" "total 140.000"
is "nvidia-smi's series: the clock changes once" "$(count smi device_state)" 2

# --- how much an hour takes ------------------------------------------------------------------------

# A reading takes 28 bytes in a trace, so 30 MB an hour allow 297 readings a second.  Here are two
# packages with DRAM, and cards.
new_tree
cp -r tree/class/powercap/intel-rapl:0 tree/class/powercap/intel-rapl:2
cp -r tree/class/powercap/intel-rapl:0:1 tree/class/powercap/intel-rapl:2:1
echo package-1 >tree/class/powercap/intel-rapl:2/name
on_tree hour rapl,amd,intel sleep 2
values_per_s() {
	events "$1" |
		sed -n 's/.*sensor_def: .*quantity = "\(power\|energy\)", poll_ns = \([0-9]*\).*/\2/p' |
		awk '{ sum += 1e9 / $1 } END { print int(sum) }'
}
like "an hour's values: there are some" "$(values_per_s hour)" '^[1-9][0-9]'
ok "an hour's values fit into 30 MB" at_most "$(values_per_s hour)" 297
at_poll() { events "$1" | grep -c 'domain = "package-0".* poll_ns = 2000000,'; }
run env PWRTRACE_SYSFS="$PWD/tree" PWRTRACE_POLL_MS=2 "$PWRTRACE" record -o faster --power rapl -- true
is "unless more often is asked for" "$(at_poll faster)" 1

# --- what only root may read -----------------------------------------------------------------------

cp -r tree "$WORK/locked"
chmod -R a+rX "$WORK/locked"
chmod 400 "$WORK"/locked/class/powercap/*/energy_uj
if [ "$(id -u)" = 0 ] && as_nobody; then
	run env PWRTRACE_SYSFS="$WORK/locked" "$PWRTRACE" record -o none --power rapl -- true
	refuses "for root only" 125 'rapl: .*intel-rapl:0/energy_uj is for root only; .*chmod a\+r'
	run env PWRTRACE_SYSFS="$WORK/locked" "$PWRTRACE" record -o some --power amd,intel -- true
	is "for root only: cards can be read" "$status" 0
	rm -rf "$WORK/locked/class/drm"
	run env PWRTRACE_SYSFS="$WORK/locked" "$PWRTRACE" record -o estimate -- true
	is "for root only, by default: exit status" "$status" 0
	like "for root only, by default: one line says why it is an estimate" "$(cat err)" \
		'pwrtrace: rapl: .* is for root only; .*chmod'
	like "for root only, by default: the model" \
		"$(events estimate | grep ' pwrtrace:recording: ')" 'power = "model"'
else
	skip "for root only" "needs root, to become another user"
fi

finish
