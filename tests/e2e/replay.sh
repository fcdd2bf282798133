#!/bin/bash
# Replay on simulated GPUs: kernels are launched again, alone, to measure their power.
. "$(dirname "$0")/lib.sh"

. "$ROOT/tests/e2e/lib_simgpu.sh"
. "$ROOT/tests/e2e/lib_replay.sh"

CLIENT=cuda_replay

# replays_ms: how long a replay of each kernel takes.
replays_ms() {
	reported trace "[round(row['replays']['time_s'] * 1e3 / row['replays']['executions'], 2)
		for row in rows if row.get('kind') == 'kernel']"
}

# --- what is replayed ---------------------------------------------------------------------------

plainly() {
	replayed "two kernels" A=b plain "$both"
	like "two kernels: their rows are marked" "$("$PWRTRACE" report trace)" \
		' twice \(replayed\).*Replayed: 2 classes of kernels\.'
	is "two kernels: for as long as asked" \
		"$(reported trace "all(row['replays']['executions'] > 100 and 0.1 < r['replays']['span_s'] < 10
			for row in rows if row.get('kind') == 'kernel')")" True
	is "two kernels: what each reaches, and nothing else, is saved on the device" "$(memory_kinds)" \
		"$REACHED_ON_DEVICE"
	is "two kernels: the middle half of a replay has pauses" \
		"$(idle_of _Z7counted | grep -Ec '^\[(3[5-9]|[4-9][0-9])\]$')" 1
	replayed "too little memory of the device's" SIMGPU_CUDA_MEMORY=13000 plain "$both"
	is "too little memory of the device's: it is saved on the host" "$(memory_kinds)" "$REACHED_ON_HOST"
	replayed "two kernels by events" PWRTRACE_CUDA_TIMING=events plain "$both" around
	replayed "host memory out of reach" A=b unreached "$both"
	is "host memory out of reach: memory is saved on the device" "$(memory_kinds)" \
		"$REACHED_ON_DEVICE"
	replayed "host memory that the kernels change" A=b host "$both"
	replayed "device memory that points to the host's" A=b pointed "$both"
	replayed "much memory out of reach" A=b large "$both"
	replayed "memory that was freed" A=b freed "$both"
	replayed "what is filled before each launch" A=b refilled '1 some'
	is "what is filled before each launch: its replays are as long" "$(replays_ms)" "[1.0]"
	replayed "a counter that is set before another kernel" A=b shared_out "$both"
	is "a counter that is set before another kernel: no work that is not there" "$(replays_of _Z6shared | tr -d '[]' | sort -u)" 1000
	replayed "a counter, saved on the host" SIMGPU_CUDA_MEMORY=13000 shared_out "$both"
	replayed "a context that is still held" A=b released "$both"
	replayed "a value that a stream writes" A=b writes_value "$both"
	replayed "five threads" A=b threads "$(printf '1 some\n2 some\n3 some')"

	on_gpu PWRTRACE_REPLAY=0.1 PWRTRACE_REPLAY_KERNELS=nothing,count -- cuda_replay
	is "one kernel by a part of its name" "$(outcomes | wc -l)" 1
	is "one kernel by a part of its name: which" \
		"$(reported trace "[row['short_name'] for row in rows if 'replays' in row]")" "['counted']"
	on_gpu -- cuda_replay
	is "not asked for: the trace knows nothing of it" "$(outcomes)" ""
	has_launches "not asked for" trace "$(printed kernels)"
	on_gpu PWRTRACE_REPLAY=0.1 -- cuda_replay plain 2
	is "two launches are too few" "$(outcomes)" ""
}

# --- kernels of graphs ---------------------------------------------------------------------------

graphs() {
	replayed "two kernels of a graph" A=b graph "$both"
	replayed "five nodes of a class" A=b captured '1 some'
	replayed "what a graph fills before a kernel" A=b graph_refilled '1 some'
	is "what a graph fills before a kernel: its replays are as long" "$(replays_ms)" "[1.0]"
	replayed "a counter that a graph sets before another kernel" A=b graph_shared_out \
		"$(printf '1 some\n2 0 its graph fills memory of it before other kernels')"
	replayed "another argument in the executable graph" A=b graph_set '1 some'
	is "another argument in the executable graph: replays have it" "$(replays_ms)" "[1.0]"
	on_gpu PWRTRACE_REPLAY=0.1 PWRTRACE_GRAPHS=graph -- cuda_replay graph
	is "graphs as one unit: their kernels are replayed" "$(outcomes)" "$both"
	is "graphs as one unit: the report has the launches of graphs alone" \
		"$(reported trace "[(row['kind'], row['executions']) for row in rows if row['kind'] != 'memory']")" \
		"[('graph', 10)]"
	unseen "graphs as one unit" env PWRTRACE_GRAPHS=graph cuda_replay graph
	replayed "host memory that kernels of a graph change" A=b graph_host "$both"
}

# The engine finds out that some launches of a class take longer, and replays one of these, too.
sizes() {
	on_gpu PWRTRACE_REPLAY=0.1 -- cuda_replay sizes 200
	says_of_replays "two sizes of one class"
	is "two sizes of one class: the trace is true" "$(truth)" ""
	is "two sizes of one class: the report has the program's launches" "$(own "row['executions']")" \
		"$(printed kernels)"
	is "two sizes of one class: replays take 1 ms and 3 ms" "$(sizes_of _Z5sizedm)" "$(printf '1000\n3000')"
	balance_closes "two sizes of one class"
	unseen "two sizes of one class" cuda_replay sizes 200
	on_gpu PWRTRACE_REPLAY=0.1 -- cuda_replay short_sizes 20000
	says_of_replays "two sizes that are shorter than a launch"
	is "two sizes that are shorter than a launch: the trace is true" "$(truth)" ""
	is "two sizes that are shorter than a launch: one replay of each, and others are only tried" \
		"$(in_replays _Z5sizedm 90 "statistics.median(length for _, length in executions)" | tr -d '[],.0' | tr ' ' '\n' | sort)" \
		"$(printf '19\n26')"
	balance_closes "two sizes that are shorter than a launch"
}

# A kernel that is faster where its data are in the cache is replayed with a cold one, too; in the
# program another kernel runs in between, so that only the latter counts.
cache() {
	# Long enough for the times that decide, which may be known after the first replay only.
	on_gpu PWRTRACE_REPLAY=0.1 SIMGPU_CUDA_CACHE=10000 -- cuda_replay cached 1000
	says_of_replays "a cache"
	is "a cache: a replay out of it, and one with it cold" "$(replays_of _Z6cachedm 50)" "[200, 400]"
	like "a cache: what does not depend on it takes its time" "$(replays_of _Z5sizedm)" '^\[200(, 200)?\]$'
	like "a cache: a part of a replay is of reads alone" "$(events trace | grep ':replay:')" '[, ]count = 0,'
	is "a cache: such parts come before and after the repetitions with it cold" \
		"$(events trace | grep ':replay:' | tail -3 | grep -oE ' count = [0-9]+' | sed 's/ count = //; s/[1-9].*/some/' | xargs)" "0 some 0"
	is "a cache: the trace is true" "$(truth)" ""
	is "a cache: the report goes by the cold one" \
		"$(reported trace "sorted((row['short_name'], round(row['replays']['time_s'] / row['replays']['executions'] * 1e4))
			for row in rows if 'replays' in row)")" "[('cached', 4), ('sized', 2)]"
	is "a cache: both replays are of one class" \
		"$(reported trace "[(outcome['reason'], outcome['classes']) for outcome in r['replays']['outcomes']]")" "[('', 2)]"
	balance_closes "a cache"
	unseen "a cache" cuda_replay cached 1000
	# Long enough that the repetitions' times are known at its end, when the program's are not.
	on_gpu PWRTRACE_REPLAY=0.5 SIMGPU_CUDA_CACHE=10000 -- cuda_replay cached 1000
	is "a cache that is found to matter later: two replays" "$(replays_of _Z6cachedm 400)" "[200, 400]"
	is "a cache that is found to matter later: only where it does" "$(replays_of _Z5sizedm 100)" "[200]"
	on_gpu PWRTRACE_REPLAY=0.5 SIMGPU_CUDA_CACHE=10000 SIMGPU_CUDA_CACHE_SAVES=15 -- cuda_replay cached_at_times 300
	says_of_replays "a cache that has the data at times"
	is "a cache that has the data at times: the trace is true" "$(truth)" ""
	is "a cache that has the data at times: a replay that has them as often, in the program's mean time" \
		"$(reported trace "[(row['short_name'], round(row['replays']['time_s'] / row['replays']['executions'] * 1e5))
			for row in rows if row.get('short_name') == 'cached']")" "[('cached', 37)]"
	balance_closes "a cache that has the data at times"
	unseen "a cache that has the data at times" cuda_replay cached_at_times 300
	# Half of the budget is not enough for all, so that the program has run for a while before a replay.
	local tight=(PWRTRACE_REPLAY=0.5 PWRTRACE_REPLAY_BUDGET=2.8 SIMGPU_CUDA_CACHE=10000)
	on_gpu "${tight[@]}" -- cuda_replay cached_among_others 4000
	is "a cache that is known to matter: all kernels are replayed" "$(outcomes | grep -v '^1 0$')" "$both
3 some"
	is "a cache that is known to matter: repetitions out of it are few" \
		"$(in_replays _Z6cachedm 0 "end - begin >= 0.5e9")" "[False, False, True]"
	is "a cache that is known to matter: the trace is true" "$(truth)" ""
	on_gpu "${tight[@]}" SIMGPU_CUDA_CACHE_KEEPS=1 -- cuda_replay cached_among_others 4000
	like "a cache that only seemed to matter: it is repeated for long enough all the same" \
		"$(in_replays _Z6cachedm 0 "(end - begin >= 0.5e9, round(statistics.median(length for _, length in executions) / 1e3))")" \
		", \(True, 200\)\]$"
	is "a cache that only seemed to matter: it rests in the middle half" \
		"$(idle_of _Z6cachedm | grep -Ec ', (3[5-9]|[4-9][0-9])\]$')" 1
	is "a cache that only seemed to matter: the trace is true" "$(truth)" ""
	on_gpu "${tight[@]}" SIMGPU_CUDA_FAILING_KERNEL=pwrtrace_read -- cuda_replay cached_among_others 4000
	is "a cache that is known to matter, but cannot be displaced: repetitions out of it are as ever" \
		"$(in_replays _Z6cachedm 0 "end - begin >= 0.5e9" | grep -o 'True')" True
	on_gpu PWRTRACE_REPLAY=0.1 PWRTRACE_REPLAY_BUDGET=1 SIMGPU_CUDA_CACHE=10000 -- cuda_replay cached 4
	is "a cache that may matter, and a budget not to be wasted: a few launches are not enough" "$(outcomes | cut -d' ' -f2- | sort -u)" \
		"0 the program did not launch it for long enough to time its launches"
	on_gpu PWRTRACE_REPLAY=0.1 PWRTRACE_REPLAY_BUDGET=1 -- cuda_replay cached 4
	is "no cache that may matter: a few launches are enough" "$(outcomes)" "$both"
	on_gpu PWRTRACE_REPLAY=0.1 -- cuda_replay cached
	is "a driver that does not tell of its cache: one replay" "$(replays_of _Z6cachedm)" "[400]"
	on_gpu PWRTRACE_REPLAY=0.1 SIMGPU_CUDA_CACHE=10000 SIMGPU_CUDA_COMPILES=0 -- cuda_replay cached
	is "a driver that compiles nothing: one replay" "$(replays_of _Z6cachedm)" "[200]"
	is "a driver that compiles nothing: the trace is true" "$(truth)" ""
	unseen "a driver that compiles nothing" cuda_replay cached
}

# A file says what is known: the kernel of which the trace names it.
known() {
	on_gpu PWRTRACE_REPLAY=0.1 -- cuda_replay plain 2
	events trace | grep -m 1 'kernel_def.*counted' | sed -E 's/.*global_x = ([0-9]+), global_y = ([0-9]+), global_z = ([0-9]+), local_x = ([0-9]+), local_y = ([0-9]+), local_z = ([0-9]+), shared_bytes = ([0-9]+),.* name = "([^"]*)".*/\8\t\1,\2,\3\t\4,\5,\6\t\7/' >known.txt
	on_gpu PWRTRACE_REPLAY=0.1 PWRTRACE_REPLAY_KNOWN=$PWD/known.txt -- cuda_replay
	is "a kernel that is known: the other one is replayed" \
		"$(reported trace "[row['short_name'] for row in rows if 'replays' in row]")" "['twice']"
	like "a kernel that is known: it is said" "$(said)" 'replay: 1 class is known, and not replayed \(.*/known\.txt\)'
	on_gpu PWRTRACE_REPLAY=0.1 PWRTRACE_REPLAY_KNOWN=nowhere -- cuda_replay
	is "no file of what is known: all are replayed" "$(outcomes)" "$both"
	is "no file of what is known: it is said" "$(said | grep -c '^PWRTRACE_REPLAY_KNOWN=nowhere: No such file')" 1
}

# --- what is refused ----------------------------------------------------------------------------

refusals() {
	refused managed 'managed memory is in use'
	refused peer "devices reach one another's memory"
	refused shared 'processes share device memory'
	refused surface 'surfaces are in use'
	for case in waits_for_host waits_in_batch waits_in_graph; do
		refused $case 'streams wait for what the host writes'
	done
	refused collective 'kernels work together with those of other devices'
	refused slow 'it takes more than a second'
	refused cooperative 'it is a cooperative launch'
	refused event 'its launch triggers an event'
	refused reset 'a device was reset'
	refused released_at_last 'a context was destroyed'
	refused destroyed 'a context was destroyed'

	on_gpu PWRTRACE_REPLAY=0.1 -- cuda_replay grow
	like "refused, grow: the trace says why" "$(outcomes)" '1 some its second run takes much longer'
	is "refused, grow: what it did is none of the program's" "$(own "row['executions']")" "$(printed kernels)"
	is "refused, grow: the program's own took what they take without" "$(own "round(row['time_s'] * 1e3)")" 321
	unseen "refused, grow" cuda_replay grow
	on_gpu PWRTRACE_REPLAY=0.1 -- cuda_fork fork 20
	is "forked processes: exit status" "$status" 0
	unseen "forked processes" cuda_fork fork 20
}

# Reads and fills that replays make, which fail.
failing() {
	on_gpu PWRTRACE_REPLAY=0.1 SIMGPU_CUDA_CACHE=10000 SIMGPU_CUDA_FAILING_KERNEL=pwrtrace_read -- cuda_replay cached 1000
	says_of_replays "the cache cannot be displaced"
	is "the cache cannot be displaced: it is said, of the one kernel" "$(outcomes | grep -c " 0 the device's cache could not be filled with other data$")" 1
	is "the cache cannot be displaced: replays out of the cache are as ever" \
		"$(outcomes | grep -v ' 0 ' | cut -d' ' -f1 | sort -u | wc -l)" 2
	is "the cache cannot be displaced: the trace is true" "$(truth)" ""
	unseen "the cache cannot be displaced" cuda_replay cached 1000

	on_gpu PWRTRACE_REPLAY=0.1 SIMGPU_CUDA_FAILING_FILL=5 -- cuda_replay refilled
	says_of_replays "a fill cannot be repeated"
	is "a fill cannot be repeated: the trace says so" "$(outcomes)" \
		'1 some what the program fills right before it could not be filled again'
	is "a fill cannot be repeated: the trace is true" "$(truth)" ""
	unseen "a fill cannot be repeated" cuda_replay refilled
}

# --- what code says -----------------------------------------------------------------------------

# image LINE...: makes an ELF file with two kernels and what the lines of assembler add.
image() {
	for kernel in _Z6hiddenPm _Z9addressedm; do
		printf '%s\n' ".section .text.$kernel,\"ax\"" ".globl $kernel" ".type $kernel,@function" "$kernel: nop"
	done | cat - <(printf '%s\n' "$@") | as -o image.o -
}
# variable SECTION NAME
variable() {
	printf '%s\n' ".section $1" ".type $2,@object" ".size $2,8" "$2: .zero 8"
}
GLOBAL='.nv.global,"aw",@nobits'
CONSTANT='.nv.constant3,"a"'
export REPLAY_IMAGE=$WORK/image.o

images() {
	image "$(variable "$GLOBAL" variable_of_module)"
	for case in hidden fat; do
		replayed "a variable of the module, $case" A=b $case '1 some'
	done
	image "$(variable "$CONSTANT" variable_of_module)"
	replayed "an address in a constant of the module" A=b addressed '1 some'
	image "$(variable "$GLOBAL" another)"
	for case in hidden fat; do refused $case 'a variable of its module cannot be saved'; done
	image "$(variable "$CONSTANT" another)"
	refused addressed 'a variable of its module cannot be saved'
	image '.text' 'call vprintf'
	for case in hidden fat; do refused $case 'it may print, or allocate memory'; done
}

# --- OpenCL, on a real implementation -----------------------------------------------------------

# without OUTCOME COMMAND...: the outcome of the replay is OUTCOME, and the program's output is the same
# as without replay.
without() {
	run "${@:2}"
	cp out plain && cp err plain.err && plain=$status
	rm -rf trace
	run env PWRTRACE_REPLAY=0.1 "$PWRTRACE" record -o trace -- "${@:2}"
	is "${*:2}: exit status" "$status" "$plain"
	ok "${*:2}: stdout is as without replay" diff plain out
	ok "${*:2}: stderr too" diff plain.err <(grep -vE '^pwrtrace: (recorded to|replay:) ' err)
	like "${*:2}: outcome" "$(outcomes)" "$1"
	is "${*:2}: nothing is lost" "$(sum_lost trace)" 0
}

opencl() {
	without '^1 some$' "$CLIENTS/cl_replay"
	is "a buffer is saved and restored, once, and looked into" "$(count trace memory_exec)" 5
	copies_are_its_own "a buffer is saved and restored"
	is "the report has the program's launches" "$(own "row['executions']")" "$(printed kernels)"
	without '^1 some$' "$CLIENTS/cl_replay" released
	is "a buffer that was released is not saved" "$(count trace memory_exec)" 5
	without '^1 some$' timeout 60 "$CLIENTS/cl_replay" released_early
	without '^1 some$' "$CLIENTS/cl_replay" shares_out
	without '^1 0 it may print, or allocate memory$' "$CLIENTS/cl_replay" prints
	without '^1 0 shared virtual memory is in use$' "$CLIENTS/cl_replay" svm
	without '^1 0 images are in use that kernels may write$' "$CLIENTS/cl_replay" image
	without '^1 0 device memory cannot be read, or is mapped$' "$CLIENTS/cl_replay" mapped
	without '^1 0 it waits for the host$' "$CLIENTS/cl_replay" awaited
	cat >arrays.py <<-'END'
	import numpy, pyopencl, pyopencl.array
	context = pyopencl.create_some_context(interactive=False)
	queue = pyopencl.CommandQueue(context)
	a = pyopencl.array.arange(queue, 100000, dtype=numpy.float32)
	b = pyopencl.array.zeros(queue, 100000, dtype=numpy.float32)
	for i in range(6):
	    a *= 1.5
	    b += a
	print(b.get().sum(), a.get()[:5], pyopencl.array.sum(b).get())
	END
	without '^[0-9]+ some.[0-9]+ some$' /usr/bin/python3 arrays.py
}

# --- asking for it ------------------------------------------------------------------------------

asking() {
	on_gpu PWRTRACE_REPLAY=often -- cuda_replay
	like "a length that is none: one line says so" "$(said)" '^PWRTRACE_REPLAY=often: it takes 0 to 60 seconds; the default is taken$'
	is_true "a length that is none"
	run "$PWRTRACE" record -o trace --replay=-1 -- true
	is "--replay=-1: exit status" "$status" 2
	like "--replay=-1: what is wrong" "$(cat err)" '--replay takes 0 to 60 seconds'
	rm -rf trace "$SIMGPU_CUDA_TRUTH"
	run "$PWRTRACE" record -o trace --replay=0.05 -- "$CLIENTS/cuda_replay"
	is "--replay: exit status" "$status" 0
	is "--replay: each class once" "$(outcomes)" "$both"
}

# --- what it is good for ------------------------------------------------------------------------

accuracy() {
	replays_a_loop cuda_loop
	replays_a_loop cuda_loop graph
}

plainly
known
sizes
cache
graphs
refusals
failing
images
opencl
asking
accuracy
finish
