#!/bin/bash
# The modules of PyTorch are layers, with no change to the program (tests/e2e/torch_client.py, which
# launches on the simulated GPU from within modules).
. "$(dirname "$0")/lib.sh"

PYTHON=(/usr/bin/python3)
CLIENT=$ROOT/tests/e2e/torch_client.py
export LD_LIBRARY_PATH=$BUILD/tests/simgpu PWRTRACE_POWER=model
export PYTHONPATH=$BUILD/lib/pwrtrace/python PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=1

if ! "${PYTHON[@]}" -c 'import torch' 2>/dev/null; then
	skip "PyTorch" "python3-torch is not installed"
	finish
fi

# case_of CASE...: records cases of the client; the trace has the layers that they expect, and the
# client does what it does without pwrtrace.
case_of() {
	rm -rf trace
	run "$PWRTRACE" record -q -o trace --layers api,torch -- "${PYTHON[@]}" "$CLIENT" "$@"
	is "$1: exit status" "$status" 0
	is "$1: nothing is said" "$(cat err)" ""
	is "$1: kernels of each layer" "$(layer_counts trace kernel_exec)" \
		"$(printed_counts kernels)"
	is "$1: no launch is lost" "$(count trace kernel_exec)" "$(printed kernels)"
	cp out recorded
	run "${PYTHON[@]}" "$CLIENT" "$@"
	ok "$1: the program prints what it does without pwrtrace" diff out recorded
}

# marks NAME: the number of marks of that name.
marks() { events trace | grep -c "pwrtrace:mark: .* name = \"$1\" "; }

case_of train
is "train: iterations" "$(marks iteration)" 3
for name in inference backward_in_a_thread forward_in_a_thread gradient second_order raising \
	raising_backward replicas wrapped checkpointed reused compiled patched saved; do
	case_of $name
done
case_of generation
is "generation: tokens" "$(events trace | grep -c 'mark: .* value = 2, unit = "token"')" 6
is "generation: what its phases count" "$("$PWRTRACE" efficiency -q --format json trace |
	/usr/bin/python3 -c 'import json, sys
print([(phase["phase"], phase["amount"]) for phase in json.load(sys.stdin)["phases"]])')" \
	"[('prefill', 14), ('decode', 10)]"
case_of within
is "within: a mark of the program's" "$(marks tokens)" 1

rm -rf bare
PWRTRACE_LAYERS=torch bare bare "${PYTHON[@]}" "$CLIENT" train
is "bare: kernels of each layer" "$(layer_counts bare kernel_exec)" "$(printed_counts kernels)"

# --- others are left alone ----------------------------------------------------------------------

mkdir site
echo 'print("the user'"'"'s own sitecustomize")' >site/sitecustomize.py
cat >others.py <<'END'
import sys, os
print(sorted(sys.modules), sys.path, len(sys.meta_path), os.environ.get("PYTHONPATH"))
END
run env PYTHONPATH=site "$PWRTRACE" record -q -o plain --layers torch -- "${PYTHON[@]}" others.py
cp out recorded
run env PYTHONPATH=site "${PYTHON[@]}" others.py
ok "a program without PyTorch sees nothing of us" diff out recorded
is "the user's own sitecustomize runs" "$(head -1 recorded)" "the user's own sitecustomize"

# version VERSION: what is printed where PyTorch seems to have that version.
version() {
	rm -rf trace
	run "$PWRTRACE" record -o trace --layers torch -- "${PYTHON[@]}" -c "
import sys, types
sys.modules['torch.version'] = version = types.ModuleType('torch.version')
version.__version__, version.debug, version.cuda, version.hip = '$1', False, None, None
version.git_version = ''
sys.argv = ['torch_client.py', 'inference']
exec(open('$CLIENT').read())"
	is "PyTorch $1: exit status" "$status" 0
	is "PyTorch $1: what it computes" "$(grep -c '^sum 1.219054' out)" 2
	is "PyTorch $1: no layers" "$(count trace layer_def)" 0
	is "PyTorch $1: it is said once" "$(grep -c "PyTorch $1 " err)" 1
}
version 1.12.1
version 3.0.0

# not_as_expected NAME LAYERS CODE: the client goes on where CODE makes a part of our hooks fail.
not_as_expected() {
	rm -rf trace
	run "$PWRTRACE" record -o trace --layers torch -- "${PYTHON[@]}" -c "
import sys
$3
sys.argv = ['torch_client.py', 'inference', 'train']
exec(open('$CLIENT').read())"
	is "$1: exit status" "$status" 0
	is "$1: what it computes" "$(grep -c '^sum 1.219054' out)" 2
	is "$1: layers" "$(($(count trace layer_def) > 0))" "$2"
	is "$1: it is said once" "$(grep -c 'is not as expected (TypeError: broken)' err)" 1
}
not_as_expected "patching fails" 0 "
import functools
wraps = functools.wraps
def broken(function, *rest, **named):
    if sys._getframe(1).f_globals.get('__name__') == 'pwrtrace.torch_layers':
        raise TypeError('broken')
    return wraps(function, *rest, **named)
functools.wraps = broken"
not_as_expected "a hook fails" 1 "
import torch
named_modules = torch.nn.Module.named_modules
def broken(*rest, **named):
    if sys._getframe(1).f_globals.get('__name__') == 'pwrtrace.torch_layers':
        raise TypeError('broken')
    return named_modules(*rest, **named)
torch.nn.Module.named_modules = broken"

finish
