# Reading a trace and reporting on it, beside babeltrace2's dummy sink on the same trace.  All is CPU time.

section "Reading $LAUNCHES launches, CPU on one core"

# one_core COMMAND...: CPU seconds of a command that has one core.
one_core() { cpu_seconds taskset -c "$core" "$@"; }
core=$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')
reader=$BUILD/tests/read_trace
bigger=$SCRATCH/written

# written SUFFIX OPTION...: makes a trace of so many launches.
written() { "$BUILD/tests/trace_writer" -n "$LAUNCHES" -o "$bigger-$1" "${@:2}"; }
written 2 -s 2
written 128 -s 128
written layers -l 4

# read_s OPTION...: CPU seconds of reading alone, as read_trace prints them.
read_s() { taskset -c "$core" "$reader" "$@" | sed -n 's/.*cpu_s=\([0-9.]*\).*/\1/p'; }

for ((i = 0; i < ROUNDS; i++)); do
	one_core babeltrace2 "$bigger-2" --component sink.utils.dummy >>dummy
	if [ -x "$reader" ]; then
		read_s "$bigger-2" >>reader
		read_s --babeltrace "$bigger-2" >>reader-babeltrace
	fi
	one_core "$PWRTRACE" report "$bigger-2" >>report-2
	one_core "$PWRTRACE" report "$bigger-128" >>report-128
	one_core "$PWRTRACE" report --by kernel "$bigger-layers" >>by-kernel
	one_core "$PWRTRACE" report --by layer "$bigger-layers" >>by-layer
done
note "babeltrace2's dummy sink" "$(median <dummy)" s
if [ -x "$reader" ]; then
	note "our reader, all events handed over" "$(median <reader)" s
	note "libbabeltrace2 under our reader" "$(median <reader-babeltrace)" s
	figure "dummy sink / our reader (aim: 20)" "$(ratio dummy reader)" "" ">= 10"
else
	absent "dummy sink / our reader (aim: 20)" "not built (tests/read_trace)"
fi
note "report" "$(median <report-2)" s
figure "report / dummy sink" "$(ratio report-2 dummy)" "" "<= 1"
figure "report, 128 streams / 2 streams" "$(ratio report-128 report-2)" "" "<= 1.5"
figure "report --by layer / --by kernel, a layer for 4 launches" \
	"$(ratio by-layer by-kernel)" "" "<= 1.3"
figure "report: memory" "$(peak_mb "$PWRTRACE" report "$bigger-2")" MB "<= 64"
note "report --by launch: memory" \
	"$(peak_mb "$PWRTRACE" report --by launch --format csv "$bigger-2")" MB
