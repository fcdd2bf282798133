#!/bin/bash
# fuzz.sh BUILD SECONDS: damages traces for that long for each of the two readers, and adds a line for each
# to totals.txt.  What is damaged are the golden traces.  Ends with status 1 where there was a fault; what
# caused it stays in BUILD/fuzz.
set -u
HERE=$(cd "$(dirname "$0")" && pwd)
BUILD=$(cd "$1" && pwd)
SECONDS_EACH=$2
FAULTS=$BUILD/fuzz
faults=0

WORK=$(mktemp -d /dev/shm/fuzz.XXXXXX)
trap 'rm -rf "$WORK"' EXIT
mkdir -p "$WORK/corpus" "$FAULTS"
cd "$WORK" || exit 1

# number16 N: 16 bits in little endian.
number16() { printf "\\x$(printf %02x $(($1 & 255)))\\x$(printf %02x $(($1 >> 8)))"; }

# pack TRACE [METADATA]: an input of fuzz_packets.c.
pack() {
	number16 "$([ -z "${2:-}" ] && echo 0 || stat -c %s "$2")"
	number16 "$(stat -c %s "$1/flow_0")"
	cat "${2:-/dev/null}" "$1/flow_0" "$1/state_0"
}

# total READER EXECUTIONS FAULTS
total() {
	echo "$(date -u +%F) $1: $2 inputs in $SECONDS_EACH s, $3 faults" | tee -a "$HERE/totals.txt"
	[ "$3" = 0 ] || faults=1
}

traces=()
for text in "$HERE"/../golden/*.txt; do
	name=$(basename "$text" .txt)
	"$BUILD/tests/trace_text" -p 512 "$name" <"$text"
	pack "$name" >"corpus/$name"
	traces+=("$name")
done
pack names names/metadata >corpus/with-metadata

"$BUILD/tests/fuzz_packets" -max_total_time="$SECONDS_EACH" -max_len=32768 -timeout=10 -rss_limit_mb=2048 \
	-print_final_stats=1 -artifact_prefix="$FAULTS/" corpus >log 2>&1
crashed=$(($? != 0))
[ $crashed = 0 ] || tail -40 log
total "packets, sanitized" "$(sed -n 's/^stat::number_of_executed_units: *//p' log)" $crashed

end=$((SECONDS + SECONDS_EACH)) seed=$(($(date +%s) % 1000000 * 1000)) inputs=0 wrong=0
while [ $SECONDS -lt $end ]; do
	/usr/bin/python3 "$HERE/compare.py" "$BUILD/tests/read_trace" $seed 100 "${traces[@]}" >compared
	grep '^seed' compared && wrong=$((wrong + $(grep -c '^seed' compared)))
	seed=$((seed + 100)) inputs=$((inputs + 100))
done
[ $wrong = 0 ] || cp -r compared-* "$FAULTS"
total "both readers, compared" $inputs $wrong
exit $faults
