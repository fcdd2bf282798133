#!/bin/bash
# The requests of a server of Hugging Face's transformers are marks, with no change to the program.  The
# package is not installed here: tests/e2e/stand_ins has what the adapter meets in it, under the same names.
. "$(dirname "$0")/lib.sh"

PYTHON=(/usr/bin/python3)
CLIENT=$ROOT/tests/e2e/transformers_client.py
export LD_LIBRARY_PATH=$BUILD/tests/simgpu PWRTRACE_POWER=model
export PYTHONPATH=$ROOT/tests/e2e/stand_ins PYTHONDONTWRITEBYTECODE=1

# marks NAME: the number of marks of which the names begin so.
marks() { events trace | grep -c "pwrtrace:mark: .* name = \"$1"; }

# served NAME ARGUMENT...: records the client; each request has the tokens that it prints.
served() {
	local name=$1
	shift
	rm -rf trace
	run "$PWRTRACE" record -q -o trace --layers transformers -- "${PYTHON[@]}" "$CLIENT" "$@"
	is "$name: exit status" "$status" 0
	is "$name: nothing is said" "$(cat err)" ""
	is "$name: no launch is lost" "$(count trace kernel_exec)" "$(printed kernels)"
	cp out recorded
	is "$name: a request has one beginning" "$(marks request#)" 3
	is "$name: what the cache had of it" "$(events trace | grep -o 'value = 16, .*cached#[^"]*')" \
		'value = 16, unit = "input token", name = "cached#req_1'
	is "$name: tokens of each request" "$("$PWRTRACE" efficiency -q --format json trace |
		/usr/bin/python3 -c 'import json, sys
for q in sorted(json.load(sys.stdin)["requests"], key=lambda q: q["request"]):
    print("request {request}: {input} tokens in, {output} out".format(**q))')" \
		"$(grep ^request recorded)"
	is "$name: each step has the kernels of its tokens" "$("$PWRTRACE" report -q --by layer \
		--iterations tokens --format json trace | /usr/bin/python3 -c 'import json, sys
print(int(sum(step["amount"] for step in json.load(sys.stdin)["iterations"]["each"])))')" \
		"$(($(printed kernels) - 3))"
	run "${PYTHON[@]}" "$CLIENT" "$@"
	ok "$name: the program prints what it does without pwrtrace" diff out recorded
}

served "one step after the other"
served "steps that overlap" async

rm -rf trace
run "$PWRTRACE" record -q -o trace -- "${PYTHON[@]}" "$CLIENT"
is "not asked for: no marks" "$(count trace mark)" 0

# not_as_expected NAME CODE: the client goes on where CODE changes what we meet.
not_as_expected() {
	rm -rf trace
	run "$PWRTRACE" record -o trace --layers transformers -- "${PYTHON[@]}" -c "
import sys
sys.argv = ['transformers_client.py']
$2
exec(open('$CLIENT').read())"
	is "$1: exit status" "$status" 0
	is "$1: what it does" "$(grep -v ^pwrtrace out)" "$(cat recorded)"
	is "$1: it is said once" "$(grep -c 'transformers 0.stand-in is not as expected' err)" 1
}
API=transformers.generation.continuous_batching.continuous_api
not_as_expected "patching fails" "
import functools
wraps = functools.wraps
def broken(function, *rest, **named):
    if sys._getframe(1).f_globals.get('__name__') == 'pwrtrace.transformers_requests':
        raise TypeError('broken')
    return wraps(function, *rest, **named)
functools.wraps = broken"
is "patching fails: no marks" "$(count trace mark)" 0
not_as_expected "a hook fails" "
import torch, $API as api
class Odd(list):
    def __iter__(self):
        if sys._getframe(1).f_globals.get('__name__') == 'pwrtrace.transformers_requests':
            raise TypeError('broken')
        return super().__iter__()
original = api.FIFOScheduler.schedule_batch
api.FIFOScheduler.schedule_batch = lambda self, *rest: (Odd(original(self, *rest)[0]), False, 0, 8)"

# The package may be what imports PyTorch, before it has run to its end.
rm -rf trace
run "$PWRTRACE" record -q -o trace --layers transformers -- "${PYTHON[@]}" -c "
import sys
import $API
import colorsys
sys.argv = ['transformers_client.py']
exec(open('$CLIENT').read())"
is "the package comes before PyTorch: marks" "$(marks request#)" 3
finish
