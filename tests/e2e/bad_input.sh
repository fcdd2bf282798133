#!/bin/bash
# Bad input of every kind gets one clear line and the right exit status, and never a wrong number.
. "$(dirname "$0")/lib.sh"

layers=("$EXAMPLES/opencl-layers" --steps 1)

# --- programs that cannot be recorded ----------------------------------------------------------

record missing no-such-program
refuses "a program that does not exist" 127 'no-such-program.*not found'
record missing ./no-such-program
refuses "a path that does not exist" 127 'no-such-program.*not found'
echo text >not-executable
record missing ./not-executable
refuses "a file that is not executable" 126 'not-executable.*[Pp]ermission'
is "none of them leaves a trace" "$(ls -d missing 2>/dev/null)" ""
echo 'int main(void) { return 0; }' >empty.c
if cc -static -o static empty.c 2>/dev/null; then
	record static-trace ./static
	refuses "a static program" 125 'static'
else
	skip "a static program" "no static libc"
fi
if [ "$(id -u)" = 0 ]; then
	cp /bin/true setuid && chown 65534 setuid && chmod 4755 setuid
	record setuid-trace ./setuid
	refuses "a setuid program" 125 'setuid'
	skip "a directory that may not be written to" "root may write everywhere"
else
	mkdir -m 500 locked
	record locked/trace true
	refuses "a directory that may not be written to" 125 'locked/trace.*-o'
fi
record /proc/trace true
refuses "a directory that cannot be made" 125 '/proc/trace.*-o'
mkdir full && touch full/file
record full true
refuses "a directory that is not empty" 125 'full.*not empty.*-o'

for folder in "a space" a:colon; do
	mkdir "$folder" && cp -r "$BUILD/bin" "$BUILD/lib" "$folder"
	run "$folder/bin/pwrtrace" record -o moved-trace -- true
	refuses "in the folder $folder" 125 'path has a space or a colon.*libpwrtrace.so.*elsewhere'
done
is "no trace is left" "$(ls -d moved-trace 2>/dev/null)" ""

# --- sources of power --------------------------------------------------------------------------

run "$PWRTRACE" record -o power --power nuclear -- true
refuses "an unknown source of power" 125 'nuclear.*rapl'
printf 'time_ns,device,domain,power_mw\n0,cpu,package-0,1000\n1000,cpu,package-0,many\n' >bad.csv
run "$PWRTRACE" record -o power --power replay:bad.csv -- true
refuses "a replay file with a bad line" 125 'bad\.csv:3.*many'
run "$PWRTRACE" record -o power --power replay:none.csv -- true
refuses "a replay file that does not exist" 125 'none\.csv.*No such file'
run "$PWRTRACE" record --no-such-option -- true
refuses "an unknown option" 2 'no-such-option.*pwrtrace record --help'

# --- no device, no room, no voice --------------------------------------------------------------

OCL_ICD_VENDORS=/nonexistent run "${layers[@]}"
plain_status=$status plain=$(cat err)
OCL_ICD_VENDORS=/nonexistent record no-platform "${layers[@]}"
is "no OpenCL platform: the program's exit status" "$status" "$plain_status"
like "no OpenCL platform: the program's message, then ours" "$(cat err)" \
	"$plain.*pwrtrace: .*no process used a GPU"

OCL_ICD_VENDORS=/nonexistent bare no-platform-bare "${layers[@]}"
is "no OpenCL platform, bare: the program's exit status" "$status" "$plain_status"

"$PWRTRACE" record -o closed -- "${layers[@]}" >out 2>&-
is "stderr closed: exit status" $? 0
has_launches "stderr closed" closed "$(printed launches)"

# As before Linux 5.3, and in containers of that time.
cat >without_pidfd.py <<'END'
import ctypes, os, struct, sys
PIDFD_OPEN, ENOSYS = 434, 38
code = [(0x20, 0, 0, 0), (0x15, 0, 1, PIDFD_OPEN), (0x06, 0, 0, 0x50000 | ENOSYS), (0x06, 0, 0, 0x7fff0000)]
filters = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *line) for line in code))
program = ctypes.create_string_buffer(struct.pack("@HP", len(code), ctypes.addressof(filters)))
prctl = ctypes.CDLL(None).prctl
assert prctl(38, 1, 0, 0, 0) == 0 and prctl(22, 2, program) == 0
os.execvp(sys.argv[1], sys.argv[1:])
END
run /usr/bin/python3 without_pidfd.py "$PWRTRACE" record -o no-pidfd -- "${layers[@]}"
refuses "processes cannot be watched" 125 'pidfd_open.*Linux 5\.3'
run env LD_PRELOAD="$SHIM" PWRTRACE_OUTPUT=no-pidfd /usr/bin/python3 without_pidfd.py "${layers[@]}"
is "processes cannot be watched, bare: the program is unaffected" "$status" 0
like "processes cannot be watched, bare: one clear line" "$(cat err)" \
	'^pwrtrace: opencl-layers is not recorded: [^;]*pidfd_open[^;]*; this needs Linux 5\.3[^;]*$'

if [ "$(id -u)" = 0 ]; then
	# The daemon of other recordings would be on its way out when the next one meets it.
	unshare -m bash -c 'mount -t tmpfs none /var/run/lttng && cd /var/run/lttng || exit
		lttng-sessiond --no-kernel --daemonize
		ln -s "$(cat lttng-sessiond.pid)" pwrtrace-daemon.pid
		(cd "$OLDPWD" && /usr/bin/python3 without_pidfd.py "$@")
		[ -L pwrtrace-daemon.pid ] && echo "left alone"
		"$@"
		[ -L pwrtrace-daemon.pid ] || echo "ended by others"' \
		sh "$BUILD/lib/pwrtrace/pwrtrace-record" --release >unwatched 2>&1 &
	unwatched=$!

	mkdir -p tiny && mount -t tmpfs -o size=1m none tiny
	record tiny/trace true
	refuses "no space" 125 'no space.*tiny/trace'
	umount tiny
	mount -t tmpfs -o ro none /dev/shm
	record no-shm true
	refuses "/dev/shm is read-only" 125 '/dev/shm.*Read-only'
	umount /dev/shm

	# Under load, LTTng discards events.
	said_besides_losses() { grep -v 'WARNING: Tracer discarded [0-9]* events' err; }

	# It fills up: by the trace itself, and by another writer, for whom nothing can be kept free.
	mount -t tmpfs -o size=48m none tiny
	record tiny/filled "$CLIENTS/cl_many" --launches 2000000
	like "the disk fills: says so once" "$(head -1 err)" \
		'^pwrtrace: recording has stopped: too little space is left where .*/filled lies; '
	like "the disk fills: and where the trace is" "$(tail -n +2 err)" \
		'^pwrtrace: recorded to [^;]*, cut off: too little space); read it with: [^;]*$'
	is "the disk fills: the trace says when" "$(count tiny/filled recording_end)" 1
	run babeltrace2 tiny/filled
	is "the disk fills: other readers say nothing" "$status $(said_besides_losses)" "0 "
	run "$PWRTRACE" report tiny/filled
	is "the disk fills: nor does a report" "$status $(cat err)" "0 "
	like "the disk fills: but that there was more" "$(cat out)" \
		'cut off: too little space; what ran afterwards is not recorded'
	is "the disk fills: as JSON, too" "$(reported tiny/filled "r['coverage']['cut_off_recordings']")" 1
	rm -r tiny/filled
	record tiny/beside sh -c '"$@" & sleep 0.3; cat /dev/zero >tiny/other; sleep 1.5; rm tiny/other; wait' \
		sh "$CLIENTS/cl_many" --launches 2000000
	like "another fills the disk: says so" "$(cat err)" 'recording has stopped: too little space'
	run babeltrace2 tiny/beside
	is "another fills the disk: what is left can be read" "$status $(said_besides_losses)" "0 "
	umount -l tiny

	mount -t tmpfs -o size=1m,mode=1777 none /dev/shm
	record small "${layers[@]}"
	is "/dev/shm too small: exit status" "$status" 0
	like "/dev/shm too small: says so" "$(head -1 err)" '^pwrtrace: .*/dev/shm is too small'
	has_launches "/dev/shm too small" small "$(printed launches)"
	end_daemons
	umount /dev/shm

	# As a container of 64 MiB on a machine of many processors: what the program shares fits beside it.
	mount -t tmpfs -o size=24m,mode=1777 none /dev/shm
	record shared /usr/bin/python3 -c '
from multiprocessing import shared_memory
shared = shared_memory.SharedMemory(create=True, size=10 << 20)
shared.buf[:] = b"x" * (10 << 20)
shared.close()
shared.unlink()'
	is "/dev/shm: half of it is the program's" "$status" 0
	end_daemons
	umount /dev/shm

	daemon=$(command -v lttng-sessiond)
	mount --bind /dev/null "$daemon"
	record no-daemon true
	refuses "lttng-sessiond missing" 125 'lttng-sessiond'
	bare no-daemon-bare "${layers[@]}"
	is "lttng-sessiond missing, bare: the program is unaffected" "$status" 0
	like "lttng-sessiond missing, bare: one clear line" "$(cat err)" \
		'^pwrtrace: opencl-layers is not recorded: .*lttng-sessiond'
	umount "$daemon"

	lttng-sessiond --no-kernel --daemonize
	kill -STOP "$(cat /var/run/lttng/lttng-sessiond.pid)"
	before=$SECONDS
	record frozen true
	refuses "a frozen session daemon" 125 'does not answer'
	ok "a frozen session daemon: in bounded time" at_most $((SECONDS - before)) 15
	before=$SECONDS
	bare frozen-bare "${layers[@]}"
	is "a frozen session daemon, bare: the program is unaffected" "$status" 0
	like "a frozen session daemon, bare: one clear line" "$(cat err)" \
		'^pwrtrace: opencl-layers is not recorded: '
	ok "a frozen session daemon, bare: in bounded time" at_most $((SECONDS - before)) 15
	end_daemons
	wait $unwatched
	is "processes cannot be watched: the session daemon" "$(xargs <unwatched)" "left alone ended by others"
else
	skip "processes cannot be watched: the session daemon" "needs root"
	skip "no space" "needs root"
	skip "the disk fills" "needs root"
	skip "/dev/shm too small" "needs root"
	skip "lttng-sessiond missing" "needs root"
	skip "a frozen session daemon" "needs root"
fi

# LTTng aborts a program whose limit of open files is too low for its buffers.
bare few-files bash -c 'ulimit -S -n 32; exec "$@"' few-files "${layers[@]}"
is "few files: the program is unaffected" "$status" 0
like "few files: one clear line" "$(cat err)" \
	'^pwrtrace: opencl-layers is not recorded: .*ulimit -n'
record few-recorded bash -c 'ulimit -S -n 32; exec "$@"' few-files "${layers[@]}"
is "few files, record: the program is unaffected" "$status" 0
like "few files, record: the recorder knows that a GPU was used" "$(sed 's/[0-9.]* kB/SIZE/' err)" \
	'^pwrtrace: opencl-layers is not recorded: .*ulimit -n.*
pwrtrace: recorded to [^ ]* \(SIZE\); read it with'

PWRTRACE_GRAPHS=nodes PWRTRACE_LAYERS=api,nvtxx bare settings "${layers[@]}"
is "wrong settings: the program is unaffected" "$status" 0
is "wrong settings: one clear line for each" "$(grep 'PWRTRACE_' err)" \
	"pwrtrace: PWRTRACE_LAYERS=api,nvtxx: it takes api, nvtx, roctx, torch, transformers, kokkos, ompt or none, \
separated by commas; the default is taken
pwrtrace: PWRTRACE_GRAPHS=nodes: it takes node or graph; the default is taken"
run "$PWRTRACE" record --graphs nodes -- true
refuses "a wrong option" 2 '^pwrtrace: --graphs takes node or graph, not "nodes"; see'
run "$PWRTRACE" record --layers nvtxx -- true
refuses "a wrong source of layers" 2 '^pwrtrace: --layers takes api, nvtx, .* or none'

# Names are anybody's: what a terminal would obey is shown instead.
hostile=$'a\033[2Jb\x9bc\nd' shown='a\\x1b\[2Jb\\x9bc\\nd'
record hostile "./$hostile"
refuses "a hostile program that is not there" 127 "^pwrtrace: \./$shown: not found$"
printf '#!/no/such/interpreter\n' >"$hostile"
chmod +x "$hostile"
record hostile "./$hostile"
like "a hostile program that cannot be executed" "$(head -1 err)" "^pwrtrace: \./$shown: No such file"
record "$hostile.trace" true
like "a hostile directory" "$(cat err)" "^pwrtrace: recorded to .*/$shown\.trace .*report .*/$shown\.trace$"
run "$PWRTRACE" record --graphs "$hostile" -- true
refuses "a hostile value" 2 "^pwrtrace: --graphs takes node or graph, not \"$shown\"; see"
run "$PWRTRACE" sensors --power "exec:$hostile"
like "a hostile sensor" "$(cat out)" "$shown"
PWRTRACE_GRAPHS=$hostile bare hostile-bare "${layers[@]}"
like "a hostile setting" "$(cat err)" "^pwrtrace: PWRTRACE_GRAPHS=$shown: it takes"

# --- traces that cannot be read, or only in part -----------------------------------------------

mkdir nothing
run "$PWRTRACE" report nothing
refuses "an empty directory" 1 'nothing.*'
run "$PWRTRACE" report no-such-directory
refuses "a directory that does not exist" 1 'no-such-directory does not exist'
run "$PWRTRACE" report full
refuses "a directory that is no trace" 1 'full.*'
odd=$'odd\e[31m\nname\xff'
mkdir "$odd"
run "$PWRTRACE" report "$odd"
refuses "a directory with an odd name" 1 'odd\\x1b\[31m\\nname\\xff is not a trace'
run "$PWRTRACE" report --by "$odd" full
refuses "an option with an odd value" 2 'not "odd\\x1b\[31m\\nname\\xff"; see pwrtrace report'
run "$PWRTRACE" report /bin/true
refuses "a file that is no trace" 1 '/bin/true'
run "$PWRTRACE" report
refuses "no trace is named" 2 'no trace is named'
while read -r option pattern; do
	run "$PWRTRACE" report "$option" nothing
	refuses "a wrong option, $option" 2 "$pattern"
done <<-'END'
	--no-such-option no-such-option
	--by=nothing kernel.*launch.*nothing
	--color=blue blue
	--depth=-1 number.*-1
	--filter=energy> --filter.*value
	--format=xml text.*xml
	--method=best regress.*best
	--sort=size energy.*size
	--top=some number.*some
	--work=many amount.*many
END

# A trace of another program: CTF written by hand, with an event of one byte and its time.
mkdir foreign
cat >foreign/metadata <<-'END'
	/* CTF 1.8 */
	typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
	trace { major = 1; minor = 8; byte_order = le; };
	clock { name = c; freq = 1000000000; };
	typealias integer { size = 64; align = 8; signed = false; map = clock.c.value; } := stamp_t;
	stream { event.header := struct { uint8_t id; stamp_t timestamp; }; };
	event { name = "other:thing"; id = 0; fields := struct { uint8_t x; }; };
END
printf '\0\1\0\0\0\0\0\0\0\5' >foreign/stream
like "a trace of another program is one" "$(babeltrace2 foreign)" 'other:thing'
run "$PWRTRACE" report foreign
refuses "a trace of another program" 1 'foreign holds no event of pwrtrace; record'
run "$PWRTRACE" info foreign
refuses "a trace of another program, to info" 1 'foreign holds no event of pwrtrace; record'

record whole "${layers[@]}"

# A full disk: each command, writing to the standard output and with -o.
for command in "report whole" "report --format json whole" "report --format csv whole" \
	"report --format folded whole" "info whole" "sensors" "report --help" "--help" "--version"; do
	# shellcheck disable=SC2086
	"$PWRTRACE" $command >/dev/full 2>err </dev/null
	status=$?
	refuses "a full disk, pwrtrace $command" 1 'standard output.*No space left on device'
done
"$PWRTRACE" record --help >/dev/full 2>err
status=$?
refuses "a full disk, pwrtrace record --help" 125 'standard output.*No space left on device'
run "$PWRTRACE" report -o /dev/full whole
refuses "a full disk, with -o" 1 '/dev/full.*No space left on device'
run "$PWRTRACE" report -o /no-such-directory/report whole
refuses "a directory that is not there, with -o" 1 '/no-such-directory/report.*No such file'

cp -r whole torn
stream=$(find torn -name 'flow_*' -size +0 | sort | head -1)
truncate -s "$(($(stat -c %s "$stream") - 1000))" "$stream"
run "$PWRTRACE" report torn
is "a torn trace: what is left is reported" "$status" 0
like "a torn trace: it says that something is missing" "$(cat out err)" \
	'torn|truncated|incomplete|damaged|cut'

# Whole packets of a torn stream are read where they lie.
"$BUILD/tests/trace_text" -p 512 packets <"$ROOT/tests/golden/layers.txt"
stream=$(find packets -name 'flow_*' -size +1 | sort | head -1)
truncate -s -100 "$stream"
TMPDIR=/proc run "$PWRTRACE" report packets
cp out here
like "a torn stream: its end is left out" "$(cat err)" \
	'^pwrtrace: packets/flow_[0-9]+ is torn: its last [0-9]+ bytes are left out$'

# Where metadata is of another kind, they are copied before libbabeltrace2 reads them, also to another
# file system; where that fails, a line says why.
echo 'typealias integer { size = 8; } := of_another_kind_t;' >>packets/metadata
run "$PWRTRACE" report packets
is "a torn stream, copied: the same" "$(cat out)" "$(cat here)"
like "a torn stream, copied: its end is left out" "$(cat err)" \
	'^pwrtrace: [^ ]*/packets/flow_[0-9]+ is torn: its last [0-9]+ bytes are left out$'
if [ "$(id -u)" = 0 ]; then
	mkdir elsewhere && mount -t tmpfs -o size=64k none elsewhere
	TMPDIR=$PWD/elsewhere run "$PWRTRACE" report packets
	is "a torn stream, TMPDIR on another file system: the same" "$(cat out)" "$(cat here)"
	is "a torn stream, TMPDIR on another file system: nothing else is left out" \
		"$(grep -c . err)" 1
	head -c 64k /dev/zero >elsewhere/full 2>/dev/null
	TMPDIR=$PWD/elsewhere run "$PWRTRACE" report packets
	like "a torn stream, TMPDIR full: says so" "$(tail -1 err)" \
		'packets.*elsewhere.*No space left on device; name another directory by TMPDIR'
	umount elsewhere
else
	skip "a torn stream, TMPDIR on another file system" "needs root"
fi
TMPDIR=/proc run "$PWRTRACE" report packets
refuses "a torn stream, TMPDIR that may not be written to" 1 '^pwrtrace: packets .*/proc.*TMPDIR$'

# Metadata comes in packets of 4096 bytes: torn within one, in its head, between two.
metadata=$(find whole -name metadata)
size=$(stat -c %s "$metadata")
for left in 0 1 36 37 100 4095 4096 4097 8191 $((size / 2 - 1)) $((size / 2)) $((size - 4096)); do
	rm -rf cut && cp -r whole cut && truncate -s "$left" "$(find cut -name metadata)"
	for command in report info; do
		run timeout 20 "$PWRTRACE" $command cut
		refuses "metadata of $left bytes, $command" 1 \
			'^pwrtrace: cut/.*(torn|damaged).*; copy the trace again, or record anew$'
	done
done
cp -r whole headless
find headless -name metadata -delete
run "$PWRTRACE" report headless
refuses "a trace without metadata" 1 'headless'
record idle true
run "$PWRTRACE" report idle
is "a trace without launches: exit status" "$status" 0
like "a trace without launches: says so" "$(cat out)" 'no .*(GPU|executions|launch)|0 executions'

# --- a working directory that may not be written to --------------------------------------------

# root may write everywhere, except where nobody may.
if [ "$(id -u)" = 0 ]; then
	cd /proc
	state=$WORK/state
	env XDG_STATE_HOME="$state" LD_PRELOAD="$SHIM" "${layers[@]}" >"$WORK/out" 2>"$WORK/err"
	is "an unwritable working directory: exit status" $? 0
	cd "$WORK"
	like "an unwritable working directory: says where the trace is" "$(cat err)" \
		"^pwrtrace: recording to $state/pwrtrace/pwrtrace-opencl-layers-"
	has_launches "an unwritable working directory" "$state"/pwrtrace/pwrtrace-* \
		"$(printed launches)"
fi
finish
