# What the sections of the page share; after tests/e2e/lib.sh.

ROUNDS=${ROUNDS:-5}
LAUNCHES=${LAUNCHES:-1000000}
BENCH_SECONDS=${BENCH_SECONDS:-600}
BENCH_EXECUTIONS=${BENCH_EXECUTIONS:-5000000}
IPROF=${IPROF:-$(type -P iprof)}
PYTORCH_NAMES=$ROOT/tests/data/pytorch-kernels/names.txt
PAGE=$WORK/page
SCRATCH=$(mktemp -d "${TMPDIR:-/var/tmp}/pwrtrace-bench.XXXXXX") # for large traces
trap 'rm -rf "${SCRATCH:?}"; clean_up' EXIT
over=0

# --- figures -----------------------------------------------------------------------------------

median() { sort -g | awk '{ value[NR] = $1 } END { if (NR) print value[int((NR + 1) / 2)] }'; }

# calculate EXPRESSION: the value of an expression of awk; nothing where a figure is missing from it.
calculate() { awk "BEGIN { print ($1) }" 2>/dev/null; }

# difference FILE FILE, ratio FILE FILE: of two medians.
difference() { calculate "($(median <"$1")) - ($(median <"$2"))"; }
ratio() { calculate "($(median <"$1")) / ($(median <"$2"))"; }

# cpu_seconds COMMAND...: user and system time of a command.
# peak_mb COMMAND...: its greatest resident memory, mapped files included, in MB.
cpu_seconds() {
	local TIMEFORMAT='%3U %3S' # /usr/bin/time has two digits
	{ time "$@" >/dev/null 2>&1; } 2>time && awk '{ print $1 + $2 }' time
}
peak_mb() { /usr/bin/time -q -f %M -o time "$@" >/dev/null 2>&1 && awk '{ print $1 / 1024 }' time; }

# wall_seconds COMMAND...: the time that a command takes.
wall_seconds() { /usr/bin/time -q -f %e -o time "$@" >/dev/null 2>&1 && tail -1 time; }

# bytes_of DIR: the size of all files in a trace.
bytes_of() { find "$1" -type f -printf '%s\n' | awk '{ total += $1 } END { print total }'; }

# --- the page ----------------------------------------------------------------------------------

# put FORMAT ARGUMENT...
put() { printf "$@" | tee -a "$PAGE"; }

section() { put '\n%s\n' "$1"; }

# row WHAT VALUE UNIT LIMIT VERDICT; a value that is missing is shown as a dash.
row() {
	local value=-
	[ -z "$2" ] || value=$(printf %.2f "$2")
	put '  %-66s %9s %-3s %-8s %s\n' "$1" "$value" "${@:3}"
}

# note WHAT VALUE UNIT: a row without a limit.
# absent WHAT WHY: a row without a figure.
note() { row "$@" "" ""; }
absent() { row "$1" "" "" "" "$2"; }

# figure WHAT VALUE UNIT LIMIT: a row with a limit, as "<= 100", and whether the value keeps it.
figure() {
	local verdict=OVER
	if [ "$2" ] && [ "$(calculate "$2 $4")" = 1 ]; then
		verdict=ok
	else
		over=$((over + 1))
	fi
	row "$@" "$verdict"
}

cpu_model() { sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1; }

head_of_page() {
	put 'pwrtrace %s, %s\n' "$(git -C "$ROOT" describe --always --dirty 2>/dev/null || echo '(no commit)')" \
		"$(date -u '+%Y-%m-%d %H:%M UTC')"
	put '%d cores of %s, %d GiB, Linux %s; load %s at the beginning\n' "$(nproc)" "$(cpu_model)" \
		"$(awk '/^MemTotal/ { print int($2 / 1048576 + 0.5) }' /proc/meminfo)" "$(uname -r)" \
		"$(cut -d' ' -f1 /proc/loadavg)"
	[ -z "${NOTE:-}" ] || put '%s\n' "$NOTE"
	put '%s, LTTng %s; medians of %d rounds in turns\n' "$(babeltrace2 --version 2>/dev/null |
		sed -n '1s/ ".*//p')" "$(lttng --version | sed 's/.* \([0-9.]*\) .*/\1/')" "$ROUNDS"
}

# A page of the same day and kind of machine is replaced, so only a whole one is kept.
end_of_page() {
	local kind file
	put '\n%s\n' "$([ $over = 0 ] && echo "every limit is kept" || echo "$over limits are not kept")"
	kind=$(nproc)-cores-$(cpu_model | sed 's/([^)]*)//g; s/ CPU.*//; s/ @.*//' | tr -cs 'A-Za-z0-9\n' -)
	file=tests/bench/pages/$(date -u +%Y-%m-%d)-$kind.txt
	if [ "$NAMES" != "$SECTIONS" ]; then
		echo "a page of some sections is not kept"
	elif [ "${KEEP:-0}" = 1 ]; then
		cp "$PAGE" "$ROOT/$file" && echo "kept as $file"
	else
		echo "KEEP=1 keeps the page as $file"
	fi
}

# --- programs ----------------------------------------------------------------------------------

# opencl WAY...: runs cl_many in a way; its words are then in the file out.
# cuda_names WAY...: runs kernels with the names of PyTorch's on the simulated GPU.
opencl() { run "$@" "$CLIENTS/cl_many" --launches 100000 --layer --depth "${DEPTH:-0}"; }
cuda_names() {
	run "$@" env LD_LIBRARY_PATH="$BUILD/tests/simgpu" PWRTRACE_POWER=model \
		"$CLIENTS/cuda_names" "$PYTORCH_NAMES" 100000
}

# word WORD: the number behind WORD= in the output of the last run.
word() { sed -n "s/.*\b$1=\([0-9.]*\).*/\1/p" out | tail -1; }

# A new recording into the directory `trace`.
recording() {
	rm -rf trace
	"$@" "$PWRTRACE" record -q -o trace --
}

# peer COMMAND...: runs a command under THAPI, with its traces below the directory `peer`.
peer() {
	rm -rf peer && mkdir peer
	"$1" env HOME="$PWD/peer" THAPI_HOME="$PWD/peer" XDG_CACHE_HOME="$WORK/cache" "$IPROF" --no-analysis --
}
