#!/bin/bash
# The commands of pwrtrace-recipes(7), as the page has them, each section in a directory of its own.  The
# programs are stand-ins: ./app runs kernels by OpenCL, train.py on the simulated GPU, and mpirun starts ranks.
. "$(dirname "$0")/lib.sh"

PAGE=$ROOT/analyzer/cmd/pwrtrace-recipes.7
export PWRTRACE_POWER=replay:$WORK/power.csv PYTHONDONTWRITEBYTECODE=1
{
	echo time_ns,device,domain,power_mw
	for ((i = 0; i < 3000; i++)); do echo "${i}0000000,cpu,package-0,$((40000 + i % 7 * 1000))"; done
} >power.csv

mkdir bin stand-ins
cat >stand-ins/app <<END
#!/bin/sh
exec "$EXAMPLES/opencl-layers" --steps 2
END
cat >stand-ins/train.py <<END
import ctypes
import pwrtrace
cuda = ctypes.CDLL("$BUILD/tests/simgpu/libcuda.so.1")
context, module, function = (ctypes.c_void_p() for _ in range(3))
cuda.cuInit(0)
cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
cuda.cuCtxSetCurrent(context)
cuda.cuModuleLoadData(ctypes.byref(module), b"")
cuda.cuModuleGetFunction(ctypes.byref(function), module, b"_Z5shortILm2000EEvv")
for _ in range(3):
    with pwrtrace.layer("loss"):
        cuda.cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, None, None, None)
    pwrtrace.mark("tokens", 128, "token")
END
cat >bin/mpirun <<'END'
#!/bin/sh
shift 2
for OMPI_COMM_WORLD_RANK in 0 1; do export OMPI_COMM_WORLD_RANK; "$@"; done
END
# Debian's Python, which the simulated GPU is for.
ln -s /usr/bin/python3 bin/python3
chmod +x bin/mpirun stand-ins/app
PATH=$WORK/bin:$BUILD/bin:$PATH

# lines: "SECTION<TAB>COMMAND" for each line of a display.
lines() {
	awk '/^\.Ss / { section = substr($0, 5) }
		/^\.Ed/ { shown = 0 }
		shown { gsub(/\\e/, "\\"); print section "\t" $0 }
		/^\.Bd -literal/ { shown = 1 }' "$PAGE"
}

while IFS=$'\t' read -r section line; do
	if [ ! -d "$WORK/$section" ]; then
		cp -r "$WORK/stand-ins" "$WORK/$section"
		cd "$WORK/$section" || exit 1
	fi
	if ! type "${line%% *}" >/dev/null 2>&1; then
		skip "$section: $line" "${line%% *} is not installed"
	else
		ok "$section: $line" bash -euo pipefail -c "$line"
	fi
done < <(lines)
finish
