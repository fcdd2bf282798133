# Attribution, which is what a report does beside reading.

# 200 classes, executions of 17 to 2700 us.
"$BUILD/tests/truth_writer" scenario=mixed classes=200 seconds="$BENCH_SECONDS" shortest_us=17 \
	longest_us=2700 period_ms=20 window_ms=25 lag_ms=2.5 tail_ms=4 jitter_ms=2 "$SCRATCH/many" >/dev/null
executions=$(reported "$SCRATCH/many" 'r["coverage"]["executions"]')

section "Attribution of $executions executions of 200 classes, CPU"

for ((i = 0; i < ROUNDS; i++)); do
	cpu_seconds babeltrace2 "$SCRATCH/many" --component sink.utils.dummy >>dummy
	cpu_seconds "$PWRTRACE" info "$SCRATCH/many" >>info
	cpu_seconds "$PWRTRACE" report "$SCRATCH/many" >>report
done
attribution=$(difference report info)
note "babeltrace2's dummy sink" "$(median <dummy)" s
figure "report - info" "$attribution" s "<= 2"
note "(report - info) / dummy sink" "$(calculate "($attribution) / ($(median <dummy))")" ""
figure "report: memory" "$(peak_mb "$PWRTRACE" report "$SCRATCH/many")" MB "<= 1024"

# As many classes as can have a power of their own, and a counter that ticks every millisecond for 100 s.
"$BUILD/tests/truth_writer" scenario=mixed classes=2000 copies=0 seconds=100 shortest_us=100 \
	period_ms=1 window_ms=1 "$SCRATCH/classes" >truth.json
read -r mean worst < <(errors "$SCRATCH/classes" truth.json)
figure "2000 classes, 100 000 readings: mean error" "$mean" % "<= 1"
figure "2000 classes, 100 000 readings: worst error" "$worst" % "<= 10"
note "2000 classes, 100 000 readings: CPU" "$(cpu_seconds "$PWRTRACE" report "$SCRATCH/classes")" s
