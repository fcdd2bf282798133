#!/bin/bash
# An event or a field of the trace's schema that the analyzer does not take up fails the build, with a
# line that says what to do, unless analyzer/load/unread.def says why it is not read.
. "$(dirname "$0")/lib.sh"

schema=tree/include/pwrtrace/events.def
unread=tree/analyzer/load/unread.def
taker=tree/analyzer/load/take_time.c

# begin: a scratch copy of what the analyzer is built from.
begin() {
	rm -rf tree
	mkdir tree
	cp -r "$ROOT/Makefile" "$ROOT/analyzer" "$ROOT/include" "$ROOT/preload" tree
}

# builds: make makes the object that hands events to those who take them.
builds() { make -C tree O=o o/bin-o/analyzer/load/take.o >build.log 2>&1; }

# add_field: to the event sync.
add_field() { sed -i '/^EVENT(sync,/,/))$/s/STR(awaits)/STR(awaits) U64(dummy_ns)/' "$schema"; }

begin
ok "the tree as it is builds" builds

add_field
ok "a field that nothing reads fails the build" not builds
like "the message says where to read it, or to say why not" "$(cat build.log)" \
	'events.def: nothing reads sync.dummy_ns: read it in take_sync\(\) .*unread.def why not'
sed -i '/^void take_sync/,/^}/s/^{/{\n\tif (!e->dummy_ns)\n\t\treturn;/' "$taker"
ok "it builds once it is read" builds

begin
add_field
echo 'UNREAD(sync, dummy_ns, "a dummy")' >>"$unread"
ok "it builds where there is a reason" builds
echo 'UNREAD(sync, dumy_ns, "mistyped")' >>"$unread"
ok "a mistyped field fails the build" not builds
like "the message names it" "$(cat build.log)" 'unread.def: .*events.def has no sync.dumy_ns'

begin
echo 'UNREAD(sync, begin_ns, "but it is")' >>"$unread"
ok "a reason for a field that is read fails the build" not builds
like "the message names it, too" "$(cat build.log)" 'unread.def: sync.begin_ns is read'

begin
echo 'EVENT(dummy, state, U32(pid))' >>"$schema"
ok "an event that nothing takes fails the build" not builds
like "the message says what to write" "$(cat build.log)" \
	'events.def: no function takes dummy: write take_dummy\(\)'
finish
