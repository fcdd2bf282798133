# CPU time of naming a layer, by our API and by NVTX.

section "CPU per push or pop of a layer"

# naming_ns WAY...: the cost of both, as cuda_layer_cost prints it.
naming_ns() {
	run "$@" env LD_LIBRARY_PATH="$BUILD/tests/simgpu" "$CLIENTS/cuda_layer_cost"
	sed -n 's/^api_ns=\([0-9.]*\) nvtx_ns=\([0-9.]*\)$/\1 \2/p' out
}

for ((i = 0; i < ROUNDS; i++)); do
	naming_ns env >>plain
	naming_ns env PWRTRACE_OUTPUT=none LD_PRELOAD="$SHIM" >>attached
	recording naming_ns >>recorded
done
column=0
for source in api nvtx; do
	column=$((column + 1))
	note "$source, without pwrtrace" "$(cut -d' ' -f$column plain | median)" ns
	figure "$source, PWRTRACE_OUTPUT=none" "$(cut -d' ' -f$column attached | median)" ns \
		"$([ $source = api ] && echo '<= 5' || echo '<= 10')"
	figure "$source, recording" "$(cut -d' ' -f$column recorded | median)" ns "<= 100"
done
