#!/bin/bash
# Runs the analyses on real programs of a real GPU and prints what they say.  Exit status: 0 if each said
# something.
#
# usage: analyses.sh [example] [frontier] [phases] [requests]        default: all of these
#        analyses.sh collectives | step                              on two GPUs
#
#   example    a recording for examples/h200-run: a training loop with layers, after a calibration
#   frontier   seconds and joules of a token by the size of the batch in training
#   phases     what prompts cost, and what follows them, in a generation
#   requests   what each request of a server costs
#   collectives  sums of 64 KiB to 1 GiB over two GPUs, beside products of matrices
#   step       what sets the pace of a model's training on two GPUs, and whether these are in lockstep
#
#   OUT=DIR    the recordings go there, compressed
. "$(dirname "$0")/lib.sh"

OUT=${OUT:-$WORK/out}
mkdir -p "$OUT"
export XDG_STATE_HOME=$WORK/state
cd "$WORK" || exit 1
TRAIN=(python3 "$ROOT/examples/pytorch/train.py")
failed=0

# said COMMAND...: runs it, prints it, and counts its failure.
said() {
	echo "\$ pwrtrace $*"
	"$PWRTRACE" "$@" || failed=$((failed + 1))
}

# recorded NAME LAYERS COMMAND...
recorded() {
	"$PWRTRACE" record -q --layers "$2" -o "$1" -- "${@:3}" >"$1.out" 2>"$1.err" || {
		tail -n 3 "$1.err"
		failed=$((failed + 1))
	}
	tar -cJf "$OUT/$1.tar.xz" "$1"
}

example() {
	"$PWRTRACE" sensors --calibrate >calibration.txt 2>&1 || failed=$((failed + 1))
	recorded h200-run torch "${TRAIN[@]}" --steps 60 --batch 512 --tokens 512
	ls -l "$OUT"/h200-run*
	said report h200-run --by layer --depth 3
	said report h200-run --top 12
}

frontier() {
	said frontier --work token --slack 10% --sweep batch=4,16,64,256 -- "${TRAIN[@]}" --steps 60 --tokens 512 --batch '{batch}'
}

phases() {
	recorded generate torch python3 "$HERE/py/generate.py"
	said efficiency generate
	said report --by layer --depth 1 generate
}

requests() {
	recorded serving transformers python3 "$HERE/py/serving.py"
	said efficiency serving
}

# on_two_gpus NAME LAYERS SCRIPT
on_two_gpus() { recorded "$1" "$2" python3 -m torch.distributed.run --standalone --nproc-per-node=2 "$HERE/py/$3"; }

collectives() {
	on_two_gpus collectives none collectives.py
	said report --by collective collectives
	said report --top 12 collectives
}

step() {
	on_two_gpus step torch loop.py
	said critical step
	said report --by layer --depth 2 step
	said power step
}

parts=("$@")
[ $# -gt 0 ] || parts=(example frontier phases requests)
for part in "${parts[@]}"; do
	"$part"
	echo "-- $part: $SECONDS s"
done
echo "$failed failed, $SECONDS s on $(nvidia-smi -L | head -1)"
[ $failed = 0 ]
