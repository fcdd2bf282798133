#!/bin/bash
# Campaigns of pwrtrace profile on a real GPU, as FinGraV's figures 6 to 9 have them: products of
# matrices of 8192 and 4096, a matrix and a vector, and the latter by what ran before.  Prints a table.
# Exit status: 0 if each campaign ended with a profile.
#
# usage: profile.sh
#
#   BUDGET=60      seconds for each of the three campaigns
#   ORDERS=300     how often either order is run for --before
#   CALIBRATE=     leave the calibration of the sensor out, which takes half a minute
#   OUT=DIR        the profiles in JSON go there, and the recordings, compressed
. "$(dirname "$0")/lib.sh"

export XDG_STATE_HOME=$WORK/state
OUT=${OUT:-$WORK/out}
mkdir -p "$OUT"
cd "$WORK" || exit 1
[ -z "${CALIBRATE-1}" ] || "$PWRTRACE" sensors --calibrate >"$OUT/calibration.txt" 2>&1

# longest TRACE: the full name of the kernel that ran longest.
longest() {
	"$PWRTRACE" report --format json "$1" | python3 -c '
import json, sys
rows = [row for row in json.load(sys.stdin)["rows"] if row["kind"] == "kernel"]
print(max((row for row in rows if not row["name"].startswith("randomize")), key=lambda row: row["time_s"])["name"])'
}

# shown TITLE FILE: a row of the table.
shown() {
	python3 - "$@" <<'END'
import json, sys
title, file = sys.argv[1:]
with open(file, encoding="utf-8") as text:
    r = json.load(text)
def steady(which):
    each = r[which]
    if not each:
        return f"{'-':>5} {'-':>9} {'-':>12}"
    power = "-" if each["power_w"] is None else f"{each['power_w']:.0f} ±{each['ci95_w'] or 0:.0f} W"
    return f"{each['execution']:5} {each['time_s'] * 1e6:6.1f} us {power:>12}"
print(f"{title:14} {r['resolution']:9} {r['runs']:5} {r['golden']:6}  {steady('sse')}  {steady('ssp')}"
      f"  {r['runs_needed']:6.0f}")
END
}

failed=0
printf '%-14s %-9s %5s %6s  %5s %9s %12s  %5s %9s %12s  %6s\n' kernel resolution runs golden SSE time power SSP time power needed
while read -r title size columns; do
	command=("$PROGRAMS/cublas" --launches 300 --size "$size" --columns "$columns")
	"$PWRTRACE" record -q -o "$title-name" -- "${command[@]}" >/dev/null </dev/null
	kernel=$(longest "$title-name")
	if "$PWRTRACE" profile --kernel "$kernel" --budget "${BUDGET:-60}s" --format json \
		-o "$OUT/$title.json" -- "${command[@]}" 2>"$OUT/$title.err" </dev/null; then
		shown "$title" "$OUT/$title.json"
	else
		failed=1
		printf '%-14s %s\n' "$title" "$(tail -n 1 "$OUT/$title.err")"
	fi
	tar -cJf "$OUT/$title.tar.xz" pwrtrace-profile-*
	rm -r pwrtrace-profile-*
done <<'END'
product-8192 8192 8192
product-4096 4096 4096
vector-8192 8192 1
END

"$PWRTRACE" record -q -o orders -- "$PROGRAMS/cublas" --orders "${ORDERS:-300}" --size 8192 >/dev/null
tar -cJf "$OUT/orders.tar.xz" orders
echo "a matrix and a vector, by what ran before:"
"$PWRTRACE" profile --kernel "$kernel" --before orders || failed=1
exit $failed
