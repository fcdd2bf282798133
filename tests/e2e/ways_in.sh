#!/bin/bash
# The three ways to record a trace, as root and as an ordinary user, and what they leave unchanged.
. "$(dirname "$0")/lib.sh"

layers=("$EXAMPLES/opencl-layers" --steps 2)

plain_preload() {
	run env LD_PRELOAD="$SHIM" "${layers[@]}"
	is "$1, bare: exit status" "$status" 0
	like "$1, bare: says where the trace is" "$(cat err)" \
		'^pwrtrace: recording to .*/pwrtrace-opencl-layers-[0-9]+; read it with: pwrtrace report '
	is "$1, bare: says it in one line" "$(wc -l <err)" 1
	is "$1, bare: stdout is the program's" "$(cat out)" "$expected"
	has_launches "$1, bare" pwrtrace-opencl-layers-* "$(printed launches)"
}

# The program does not wait for its recorder, which is held up here, but readers of ours do.
completes_later() {
	local info
	bare later sh -c '"$@"
		pgrep -f -- "--helper --id $PWRTRACE_RECORDING " >recorder && kill -STOP "$(cat recorder)"
		echo the last line >&2' sh "${layers[@]}"
	is "$1, bare, the recorder is held up: exit status" "$status" 0
	is "$1, bare, the recorder is held up: our line, then the program's last" \
		"$(sed 's/ recording to .*//' err)" $'pwrtrace:\nthe last line'
	ok "$1, bare, the recorder is held up: the metadata are on disk" \
		wait_until 20 sh -c 'test -s later/ust/uid/*/64-bit/metadata'
	"${AS[@]}" "$PWRTRACE" info later >info.out 2>info.err &
	info=$!
	ok "$1, bare, the recorder is held up: info waits" \
		wait_until 20 sh -c "ls -l /proc/$info/fd | grep -q /later/.recording"
	kill -CONT "$(cat recorder)"
	wait $info
	is "$1, bare, the recorder goes on: info says nothing is wrong" "$(cat info.err)" ""
	is "$1, bare, the recorder goes on: then babeltrace2 sees all" \
		"$(babeltrace2 later | grep -c ' pwrtrace:kernel_exec: ')" "$(printed launches)"
}

recorded() {
	record recorded "${layers[@]}"
	is "$1, record: exit status" "$status" 0
	is "$1, record: stdout is the program's" "$(cat out)" "$expected"
	is "$1, record: says one line" "$(wc -l <err)" 1
	has_launches "$1, record" recorded "$(printed launches)"
	is "$1, record: the report has every execution" \
		"$(reported recorded "sum(row['executions'] for row in rows)")" \
		$(($(printed launches) + $(printed copies)))
}

own_session() {
	end_daemons
	"${AS[@]}" lttng-sessiond --no-kernel --daemonize
	"${AS[@]}" lttng -q create mine -o "$PWD/mine" >/dev/null
	"${AS[@]}" lttng -q enable-event -u 'pwrtrace:*'
	"${AS[@]}" lttng -q start
	mkdir -p "$1" && cd "$1" || return
	run env LD_PRELOAD="$SHIM" "${layers[@]}"
	is "$1, own session: exit status" "$status" 0
	is "$1, own session: nothing is said" "$(cat err)" ""
	is "$1, own session: no other trace is made" "$(ls -d pwrtrace-* 2>/dev/null)" ""
	cp out ..
	cd ..
	"${AS[@]}" lttng -q stop
	"${AS[@]}" lttng -q destroy mine
	has_launches "$1, own session" mine "$(printed launches)"
	is "$1, own session: power is in the trace" "$(count mine sensor_def)" 1
	end_daemons
}

# The user's LTTng sessions that record other events, or nothing yet, are left alone.
others_session() {
	"${AS[@]}" lttng-sessiond --no-kernel --daemonize
	"${AS[@]}" lttng -q create others -o "$PWD/others" >/dev/null
	"${AS[@]}" lttng -q enable-event -u 'others:*,pwrtrace_others:*'
	"${AS[@]}" lttng -q start
	"${AS[@]}" lttng -q create later -o "$PWD/later" >/dev/null
	"${AS[@]}" lttng -q enable-event -u 'pwrtrace:*'
	bare beside "${layers[@]}"
	is "$1, beside sessions of others: exit status" "$status" 0
	"${AS[@]}" lttng -q destroy -a
	has_launches "$1, beside sessions of others" beside "$(printed launches)"
	end_daemons
}

# Both are on one daemon, and each has its own number of launches.
two_at_once() {
	"${AS[@]}" "$PWRTRACE" record -o first -- "$CLIENTS/cl_many" --launches 3000 >first.out 2>&1 &
	record second "$CLIENTS/cl_many" --launches 2000
	wait $!
	has_launches "$1, two at once: one" second "$(printed kernels)"
	cp first.out out
	has_launches "$1, two at once: the other" first "$(printed kernels)"
}

# Another copy of the library, as that of another version, records nothing a second time.
copies() {
	local copy=$PWD/elsewhere/lib/libpwrtrace.so
	mkdir elsewhere && cp -r "$BUILD/lib" elsewhere
	LD_PRELOAD=$copy record copied "${layers[@]}"
	has_launches "a copy is preloaded, record" copied "$(printed launches)"
	for both in "$copy:$SHIM" "$SHIM:$copy"; do
		rm -rf copied
		run env LD_PRELOAD="$both" PWRTRACE_OUTPUT=copied "${layers[@]}"
		has_launches "a copy is preloaded, bare" copied "$(printed launches)"
	done
}

every_way() {
	run "${layers[@]}"
	expected=$(cat out)
	[ "$(id -u)" = 0 ] && mkdir -p "$1" && chown 65534 "$1"
	plain_preload "$1"
	completes_later "$1"
	recorded "$1"
	own_session "$1"
	others_session "$1"
	two_at_once "$1"
}

# until_signal NAME: begins a recording, $front, in a process group of its own, of a program that ends
# half a second after the signal.
until_signal() {
	rm -f ready
	env --default-signal setsid "$PWRTRACE" record -q -o "until-$1" -- \
		sh -c "trap 'sleep 0.5; exit 5' $1; touch ready; for _ in \$(seq 100); do sleep 0.1; done" \
		2>/dev/null &
	front=$!
	wait_until 10 test -e ready
}

unchanged() {
	record status sh -c 'exit 3'
	is "record: the program's exit status" "$status" 3
	record signal sh -c 'kill -TERM $$'
	is "record: 128 + the program's signal" "$status" 143
	record kill "$CLIENTS/cl_nofinish" kill
	is "record: SIGKILL after launches" "$status" 137
	bare bare-kill "$CLIENTS/cl_nofinish" kill
	is "bare: SIGKILL after launches" "$status" 137
	bare bare-exit "$CLIENTS/cl_nofinish" exit
	is "bare: the program's exit status" "$status" 3
	record stdio sh -c 'echo to stdout; echo to stderr >&2'
	is "record: stdout" "$(cat out)" "to stdout"
	is "record: stderr is the program's, then ours" "$(sed 's/ recorded .*//' err)" \
		$'to stderr\npwrtrace:'
	"$PWRTRACE" record -q -o piped -- cat <<<"from stdin" >out 2>err
	is "record: stdin" "$(cat out)" "from stdin"
	is "record -q: nothing is said" "$(cat err)" ""
	"$PWRTRACE" record -o interrupted -- sleep 60 2>/dev/null &
	wait_until 10 pgrep -P $! -x sleep >/dev/null
	kill -TERM $!
	wait $!
	is "record: SIGTERM reaches the program" $? 143
	for name in INT QUIT TERM HUP; do
		until_signal "$name"
		kill "-$name" "$front"
		wait "$front"
		is "record: SIG$name sent to it alone reaches the program" $? 5
	done
	for name in USR1 USR2 ALRM; do
		until_signal "$name"
		kill "-$name" "$front"
		kill "-$name" "-$front"
		wait "$front"
		is "record: SIG$name to all of its group does not end it before the program" $? 5
	done
}

settings() {
	bare none "${layers[@]}"
	is "PWRTRACE_OUTPUT=none: exit status" "$status" 0
	is "PWRTRACE_OUTPUT=none: nothing is said" "$(cat err)" ""
	PWRTRACE_DISABLE=1 run env LD_PRELOAD="$SHIM" "${layers[@]}"
	is "PWRTRACE_DISABLE=1: nothing is said" "$(cat err)" ""
	is "neither leaves a trace" "$(ls -d none pwrtrace-* 2>/dev/null)" ""
	PWRTRACE_LOG=quiet bare quiet "${layers[@]}"
	is "PWRTRACE_LOG=quiet: nothing is said" "$(cat err)" ""
	has_launches "PWRTRACE_LOG=quiet" quiet "$(printed launches)"
	run "$PWRTRACE" record -o tagged --tag model=tiny --tag batch=8 -- "${layers[@]}"
	is "--tag: in the report" "$(reported tagged "sorted(r['tags'].items())")" \
		"[('batch', '8'), ('model', 'tiny')]"
}

[ "$(id -u)" = 0 ] && who=root || who=user
unchanged
copies
settings
mkdir "$who" && cd "$who" && every_way "$who"
if [ "$who" = root ]; then
	if as_nobody; then
		every_way nobody
	else
		skip "as an ordinary user" "the build lies where nobody else may look"
	fi
fi
finish
