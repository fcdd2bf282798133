#!/bin/bash
# pwrtrace profile: runs of a kernel from idle whose every power is known (profile_traces.py).
. "$(dirname "$0")/lib.sh"

export LC_ALL=C.UTF-8 NO_COLOR=1
PATH=$BUILD/bin:$BUILD/tests:$PATH

# make_trace CASE
make_trace() {
	/usr/bin/python3 "$ROOT/tests/e2e/profile_traces.py" "$1" >"$1.txt" && trace_text "$1" <"$1.txt"
}

# profiled TRACE EXPRESSION OPTION...: the expression of r, the profile of k1 in JSON.
profiled() {
	local trace=$1 expression=$2
	shift 2
	pwrtrace profile --kernel k1 --format json "$@" "$trace" | /usr/bin/python3 -c '
import json, sys
def refuse(constant):
    raise ValueError(f"{constant} is no JSON")
r = json.load(sys.stdin, parse_constant=refuse)
p = {each["execution"]: each for each in r["positions"]}
print(eval(sys.argv[1]))' "$expression"
}

# What overshoot (profile_traces.py) draws, by execution, and how many of its intervals hold.
TRUTH='[520, 640, 600, 500, 510, 520, 530, 538, 545, 545] + [560] * 10'
HELD="sum(abs(p[i + 1]['power_w'] - w) <= p[i + 1]['ci95_w'] for i, w in enumerate($TRUTH))"

for case in overshoot rise one_run slow slow_3 slow_10 middle middle_few middle_many unlike before \
	alike_1 alike_3 alike_6 alike_12 steps slow_steps; do
	ok "$case is a trace" make_trace $case
done

is "a kernel that overshoots, as text" \
	"$(pwrtrace profile --kernel k1 overshoot | sed -E 's/ ±[0-9.]+//g; s/(4|5)[0-9][0-9] W/\1.. W/g; s/12\.[0-9]/12../')" \
	"k1: 200 runs of 20, 160 golden (400 to 408 µs), 56 points of 40 wanted
SSE  4th  400 µs  4.. W    SSP  11th  400 µs  5.. W  +12.. %"
is "its members, exactly" "$(profiled overshoot '" ".join(r)')" \
	"schema trace method estimated tags coverage runs golden guidance runs_needed expected_points resolution sse ssp positions points fit before"
is "members of an execution, a point and the guidance" \
	"$(profiled overshoot '" ".join([*r["sse"], *r["points"][0], *r["guidance"]])')" \
	"execution time_s power_w ci95_w points toi_s run_s power_w domain runs points margin"
is "the guidance of FinGraV's table I" "$(profiled overshoot 'r["guidance"], r["expected_points"]')" \
	"({'runs': 200, 'points': 40, 'margin': 0.02}, 80)"
is "it is measured, and at least 18 of 20 intervals hold" \
	"$(profiled overshoot "r['resolution'], $HELD >= 18")" "('measured', True)"
is "the polynomial is of degree 4, and passes through the points" \
	"$(profiled overshoot 'len(r["fit"]), abs(sum(c * 0.5 ** i for i, c in enumerate(r["fit"])) - 560) < 6')" \
	"(5, True)"
is "a kernel that rises is steady from the 40th on" \
	"$(profiled rise 'r["sse"]["execution"], r["ssp"]["execution"]')" "(4, 40)"
is "of a single run, points alone are known" \
	"$(profiled one_run 'r["runs"], r["sse"], r["ssp"], len(r["points"]) > 3')" "(1, None, None, True)"
is "50 runs tell less exactly" \
	"$(profiled overshoot 'r["runs"], r["golden"], r["ssp"]["execution"], r["ssp"]["ci95_w"] > 2, r["runs_needed"]' --runs 50)" \
	"(50, 40, 11, True, 200)"

columns "each member and column" "profile overshoot" profile --kernel k1 overshoot
columns "each member and column, by what ran before" "profile before" profile --kernel k2 --before before

# What FinGraV's figure 5 shows.
is "with binning, other runs do not blur the profile" \
	"$(profiled unlike "r['sse']['ci95_w'] < 2, $HELD >= 18")" "(True, True)"
is "without binning, they do" \
	"$(profiled unlike 'r["golden"], r["sse"]["ci95_w"] > 10, r["sse"]["power_w"] < 480' --no-binning)" \
	"(200, True, True)"
is "without a comparison of the clocks, the powers are those of other executions" \
	"$(profiled overshoot "abs(p[4]['power_w'] - 500) > 30, abs(p[5]['power_w'] - 510) > 30" --no-sync)" \
	"(True, True)"
is "--outliers studies the other bin" \
	"$(profiled unlike 'r["golden"], abs(r["ssp"]["power_w"] - 392) < 5' --outliers 439us)" "(40, True)"

is "a slow sensor and a short kernel are refused, with what it takes" \
	"$(profiled slow 'r["resolution"], round(r["expected_points"], 3), r["guidance"]["points"], r["runs_needed"], len(r["points"])')" \
	"('refused', 0.2, 10, 20000, 0)"
like "and the text says what helps" "$(pwrtrace profile --kernel k1 slow)" \
	'refused: the sensor tells the mean of (99\.[0-9]|10[01]) ms.*20000 runs are needed: pwrtrace profile.*--replay'
# It draws 553 W in the mean; the readings are of 100 to 130 W.
holds() {
	reported "$1" "abs(rows[0]['energy_j'] / rows[0]['time_s'] - 553) <= rows[0]['ci95_j'] / rows[0]['time_s'] < 120"
}
is "of a device that is mostly idle, a kernel's power lies in its interval" \
	"$(holds slow) $(holds slow_3) $(holds slow_10)" "True True True"
is "a sensor of 25 ms: powers are modelled, and at least 19 of 20 intervals hold" \
	"$(profiled middle "r['resolution'], len(r['points']), r['fit'], $HELD >= 19")" \
	"('modelled', 0, None, True)"
is "too few runs are refused" "$(profiled middle_few 'r["resolution"]')" refused
is "beside enough of them they are in nobody's way" \
	"$(profiled middle 'r["resolution"], r["runs"], r["ssp"]' middle_few)" \
	"('modelled', 1008, $(profiled middle 'r["ssp"]'))"
# The first 64 of 128 executions draw 400 W, the others 600 W.
is "of many executions, powers of those that follow each other are told" \
	"$(profiled middle_many '(r["resolution"], r["sse"]["execution"], 60 <= r["ssp"]["execution"] <= 68,
		abs(r["sse"]["power_w"] - 400) <= r["sse"]["ci95_w"] < 40,
		abs(p[128]["power_w"] - 600) <= p[128]["ci95_w"] < 20)')" "('modelled', 1, True, True, True)"
like "and the text says of which" "$(pwrtrace profile --kernel k1 middle_many)" \
	'SSE  1st  200 µs  39[0-9] W ±[0-9]+ of the 1st to 1[0-9]th    SSP  6[0-9](st|nd|rd|th)  '

# truth_holds SETTING...: of a made-up run (tests/truth), the resolution of the profile, and how many
# of its 20 intervals hold what was drawn.
truth_holds() {
	truth_writer scenario=runs copies=0 classes=1 shortest_us=400 longest_us=401 calibrated=1 "$@" truth >truth.json
	pwrtrace profile --kernel k000 --format json truth >profile.json
	/usr/bin/python3 -c '
import json
r, truth = json.load(open("profile.json")), json.load(open("truth.json"))["classes"][0]["numbers_w"]
held = sum(abs(p["power_w"] - w) <= p["ci95_w"] for p, w in zip(r["positions"], truth))
print(r["resolution"], r["sse"]["execution"], f"{held} of {len(truth)}", sep=", ")'
	rm -r truth
}
like "made-up runs that are slow, overshoot and sag, measured" \
	"$(truth_holds seconds=5 period_ms=1 window_ms=0.05)" '^measured, [45], (18|19|20) of 20$'
like "the same, modelled" \
	"$(truth_holds seconds=40 period_ms=20 window_ms=25 lag_ms=2)" '^modelled, [45], (19|20) of 20$'
# The readings hardly have noise; what single executions differ by is most of the error.
like "the same, a counter" \
	"$(truth_holds seconds=40 period_ms=20 window_ms=0.001 counter=1)" '^modelled, [45], (1[5-9]|20) of 20$'

is "what ran before is told apart" \
	"$(pwrtrace profile --kernel k2 --before before | sed -E 's/ ±[0-9.]+//; s/[0-9.]+ m?J$/J/; s/(329|330|331)(\.[0-9])? W/330 W/; s/(299|300|301)(\.[0-9])? W/300 W/' | tail -n 2)" \
	"after idle  300 W  100 executions
after k1  330 W  100 executions  significantly more: this order costs J"

for case in alike_1 alike_3 alike_6 alike_12; do
	is "$case: the least of ten noisy powers makes no other significantly more" \
		"$(pwrtrace profile --kernel k2 --before $case | grep -c '^after k.* 30 executions$')" 10
done

# folded TRACE OPTION...: how the iterations of a trace are resolved, and the mean of the points of the
# first execution in them, of the pause, and of the second, each as a part of what it is.
folded() {
	pwrtrace profile --format json "${@:2}" "$1" | /usr/bin/python3 -c '
import json, sys
r = json.load(sys.stdin)
def within(first, last, watts):
    points = [p["power_w"] for p in r["points"] if first < p["toi_s"] * 1e3 < last]
    return abs(sum(points) / len(points) / watts - 1) < 0.05
print(r["resolution"], r["runs"], r["sse"], within(0.2, 2.8, 600), within(3.2, 3.8, 100), within(4.2, 5.8, 300))'
}
is "iterations, folded" "$(folded steps --layer iteration)" "measured 400 None True True True"
is "iterations of a mark, folded" "$(folded steps --layer step)" "measured 400 None True True True"
is "iterations, folded by what the fit says" "$(folded slow_steps --layer step)" \
	"modelled 2000 None True True True"

run pwrtrace profile --kernel k3 overshoot
refuses "an unknown kernel" 1 '^pwrtrace: no kernel is called "k3"; the nearest is "k1"$'
run pwrtrace profile --kernel k before
refuses "a part of several names" 1 '^pwrtrace: 2 kernels are called "k": "k2", "k1"; name one of them$'
run pwrtrace profile overshoot
refuses "neither a kernel nor a layer" 2 'name a --kernel, or a --layer'
run pwrtrace profile --kernel k1 --outliers 1s unlike
refuses "outliers of a time that no run has" 1 \
	'^pwrtrace: execution 4 of no run takes 1\.00 to 1\.02 s; it takes 400 to 440 µs$'
run pwrtrace profile --layer step --outliers 1s steps
refuses "outliers among iterations" 1 '^pwrtrace: no iteration takes 1\.00 to 1\.0[25] s; they take '
run pwrtrace profile --kernel k1 --gap 2W overshoot
refuses "a gap in watts" 2 'gap takes a time above 0, like 1ms, not "2W"'
run pwrtrace profile --layer epoch overshoot
refuses "no such layer" 1 '^pwrtrace: no mark and no layer "epoch" is there twice'
grep -v '^power_sample' one_run.txt | trace_text unmeasured
run pwrtrace profile --kernel k1 unmeasured
refuses "a trace without readings" 1 '^pwrtrace: no sensor measured the device of "k1"'
sed '/^power_sample/d; s/quantity=power/quantity=model/' one_run.txt | trace_text estimated
run pwrtrace profile --kernel k1 estimated
refuses "a trace of estimates" 1 '^pwrtrace: the power of this trace is an estimate'
finish
