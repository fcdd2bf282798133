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

finish
