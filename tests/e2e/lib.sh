# What the end-to-end tests share: an isolated place on the machine, ways to record a program,
# numbers out of traces and reports, and TAP on stdout.  A test sources this file first and ends with
# `finish`.  The comment before a function begins with its arguments.
#
# As root, a test runs in a mount namespace with its own /var/run/lttng and /dev/shm, so that it
# neither meets nor disturbs the machine's LTTng.  As another user, it has a HOME of its own.

set -u
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
BUILD=$(cd "${1:-$ROOT/build}" && pwd)
SHIM=$BUILD/lib/libpwrtrace.so
PWRTRACE=$BUILD/bin/pwrtrace
CLIENTS=$BUILD/tests/clients
EXAMPLES=$BUILD/examples

if [ "$(id -u)" = 0 ] && [ -z "${PWRTRACE_TEST_ISOLATED:-}" ]; then
	PWRTRACE_TEST_ISOLATED=1 exec unshare -m bash "$0" "$BUILD"
fi

# Short: LTTng's sockets lie below, and their names are limited to 108 bytes.
WORK=$(mktemp -d /tmp/pwrt.XXXXXX)
chmod 755 "$WORK"
if [ "$(id -u)" = 0 ]; then
	mkdir -p /var/run/lttng
	mount -t tmpfs none /var/run/lttng && mount -t tmpfs -o mode=1777 none /dev/shm || {
		echo "Bail out! unshare and mount are needed to run the tests as root"
		exit 1
	}
else
	export HOME=$WORK/home
	mkdir -m 700 "$HOME"
fi
unset LTTNG_HOME LD_PRELOAD XDG_STATE_HOME "${!PWRTRACE_@}"
export XDG_DATA_HOME=$WORK/data # no report finds the user's library
export LC_ALL=C.UTF-8           # awk and printf write a decimal point
cd "$WORK" || exit 1

AS=() # a command that runs every program of the test as another user; empty: as this user
planned=0
failures=0
status=0

# Ends the session daemons that the test left: only those whose pid files are in its own directories.
end_daemons() {
	local file pid
	for file in /var/run/lttng "$WORK"/*/.lttng "$WORK"/home*/.lttng; do
		pid=$(cat "$file/lttng-sessiond.pid" 2>/dev/null) || continue
		[ "$file" = /var/run/lttng ] && [ "$(id -u)" != 0 ] && continue
		kill -CONT "$pid" 2>/dev/null
		kill "$pid" 2>/dev/null
		# A daemon may wait for ever for a session that it still counts (LTTng 2.13.9).
		wait_until 10 not kill -0 "$pid" || kill -KILL "$pid"
	done
}

clean_up() {
	end_daemons
	cd /
	rm -rf "$WORK"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

not() { ! "$@" 2>/dev/null; }

# wait_until SECONDS COMMAND...: repeats the command until it succeeds; fails after SECONDS.
wait_until() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ $SECONDS -ge $end ] && return 1
		sleep 0.05
	done
}

# --- TAP -------------------------------------------------------------------------------------

# ok NAME COMMAND...: a case that passes if the command succeeds; on failure its output is shown.
ok() {
	local name=$1 output
	shift
	planned=$((planned + 1))
	if output=$("$@" 2>&1); then
		echo "ok $planned - $name"
	else
		failures=$((failures + 1))
		echo "not ok $planned - $name"
		printf '%s\n' "$*" "$output" | head -40 | sed 's/^/#   /'
		return 1
	fi
}

equal() { [ "$1" = "$2" ] || { printf 'got:      %s\nexpected: %s\n' "$1" "$2"; return 1; }; }
matches() { [[ $1 =~ $2 ]] || { printf 'got:     %s\nno match: %s\n' "$1" "$2"; return 1; }; }
mismatches() { [[ ! $1 =~ $2 ]] || { printf 'got:   %s\nmatch: %s\n' "$1" "$2"; return 1; }; }
at_most() { [ "$1" -le "$2" ] || { printf 'got %s, more than %s\n' "$1" "$2"; return 1; }; }

# Cases that compare: is NAME GOT EXPECTED, like and not_like NAME GOT REGULAR-EXPRESSION.
is() { ok "$1" equal "$2" "$3"; }
like() { ok "$1" matches "$2" "$3"; }
not_like() { ok "$1" mismatches "$2" "$3"; }

skip() {
	planned=$((planned + 1))
	echo "ok $planned - $1 # SKIP $2"
}

# Ends the test.  A test without a single case has failed, too.
finish() {
	echo "1..$planned"
	exit $((failures > 0 || planned == 0))
}

# --- running ---------------------------------------------------------------------------------

# run COMMAND...: leaves its output in the files out and err and its exit status in $status.
run() {
	"${AS[@]}" "$@" >out 2>err </dev/null
	status=$?
}

# as_nobody: from here on, programs run as an ordinary user, in a directory and with a HOME of that
# user's.  Fails where that user cannot reach the build.
as_nobody() {
	AS=(setpriv --reuid=65534 --regid=65534 --clear-groups env HOME="$WORK/home-nobody")
	install -d -o 65534 -g 65534 "$WORK/home-nobody" "$WORK/nobody"
	cd "$WORK/nobody" && "${AS[@]}" test -x "$PWRTRACE"
}

# bare DIR COMMAND...: runs a command with nothing but LD_PRELOAD, and the trace in DIR.
bare() {
	local dir=$1
	shift
	run env LD_PRELOAD="$SHIM" PWRTRACE_OUTPUT="$dir" "$@"
}

# record DIR COMMAND...: runs a command under pwrtrace record.
record() {
	local dir=$1
	shift
	run "$PWRTRACE" record -o "$dir" -- "$@"
}

# refuses NAME STATUS PATTERN: the last run ended with this status and one line, which fits PATTERN.
refuses() {
	is "$1: exit status" "$status" "$2"
	like "$1: one clear line" "$(cat err)" "$3"
	is "$1: and no other" "$(grep -c . err)" 1
}

# --- traces ----------------------------------------------------------------------------------

# events DIR: one line per event, once the trace is complete.
events() {
	if wait_until 20 not test -e "$1/.recording"; then
		babeltrace2 "$1" 2>&1
	fi
}

# nothing WHY: a text that equals no other, so that two failures never compare as equal.
nothing() { echo "($1, $SRANDOM)"; }

# count DIR EVENT: the number of such events in a trace.
count() {
	events "$1" | awk -v event=" pwrtrace:$2: " '
		/ pwrtrace:/ { any = 1 }
		index($0, event) { total++ }
		END { if (any) print total + 0; exit !any }' || nothing "no trace"
}

# sum_lost DIR: the number of events that were lost, by pwrtrace's own count and LTTng's.
sum_lost() {
	events "$1" | awk '
		/ pwrtrace:/ { any = 1 }
		/ pwrtrace:lost: / { sub(/.* count = /, ""); total += $1 }
		/discarded/ { total++ }
		END { if (any) print total + 0; exit !any }' || nothing "no trace"
}

# printed WORD: the number in the last "WORD: N" or "WORD=N" that the last run printed.
printed() { sed -n "s/.*\b$1[:=] *\([0-9]\+\).*/\1/p" out | tail -1; }

# executions_by_pid DIR: a line "PID N" for each process with N executions of kernels.
executions_by_pid() {
	events "$1" | awk '
		function number(field) {
			match($0, " " field " = [0-9]+")
			return substr($0, RSTART + length(field) + 4, RLENGTH - length(field) - 4)
		}
		/ pwrtrace:process: / { pid[number("process")] = number("pid") }
		/ pwrtrace:kernel_exec: / { total[number("process")]++ }
		END { for (process in total) print pid[process], total[process] }' | sort
}

# has_launches NAME DIR N: the trace has N executions of kernels, and no launch is unfinished or lost.
has_launches() {
	is "$1: executions" "$(count "$2" kernel_exec)" "$3"
	is "$1: none is unfinished" "$(count "$2" kernel_launch)" 0
	is "$1: nothing is lost" "$(sum_lost "$2")" 0
}

# reported DIR EXPRESSION [OPTION...]: the value of a Python expression of the report, r, or its rows.
reported() {
	"$PWRTRACE" report --format json "${@:3}" "$1" >report.json &&
		/usr/bin/python3 -c "import json; r = json.load(open('report.json')); rows = r['rows']; print($2)" ||
		nothing "no report"
}

# columns NAME SUBJECT COMMAND...: each member and column of the answer of pwrtrace COMMAND, as JSON and as CSV,
# is what SUBJECT_columns.py says, of which the words of SUBJECT after the first are further arguments.
columns() {
	local name=$1 subject
	read -ra subject <<<"$2"
	shift 2
	"$PWRTRACE" "$@" --format json >columns.json 2>columns.err && "$PWRTRACE" "$@" --format csv >columns.csv 2>&1
	is "$name" "$(/usr/bin/python3 "$ROOT/tests/e2e/${subject[0]}_columns.py" columns.json columns.csv \
		"${subject[@]:1}" 2>&1)" ""
}

# errors DIR TRUTH: the errors of the energies of classes, "MEAN WORST", in percent of the truth that
# truth_writer has printed into the file TRUTH.
errors() {
	reported "$1" "(lambda off: '%.3f %.3f' % (sum(off) / len(off), max(off)))(
		[100 * abs(row['energy_j'] / true['energy_j'] - 1) for row in rows
		for true in json.load(open('$2'))['classes'] if true['name'] == row['short_name']])"
}

# cut_off DIR: how many processes were cut off, as the report says.
cut_off() { reported "$1" "r['coverage']['cut_off_processes']"; }

# --- layers ---------------------------------------------------------------------------------

# layer_counts DIR EVENT: a line "N PATH" for each layer with N such events; no layer has an empty path.
layer_counts() {
	events "$1" | awk -v event="$2" '
		function number(field) {
			if (!match($0, " " field " = [0-9]+"))
				return ""
			return substr($0, RSTART + length(field) + 4, RLENGTH - length(field) - 4)
		}
		/ pwrtrace:layer_def: / {
			name = $0
			sub(/.* name = "/, "", name)
			sub(/" }$/, "", name)
			parent[number("layer")] = number("parent_layer")
			names[number("layer")] = name
		}
		index($0, " pwrtrace:" event ": ") { counts[number("layer")]++ }
		END {
			for (layer in counts) {
				path = names[layer]
				for (up = parent[layer]; up > 0; up = parent[up])
					path = names[up] "/" path
				print counts[layer], path
			}
		}' | sort
}

# printed_counts FIELD: the same lines, from what the client printed.
printed_counts() {
	sed -n "s/^layer .*\b$1=\([1-9][0-9]*\)\b.* path=\(.*\)/\1 \2/p" out | sort
}

# same_as_printed NAME: each layer in the trace `trace` has the launches that the client printed.
same_as_printed() {
	is "$1: kernels of each layer" "$(layer_counts trace kernel_exec)" \
		"$(printed_counts kernels)"
	is "$1: copies of each layer" "$(layer_counts trace memory_exec)" "$(printed_counts copies)"
	is "$1: the report has the same" \
		"$(reported trace "'\n'.join(sorted('%d %s' % (row['executions'], row['name'])
			for row in rows if row['executions']))" --by layer)" \
		"$(sed -n 's/^layer kernels=\([0-9]*\) copies=\([0-9]*\) path=\(.*\)/\1 \2 \3/p' out |
			awk '{ n = $1 + $2; sub(/^[0-9]+ [0-9]+ /, ""); if (n)
				print n, $0 == "" ? "(no layer)" : $0 }' | sort)"
}
