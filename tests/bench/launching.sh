# CPU time for each launch: that of the launching thread, and that of the collector's.

section "CPU per launch"

for ((i = 0; i < ROUNDS; i++)); do
	opencl env && word cpu_ns_per_launch >>plain
	opencl env PWRTRACE_OUTPUT=none LD_PRELOAD="$SHIM" && word cpu_ns_per_launch >>attached
	recording opencl && word cpu_ns_per_launch >>recorded && word collector_ns_per_launch >>collector
	recording cuda_names && word collector_ns_per_launch >>collector-cuda
	if [ "$IPROF" ]; then
		peer opencl && word cpu_ns_per_launch >>peer-recorded
	fi
done
plain=$(median <plain)

# added FILE: what the median of FILE is above plain.
added() { calculate "$(median <"$1") - $plain"; }

note "OpenCL on PoCL, the launching thread, without pwrtrace" "$plain" ns
figure "  recording: + (aim: 150)" "$(added recorded)" ns "<= 250"
figure "  PWRTRACE_OUTPUT=none: +" "$(added attached)" ns "<= 20"
if [ "$IPROF" ]; then
	note "  THAPI recording: +" "$(added peer-recorded)" ns
else
	absent "  THAPI recording: +" "not built (IPROF=FILE)"
fi
note "OpenCL on PoCL, the collector" "$(median <collector)" ns
note "CUDA by CUPTI (simulated), the collector" "$(median <collector-cuda)" ns

# From a call stack of 30 frames, 4 of which are main and what starts it.
for ((i = 0; i < ROUNDS; i++)); do
	for way in none site launch; do
		DEPTH=26 PWRTRACE_STACKS=$way recording opencl && word cpu_ns_per_launch >>stacks-$way
	done
done
plain=$(median <stacks-none)
figure "call stack at depth 30, --stacks=site: launch / without" \
	"$(calculate "$(median <stacks-site) / $plain")" "" "<= 1.2"
figure "call stack at depth 30, --stacks=site: +" "$(added stacks-site)" ns "<= 1000"
figure "call stack at depth 30, --stacks=launch: +" "$(added stacks-launch)" ns "<= 1000"
