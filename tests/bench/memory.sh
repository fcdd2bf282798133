# A long trace: memory that does not grow with it, and the time for all of it on every core.

section "A report of $BENCH_EXECUTIONS executions"

"$BUILD/tests/trace_writer" -n "$BENCH_EXECUTIONS" -o "$SCRATCH/long"
/usr/bin/time -q -f '%M %e %U %S' -o time "$PWRTRACE" report "$SCRATCH/long" >/dev/null
read -r peak_kb wall_s user_s system_s <time
note "the trace" "$(calculate "$(bytes_of "$SCRATCH/long") / 1e9")" GB
figure "resident memory, mapped files included" "$(calculate "$peak_kb / 1024")" MB "<= 1024"
figure "time, $(nproc) cores (a minute for 50 million)" "$wall_s" s \
	"<= $(calculate "60 * $BENCH_EXECUTIONS / 50e6")"
note "CPU" "$(calculate "$user_s + $system_s")" s
