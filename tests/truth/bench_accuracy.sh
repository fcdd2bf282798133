#!/bin/bash
# Prints every row of accuracy.py by both roads, on a session daemon of its own.
#   SEEDS=N           how many seeds (8)
#   ROWS="NAME;..."   these rows alone
#   ROADS=ROAD,...    these roads alone (written, recorded)
#   VERBOSE=1         truth beside report, for each class
. "$(dirname "$0")/../e2e/lib.sh"

lttng-sessiond --no-kernel --daemonize
/usr/bin/python3 "$ROOT/tests/truth/accuracy.py" "$BUILD" --roads "${ROADS:-written,recorded}" \
	--seeds "${SEEDS:-8}" --rows "${ROWS:-}" ${VERBOSE:+--verbose}
