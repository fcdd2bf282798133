#!/bin/bash
# What another user of the machine can do to a recording: nothing.
. "$(dirname "$0")/lib.sh"

many=("$CLIENTS/cl_many" --launches 200)
all=1200

# The default directory is new: nobody has prepared it, and nobody else looks into it.
run env LD_PRELOAD="$SHIM" bash -c 'mkdir "pwrtrace-cl_many-$$"; chmod 777 "pwrtrace-cl_many-$$"
	exec "$@"' bash "${many[@]}"
is "a directory that is prepared: exit status" "$status" 0
is "a directory that is prepared: nothing comes into it" \
	"$(find pwrtrace-cl_many-* -prune -empty | wc -l)" 1
has_launches "a directory that is prepared" pwrtrace-cl_many-*-2 $all
is "the default directory: for its user alone" "$(stat -c %a pwrtrace-cl_many-*-2)" 700

# A socket of another user's: ask ID writes what the recorder answers, pose ID answers as one.
cat >stranger.py <<'END'
import os, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
s.settimeout(20)
address = "\0pwrtrace/%s/%s" % (sys.argv[2], sys.argv[3])
if sys.argv[1] == "ask":
    s.connect(address)
    try:
        s.send(b"gpu 1")
        print(s.recv(9999).decode() or "(nothing)")
    except ConnectionError:
        print("(nothing)")
else:
    s.bind(address)
    s.listen()
    print("ready", flush=True)
    while True:
        c, _ = s.accept()
        try:
            c.recv(9999)
            c.send(b"ours /tmp/theirs\n/tmp/theirs")
        except ConnectionError:
            pass
END
if [ "$(id -u)" = 0 ]; then
	chmod 644 stranger.py
	stranger=(setpriv --reuid=65534 --regid=65534 --clear-groups /usr/bin/python3 "$WORK/stranger.py")
	"$PWRTRACE" record -q -o asked -- sleep 1000 2>err &
	wait_until 20 pgrep -P $! -x sleep >sleep.pid
	id=$(tr '\0' '\n' <"/proc/$(cat sleep.pid)/environ" | sed -n 's/^PWRTRACE_RECORDING=//p')
	like "a recorder answers its own user" "$(/usr/bin/python3 stranger.py ask 0 "$id")" "^ours "
	is "a recorder does not answer another user" "$("${stranger[@]}" ask 0 "$id")" "(nothing)"
	kill "$(cat sleep.pid)"
	wait

	"${stranger[@]}" pose 0 7-7 >posing &
	wait_until 20 grep -q ready posing
	PWRTRACE_RECORDING=7-7 bare posed "${many[@]}"
	is "another user's recorder: the program is unaffected" "$status" 0
	like "another user's recorder: is not asked" "$(cat err)" \
		"^pwrtrace: cl_many is not recorded: another user's process stands in the place of its recorder"
	kill $!
else
	skip "another user" "needs root"
fi

# A home that cannot hold the daemon: its sockets' names would be too long.
made_homes() { find /tmp /dev/shm -maxdepth 1 -name 'pwrtrace-??????' -newer stamp; }
no_homes() { [ -z "$(made_homes)" ]; }
if [ "$(id -u)" != 0 ]; then
	skip "a home that cannot hold the daemon" "needs root"
elif as_nobody; then
	AS+=(HOME="$PWD/$(printf '%080d' 0)")
	"${AS[@]}" sh -c 'mkdir "$HOME"'
	touch stamp
	bare homeless "${many[@]}"
	like "a home that cannot hold the daemon, bare: one line" "$(cat err)" \
		'^pwrtrace: recording to .*/homeless; read it with'
	has_launches "a home that cannot hold the daemon, bare" homeless $all
	ok "a home that cannot hold the daemon: another is made" not no_homes
	record homeless-2 "${many[@]}"
	has_launches "a home that cannot hold the daemon, record" homeless-2 $all
	ok "a home that cannot hold the daemon: and removed with it" wait_until 40 no_homes
	mount --bind /tmp /tmp && mount --bind "$WORK" "$WORK" && mount -o remount,bind,ro /tmp
	record homeless-3 "${many[@]}"
	has_launches "nor can /tmp" homeless-3 $all
	like "nor can /tmp: it is made elsewhere" "$(made_homes)" '^/dev/shm/'
	ok "nor can /tmp: and removed with the daemon" wait_until 40 no_homes
	umount "$WORK" /tmp
else
	skip "a home that cannot hold the daemon" "the build lies where nobody else may look"
fi
finish
