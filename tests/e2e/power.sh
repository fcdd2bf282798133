#!/bin/bash
# Power over time scales, of made-up traces whose power is known at each moment.
. "$(dirname "$0")/lib.sh"

# written CASE: writes the trace of a case of power_trace.py, and its truth into truth.json.
written() {
	/usr/bin/python3 "$ROOT/tests/e2e/power_trace.py" "$1" truth.json >text &&
		"$BUILD/tests/trace_text" "$1" <text
}

# powers DIR EXPRESSION [OPTION]...: a value of the answer r as Python prints it; w(d, s, member) is a
# member of the window of so many seconds of a device, or of the sum.
powers() {
	"$PWRTRACE" power --format json "${@:3}" "$1" >power.json &&
		/usr/bin/python3 -c "
import json
r = json.load(open('power.json'), parse_constant=lambda name: 1 / 0)
def w(d, s, member):
    return [x[member] for x in d['windows'] if abs(x['window_s'] / s - 1) < 1e-9][0]
gpu, total = r['devices'][0], r['sum']
print($2)" || nothing "no answer"
}

# close: two lists of numbers, within a part.
close='(lambda a, b, part: all(abs(x - y) <= part * abs(y) for x, y in zip(a, b)) and len(a) == len(b))'
# rounded: the watts of the third and fourth column to thousandths.
rounded() {
	awk -F, -v OFS=, 'NR > 1 && $3 != "" { for (i = 3; i <= 4; i++) $i = sprintf("%.3f", $i) + 0 } 1'
}
scales='[1e-4, 3e-4, 1e-3, 1e-2, 1e-1, 1]'

written one
is "one: the highest windows" "$(powers one \
	"$close([w(gpu, s, 'highest_w') for s in $scales], [900, 900, 900, 410, 410, 410], 1e-6)")" True
is "one: the lowest windows" "$(powers one \
	"$close([w(gpu, s, 'lowest_w') for s in $scales], [200, 200, 200, 410, 410, 410], 1e-6)")" True
is "one: windows of less than four of the sensor's are modelled, others measured" "$(powers one \
	"[w(gpu, s, 'kind') for s in $scales + [4e-3, 5e-3]]" --window 100us,300us,1ms,10ms,100ms,1s,4ms,5ms)" \
	"['modelled', 'modelled', 'modelled', 'measured', 'measured', 'measured', 'modelled', 'measured']"
is "one: mean, buffer, ramp and limits" "$(powers one \
	"$close([gpu['mean_w'], gpu['buffer_j'], w(gpu, 1e-3, 'ramp_w_per_s'), gpu['limit_w'],
		gpu['edpp_w']], [410, 1.47, 7e5, 700, 910], 1e-6)")" True
is "one: what drew the highest window" "$(powers one \
	"[(c['by'], c['name'], float(round(c['share'], 3)), float(round(c['share_of_all'], 3)))
		for c in w(gpu, 1e-3, 'causes')]")" \
	"[('kernel', 'hot', 1.0, 0.659), ('layer', '(no layer)', 1.0, 1.0)]"
is "one: as text" "$("$PWRTRACE" power --window 1ms one | head -1)" \
	"GPU-1  1 ms  900 W  129 % of TGP, 99 % of EDPp  700 kW/s  modelled  hot 100 % (66 % of all)"
is "one: limits and windows that are given" \
	"$("$PWRTRACE" power --window 0.01 --limit 500 --edpp 1kW one | head -1)" \
	"GPU-1  10 ms  410 W  82 % of TGP, 41 % of EDPp  0 W/s  measured  hot 66 % (66 % of all)"
is "one: how long it was above its limits" "$("$PWRTRACE" power one | grep above)" \
	"  above TGP (700 W) for 30.0 % of the time
  above EDPp (910 W) for 0.0 % of the time"
is "one: the members of the schema" "$(powers one "r['schema'], sorted(r), sorted(gpu),
	sorted(gpu['windows'][0])")" \
	"pwrtrace-power/1 ['coverage', 'devices', 'estimated', 'method', 'schema', 'sum', 'tags', 'trace'] ['buffer_j', 'device', 'edpp_w', 'limit_w', 'mean_w', 'throttled', 'windows'] ['causes', 'highest_w', 'kind', 'lowest_w', 'ramp_w_per_s', 'window_s']"
is "one: a window longer than the trace is not known" "$(powers one \
	"[gpu['windows'][0][m] for m in ('highest_w', 'lowest_w', 'kind', 'causes')]" --window 3)" \
	"[None, None, None, []]"
is "one: CSV has a row for each window" "$("$PWRTRACE" power --format csv --window 1ms,10ms one |
	cut -d, -f1-4,6-7 | tr -d '\r' | rounded)" "device,window_s,highest_w,lowest_w,kind,cause
GPU-1,0.001,900,200,modelled,hot
GPU-1,0.01,410,410,measured,hot"

written lockstep
is "lockstep: the sum, its buffer and coincidence" "$(powers lockstep \
	"$close([total['mean_w'], total['buffer_j'], total['coincidence'],
		w(total, 1e-3, 'highest_w'), w(total, 1, 'highest_w')],
		[820, 2.94, 1, 1800, 820], 1e-6)")" True
written apart
is "apart: the sum, its buffer and coincidence" "$(powers apart \
	"$close([total['mean_w'], total['buffer_j'], total['coincidence'],
		w(total, 1e-3, 'highest_w'), w(total, 1e-3, 'lowest_w')],
		[820, 0.84, 0.611111111111, 1100, 400], 1e-6)")" True
written beside
is "beside: a long kernel draws all of its windows" "$(powers beside \
	"[[(c['name'], float(round(c['share'], 3)), round(c['share_of_all'], 3))
		for c in w(r['devices'][1], s, 'causes') if c['by'] == 'kernel'] for s in (1e-3, 1e-1)],
	float(round(w(r['devices'][1], 1e-3, 'lowest_w'), 3))")" \
	"[[('long', 1.0, 0.5)], [('long', 1.0, 0.5)]] 100.0"
is "beside: both together" "$(powers beside \
	"$close([w(total, 1e-3, 'highest_w'), w(total, 1e-3, 'lowest_w'), total['coincidence']],
		[1200, 300, 1], 1e-6), round(sum(c['share'] for c in w(total, 1e-3, 'causes')
		if c['by'] == 'kernel'), 3)")" "True 1.0"
sed '/^power_sample .*sensor=2/d' text | "$BUILD/tests/trace_text" half
is "a device that no sensor measured is unknown, and so is the sum" \
	"$("$PWRTRACE" power --window 100ms half | grep -v '^ ')" "\
GPU-1  100 ms  410 W  59 % of TGP, 45 % of EDPp  0 W/s  measured  hot 66 % (66 % of all)
GPU-2  unknown: no sensor measured it
sum  unknown: no sensor measured some of the devices"
is "a device that no sensor measured, as JSON" "$(powers half \
	"len(r['devices']), [(d['mean_w'], d['buffer_j'], w(d, 0.1, 'highest_w'), w(d, 0.1, 'kind'))
		for d in (r['devices'][1], total)], total['coincidence']" --limit 300W)" \
	"2 [(None, None, None, None), (None, None, None, None)] None"
is "a device that no sensor measured, as CSV" "$("$PWRTRACE" power --format csv --window 1ms half |
	cut -d, -f1-4,10 | tr -d '\r' | rounded)" "device,window_s,highest_w,lowest_w,mean_w
GPU-1,0.001,900,200,410
GPU-2,0.001,,,
sum,0.001,,,"
cp -r one rank0 && cp -r one rank1
is "two traces of one GPU at one time are one" "$("$PWRTRACE" power --format json rank0 rank1 |
	/usr/bin/python3 -c 'import json, sys; r = json.load(sys.stdin)
print(len(r["devices"]), round(r["sum"]["mean_w"], 6))')" "1 410"

written coarse
is "coarse: modelled peaks are near the truth" "$(powers coarse \
	"$close([w(gpu, s, 'highest_w') for s in (1e-3, 1e-2)], json.load(open('truth.json')), 0.05)")" \
	True
is "coarse: they are modelled, and longer windows measured" "$(powers coarse \
	"[w(gpu, s, 'kind') for s in (1e-3, 1e-2, 1e-1)]")" "['modelled', 'modelled', 'measured']"
is "coarse: the least is the idle power" "$(powers coarse \
	"abs(w(gpu, 1e-3, 'lowest_w') - 100) < 10")" True

# Peaks of 900 W above 200 W that are as long as the window, at any time between two readings.
for ms in 25 50 80 100 150 250; do
	written peaks$ms
	off="abs(w(gpu, ${ms}e-3, 'highest_w') - 900) <= 0.1 * 700, w(gpu, ${ms}e-3, 'kind')"
	kind=$([ $ms -ge 92 ] && echo measured || echo modelled)
	is "peaks of $ms ms: $kind, to a tenth" "$(powers peaks$ms "$off" --window ${ms}ms)" "True $kind"
done
is "peaks of 250 ms over 25 ms: not measured, so not known without the powers of kernels" \
	"$(powers peaks250 "w(gpu, 25e-3, 'kind')" --window 25ms --method overlap)" None

written confounded
is "confounded: powers that are not told apart are not known" "$(powers confounded \
	"[w(gpu, s, m) for s in (1e-4, 1e-3) for m in ('highest_w', 'kind')], w(gpu, 1e-1, 'kind')")" \
	"[None, None, None, None] measured"
is "confounded: the buffer is that of what was measured" \
	"$("$PWRTRACE" power confounded | grep -c 'a buffer of [0-9.]* J would smooth it (measured)')" 1

written late
is "late: what drew the highest window ran before the readings say" "$(powers late \
	"[w(gpu, 0.1, m) for m in ('highest_w', 'kind')], [(c['name'], round(c['share'], 2))
		for c in w(gpu, 0.1, 'causes') if c['by'] == 'kernel']" --window 100ms)" \
	"[900, 'measured'] [('hot', 1.0)]"

written sleepy
is "sleepy: what the model says of idle power against readings is not known" "$(powers sleepy \
	"[w(gpu, s, 'lowest_w') and round(w(gpu, s, 'lowest_w')) for s in (1e-3, 0.1)],
	w(gpu, 1e-3, 'kind')")" "[None, 20] modelled"

written layers
is "layers: a layer is a cause" "$(powers layers \
	"[(c['name'], round(c['share'], 2)) for c in w(gpu, 1e-3, 'causes') if c['by'] == 'layer']")" \
	"[('forward', 1)]"
is "layers: the time of one" "$(powers layers \
	"[round(w(gpu, 5e-3, m), 3) for m in ('highest_w', 'lowest_w')], round(gpu['mean_w'], 3)" \
	--layer forward --window 5ms)" "[620, 620] 620"
is "layers: the time of the other" "$(powers layers \
	"round(w(gpu, 1e-3, 'highest_w'), 3), [(c['name'], round(c['share_of_all'], 3))
		for c in w(gpu, 1e-3, 'causes')]" --layer backward)" \
	"200 [('cold', 1), ('backward', 1)]"
run "$PWRTRACE" power --layer no-such layers
is "layers: one that is not there" "$status $(cat err)" \
	'1 pwrtrace: nothing ran in a layer "no-such"; pwrtrace report --by layer lists the layers'

is "layers: kernels that a filter lets pass" "$(powers layers \
	"[c['name'] for c in w(gpu, 1e-1, 'causes') if c['by'] == 'kernel']" --filter 'power < 500W')" \
	"['cold']"

written throttled
is "throttled: by which reason, for how long" "$(powers throttled \
	"[(t['reason'], t['share'], t['time_s']) for t in gpu['throttled']]")" \
	"[('sw power cap', 0.25, 0.25)]"

for case in apart beside layers throttled; do
	columns "$case: each member and column" "power $case" power --window 1ms,5ms,10ms $case
done

for wrong in "--window 0" "--window 1W" "--window 1ms,,2ms" "--limit -3" "--edpp inf" "--limit 2%"; do
	run "$PWRTRACE" power $wrong one
	is "$wrong is refused in one line that names an example" \
		"$status $(wc -l <err) $(grep -c 'takes a .* above 0, like .*, not "' err)" "2 1 1"
done
sed 's/source=nvml/source=model/; s/quantity=power/quantity=model/; /^power_sample/d' text |
	"$BUILD/tests/trace_text" estimate
run "$PWRTRACE" power estimate
is "estimates have no peaks" "$status $(cat err)" \
	"1 pwrtrace: no sensor measured the power of a device: what is estimated has no peaks"

finish
