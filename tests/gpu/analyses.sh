#!/bin/bash
# Runs the analyses on real programs of a real GPU and prints what they say.  Exit status: 0 if each said
# something.
#
# usage: analyses.sh [example] [frontier] [phases] [requests]        default: all of these
#        analyses.sh collectives | step                              on two GPUs
#
#   example      a recording for examples/h200-run: a training loop with layers, after a calibration
#   frontier     seconds and joules of a token by the size of the batch in training
#   phases       what prompts cost, and what follows them, in a generation
#   requests     what each request of a server costs
#   collectives  what all-reduces of 64 KiB to 1 GiB cost beside products of matrices
#   step         what sets the pace of training, which layers cost what, and whether both GPUs peak at once
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

# recorded_on_two NAME LAYERS SCRIPT: records a script of the folder py, in a process for each GPU.
recorded_on_two() {
	command_of torchrun --nproc-per-node=2 "@py/$3"
	recorded "$1" "$2" "${COMMAND[@]}"
}

collectives() {
	recorded_on_two collectives none collectives.py
	said report --by collective collectives
	said report --top 12 collectives
}

step() {
	recorded_on_two step torch loop.py
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
