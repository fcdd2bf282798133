#!/bin/bash
# record --live: a line on the terminal, and nothing else that would not be there without it.
. "$(dirname "$0")/lib.sh"

echo 'time_ns,device,domain,power_mw' >power.csv
for ((i = 0; i < 3000; i++)); do
	echo "$((i * 200000000)),cpu,package-0,$((20000 + i % 2 * 30000))"
done >>power.csv

# A program that writes to both of its outputs, and has an exit status of its own.
cat >program <<'END'
#!/bin/bash
printf 'begin\0\377\n'
echo complaint >&2
"$1" --steps 1000000000 >/dev/null &
trap 'kill $!; wait $!; echo end; exit 7' TERM
wait
END
chmod +x program

# in_terminal MODE DIR: what record --live does on a terminal.
in_terminal() {
	/usr/bin/python3 "$ROOT/tests/e2e/record_live.py" "$1" "$PWRTRACE" record --live -o "$2" \
		--power replay:power.csv -- ./program "$EXAMPLES/opencl-layers" 2>&1
}

# same_output NAME: the program's output is its own.
same_output() {
	is "$1: stdout is the program's" "$(od -c live.out)" "$(printf 'begin\0\377\nend\n' | od -c)"
	is "$1: stderr too, but for where the trace is" "$(grep -v '^pwrtrace: recorded to ' live.err)" \
		complaint
}

is "on a terminal" "$(in_terminal shown shown)" "line: True
status: 7
cleared: True
each row fits: True"
same_output "on a terminal"
like "the line is killed: the recording goes on" "$(in_terminal killed killed)" "line: True
status: 7"
same_output "the line is killed"
ok "the line is killed: the trace has the program's end" \
	test "$(count killed kernel_exec)" -gt 0

run setsid --wait "$PWRTRACE" record --live -o none -- "$EXAMPLES/opencl-layers" --steps 1
is "no terminal: the program's status" "$status" 0
is "no terminal: one line says so" "$(grep -v 'recorded to' err)" \
	"pwrtrace: --live shows no line: there is no terminal"
ok "no terminal: it is recorded" test "$(count none kernel_exec)" -gt 0

finish
