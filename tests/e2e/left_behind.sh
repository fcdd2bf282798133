#!/bin/bash
# Processes that outlive the one that began their recording: daemons, and background jobs of a shell that
# has ended.  Their launches are recorded, and nobody waits for them for ever.
. "$(dirname "$0")/lib.sh"

many=("$CLIENTS/cl_many" --launches 200)
all=1200 # it launches a thousand times to warm up

# kernels FILE...: the numbers of kernels that clients in the background print when they end.
kernels() {
	wait_until 60 grep -qs kernels= "$@" && sed -n 's/.*kernels=\([0-9]*\).*/\1/p' "$@"
}

# --- LD_PRELOAD alone ----------------------------------------------------------------------------

bare orphan bash -c '(sleep 0.5; "$@" >app.out 2>app.err) &' bash "${many[@]}"
is "bare, a job of a shell that has ended: it runs" "$(kernels app.out)" $all
has_launches "bare, a job of a shell that has ended" orphan $all
like "bare, a job of a shell that has ended: says where the trace is" "$(cat app.err)" \
	'^pwrtrace: recording to .*/orphan; read it with'

bare daemon bash -c 'setsid --fork bash -c "sleep 0.5; exec \"\$@\" >daemon.out 2>&1" bash "$@"' \
	bash "${many[@]}"
is "bare, a daemon: it runs" "$(kernels daemon.out)" $all
has_launches "bare, a daemon" daemon $all

# A shell that has executed nothing, and goes on to.
bare turns bash -c '(sleep 0.5; "$@" >one.out; sleep 0.5; "$@" >two.out) 2>turns.err &' \
	bash "${many[@]}"
is "bare, one after the other: both run" "$(kernels one.out; kernels two.out)" $all$'\n'$all
has_launches "bare, one after the other, are one recording" turns $((2 * all))

# What is ours is no child of a program that adopts orphans: it would wait for its recorder, which waits
# for its end.
end_daemons
bare adopts timeout 60 "$CLIENTS/cl_wait" --reaper
is "bare, a program that adopts orphans: it meets its own child alone" "$status $(printed children)" "0 1"
has_launches "bare, a program that adopts orphans" adopts 10
if [ "$(id -u)" = 0 ]; then
	run env SHIM="$SHIM" timeout 60 unshare --mount --net --pid --fork --mount-proc sh -c '
		mount -t tmpfs none /var/run/lttng
		LD_PRELOAD=$SHIM PWRTRACE_OUTPUT=first exec "$0"' "$CLIENTS/cl_wait"
	is "bare, the first process of a container: it meets its own child alone" \
		"$status $(printed children)" "0 1"
	has_launches "bare, the first process of a container" first 10
	is "bare, the first process of a container: the trace is complete" \
		"$(count first recording_end)" 1
else
	skip "bare, the first process of a container" "needs root"
fi

# --- pwrtrace record -----------------------------------------------------------------------------

# Its own output is a pipe that ends with it.
"$PWRTRACE" record -o behind -- sh -c '(sleep 3; exec "$@") >app2.out 2>&1 & exit 3' sh "${many[@]}" \
	2>&1 | cat >err
status=${PIPESTATUS[0]}
is "record, a job is left behind: the program's exit status" "$status" 3
like "record, a job is left behind: says that recording goes on" "$(cat err)" \
	'^pwrtrace: .* \(process [0-9]+\) still runs: recording goes on .*: pwrtrace report .*/behind$'
is "record, a job is left behind: it runs" "$(kernels app2.out)" $all
has_launches "record, a job is left behind" behind $all

record late sh -c '(sleep 0.5; exec "$@") & exit 4' sh "${many[@]}"
is "record, a job ends soon after: the program's exit status" "$status" 4
is "record, a job ends soon after: launches" "$(count late kernel_exec)" $all

# A process that runs for ever delays nobody, and its recorder can be told to end.
"$PWRTRACE" record -o ever -- sh -c 'sleep 1000 >/dev/null 2>&1 & echo $!' 2>err | cat >out
recorder=$(sed -n 's/.*(to end it: kill \([0-9]*\)).*/\1/p' err)
ok "record, what lives for ever: says who records" test -n "$recorder"
ok "record, what lives for ever: recording goes on" test -e ever/.recording
kill "$recorder"
ok "record, what lives for ever: and can be ended" wait_until 20 not test -e ever/.recording
kill "$(cat out)"

# --- many, one after the other --------------------------------------------------------------------

# More than the recorder may open files at first: it keeps none of those that have ended.
limit=$((64 + 4 * $(getconf _NPROCESSORS_CONF)))
processes=$((limit + 8))
run sh -c 'ulimit -Sn $0; exec "$@"' $limit "$PWRTRACE" record -o sequence -- \
	sh -c 'for i in $(seq $0); do "$@"; done' $processes "$CLIENTS/cl_nofinish" exit --finish --launches 3
is "record, more processes than open files: all run" "$(grep -c kernels=3 out)" $processes
like "record, more processes than open files: says where the trace is" "$(cat err)" \
	'^pwrtrace: recorded to .*/sequence \([0-9.]+ kB\); read it with'
is "record, more processes than open files: and nothing else" "$(wc -l <err)" 1
has_launches "record, more processes than open files" sequence $((3 * processes))

# Another process may get the number of one that has ended, and belong to another recording.
cat >tracked.sh <<'END'
"$@"
"$@"
for i in $(seq 200); do
	tracked=$(lttng list "pwrtrace-$PWRTRACE_RECORDING" | grep "process IDs")
	case $tracked in *,*) sleep 0.05 ;; *) break ;; esac
done
echo "$tracked"
END
record tracked sh tracked.sh "${many[@]}"
like "record, processes have ended: the session tracks the recorder alone" "$(tail -1 out)" \
	'process IDs: +[0-9]+$'
has_launches "record, processes have ended" tracked $((2 * all))

# --- nobody to wait for --------------------------------------------------------------------------

cp -r "$BUILD/lib" half && rm half/pwrtrace/pwrtrace-record
before=$SECONDS
run env LD_PRELOAD="$PWD/half/libpwrtrace.so" "${many[@]}"
is "no recorder: the program is unaffected" "$status" 0
like "no recorder: one clear line" "$(cat err)" \
	'^pwrtrace: cl_many is not recorded: no recorder could be started'
ok "no recorder: nobody is waited for" at_most $((SECONDS - before)) 4
# --- what a process says right before it ends ------------------------------------------------------

# It says that it is recorded, and has ended before the recorder, which is held up, reads that.
cat >last_word.py <<'END'
import os, signal, socket

recorder = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
recorder.connect(f"\0pwrtrace/{os.geteuid()}/{os.environ['PWRTRACE_RECORDING']}")
front = os.getppid()
children = open(f"/proc/{front}/task/{front}/children").read().split()
(pid,) = [int(child) for child in children if int(child) != os.getpid()]
recorder.send(b"gpu %d" % os.getpid())
recorder.recv(65536)
os.kill(pid, signal.SIGSTOP)
me = os.getpid()
if os.fork() == 0:
    recorder.close()
    try:
        while open(f"/proc/{me}/stat").read().rpartition(")")[2].split()[0] != "Z":
            pass
    except OSError:
        pass
    os.kill(pid, signal.SIGCONT)
else:
    recorder.send(b"recording ")
END
"$PWRTRACE" record -o word -- /usr/bin/python3 last_word.py 2>err
is "a process that ends right after it said that it is recorded" "$(sed 's/(.*kB).*/(SIZE)/; s/ to .* (/ (/' err)" \
	"pwrtrace: recorded (SIZE)"

if [ "$(id -u)" = 0 ]; then
	# pwrtrace record is the first process of a container, and so the parent of whom the program leaves.
	run unshare --mount --pid --fork --mount-proc "$PWRTRACE" record -o container -- sh -c '
		for i in 1 2 3 4 5; do (sleep 0.01 &); done
		for i in $(seq 100); do
			sleep 0.1
			alive=$(cat /proc/[0-9]*/stat 2>/dev/null | grep -c "(sleep)")
			[ $alive = 0 ] && break
		done
		echo "orphans=$(cat /proc/[0-9]*/stat 2>/dev/null | grep -c "(sleep) Z")"'
	is "the first process of a container: orphans that ended are gone" "$(printed orphans)" 0
else
	skip "the first process of a container" "needs root"
fi

# A signal to all processes of a service, which takes its time to end.
record service sh -c 'for child in $(cat /proc/$PPID/task/$PPID/children); do
		[ $child = $$ ] || kill -TERM $child
	done
	"$@"' sh "$CLIENTS/cl_many" --launches 10
is "a recorder that is told to end before the program: launches" "$(count service kernel_exec)" "$(printed kernels)"
is "a recorder that is told to end before the program: the end is the program's" \
	"$(events service | grep -c 'recording_end: .*why = "end of the program"')" 1

# It gets no answer: the recorder is held up for as long as it lives.
record held sh -c 'for child in $(cat /proc/$PPID/task/$PPID/children); do
		[ $child = $$ ] || recorder=$child
	done
	kill -STOP $recorder; "$@"; echo "status=$?"; kill -CONT $recorder' \
	sh "$CLIENTS/cl_nofinish" twice --launches 1
is "a process that gets no answer: its exit status" "$(printed status)" 3
is "a process that gets no answer: says so once" \
	"$(grep -c 'is not recorded: no answer came before it ended' err)" 1

finish
