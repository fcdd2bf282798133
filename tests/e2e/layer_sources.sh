#!/bin/bash
# Regions of OpenMP (by OMPT) and of Kokkos (by its interface for tools) are layers where the user asks
# for them.
. "$(dirname "$0")/lib.sh"

export LD_LIBRARY_PATH=$BUILD/tests/simgpu PWRTRACE_POWER=model OMP_NUM_THREADS=3

# layered NAME SOURCE: records a client with this source of layers and without.
layered() {
	run "$CLIENTS/layers/$1"
	cp out plain
	rm -rf trace
	run "$PWRTRACE" record -q -o trace --layers "$2" -- "$CLIENTS/layers/$1"
	is "$1: exit status" "$status" 0
	is "$1: nothing is said" "$(cat err)" ""
	ok "$1: the program prints what it does without pwrtrace" diff plain out
	is "$1: kernels of each layer" "$(layer_counts trace kernel_exec)" \
		"$(printed_counts kernels)"
	is "$1: no launch is lost" "$(count trace kernel_exec)" "$(printed kernels)"
	rm -rf none
	run "$PWRTRACE" record -q -o none -- "$CLIENTS/layers/$1"
	is "$1: no layers without --layers $2" "$(count none layer_def)" 0
	ok "$1: the program prints the same" diff plain out
}

if [ -x "$CLIENTS/layers/openmp" ]; then
	layered openmp ompt
else
	skip "OpenMP" "clang with its OpenMP (libomp-dev) is not installed"
fi

if [ -x "$CLIENTS/layers/kokkos" ]; then
	# Debian's Kokkos is older than KOKKOS_TOOLS_LIBS.
	export KOKKOS_PROFILE_LIBRARY=$SHIM
	layered kokkos kokkos
	is "kokkos: an event" "$(events trace | grep -c 'mark: .* name = "an event"')" 1
	unset KOKKOS_PROFILE_LIBRARY
else
	skip "Kokkos" "libtrilinos-kokkos-dev is not installed"
fi
run "$PWRTRACE" record -q -o told --layers kokkos -- printenv KOKKOS_TOOLS_LIBS
is "Kokkos is told of us" "$(cat out)" "$SHIM"
run "$PWRTRACE" record -q -o untold -- printenv KOKKOS_TOOLS_LIBS
is "only where that is asked for" "$(cat out)" ""
KOKKOS_TOOLS_LIBS=/another/tool.so run "$PWRTRACE" record -o other --layers kokkos -- \
	sh -c 'printenv KOKKOS_TOOLS_LIBS; '"$CLIENTS/cuda_many"
is "another tool stays" "$(head -1 out)" /another/tool.so
is "another tool stays: it is said once" "$(grep -c "KOKKOS_TOOLS_LIBS is another tool's" err)" 1
finish
