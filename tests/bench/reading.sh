# Reading a trace and reporting on it, beside babeltrace2's dummy sink on the same trace.  All is CPU time.

section "Reading $LAUNCHES launches, CPU on one core"

# one_core COMMAND...: CPU seconds of a command that has one core.
one_core() { cpu_seconds taskset -c "$core" "$@"; }
core=$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')
reader=$BUILD/tests/read_trace
traces=$SCRATCH/written

# written SUFFIX OPTION...: makes a trace of so many launches.
written() { "$BUILD/tests/trace_writer" -n "$LAUNCHES" -o "$traces-$1" "${@:2}"; }
written 2 -s 2
written 128 -s 128
written layers -l 4
"$BUILD/tests/trace_writer" -n 40000 -k 20000 -o "$traces-kernels"

# read_s OPTION...: CPU seconds of reading alone, as read_trace prints them.
read_s() { run taskset -c "$core" "$reader" "$@" && word cpu_s; }

for ((i = 0; i < ROUNDS; i++)); do
	one_core babeltrace2 "$traces-2" --component sink.utils.dummy >>dummy
	if [ -x "$reader" ]; then
		read_s "$traces-2" >>reader
		read_s --babeltrace "$traces-2" >>reader-babeltrace
	fi
	one_core "$PWRTRACE" report "$traces-2" >>report-2
	one_core "$PWRTRACE" report "$traces-128" >>report-128
	one_core "$PWRTRACE" report --by kernel "$traces-layers" >>by-kernel
	one_core "$PWRTRACE" report --by layer "$traces-layers" >>by-layer
	one_core "$PWRTRACE" report --method overlap "$traces-kernels" >>report-kernels
	one_core "$PWRTRACE" compare --method overlap "$traces-kernels" "$traces-kernels" >>compare-kernels
done
note "babeltrace2's dummy sink" "$(median <dummy)" s
if [ -x "$reader" ]; then
	note "our reader, every event handed over" "$(median <reader)" s
	note "our reader, million events per second" "$(calculate "$(printed events) / ($(median <reader)) / 1e6")" ""
	note "libbabeltrace2 in its place, every event handed over" "$(median <reader-babeltrace)" s
	figure "dummy sink / our reader (aim: 20)" "$(ratio dummy reader)" "" ">= 10"
else
	absent "dummy sink / our reader (aim: 20)" "not built (tests/read_trace)"
fi
note "report" "$(median <report-2)" s
figure "report / dummy sink" "$(ratio report-2 dummy)" "" "<= 1"
figure "report, 128 streams / 2 streams" "$(ratio report-128 report-2)" "" "<= 1.5"
figure "report --by layer / --by kernel, a layer for 4 launches" \
	"$(ratio by-layer by-kernel)" "" "<= 1.3"
figure "compare with itself / report, 20000 kernels" "$(ratio compare-kernels report-kernels)" "" "<= 5"
figure "report: memory" "$(peak_mb "$PWRTRACE" report "$traces-2")" MB "<= 64"
note "report --by launch: memory" \
	"$(peak_mb "$PWRTRACE" report --by launch --format csv "$traces-2")" MB
