#!/bin/bash
# Pages (report --format html): without JavaScript they say what JSON does, whatever names are in a
# trace; and they ask no network for anything.  tests/browser looks at them in a browser.
. "$(dirname "$0")/lib.sh"

GOLDEN_DIR=$ROOT/tests/golden
export LC_ALL=C.UTF-8
PATH=$BUILD/bin:$BUILD/tests:$PATH

# says_the_same TRACE: the page of a trace has the numbers and names of its JSON reports.
says_the_same() {
	pwrtrace report --format html -o page.html "$1" &&
		pwrtrace report --format json -o kernels.json "$1" &&
		pwrtrace report --by layer --format json -o layers.json "$1" &&
		/usr/bin/python3 "$ROOT/tests/e2e/html_page.py" page.html kernels.json layers.json
}

# hostile_text: a trace whose names are markup, quotes, control characters, bytes that are not UTF-8,
# turns of direction, and of a mebibyte.
hostile_text() {
	sed '/^kernel_def/,$d' "$GOLDEN_DIR/names.txt"
	/usr/bin/python3 - <<'END'
names = ["</script><script>alert(1)</script>", "\\\"><img src=x onerror=alert(1)>", "<!--", "]]>", "&lt;&amp;&#x3c;",
         "' onmouseover='alert(1)", "</bdi></td></table>", "</title></style>", "javascript:alert(1)", "--></style>",
         "\\x1b[31m\\x00\\x9b\\x07", "\\xff\\xfe\\xc3", "\\xe2\\x80\\xaeesrever", "line\\nend\\ttab", "", " ",
         "http://example.org/x.js", "<svg onload=alert(1)>" + 65536 * "<b>0123456789</b>"]
for i, name in enumerate(names, 1):
    print(f'kernel_def pid=1 kernel={i} global_x=1 global_y=1 global_z=1 local_x=1 local_y=1 local_z=1 api=opencl name="{name}"')
    print(f'layer_def pid=1 layer={i} parent_layer=0 source=api name="{name}"')
    print(f'mark pid=1 tid=1 layer={i} time_ns={i * 1000000} value=1 unit="{name}" name="{name}"')
for i in range(1, len(names) + 1):
    print(f"kernel_launch pid=1 tid=1 correlation={i} kernel={i} stream=1 layer={i} enqueue_ns=0 return_ns=0")
print("at 15000000")
for i in range(1, len(names) + 1):
    print(f"kernel_exec pid=1 correlation={i} kernel={i} stream=1 begin_ns={i * 100000} end_ns={i * 150000} name=k")
print("power_sample pid=1 sensor=1 time_ns=15000000 power_mw=10000")
print('recording_end pid=1 end_ns=15000000 why="</p>"')
END
}

for name in names layers tree iterations stacks replay graphs partitions; do
	trace_text "$name" <"$GOLDEN_DIR/$name.txt"
	ok "$name: a page says what JSON does" says_the_same "$name"
done
trace_writer -n 20000 -k 4 -p 5 -l 4 -o fitted
ok "a run with intervals: a page says what JSON does" says_the_same fitted
is "a run with intervals: each kernel has a bar with its interval" \
	"$(sed '/id="layers"/,$d' page.html | grep -o 'class="interval"' | wc -l)" \
	"$(reported fitted 'len(rows)')"
hostile_text | trace_text -p 16777216 hostile
ok "hostile names stay text" says_the_same hostile
ok "a name of a mebibyte is cut" at_most "$(stat -c %s page.html)" 600000
for by in layer stream device process stack launch; do
	ok "by $by: a page" pwrtrace report --by $by --format html -o page.html tree
done
run pwrtrace report --format html --domains fitted
is "--domains has no page" "$status" 2
finish
