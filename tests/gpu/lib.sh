# shellcheck shell=bash disable=SC2034
# What check.sh and bench.sh share: where things are, and a place to work in.

set -u
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ROOT=$(cd "$HERE/../.." && pwd)
BUILD=$(cd "$ROOT" && cd "${O:-build}" && pwd) || exit 1
PWRTRACE=$BUILD/bin/pwrtrace
SHIM=$BUILD/lib/libpwrtrace.so
PROGRAMS=$BUILD/tests/gpu
COUNTER=$PROGRAMS/count_records.so

GPUS=$("$HERE/count-gpus.sh") || exit 1
if [ ! -x "$PWRTRACE" ]; then
	echo "$PWRTRACE is not there: run make" >&2
	exit 1
fi
. "$HERE/setup.sh" ""
"$PWRTRACE" --version >/dev/null || exit 1

# Short: LTTng's sockets may lie below, and their names are limited to 108 bytes.
WORK=$(mktemp -d /tmp/pwrt.XXXXXX)
trap 'rm -rf "$WORK"' EXIT
trap 'exit 1' INT TERM
ulimit -c 0
unset LD_PRELOAD CUDA_INJECTION64_PATH "${!PWRTRACE_@}"
# Compilers of kernels keep what they made for the runs that follow.
export TORCHINDUCTOR_CACHE_DIR=$WORK/.caches/inductor TRITON_CACHE_DIR=$WORK/.caches/triton
export CUPY_CACHE_DIR=$WORK/.caches/cupy PYTHONDONTWRITEBYTECODE=1
# Reports find no library of the user's.
export XDG_DATA_HOME=$WORK/.data
# CUDA counts devices as NVML does.
export CUDA_DEVICE_ORDER=PCI_BUS_ID
# JAX must leave memory to other programs, and choose the same kernels every time.
export XLA_PYTHON_CLIENT_PREALLOCATE=false XLA_FLAGS=--xla_gpu_autotune_level=0

# Builds the programs for this machine where the compiler is installed; else those of the package run.
build_programs() {
	make -k -s -j"$(nproc)" -C "$ROOT" O="$BUILD" gpu-clients >"$WORK/build.log" 2>&1
}

# command_of WORD...: sets COMMAND to the command that a row of a table means.  In its arguments, @ stands
# for the folder tests/gpu and % for that of the programs.
command_of() {
	case $1 in
	py/*) COMMAND=(python3 "$HERE/$1" "${@:2}") ;;
	examples/*.py) COMMAND=(python3 "$ROOT/$1" "${@:2}") ;;
	examples/*) COMMAND=("$BUILD/$1" "${@:2}") ;;
	torchrun) COMMAND=(python3 -m torch.distributed.run --standalone "${@:2}") ;;
	*) COMMAND=("$PROGRAMS/$1" "${@:2}") ;;
	esac
	COMMAND=("${COMMAND[@]//@/$HERE/}")
	COMMAND=("${COMMAND[@]//[%]/$PROGRAMS/}")
}

# finished DIR: waits until the trace of a program that has ended is complete.
finished() {
	local end=$((SECONDS + 20))
	until [ ! -e "$1/.recording" ]; do
		[ $SECONDS -lt $end ] || return
		sleep 0.05
	done
}
