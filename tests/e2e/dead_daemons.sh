#!/bin/bash
# LTTng's daemons die: pwrtrace says so, the trace keeps what was written, and the next recording works.
. "$(dirname "$0")/lib.sh"

many=("$CLIENTS/cl_many" --launches 200)
all=1200

if [ "$(id -u)" = 0 ]; then rundir=/var/run/lttng; else rundir=$HOME/.lttng; fi
sessiond() { cat $rundir/lttng-sessiond.pid; }
consumer() { pgrep -P "$(sessiond)" -f '^lttng-consumerd '; }

# kill_daemon WHICH: kills a daemon of this test and waits for its end.
kill_daemon() {
	local pid
	pid=$("$1")
	kill -9 "$pid"
	wait_until 10 is_over "$pid"
}
is_over() { ! grep -qs '^State:[[:space:]]*[A-WYa-z]' "/proc/$1/status"; }

# pwrtrace record ignores SIGPIPE, but its program starts with the handling that it has without pwrtrace.
run grep -E '^Sig(Ign|Blk|Cgt)' /proc/self/status
cp out plain
record signals grep -E '^Sig(Ign|Blk|Cgt)' /proc/self/status
ok "the program starts with the signals that it would have" diff plain out
run sh -c 'trap "" PIPE; exec "$@"' sh "$PWRTRACE" record -o ignored -- grep ^SigIgn /proc/self/status
cp out recorded
run sh -c 'trap "" PIPE; exec "$@"' sh grep ^SigIgn /proc/self/status
ok "and with those that are ignored" diff out recorded
run env --ignore-signal=CHLD "$PWRTRACE" record -o children -- sh -c 'exit 7'
is "SIGCHLD is ignored: the program's exit status" "$status" 7
run env --ignore-signal=CHLD "$PWRTRACE" record -o inherits -- grep ^SigIgn /proc/self/status
cp out recorded
run env --ignore-signal=CHLD grep ^SigIgn /proc/self/status
ok "SIGCHLD is ignored: the program ignores it as well" diff out recorded

# --- between two recordings ----------------------------------------------------------------------

record first "${many[@]}"
for daemon in consumer sessiond; do
	kill_daemon $daemon
	for i in 1 2; do
		record "$daemon-$i" "${many[@]}"
		is "the $daemon had died, recording $i: exit status" "$status" 0
		is "the $daemon had died, recording $i: says one line" "$(wc -l <err)" 1
		has_launches "the $daemon had died, recording $i" "$daemon-$i" $all
	done
	kill_daemon $daemon
	bare "$daemon-bare" "${many[@]}"
	has_launches "the $daemon had died, bare" "$daemon-bare" $all
done

# --- during one ----------------------------------------------------------------------------------

# during DIR PROGRAM...: records a program that runs twice; the consumer daemon dies in between.
during() {
	local dir=$1
	shift
	"$PWRTRACE" record -o "$dir" -- sh -c '"$@"; touch launched; until [ -e killed ]; do sleep 0.05; done
		"$@"' sh "$@" >out 2>err &
	wait_until 60 test -e launched
	kill_daemon consumer
	touch killed
	wait $!
	status=$?
	rm launched killed
}

during lost "${many[@]}"
is "the consumer dies: the program's exit status" "$status" 0
is "the consumer dies: the program goes on" "$(grep -c "kernels=$all" out)" 2
like "the consumer dies: it is said" "$(cat err)" 'consumer daemon .* has died'
not_like "the consumer dies: nothing readable is promised" "$(cat err)" ': recorded to'
like "the consumer dies: what to do" "$(tail -1 err)" \
	'^pwrtrace: nothing was recorded to .*/lost that can be read: .*; record again$'

during torn "$CLIENTS/cl_many" --launches 200000
like "the consumer dies, after much: what is readable is kept" "$(tail -1 err)" \
	'^pwrtrace: recorded to .*/torn \(.* kB, cut off: .*has died\); read it with'
ok "the consumer dies, after much: it can be read" test "$(reported torn "r['coverage']['executions']")" -gt 1000

record after "${many[@]}"
has_launches "the next recording" after $all

# --- what it cannot write ------------------------------------------------------------------------

# A quota, or a limit on the sizes of files, is not seen as a disk that fills.  The daemon outlives the signal,
# as it would with a quota.  All events come from one processor, and so into one file.
limited() {
	kill_daemon sessiond
	(trap '' XFSZ && exec taskset -c "$(taskset -pc $$ | sed 's/.*: *//; s/[,-].*//')" \
		"$PWRTRACE" record -o limited -- sh -c '"$@"; touch launched
		until [ -e limited.go ]; do sleep 0.05; done; "$@"' sh "$CLIENTS/cl_many" --launches 100000) >out 2>err &
	wait_until 60 test -e launched
	prlimit --fsize="$(($(find limited/ust -type f -printf '%s\n' | sort -n | tail -1) + 1000))" --pid "$(consumer)"
	touch limited.go
	wait $!
	status=$?
	kill_daemon sessiond
	rm launched
}
if command -v prlimit >/dev/null && command -v taskset >/dev/null; then
	limited
	is "files may not grow: the program's exit status" "$status" 0
	like "files may not grow: it is said" "$(head -1 err)" \
		'^pwrtrace: LTTng could not write all of .*/limited \(is there a quota, .*\): reports say what is torn'
	like "files may not grow: what is readable is kept" "$(tail -1 err)" '^pwrtrace: recorded to .*/limited \('
	run "$PWRTRACE" report limited
	is "files may not grow: it is reported" "$status" 0
	like "files may not grow: and what is torn" "$(cat err)" 'is torn: its last [0-9]+ bytes are left out'
else
	skip "files may not grow" "needs prlimit and taskset"
fi

# --- a recorder -----------------------------------------------------------------------------------

has_sessions() { [ "$(lttng list | grep -c " pwrtrace-")" = "$1" ]; }

# two_times DIR [COMMAND...]: records a program that runs, and again once there is a file DIR.go; pwrtrace
# record is started by a command.
two_times() {
	"${@:2}" "$PWRTRACE" record -o "$1" -- sh -c '"$@"; touch $0.launched; until [ -e $0.go ]; do sleep 0.05; done
		"$@"' "$1" "${many[@]}" >"$1.out" 2>"$1.err" &
	wait_until 60 test -e "$1.launched"
}

two_times killed
front=$!
recorders=$(pgrep -P $front)
# shellcheck disable=SC2086
kill -9 $front $recorders
wait $front 2>/dev/null
record next "${many[@]}"
has_launches "a recorder is killed: the next recording" next $all
like "a recorder is killed: the next one says so" "$(head -1 err)" \
	'^pwrtrace: the recorder of .*/killed was killed: its LTTng session is ended now, and what it recorded is kept$'
is "a recorder is killed: and once" "$(grep -c . err)" 2
ok "a recorder is killed: no session is left" wait_until 10 has_sessions 0
is "a recorder is killed: what it recorded" "$(count killed kernel_exec)" $all
is "a recorder is killed: no reader waits for it" "$(ls -d killed/.[a-z]* 2>/dev/null)" ""
touch killed.go

# The next one ends nobody's session whose recorder lives, wherever that is.
if [ "$(id -u)" = 0 ]; then
	two_times away unshare --net
	away=$!
	record here "${many[@]}"
	has_launches "a recorder in another network namespace: the next recording" here $all
	is "a recorder in another network namespace: nothing is said of it" "$(grep -c . err)" 1
	wait_until 10 has_sessions 1
	sleep 2
	ok "a recorder in another network namespace: its session stays" has_sessions 1
	touch away.go
	wait $away
	has_launches "a recorder in another network namespace" away $((2 * all))
else
	skip "a recorder in another network namespace" "needs root"
fi

# One that stands still while it has the lock keeps the others for a while, not for ever.
flock $rundir/pwrtrace.lock sleep 1000 &
holder=$!
wait_until 10 not flock --nonblock $rundir/pwrtrace.lock true
record locked "${many[@]}"
has_launches "another has the lock" locked $all
like "another has the lock: says who, once" "$(head -1 err)" \
	"^pwrtrace: process $holder does not let go of $rundir/pwrtrace.lock: recording goes on without it$"
is "another has the lock: and nothing else" "$(grep -c . err)" 2
pkill -P $holder sleep

# --- the user's own daemon -----------------------------------------------------------------------

end_daemons
lttng-sessiond --no-kernel --daemonize
record theirs "${many[@]}"
kill_daemon consumer
record refused "${many[@]}"
refuses "the user's daemon is sick" 125 \
	"session daemon \(process $(sessiond)\) has lost its consumer daemon .*: kill $(sessiond)"
is "the user's daemon is sick: it is the user's" "$(is_over "$(sessiond)"; echo $?)" 1
is "the user's daemon is sick: no directory is left" "$(ls -d refused 2>/dev/null)" ""
end_daemons
record remedy "${many[@]}"
has_launches "the user's daemon, after the remedy" remedy $all
# --- a directory without room ---------------------------------------------------------------------

# LTTng's file with the daemon's pid is empty then.
without_room() {
	mount -t tmpfs -o size=64k none $rundir
	head -c 1M /dev/zero >$rundir/fill 2>/dev/null
	record no-room "${many[@]}"
	echo "$status"
	wait_until 20 not own_daemon >/dev/null && echo ended
	own_daemon >/dev/null && kill -KILL "$(own_daemon)"
}
# own_daemon: the session daemon of this mount namespace.
own_daemon() {
	local pid
	for pid in $(pgrep -x lttng-sessiond); do
		[ "$(readlink "/proc/$pid/ns/mnt")" != "$(readlink /proc/self/ns/mnt)" ] || echo "$pid"
	done | grep .
}
if [ "$(id -u)" = 0 ]; then
	export PWRTRACE WORK rundir
	export -f without_room own_daemon record run wait_until not
	is "a full directory of the session daemon: it ends all the same" \
		"$(unshare -m bash -c "many=(${many[*]}); without_room" | xargs)" "0 ended"
	has_launches "a full directory of the session daemon" no-room $all
else
	skip "a full directory of the session daemon" "needs root"
fi

finish
