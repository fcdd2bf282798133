#!/bin/bash
# The two ways to read a trace, packets as they lie and libbabeltrace2, hand over the same: each event
# with each field, in the same order, and how many were lost.
. "$(dirname "$0")/lib.sh"

READ=$BUILD/tests/read_trace

# same TRACE [OPTION...]: both readers print the same of it, and it is something.
same() {
	"$READ" --print "${@:2}" "$1" >by-packets && "$READ" --babeltrace --print "${@:2}" "$1" >by-babeltrace &&
		[ -s by-packets ] && diff by-packets by-babeltrace
}

# refused TRACE: its packets are not for the reader of packets, and pwrtrace reads them all the same.
refused() {
	not "$READ" "$1" && "$PWRTRACE" info "$1" >/dev/null
}

# --- traces that are written by tests ----------------------------------------------------------

for text in "$ROOT"/tests/golden/*.txt; do
	name=$(basename "$text" .txt)
	for layout in "-p 512" "-p 4096 -s 3" "-p 1048576 -s 2"; do
		# shellcheck disable=SC2086
		rm -rf trace && "$BUILD/tests/trace_text" $layout trace <"$text"
		ok "$name, $layout: the same" same trace
	done
	ok "$name: the same without some fields" same trace --without process --without name \
		--without begin_ns
done

rm -rf trace && /usr/bin/python3 "$ROOT/tests/e2e/counters_trace.py" 2 100 | "$BUILD/tests/trace_text" -s 2 trace
ok "counters: the same" same trace

# A tag at the same times in three streams, before and after each of the times at which the bits of
# the short time stamps of events wrap, and with lost events between them.
awk 'BEGIN {
	for (bits = 26; bits <= 62; bits++)
		for (beside = -1; beside <= 1; beside++)
			for (stream = 0; stream < 3; stream++) {
				printf "at %d %d\n", 2 ^ bits + beside * (bits < 50), stream
				printf "mark process=%d time_ns=%d name=%d\n", stream, bits, beside
				printf "layer_pop process=%d layer=%d end_ns=%d\n", stream, bits, beside + 1
				if (bits % 10 == stream)
					print "discard", bits
			}
}' >times.txt
"$BUILD/tests/trace_text" -s 3 times <times.txt
ok "times that wrap, lost events: the same" same times
is "lost events are told of, where a packet follows" "$(grep -c '^discarded' by-packets)" 35

awk 'BEGIN {
	for (i = 0; i < 20; i++) {
		printf "at %d\nsync process=%d name=\"", i, i
		for (j = 0; j < 4000 * i; j++)
			printf "a text of length"
		print "\" awaits=stream"
	}
}' | "$BUILD/tests/trace_text" -p 4194304 texts
ok "texts that are longer than the reader's window: the same" same texts

"$BUILD/tests/trace_writer" -n 200000 -s 5 -l 4 -e 100 -o many
ok "many packets: the same" same many

# --- metadata that differs ---------------------------------------------------------------------

# changed NAME SED-SCRIPT: the trace whose metadata is changed so.
changed() {
	rm -rf changed && cp -r many changed && sed -i "$2" changed/metadata
}

changed "a field that is not known" 's/_correlation;/_later;/'
ok "fields that are missing, and fields that are not known: the same" same changed
changed "another event" 's/pwrtrace:layer_push/other:layer_push/'
ok "events of another provider: the same" same changed
changed "another order" 's/_correlation;/_x;/; s/_kernel;/_correlation;/; s/_x;/_kernel;/'
ok "fields in another order: the same" same changed
ok "but it is another trace" not diff by-packets <("$READ" --print many)
while read -r name script; do
	changed "$name" "$script"
	ok "$name: libbabeltrace2 reads it" refused changed
done <<-'END'
	signed /_process;/s/signed = 0/signed = 1/
	big-endian /_kernel;/s/align = 8/align = 8; byte_order = be/
	aligned /_kernel;/s/align = 8/align = 32/
	another-clock s/freq = 1000000000/freq = 1000000/
	context s/struct packet_context;$/& event.context := struct { uint32_t _vtid; };/
	sequence s/string _kind;/uint8_t _n; uint8_t _kind[_n];/
END

# --- traces that LTTng has written --------------------------------------------------------------

record recorded "$EXAMPLES/opencl-layers" --steps 20
ok "a recording: the same" same recorded
record many-recorded "$CLIENTS/cl_fork" fork 50
ok "a recording of several processes: the same" same many-recorded

# session NAME OPTION... -- COMMAND...: records a program by a session of the user's own into the directory
# NAME, with options for its channel, and after a command that changes it.  The session daemon is the
# one that pwrtrace record has started.
session() {
	local name=$1 options=()
	shift
	while [ "$1" != -- ]; do options+=("$1") && shift; done
	shift
	lttng --quiet create "$name" --output="$PWD/$name" >session.log
	lttng --quiet enable-channel --userspace "${options[@]}" channel >session.log
	lttng --quiet enable-event --userspace --channel=channel 'pwrtrace:*' >session.log
	"$@"
	lttng --quiet start
	LD_PRELOAD=$SHIM run "$EXAMPLES/opencl-layers" --steps 20
	lttng --quiet destroy "$name"
}

session per-pid --buffers-pid -- true
ok "a session with buffers per process: the same" same per-pid
session files --tracefile-size=8192 --subbuf-size=4096 -- true
ok "streams in several files: libbabeltrace2 reads them" refused files
session contexts -- lttng --quiet add-context --userspace --type=vtid
ok "contexts: libbabeltrace2 reads them" refused contexts

# --- damage ------------------------------------------------------------------------------------

# overwrite FILE OFFSET BYTES: bytes as printf takes them.
overwrite() { printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none; }

# The packet at 4096 begins with its magic number; the first event is at 84 in it, its id in two bytes.
packet_text() {
	awk 'BEGIN { for (i = 0; i < 1000; i++) printf "layer_pop process=%d layer=1 end_ns=%d\n", i, i }'
}
packet_text | "$BUILD/tests/trace_text" packets
whole=$("$READ" --print packets | grep -c layer_pop)
is "before any damage: all is there" "$whole" 1000

# left NAME FILE OFFSET BYTES WARNING: with these bytes in the stream, a part of the trace is left, and a
# line says why.
left() {
	rm -rf damaged && cp -r packets damaged
	overwrite "damaged/flow_0" "$2" "$3"
	run "$PWRTRACE" info damaged
	is "$1: exit status" "$status" 0
	like "$1: one clear line" "$(cat err)" "^pwrtrace: damaged/flow_0 is $4\$"
	is "$1: and no other" "$(grep -c . err)" 1
	ok "$1: some is read" at_most 1 "$("$READ" --print damaged 2>/dev/null | grep -c layer_pop)"
	ok "$1: some is not" at_most "$("$READ" --print damaged 2>/dev/null | grep -c layer_pop)" $((whole - 1))
}
left "an event that is not known" 4180 '\300\007' \
	'damaged: 1 of its packets are left out, wholly or from an event on'
left "a packet of another trace" 4100 'another' \
	'damaged: 1 of its packets are left out, wholly or from an event on'
left "a packet that claims more than the file has" 4152 '\0\0\0\377' \
	'torn: its last [0-9]+ bytes are left out'
left "a packet that claims more content than it has" 4144 '\377\377' \
	'damaged: 1 of its packets are left out, wholly or from an event on'
left "a packet that is none" 4096 'none' 'torn: its last [0-9]+ bytes are left out'

mkdir torn && cp packets/metadata torn && head -c 4000 packets/flow_0 >torn/flow_0
run "$PWRTRACE" info torn
refuses "nothing but a torn packet" 1 'torn/flow_0 is torn: its last 4000 bytes are left out'

cp -r recorded lying
for index in $(find lying -name '*.idx' -size +0); do
	overwrite "$index" 40 '\377\377\377\377\377\377\377\377'
done
"$READ" --print recorded >expected
ok "an index that lies: no matter" diff expected <("$READ" --print lying)

# What a reader prints waits in a pipe, so the file changes while it is read.
cp -r many growing
"$READ" --print many >expected
"$READ" --print growing 2>err | {
	head -c 1000
	cat growing/flow_1 >>growing/flow_0
	cat
} >out
ok "a file that grows: what it had is read" diff expected out
is "a file that grows: nothing else is said" "$(cat err)" ""
cp -r many shrinking
"$READ" --print shrinking 2>err | {
	head -c 1000
	truncate -s 1000000 shrinking/flow_0
	cat
} >out
like "a file that shrinks: one clear line" "$(cat err)" \
	'^pwrtrace: shrinking/flow_0 is (torn: its last [0-9]+ bytes are|damaged: 1 of its packets are) left out'
ok "a file that shrinks: the four others are read" \
	at_most $(($(grep -c . expected) * 3 / 4)) "$(grep -c . out)"

# Many ways to damage traces: fuzz/compare.py says what must hold of the two readers then.
mutated=()
for name in graphs layers sensors run1; do
	"$BUILD/tests/trace_text" -p 512 "mutated-$name" <"$ROOT/tests/golden/$name.txt"
	mutated+=("mutated-$name")
done
cp -r "$(dirname "$(find recorded -name metadata | head -1)")" mutated-recorded
/usr/bin/python3 "$ROOT/tests/fuzz/compare.py" "$READ" 0 200 "${mutated[@]}" mutated-recorded >faults 2>&1
like "200 damaged traces: what both readers say fits together" "$(cat faults)" \
	'^read by packets: [1-9][0-9]+$'
finish
