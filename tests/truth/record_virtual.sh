#!/bin/bash
# record_virtual.sh BUILD DIR PROGRAM [ARGUMENT]...: records a program that uses the simulated GPU, in
# virtual time, into DIR.  An LTTng session daemon is running.  The session is one of the user's own,
# so that the sampler is in the process whose time is virtual (tests/simgpu/virtual_time.c), and takes
# events of that process only, as others may be recorded beside it; events wait for room in LTTng's
# buffers, which are emptied in real time.
set -e
build=$1 dir=$2
shift 2
simgpu=$build/tests/simgpu
session=virtual-$$

lttng -q create "$session" --output="$dir" >/dev/null
trap 'lttng -q destroy "$session"' EXIT
lttng -q enable-channel --userspace --session="$session" --blocking-timeout=inf \
	--subbuf-size=1M --num-subbuf=8 virtual
lttng -q enable-event --userspace --session="$session" --channel=virtual 'pwrtrace:*'
(
	lttng -q track --userspace --session="$session" --vpid=$BASHPID
	lttng -q start "$session"
	exec env LD_LIBRARY_PATH="$simgpu" \
		LD_PRELOAD="$simgpu/libvirtual-time.so $build/lib/libpwrtrace.so" \
		LTTNG_UST_ALLOW_BLOCKING=1 LTTNG_UST_CLOCK_PLUGIN="$simgpu/libreal-clock.so" \
		PWRTRACE_LOG=error "$@"
)
