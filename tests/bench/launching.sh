# CPU time for each launch: that of the launching thread, and that of the collector's.

section "CPU per launch"

# A run's figure varies by some 30 ns, more than the limit without a recording: five pairs a round.
for ((i = 0; i < 5 * ROUNDS; i++)); do
	opencl env && word cpu_ns_per_launch >>plain
	opencl env PWRTRACE_OUTPUT=none LD_PRELOAD="$SHIM" && word cpu_ns_per_launch >>attached
done
for ((i = 0; i < ROUNDS; i++)); do
	recording opencl && word cpu_ns_per_launch >>recorded && word collector_ns_per_launch >>collector
	recording cuda_names && word collector_ns_per_launch >>collector-cuda
	if [ "$IPROF" ]; then
		peer opencl && word cpu_ns_per_launch >>peer-recorded
	fi
done
note "OpenCL on PoCL, the launching thread, without pwrtrace" "$(median <plain)" ns
figure "  recording: + (aim: 150)" "$(difference recorded plain)" ns "<= 250"
figure "  PWRTRACE_OUTPUT=none: +" "$(difference attached plain)" ns "<= 20"
if [ "$IPROF" ]; then
	note "  THAPI recording: +" "$(difference peer-recorded plain)" ns
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
figure "call stack at depth 30, --stacks=site: launch / without" \
	"$(ratio stacks-site stacks-none)" "" "<= 1.2"
figure "call stack at depth 30, --stacks=site: +" "$(difference stacks-site stacks-none)" ns "<= 1000"
figure "call stack at depth 30, --stacks=launch: +" "$(difference stacks-launch stacks-none)" ns "<= 1000"
