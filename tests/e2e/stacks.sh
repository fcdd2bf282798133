#!/bin/bash
# Call stacks: each launch belongs to the functions that called it, as far as the files tell.
. "$(dirname "$0")/lib.sh"

export PWRTRACE_POWER=model NO_COLOR=1

# paths DIR [OPTION...]: a line "N A;B;C" for each call path of the report with N executions, without
# the program and the kernel.
paths() {
	"$PWRTRACE" report --by stack --format json "${@:2}" "$1" >report.json 2>report.err
	/usr/bin/python3 -c 'import json
for row in json.load(open("report.json"))["rows"]:
    print(row["executions"], ";".join(row["path"][1:-1]))' | sort
}

# differs FILE: prints which of the paths that the program printed are not in FILE; nothing if all are.
differs() {
	/usr/bin/python3 - "$1" <<'END'
import fnmatch, sys
told = [line.rstrip("\n").split(" ", 1) for line in open(sys.argv[1])]
for line in open("out"):
    if not line.startswith("path "):
        continue
    count, pattern = line.split(maxsplit=1)[1].rstrip("\n").split(" ", 1)
    found = [path for path in told if fnmatch.fnmatchcase(path[1], pattern)]
    if sum(int(n) for n, _ in found) != int(count):
        print("expected", count, pattern, "found", found)
    told = [path for path in told if path not in found]
for path in told:
    print("not expected", *path)
END
}

# --- known paths ---------------------------------------------------------------------------------

for way in site launch; do
	rm -rf trace
	run "$PWRTRACE" record -o trace --stacks=$way -- "$CLIENTS/cl_stacks" "$CLIENTS/cl_stacks.so"
	is "$way: exit status" "$status" 0
	paths trace >paths-$way
	is "$way: the call paths are those that the program took" "$(differs paths-$way)" ""
	has_launches "$way" trace "$(printed kernels)"
done
is "both ways find the same" "$(diff paths-site paths-launch)" ""
cp out recorded
run "$CLIENTS/cl_stacks" "$CLIENTS/cl_stacks.so"
ok "what the program prints is the same without pwrtrace" diff recorded out

is "the stacks' joules are the kernels', exactly" \
	"$(reported trace "sum(round(row['energy_j'] * 1e9) for row in rows)" --by stack)" \
	"$(reported trace "sum(round(row['energy_j'] * 1e9) for row in rows)" --by kernel)"

"$PWRTRACE" report --by stack --format folded trace >folded
is "folded: a line per path" "$(wc -l <folded)" "$(wc -l <paths-launch)"
is "folded: each is names, a blank and microjoules" "$(grep -cvE '^cl_stacks;[^ ].* [0-9]+$' folded)" 0
ok "folded: the microjoules add up" /usr/bin/python3 -c "
import json
measured = json.load(open('report.json'))['balance']['attributed_j'] * 1e6
lines = open('folded').read().splitlines()
assert abs(sum(int(line.rsplit(' ', 1)[1]) for line in lines) - measured) <= len(lines)"

printf 'function outer outer/&\nfunction leaf &\nfile *cl_stacks.c\t source\n' >rules
is "rules make layers of functions and files" "$(reported trace "[row['executions'] for row in rows
	if row['path'] == ['source', 'outer', 'outer', 'leaf', 'source']]" --by layer --rules rules)" "[35]"
printf 'function outer outer/&\nfunction leaf &\n' >rules
is "rules make layers of functions" "$(reported trace "[row['executions'] for row in rows
	if row['path'] == ['outer', 'outer', 'leaf']]" --by layer --rules rules)" "[35]"

rm -rf trace
run "$PWRTRACE" record -o trace --stacks=none -- "$CLIENTS/cl_stacks"
is "none: no stack is defined" "$(count trace stack_def)" 0
is "none: nor a module" "$(count trace module_def)" 0
is "none: a path is the program and the kernel" "$(paths trace)" "$(printed kernels) "

rm -rf trace
bare trace "$CLIENTS/cl_stacks"
paths trace >paths-bare
is "LD_PRELOAD alone: the same" "$(grep -v by_plugin paths-site | diff - paths-bare)" ""

rm -rf trace
PWRTRACE_STACKS=wrong record trace "$CLIENTS/cl_stacks"
is "a wrong setting: the program runs" "$status" 0
like "a wrong setting: one line says so" "$(grep -c STACKS err) $(cat err)" "^1 .*site, launch or none"
run "$PWRTRACE" record -o none --stacks=wrong -- true
is "--stacks=wrong: exit status" "$status" 2
like "--stacks=wrong: it says what it takes" "$(cat err)" "--stacks takes site, launch or none"

# --- files that tell less ------------------------------------------------------------------------

cp "$CLIENTS/cl_stacks" app
strip --strip-all app
rm -rf trace
record trace ./app
paths trace >paths-stripped
ok "stripped: module and address" grep -qE '^28 app\+0x[0-9a-f]+;app\+0x[0-9a-f]+;app\+0x[0-9a-f]+$' \
	paths-stripped
is "stripped: nothing is said, it is the file that ran" "$(cat report.err)" ""

objcopy --only-keep-debug "$CLIENTS/cl_stacks" app.debug
mkdir .debug
mv app.debug .debug/other-name
cp app app.kept
objcopy --add-gnu-debuglink=.debug/other-name app
paths trace >paths-debug
is "a debug file by debuglink" "$(diff paths-bare paths-debug)" ""
mv .debug/other-name away
mv app.kept app
is "a debug file that nothing leads to changes nothing" "$(paths trace | diff paths-stripped -)" ""

if [ "$(id -u)" = 0 ] && [ -d /usr/lib/debug ] && mount -t tmpfs none /usr/lib/debug; then
	id=$(readelf -n app | sed -n 's/.*Build ID: //p')
	mkdir -p "/usr/lib/debug/.build-id/${id:0:2}"
	cp away "/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
	is "a debug file by build-id" "$(paths trace | grep '^28 ')" "$(grep '^28 ' paths-bare)"
	mv app app.away
	is "a debug file, where the program is gone" "$(paths trace | grep '^28 ')" \
		"$(grep '^28 ' paths-bare)"
	is "a debug file, where the program is gone: nothing is missing" "$(cat report.err)" ""
	mv app.away app
	umount /usr/lib/debug
else
	skip "a debug file by build-id" "/usr/lib/debug cannot be made ours"
fi

strip --strip-debug -o app "$CLIENTS/cl_stacks"
is "without debug information: functions that are not inlined" \
	"$(paths trace | grep -c '^28 thread;outer;leaf$')" 1

cp /bin/true app
paths trace >paths-other
like "another file in its place: one line says so" "$(grep -c . report.err) $(cat report.err)" \
	"^1 .*app is not the file that ran .its build-id is [0-9a-f]+, the trace has [0-9a-f]+"
is "another file in its place: module and address" "$(diff paths-stripped paths-other)" ""
echo text >app
paths trace >paths-other
like "no object file: one line says so" "$(grep -c . report.err) $(cat report.err)" \
	"^1 .*app is no object file"
rm app
paths trace >paths-other
like "no file: one line says so" "$(grep -c . report.err) $(cat report.err)" "^1 .*app is not there"
is "no file: module and address" "$(diff paths-stripped paths-other)" ""

# --- Python --------------------------------------------------------------------------------------

for way in site launch; do
	rm -rf trace
	run "$PWRTRACE" record -o trace --stacks=$way -- \
		/usr/bin/python3 "$ROOT/tests/e2e/clients/cl_stacks.py"
	is "Python, $way: exit status" "$status" 0
	paths trace >python-$way
	is "Python, $way: the functions are those that called" "$(differs python-$way)" ""
	is "Python, $way: none of the interpreter's own" "$(grep -cE 'Py[A-Z]|python3' python-$way)" 0
	has_launches "Python, $way" trace "$(printed kernels)"
done
printf 'file *cl_stacks.py &\n' >rules
"$PWRTRACE" report --by layer --rules rules --format folded trace 2>/dev/null >folded
is "Python: files for rules" "$(grep -c '^.*/cl_stacks.py [0-9]*$' folded)" 1

# --- CUDA ----------------------------------------------------------------------------------------

export LD_LIBRARY_PATH=$BUILD/tests/simgpu
for timing in cupti events; do
	rm -rf trace
	PWRTRACE_CUDA_TIMING=$timing record trace "$CLIENTS/cuda_layers"
	paths trace >cuda-$timing
	is "CUDA, $timing: exit status" "$status" 0
	is "CUDA, $timing: who launched" "$(grep second_thread cuda-$timing)" \
		"7 second_thread;launch;try_launch"
	is "CUDA, $timing: no frames of ours or the driver's" \
		"$(grep -cE 'traced|callstack|libcu|cupti' cuda-$timing)" 0
done
is "CUDA: a graph's kernels belong to where they were captured" \
	"$(grep -c 'main;captured;capture_layer;try_launch' cuda-cupti)" 2
is "CUDA: a graph as a unit belongs to where it was launched" \
	"$(grep -c 'main;captured;launch_in' cuda-events)" 2
finish
