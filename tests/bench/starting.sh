# What programs that use no GPU pay, and how long a recording takes to begin and to end.

section "Beginning and end"

EXECS=200

# true_ms COMMAND...: the mean time of /bin/true, run many times by the command.
true_ms() {
	local begin=${EPOCHREALTIME/./} i
	for ((i = 0; i < EXECS; i++)); do "$@" /bin/true; done
	calculate "(${EPOCHREALTIME/./} - $begin) / 1000 / $EXECS"
}

# completed_ms N: how long after the end of a program of N launches its bare recording is complete.
completed_ms() {
	local end
	rm -rf trace
	bare trace "$CLIENTS/cl_many" --launches "$1"
	end=${EPOCHREALTIME/./}
	[ ! -e trace/.recording ] || flock --shared trace/.recording true
	calculate "(${EPOCHREALTIME/./} - $end) / 1000"
}

for ((i = 0; i < ROUNDS; i++)); do
	true_ms env >>without
	true_ms env LD_PRELOAD="$SHIM" >>with
	rm -rf trace
	wall_seconds "$PWRTRACE" record -q -o trace -- true >>wall
	completed_ms 1000 >>completed-brief
	completed_ms 100000 >>completed
done
figure "/bin/true under LD_PRELOAD: +" "$(difference with without)" ms "<= 0.3"
figure "pwrtrace record -- true" "$(median <wall)" s "<= 0.5"
figure "a bare LD_PRELOAD: the trace is complete after the program's end" "$(median <completed)" ms "<= 50"
# LTTng sleeps for a fifth of a second where metadata are new, which those of so brief a program are.
note "  of a program that uses OpenCL for a few milliseconds" "$(median <completed-brief)" ms
