#!/bin/bash
# Watts and joules of each power domain side by side, of a made-up GPU whose memory is measured too.
. "$(dirname "$0")/lib.sh"

# written LIMIT_W: writes the trace with that limit, or with none where it is 0.
written() {
	/usr/bin/python3 "$ROOT/tests/e2e/domains_trace.py" "$1" | "$BUILD/tests/trace_text" "limit$1"
}

# domains DIR EXPRESSION [OPTION]...: a value of the answer r as Python prints it; of[kernel][domain] is
# an object of a row.
domains() {
	"$PWRTRACE" report --domains --format json "${@:3}" "$1" >domains.json &&
		/usr/bin/python3 -c "
import json
r = json.load(open('domains.json'), parse_constant=lambda name: 1 / 0)
of = {row['name']: {d['domain']: d for d in row['domains']} for row in r['rows']}
truth = {'multiply': {'gpu': 450, 'memory': 40}, 'read': {'gpu': 300, 'memory': 160}}
print($2)" || nothing "no answer"
}

written 700
is "the power of each kernel in each domain, its interval holds the truth" "$(domains limit700 \
	"[abs(of[k][d]['power_w'] - truth[k][d]) <= of[k][d]['ci95_w'] + 0.5 and of[k][d]['ci95_w'] < 20
		for k in truth for d in truth[k]]")" "[True, True, True, True]"
is "joules are those of report --domain" "$(domains limit700 \
	"['%.6f' % of['read'][d]['energy_j'] for d in ('gpu', 'memory')]")" \
	"[$(for domain in gpu memory; do reported limit700 \
		"'\'%.6f\'' % sum(row['energy_j'] for row in rows if row['name'] == 'read')" \
		--domain $domain; done | paste -sd, | sed 's/,/, /')]"
is "parts of the largest" "$(domains limit700 \
	"of['multiply']['gpu']['relative'], of['read']['memory']['relative'],
	round(of['read']['gpu']['relative'], 2), round(of['multiply']['memory']['relative'], 2)")" \
	"1 1 0.67 0.25"
is "the domains" "$(domains limit700 \
	"[(d['domain'], d['part_of'], d['limit_w']) for d in r['domains']]")" \
	"[('gpu', '', 700), ('memory', 'gpu', None)]"
is "kernels that stress different domains fit under the limit together" "$(domains limit700 \
	"[(sorted(k['name'] for k in p['kernels']), [round(d['power_w'], -1) for d in p['domains']])
		for p in r['complementary']]")" "[(['multiply', 'read'], [650.0, 180.0])]"
like "as text" "$("$PWRTRACE" report --domains limit700)" \
	"POWER +±95 % +ENERGY +POWER +±95 % +ENERGY +kernel.*XCD, IOD and HBM"
like "as text, relative" "$("$PWRTRACE" report --domains --relative limit700)" "100.0 %.*multiply"
columns "each member and column" domains report --domains limit700
written 600
is "under a lower limit they do not fit" "$(domains limit600 "r['complementary']")" "[]"
written 0
is "without a limit, the most that a kernel drew is it" "$(domains limit0 \
	"r['complementary'], r['domains'][0]['limit_w']")" "[] None"

run "$PWRTRACE" report --relative limit700
is "--relative is for --domains" "$status $(wc -l <err)" "2 1"
run "$PWRTRACE" report --domains --domain memory limit700
is "--domains has each domain" "$status $(wc -l <err)" "2 1"
run "$PWRTRACE" report --domains --format folded limit700
is "--domains is not folded" "$status $(wc -l <err)" "2 1"

# limit_of OPTION...: the limit by which power is judged.
limit_of() {
	"$PWRTRACE" power --format json "$@" limit700 |
		/usr/bin/python3 -c 'import json, sys; print(json.load(sys.stdin)["devices"][0]["limit_w"])'
}
is "a recorded limit is that of a whole device, not of its memory" \
	"$(limit_of) $(limit_of --domain gpu) $(limit_of --domain memory) $(limit_of --domain memory --limit 50W)" \
	"700 700 None 50"

finish
