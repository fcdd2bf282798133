#!/bin/bash
# `import pwrtrace` under a recording finds the package with nothing set for it, however Python is started,
# and a Python program sees nothing else of us.
. "$(dirname "$0")/lib.sh"

PYTHON=/usr/bin/python3
export LD_LIBRARY_PATH=$BUILD/tests/simgpu PWRTRACE_POWER=model PYTHONDONTWRITEBYTECODE=1

cat >names.py <<'END'
import contextlib, ctypes
try:
    from pwrtrace import layer, mark
except ImportError:  # a guard that says nothing
    layer, mark = (lambda _: contextlib.nullcontext()), (lambda *_: None)

cuda = ctypes.CDLL("libcuda.so.1")
context, module, function = (ctypes.c_void_p() for _ in range(3))
cuda.cuInit(0)
cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
cuda.cuCtxSetCurrent(context)
cuda.cuModuleLoadData(ctypes.byref(module), b"")
cuda.cuModuleGetFunction(ctypes.byref(function), module, b"_Z5shortILm2000EEvv")
with layer("attention"):
    for _ in range(7):
        cuda.cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, None, None, None)
mark("tokens", 128, "token")
END

# has_layers NAME COMMAND...: the program, which guards its import, has its layer and its mark.
has_layers() {
	rm -rf trace
	run "$PWRTRACE" record -q -o trace -- "${@:2}"
	is "$1: exit status" "$status $(cat err)" "0 "
	is "$1: the kernels of its layer" "$(layer_counts trace kernel_exec)" "7 attention"
	is "$1: its mark" "$(count trace mark)" 1
}

has_layers "python3" $PYTHON names.py
for option in -I -E -S; do
	has_layers "python3 $option" $PYTHON $option names.py
done
has_layers "a child" $PYTHON -c "import subprocess; subprocess.run(['$PYTHON', '-I', 'names.py'])"
$PYTHON -m venv --without-pip v
has_layers "a virtual environment" v/bin/python names.py
is "nothing is written beside the package" "$(find "$BUILD/lib" -name __pycache__)" ""

rm -rf trace
bare trace $PYTHON names.py
is "LD_PRELOAD alone: the kernels of its layer" "$(layer_counts trace kernel_exec)" "7 attention"

# --- the program's own world --------------------------------------------------------------------

mkdir -p site/sub
echo 'print("sitecustomize of its own")' >site/sitecustomize.py
cat >sees.py <<'END'
import os, sys
print(sorted(sys.modules), sys.path, len(sys.meta_path), len(sys.path_hooks), sys.flags, sys.prefix)
print({name: value for name, value in os.environ.items() if name.startswith("PYTHON")})
END

# same NAME COMMAND...: the program prints under a recording what it prints without.
same() {
	run env PYTHONPATH=site:site/sub "${@:2}"
	cp out alone
	cp err alone.err
	run env PYTHONPATH=site:site/sub "$PWRTRACE" record -q -o same-"${1//[^a-z]/}" -- "${@:2}"
	ok "$1: the program sees what it does without pwrtrace" diff alone out
	ok "$1: what it says on stderr" diff alone.err err
}

same "python3" $PYTHON sees.py
same "isolated" $PYTHON -I sees.py
same "environment" v/bin/python sees.py
is "its own sitecustomize runs" "$(head -1 out)" "sitecustomize of its own"

echo 'print("a module of its own"); layer = 1' >site/pwrtrace.py
same "own" $PYTHON -c 'import pwrtrace, sys
print(pwrtrace.__file__, pwrtrace.layer, sys.modules["pwrtrace"] is pwrtrace)'
like "a module of that name in its own path comes first" "$(cat out)" "a module of its own"
echo 'raise RuntimeError("broken")' >site/pwrtrace.py
run env PYTHONPATH=site "$PWRTRACE" record -q -o broken -- $PYTHON -c 'import pwrtrace'
like "its own exception is raised" "$status $(tail -1 err)" '^1 RuntimeError: broken$'
run $PYTHON -c 'import pwrtrace'
like "without pwrtrace there is none" "$(tail -1 err)" "No module named 'pwrtrace'"

finish
