#!/bin/bash
# What a program can see of its own process is the same with and without pwrtrace.
. "$(dirname "$0")/lib.sh"

run env "$CLIENTS/hygiene"
cp out plain
run env LD_PRELOAD="$SHIM" "$CLIENTS/hygiene"
is "exit status" "$status" 0
ok "output under LD_PRELOAD" diff plain out
is "nothing is said" "$(cat err)" ""
is "no trace is left of a program that uses no GPU" "$(ls -d pwrtrace-* 2>/dev/null)" ""

is "the shim needs libc alone" \
	"$(objdump -p "$SHIM" | awk '/NEEDED/ { print $2 }' | grep -v '^ld-linux')" libc.so.6

pipeline() { seq 1000 | sort -rn | head -3 | sha256sum; }
expected=$(pipeline)
is "a pipeline of a shell" "$(LD_PRELOAD=$SHIM bash -c "$(declare -f pipeline); pipeline")" \
	"$expected"
is "stdout closed" "$(LD_PRELOAD=$SHIM sh -c 'echo gone >&-' 2>&1 | grep -c pwrtrace)" 0

# A program that writes its own file as descriptor 2 finds no line of ours in it.
LD_PRELOAD=$SHIM PWRTRACE_OUTPUT=$PWD/closed "$CLIENTS/cl_many" --launches 100 >out 2>&-
is "stderr closed: exit status" $? 0
has_launches "stderr closed" closed "$(printed kernels)"

run "$EXAMPLES/opencl-layers" --steps 1
cp out plain
bare stdout "$EXAMPLES/opencl-layers" --steps 1
ok "stdout of an OpenCL program" diff plain out
finish
