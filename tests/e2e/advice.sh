#!/bin/bash
# What a report says would make wide intervals narrower: how much longer to record, or that no recording
# will do, why, and what would.
. "$(dirname "$0")/lib.sh"

# written NAME SETTING...: makes up a trace of random work that a slow sensor with 10 W of noise reads.
written() {
	"$BUILD/tests/truth_writer" scenario=mixed shortest_us=200 period_ms=100 window_ms=100 noise_w=10 \
		"${@:2}" "$1" >truth.json
}

advice='r["fits"][0]["advice"]'
narrower() { "$PWRTRACE" report "$@" | grep '^  Narrower: '; }

# --- recording longer ---------------------------------------------------------------------------

written short seconds=10
like "work that varies: record longer" "$(narrower short)" \
	'^  Narrower: record about [0-9]+ s more: 80 % of the energy is then known to ±10 %; record --replay \(about [0-9]+ s\) or report --library helps too$'
more=$(reported short "round($advice['more_s'])")
written longer seconds=$((10 + more))
is "after $more s more, widths are within a fourth of what was promised" \
	"$(reported longer "abs($advice['now']['most'] / 0.1 - 1) < 0.25")" True
is "and JSON has said that it would help" "$(reported short "$advice['longer_helps'], $advice['loop_ms']")" "True None"

written long seconds=200
is "narrow intervals: no advice" "$(narrower long)" ""
is "narrow intervals: nothing more to record" "$(reported long "$advice['more_s'], $advice['replay_kernels']")" "0.0 0"

# --- a loop that the sensor is too slow for -----------------------------------------------------

"$BUILD/tests/truth_writer" scenario=loop3 longest_us=300 period_ms=20 window_ms=25 lag_ms=2.5 tail_ms=4 \
	jitter_ms=2 calibrated=1 copies=0 seconds=20 loop >truth.json
like "a loop of 3 ms: longer does not help" "$(narrower loop)" \
	'^  Narrower: longer will not help: the loop repeats every 3(\.[0-9]+)? ms; record --replay \(about [0-9]+ s\) or report --library would$'
is "a loop of 3 ms: JSON" \
	"$(reported loop "$advice['longer_helps'], $advice['more_s'], 2.9 < $advice['loop_ms'] < 3.3")" "False None True"
is "what is replayed is what replay would tell of" \
	"$(reported loop "round($advice['replay_s'] - 0.8 * $advice['replay_kernels'], 9) == 0 < $advice['replay_s']")" True

# --- how exact the forecast is ------------------------------------------------------------------

ok "widths at five times the recording are as predicted" /usr/bin/python3 "$ROOT/tests/truth/accuracy.py" "$BUILD" \
	--exact --longer --seeds 1 --rows "well mixed, 100 ms;loop of 400 ms, 100 ms"
finish
