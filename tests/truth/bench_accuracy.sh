#!/bin/bash
# Prints every row of accuracy.py by both roads, on a session daemon of its own, or how much each
# mechanism of the estimator improves it (ablation.py).
#   SEEDS=N           how many seeds (8)
#   ROWS="NAME;..."   these rows alone
#   ROADS=ROAD,...    these roads alone (written, recorded)
#   LONGER=1          also how well widths of a longer recording are predicted
#   VERBOSE=1         truth beside report, for each class
#   ABLATE=1          with and without each mechanism; ABLATE=NAME,...: these alone
. "$(dirname "$0")/../e2e/lib.sh"

if [ -n "${ABLATE:-}" ]; then
	/usr/bin/python3 "$ROOT/tests/truth/ablation.py" "$BUILD" --seeds "${SEEDS:-8}" --rows "${ROWS:-}" \
		--mechanisms "${ABLATE#1}"
	exit
fi
lttng-sessiond --no-kernel --daemonize
/usr/bin/python3 "$ROOT/tests/truth/accuracy.py" "$BUILD" --roads "${ROADS:-written,recorded}" \
	--seeds "${SEEDS:-8}" --rows "${ROWS:-}" ${VERBOSE:+--verbose} ${LONGER:+--longer}
