# Bytes of a trace for each launch, with a layer and a call stack.

section "Trace bytes per launch, with a layer and a call stack"

recording opencl
figure "OpenCL on PoCL" "$(calculate "$(bytes_of trace) / $(printed kernels)")" B "<= 100"
note "OpenCL on PoCL: lost" "$(sum_lost trace)" ""
recording cuda_names
figure "CUDA by CUPTI (simulated), names of PyTorch's kernels" \
	"$(calculate "$(bytes_of trace) / $(printed kernels)")" B "<= 96"
note "CUDA by CUPTI (simulated): lost" "$(sum_lost trace)" ""
if [ "$IPROF" ]; then
	peer opencl
	note "THAPI's, OpenCL on PoCL, without either" "$(calculate "$(bytes_of peer) / $(printed kernels)")" B
else
	absent "THAPI's, OpenCL on PoCL" "not built (IPROF=FILE)"
fi
