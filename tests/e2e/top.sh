#!/bin/bash
# pwrtrace top: what it shows of a recording while that goes on, and when it has ended.
. "$(dirname "$0")/lib.sh"

# A sensor that changes five times a second, for ten minutes.
{
	echo time_ns,device,domain,power_mw
	for ((i = 0; i < 3000; i++)); do
		echo "$((i * 200000000)),cpu,package-0,$((20000 + i % 2 * 30000))"
	done
} >power.csv

# frame [OPTION]...: one frame of the trace.
frame() { "$PWRTRACE" top --batch -n 1 "$@" trace; }

# shows PATTERN [OPTION]...: whether a frame has a line that fits.
shows() { frame "${@:2}" | grep -E "$1"; }

run "$PWRTRACE" top --batch no-such-directory
refuses "no directory" 1 'no-such-directory is not a directory'
mkdir empty
run "$PWRTRACE" top --batch empty
refuses "no recording in a directory" 1 'empty is not being recorded now; see it with: pwrtrace report empty'
run "$PWRTRACE" top
refuses "no terminal" 2 'no terminal: --batch prints text; see pwrtrace top --help'
run "$PWRTRACE" top --batch --count 0
refuses "no frames" 2 '^pwrtrace: --count takes a number of 1 or more, not "0"; see pwrtrace top --help'
if [ "$(id -u)" = 0 ]; then
	run unshare --pid --fork --mount-proc "$PWRTRACE" top --batch
	refuses "no recording on this machine" 1 'no recording is under way'
fi

"$PWRTRACE" record -o trace --power replay:power.csv -- \
	"$EXAMPLES/opencl-layers" --steps 1000000000 >program.out 2>program.err &
recorder=$!
ok "a kernel with an energy is shown" wait_until 100 shows '^ *[0-9.]+ m?J +[0-9.]+ % .* matmul$'
ok "the sensor is shown, with power, age and energy" \
	wait_until 60 shows '^ *[25]0\.0 W +[0-9.]+ m?s +[0-9.]+ k?J .* replay cpu package-0$'
ok "the recording is said" shows ': recording for [0-9.]+ s, trace$'
ok "it is found without its directory" \
	grep -q "recording for .*, $WORK/trace\$" <("$PWRTRACE" top --batch -n 1)
is "kernels in the order of names" "$(frame --sort name | sed -n '/ESTIMATED/,$p' |
	sed '1d;/^$/d;s/.* //' | LC_ALL=C sort -c 2>&1)" ""
is "so many frames" "$("$PWRTRACE" top --batch -n 2 trace | grep -c SENSOR)" 2

# in_terminal: what top does in a terminal.
in_terminal() { TERM=xterm /usr/bin/python3 "$ROOT/tests/e2e/top_terminal.py" "$PWRTRACE" top trace 2>&1; }

drawn='draws a kernel
s sorts by time
h shows help
draws anew when resized'
restored='gives the screen back
ends well
leaves the terminal as it was'
is "in a terminal" "$(in_terminal)" "$drawn
$restored"
is "in a terminal of an unknown type" "$(TERM=no-such script -qec "$PWRTRACE top trace" /dev/null)" \
	$'pwrtrace: this type of terminal is not known (TERM); --batch prints text\r'

"$PWRTRACE" top --batch trace >until-end &
top=$!
ok "frames come until the recording ends" wait_until 60 grep -q KERNEL until-end
is "in a terminal, until the recording ends" "$(RECORDER=$recorder in_terminal)" "$drawn
says that the recording has ended
$restored"
wait $recorder
is "the program's status is record's" $? 143
wait $top
is "when the recording ends, top does" $? 0
like "and says so" "$(cat until-end)" 'the recording ended after [0-9.]+ s, trace'
is "once, in its last frame" "$(grep -c ended until-end)" 1
like "the last frame has kernels" "$(sed -n '/ended/,$p' until-end)" ' matmul'
run "$PWRTRACE" top --batch trace
refuses "a recording that has ended" 1 'trace is not being recorded now'

# A made-up recording: one second at 100 W in which nothing runs, one at 300 W in which "a" runs for 0.6
# and "b" for 0.2 seconds, one at 500 W in which "a" runs alone.  The stream is defined too late.
# It is in the future, so that nothing of it is too old to be shown.
base=$(/usr/bin/python3 -c 'import time; print(int(time.monotonic()) + 1000)')
ran() { # NAME CORRELATION BEGIN_NS DURATION_NS
	echo "kernel_exec process=1 tid=1 correlation=$2 kernel=1 stream=1 layer=0 stack=0 anchor=0 enqueue_ns=$3 call_ns=1000 delay_ns=0 duration_ns=$4 name=$1"
}
{
	echo "at 1
recording process=1 schema=2 begin_ns=$((base + 1))000000000 host=h boot_id=b command=\"made up\" power=nvml
sensor_def process=1 sensor=1 source=nvml device=GPU-1 domain=gpu part_of=\"\" quantity=power
sensor_def process=1 sensor=2 source=nvml device=GPU-1 domain=gpu part_of=\"\" quantity=state
sensor_def process=1 sensor=3 source=nvml device=GPU-1 domain=gpu part_of=\"\" quantity=energy
process process=1 schema=2 parent_pid=0 begin_ns=0 host=h boot_id=b executable=/bin/app pid=1
device_state process=1 sensor=2 time_ns=$((base + 1))000000000 sm_clock_mhz=1500 limit_mw=700000 temperature_c=60"
	ran a 1 $((base + 2))000000000 600000000
	echo "long_times process=1 correlation=2 enqueue_ns=$((base + 2))600000000 return_ns=$((base + 2))600001000 begin_ns=$((base + 2))700000000 end_ns=$((base + 2))900000000"
	ran b 2 18446744073709551615 4294967294
	ran a 3 $((base + 3))300000000 400000000
	for sample in 10:100 15:100 20:100 25:300 30:300 35:500 40:500; do
		echo "power_sample process=1 sensor=1 time_ns=$((base * 10 + ${sample%:*}))00000000 power_mw=${sample#*:}000"
	done
	for counter in 1:0 2:100 3:400 4:900; do
		echo "energy_counter process=1 sensor=3 time_ns=$((base + ${counter%:*}))000000000 energy_uj=${counter#*:}000000"
	done
	echo "device process=1 device=1 parent_device=0 compute_units=8 api=cuda kind=gpu name=GPU uuid=GPU-1 pci=\"\"
stream_def process=1 stream=1 context=1 device=1 out_of_order=0"
} >text
"$BUILD/tests/trace_text" made-up <text
exec 9>made-up/.recording
flock 9
"$PWRTRACE" top --batch made-up >made-up.out 9>&- &
top=$!
ok "a made-up recording is shown" wait_until 60 grep -q 'made up: recording' made-up.out
# A recorder is known by its name.
ln -s "$(command -v sleep)" pwrtrace-record
./pwrtrace-record 100 &
recorder=$!
TERM=xterm script -qec "exec $PWRTRACE top --line --recorder $recorder" /dev/null >line.out 9>&- &
line=$!
ok "the line counts a device that has a gauge and a counter once" \
	wait_until 30 grep -qE 'pwrtrace: 0 s, 500 W, 900 J ' line.out
kill $recorder
exec 9>&-
wait $top $line
is "the energies are what was measured above the lowest power, by time" \
	"$(sed -n '/ended/,$p' made-up.out | sed '/^$/d')" \
	"made up: the recording ended after 3.00 s, made-up
    POWER      AGE   ENERGY    CLOCK     TEMP    LIMIT  SENSOR
    500 W      0 s    900 J 1500 MHz    60 °C    700 W  nvml GPU-1 gpu
    500 W      0 s    900 J 1500 MHz    60 °C    700 W  nvml GPU-1 gpu
ESTIMATED    SHARE     TIME  EXECUTIONS  KERNEL (the last 10 seconds of it, by energy)
    550 J   91.7 %   1.00 s           2  a
   50.0 J    8.3 %   200 ms           1  b"

finish
