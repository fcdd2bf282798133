#!/bin/bash
# Some 8 million launches lie in memory, the others in a file: beyond them a report needs no more memory for
# more launches, and it says so where the disk has no room for the file.
. "$(dirname "$0")/lib.sh"

MORE_MOST=24000 # kB; 3.6 million executions have 115 000

# peak OPTION... DIR: the most memory that a report needed, in kB.
peak() { /usr/bin/time -q -f %M -o time "$PWRTRACE" report -o /dev/null "$@" && tail -1 time; }

for n in 9000000 12600000; do
	"$BUILD/tests/trace_writer" -n $n -s 4 -o traced-$n
done
ok "more launches, by kernel: the same memory" \
	at_most "$(peak traced-12600000)" $(($(peak traced-9000000) + MORE_MOST))
rm -r traced-12600000

# --- no room -----------------------------------------------------------------------------------

# limited COMMAND...: runs a command that may write no file of more than 12 MiB.
limited() { (trap '' XFSZ; ulimit -f 12288; exec "$@"); }

whole=$(reported traced-9000000 'r["coverage"]["executions"]')
TMPDIR=$PWD run limited "$PWRTRACE" report --format json -o few.json traced-9000000
is "no room for all executions: the rest is reported" "$status" 0
like "no room for all executions: one line says so" "$(cat err)" \
	"^pwrtrace: no room in $PWD for [0-9]+ executions, .*: File too large; name .* by TMPDIR\$"
is "no room for all executions: nothing else is said" "$(grep -c . err)" 1
few() { /usr/bin/python3 -c "import json; r = json.load(open('few.json')); print($1)"; }
is "no room for all executions: those left out count as lost" \
	"$(few 'r["coverage"]["executions"] + r["coverage"]["lost_events"]')" "$whole"
is "no room for all executions: the balance closes" \
	"$(few '"%.6f" % sum(r["balance"][part] for part in ("attributed_j", "idle_j", "unattributed_j"))')" \
	"$(few '"%.6f" % r["balance"]["measured_j"]')"
TMPDIR=$PWD run limited "$PWRTRACE" info traced-9000000
like "no room for all executions: info names it" "$(cat out)" \
	"lost +[0-9]+ executions: $PWD had no room for them"
TMPDIR=/nonexistent run "$PWRTRACE" report -o /dev/null traced-9000000
like "no directory of temporary files: one line says so" "$(cat err)" \
	'^pwrtrace: no room in /nonexistent for [0-9]+ executions, .*: No such file or directory; name'
finish
