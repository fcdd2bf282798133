#!/bin/bash
# Reports as CTF traces (--format ctf): babeltrace2 reads them without a word; executions and layers begin
# and end in the order of time; energies are those of the JSON report; the analyses for Trace Compass use
# what its documentation has, and events that are there.
. "$(dirname "$0")/lib.sh"
. "$ROOT/tests/e2e/lib_hostile.sh"

GOLDEN_DIR=$ROOT/tests/golden
export LC_ALL=C.UTF-8
PATH=$BUILD/bin:$BUILD/tests:$PATH

# says_the_same TRACE WHOLE [OPTION]...: the report of that format says what the JSON reports do.
says_the_same() {
	local by
	rm -rf other
	for by in launch layer; do
		pwrtrace report --by $by --format json -o $by.json "$1" || return
	done
	pwrtrace report --format ctf "${@:3}" -o other "$1" &&
		pwrtrace report --format json "${@:3}" -o report.json "$1" &&
		babeltrace2 --clock-cycles other >events 2>words &&
		is_empty words &&
		/usr/bin/python3 "$ROOT/tests/e2e/ctf.py" events other/pwrtrace.xml \
			report.json launch.json layer.json $2
}

is_empty() { [ ! -s "$1" ] || { cat "$1"; return 1; }; }

for name in names layers tree iterations stacks replay graphs partitions pair; do
	trace_text "$name" <"$GOLDEN_DIR/$name.txt"
done
trace_writer -n 20000 -k 4 -p 5 -l 4 -o fitted
hostile_text "$GOLDEN_DIR" | trace_text -p 16777216 hostile
for name in names layers tree iterations stacks replay graphs partitions pair hostile; do
	ok "$name: ctf says what JSON does" says_the_same "$name" ""
done
ok "fitted: ctf says what JSON does, and has all that is drawn" says_the_same fitted whole
ok "by launch: ctf has the interval of each execution" says_the_same fitted "" --by launch --sort begin

# Three executions of one stream, the first around the second, and one whose times are not known.
{
	sed '/^kernel_def/,$d' "$GOLDEN_DIR/names.txt"
	cat <<'END'
kernel_def pid=1 kernel=1 global_x=8 global_y=1 global_z=1 local_x=4 local_y=1 local_z=1 api=opencl name=k
kernel_launch pid=1 tid=1 correlation=1 kernel=1 stream=1 layer=0 enqueue_ns=0 return_ns=0
kernel_launch pid=1 tid=1 correlation=2 kernel=1 stream=1 layer=0 enqueue_ns=0 return_ns=0
kernel_launch pid=1 tid=1 correlation=3 kernel=1 stream=1 layer=0 enqueue_ns=0 return_ns=0
kernel_launch pid=1 tid=1 correlation=4 kernel=1 stream=1 layer=0 enqueue_ns=0 return_ns=0
at 15000000
kernel_exec pid=1 correlation=1 kernel=1 stream=1 begin_ns=1000000 end_ns=4000000 name=k
kernel_exec pid=1 correlation=2 kernel=1 stream=1 begin_ns=2000000 end_ns=3000000 name=k
kernel_exec pid=1 correlation=3 kernel=1 stream=1 begin_ns=4000000 end_ns=5000000 name=k
kernel_exec pid=1 correlation=4 kernel=1 stream=1 begin_ns=0 end_ns=0 name=k
power_sample pid=1 sensor=1 time_ns=15000000 power_mw=10000
recording_end pid=1 end_ns=15000000 why=""
END
} | trace_text overlap
ok "what overlaps: ctf says what JSON does" says_the_same overlap ""
is "what overlaps is beside its stream, what follows is in it" \
	"$(sed -n 's/.*execution_begin: .*number = \([0-9]*\),.*lane = "\([^"]*\)".*/\1 \2/p' events)" \
	"1 process 1, stream 1
2 process 1, stream 1 (2)
3 process 1, stream 1"
like "a grid is in groups" "$(grep -m1 execution_begin events)" \
	'grid = \[ \[0\] = 2, \[1\] = 1, \[2\] = 1 \].*block = \[ \[0\] = 4, '
run pwrtrace report --format ctf -o untimed overlap
is "what has no time is counted" "$(grep -c 'left out: their times are not known' err)" 1

# Layers 300 deep, each opened and closed once.
{
	sed '/^kernel_def/,$d' "$GOLDEN_DIR/names.txt"
	for ((i = 1; i <= 300; i++)); do
		echo "layer_def pid=1 layer=$i parent_layer=$((i - 1)) source=api name=l$i"
	done
	echo "at 15000000"
	for ((i = 1; i <= 300; i++)); do
		echo "layer_push pid=1 tid=1 layer=$i begin_ns=$((i * 1000))"
	done
	for ((i = 300; i >= 1; i--)); do
		echo "layer_pop pid=1 tid=1 layer=$i end_ns=$((10000000 - i * 1000))"
	done
	echo "recording_end pid=1 end_ns=15000000 why=\"\""
} | trace_text deep
run pwrtrace report --format ctf -o deep-ctf deep
is "layers more than 256 deep: the outermost ones are drawn, once each" \
	"$(babeltrace2 deep-ctf/trace | grep -c layer_begin)" 256

run pwrtrace report --format ctf fitted
is "a directory has to be named" "$status $(wc -l <err)" "2 1"
run pwrtrace report --format ctf --domains -o domains fitted
is "--domains is not ctf" "$status $(wc -l <err)" "2 1"
mkdir -p full empty && touch full/file
while read -r there what; do
	run pwrtrace report --format ctf -o "$there" fitted
	is "$there is not written over" "$status $(cat err)" \
		"1 pwrtrace: $there exists and $what; name another directory with -o"
done <<-END
	full is not empty
	/dev/full is no directory
	full/file is no directory
END
run pwrtrace report --format ctf -o empty/ fitted
is "an empty directory is filled" "$status $(ls empty | tr '\n' ' ')" "0 pwrtrace.xml trace "
run pwrtrace report empty
is "it is no recording" "$status $(cat err)" "1 pwrtrace: empty holds no event of pwrtrace; record with \
pwrtrace record, or enable pwrtrace:* in a session of your own"
run pwrtrace report --format ctf -o /no-such-directory/ctf fitted
like "a directory that cannot be made" "$status $(cat err)" '^1 pwrtrace: /no-such-directory/ctf .*No such file'
if [ "$(id -u)" = 0 ]; then
	stream=$(($(stat -c %s empty/trace/stream) / 4096 + 1))
	# Too small for some of the stream, for its end, for the metadata.
	for kib in 2048 $((4 * stream - 8)) $((4 * stream)) $((4 * stream + 4)); do
		mkdir -p small && mount -t tmpfs -o "size=${kib}k" none small
		run pwrtrace report --format ctf -o small/ctf fitted
		is "a full disk, $((kib - 4 * stream)) KiB beside the stream" "$status $(cat err)" \
			"1 pwrtrace: small/ctf could not be written whole: No space left on device"
		is "a full disk: nothing stays" "$(ls -A small)" ""
		umount small
	done
else
	skip "a full disk" "needs root"
fi
finish
