#!/bin/bash
# Pages (report --format html): without JavaScript they say what JSON does, whatever names are in a
# trace; and they ask no network for anything.  tests/browser looks at them in a browser.
. "$(dirname "$0")/lib.sh"
. "$ROOT/tests/e2e/lib_hostile.sh"
. "$ROOT/tests/e2e/lib_hosts.sh"

GOLDEN_DIR=$ROOT/tests/golden
export LC_ALL=C.UTF-8
PATH=$BUILD/bin:$BUILD/tests:$PATH

# says_the_same TRACE...: the page of traces has the numbers and names of their JSON reports.
says_the_same() {
	local by
	pwrtrace report --format html -o page.html "$@" || return
	for by in kernel layer launch stream; do
		pwrtrace report --by $by --format json -o $by.json "$@" || return
	done
	/usr/bin/python3 "$ROOT/tests/e2e/html_page.py" page.html {kernel,layer,launch,stream}.json
}

for name in names layers tree iterations stacks replay graphs partitions pair; do
	trace_text "$name" <"$GOLDEN_DIR/$name.txt"
	ok "$name: a page says what JSON does" says_the_same "$name"
done
sed 's/value=100 //' "$GOLDEN_DIR/iterations.txt" | trace_text amounts
ok "an amount that a mark does not say is unknown" says_the_same amounts
trace_writer -n 20000 -k 4 -p 5 -l 4 -o fitted
ok "a run with intervals: a page says what JSON does" says_the_same fitted
is "a run with intervals: each kernel has a bar with its interval" \
	"$(sed '/id="layers"/,$d' page.html | grep -o 'class="interval"' | wc -l)" \
	"$(reported fitted 'len(rows)')"
for host in a b; do
	sed "s/host=h boot_id=b/host=$host boot_id=$host/" "$GOLDEN_DIR/pair.txt" | trace_text "pair-$host"
done
ok "two hosts: a page says what JSON does, and tells their streams and sensors apart" says_the_same pair-a pair-b
# begins TRACE...: when the first block of each lane of the page begins, in seconds.
begins() {
	pwrtrace report --format html -o page.html "$@" &&
		PYTHONPATH=$ROOT/tests/e2e /usr/bin/python3 -B -c 'import html_page; print(*html_page.begins_of("page.html"))'
}
for host in "day-a 0 9000" "day-b 8000 1001" "late-boot 0 9001" "no-day 8000 0"; do
	# shellcheck disable=SC2086 # words
	host_text "$GOLDEN_DIR" $host | trace_text "${host%% *}"
done
is "two machines: by the time of day" "$(begins day-a day-b)" "0.00 0.00 1.00 1.00"
is "two machines, of which one booted after the other had begun" "$(begins day-a late-boot)" "0.00 0.00 1.00 1.00"
is "two machines, of which one does not know the time of day, begin together" "$(begins day-a no-day)" \
	"0.00 0.00 0.00 0.00"
hostile_text "$GOLDEN_DIR" | trace_text -p 16777216 hostile
ok "hostile names stay text" says_the_same hostile
ok "a name of a mebibyte is cut" at_most "$(stat -c %s page.html)" 600000
for by in layer stream device process stack launch collective; do
	ok "by $by: a page" pwrtrace report --by $by --format html -o page.html tree
done
run pwrtrace report --format html --domains fitted
is "--domains has no page" "$status" 2
finish
