#!/bin/bash
# Damaged traces, and traces that say what none should: every view of pwrtrace says what it cannot read, or what it
# does not know, and ends; it never crashes, never hangs, and never prints a number that is none.
# FUZZ_SEEDS (400) is the number of damaged traces, FUZZ_FIRST (0) the first seed.
. "$(dirname "$0")/lib.sh"

STEP=50

# Small packets, so that damage hits what matters.
traces=()
for name in graphs nodes layers sensors names run1 holes; do
	"$BUILD/tests/trace_text" -p 512 "$name" <"$ROOT/tests/golden/$name.txt"
	traces+=("$name")
done

/usr/bin/python3 "$ROOT/tests/e2e/counters_trace.py" 1 600 | "$BUILD/tests/trace_text" -p 512 counted
traces+=(counted)

# LTTng's metadata comes in packets.
cp -r run1 packed
/usr/bin/python3 - packed/metadata <<'END'
import pathlib, struct, sys
path, room = pathlib.Path(sys.argv[1]), 4096 - 37
text = path.read_bytes()
path.write_bytes(b"".join(
    struct.pack("<I16x3I5B", 0x75D11D57, 0, 8 * (37 + len(part)), 8 * 4096, 0, 0, 0, 1, 8)
    + part.ljust(room, b"\0")
    for part in (text[at:at + room] for at in range(0, len(text), room))))
END
ok "a trace with metadata in packets is one" "$PWRTRACE" report packed
traces+=(packed)

for name in asleep calibrated causality clocks collectives drift iterations layers numbers overlap pair replay stacks \
	step tree work; do
	cp "$ROOT/tests/golden/$name.txt" .
	traces+=("$name.txt")
done
/usr/bin/python3 "$ROOT/tests/e2e/efficiency_trace.py" fitted >fitted.txt
/usr/bin/python3 "$ROOT/tests/e2e/efficiency_trace.py" requests >requests.txt
traces+=(fitted.txt requests.txt)

# survives FIRST COUNT: none of these seeds makes a command fail.
survives() {
	/usr/bin/python3 "$ROOT/tests/fuzz/damage.py" "$BUILD" "$1" "$2" "${traces[@]}" >faults 2>&1
	equal "$(cat faults)" ""
}

first=${FUZZ_FIRST:-0}
for ((seed = first; seed < first + ${FUZZ_SEEDS:-400}; seed += STEP)); do
	ok "traces damaged by seeds from $seed on" survives $seed $STEP
done
finish
