#!/bin/bash
# record --counters: how busy kernels keep the parts of a GPU, on the simulated one, whose counters follow
# from the watts in the names of its kernels (tests/simgpu/cupti_sampling.c).
. "$(dirname "$0")/lib.sh"
. "$ROOT/tests/e2e/lib_simgpu.sh"

export LC_ALL=C.UTF-8 NO_COLOR=1
export SIMGPU_NVML_LOAD=$SIMGPU_CUDA_TRUTH PWRTRACE_POWER=nvml

# wrong_utilization: the shares that are off by more than 2 % of all and than their interval, or whose
# interval is wider than 5 %.
wrong_utilization() {
	reported trace "[(row['name'], part, row[f'utilization_{part}'], row[f'ci95_utilization_{part}'])
		for row in rows if row['name'].startswith('void heat<')
		for part, of in dict(compute=1, issue=2, tensor=4, cache=5, read=10, write=20).items()
		if not (abs(row[f'utilization_{part}'] - int(row['name'].split(',')[1].split('u')[0]) / 1000 / of)
			<= max(0.02, row[f'ci95_utilization_{part}']) and row[f'ci95_utilization_{part}'] <= 0.05)]"
}

# counted_s: "COUNTED BEFORE": for how many seconds each of the six parts was counted, and how many seconds
# before the end of the recording the last sample ended.
counted_s() {
	events trace | /usr/bin/python3 -c '
import re, sys
times = []
for line in sys.stdin:
    number = {word: int(value) for word, value in re.findall(r"(\w+) = (\d+)", line)}
    if "busy_counter" in line:
        times.append((number["sensor"], number["time_ns"], number["busy_ns"]))
    if "recording_end" in line:
        end_ns = number["end_ns"]
times.sort()
counted_ns = sum(b[1] - a[1] for a, b in zip(times, times[1:]) if b[2] and a[0] == b[0]) / 6
print(f"{counted_ns / 1e9:.3f} {(end_ns - times[-1][1]) / 1e9:.3f}")'
}

on_gpu PWRTRACE_COUNTERS=120 -- cuda_loop 150
is "a loop: exit status" "$status" 0
is "a loop: nothing is said" "$(grep -c 'counters:' err)" 0
is "a loop: nothing is lost" "$(sum_lost trace)" 0
is "a loop: all six parts are sensors" \
	"$(events trace | grep sensor_def | grep -c 'quantity = "busy"')" 6
is "a loop: how busy each kernel keeps each part" "$(wrong_utilization)" "[]"
is "a loop: though power does not tell all kernels apart" "$(reported trace "len(r['groups']) > 0")" True
like "a loop: in text" "$("$PWRTRACE" report trace | grep -A 2 '^Utilization')" \
	'COMPUTE +ISSUE +TENSOR +CACHE +READ +WRITE +kernel.* +50 ±0[.][0-9] +25 '
like "a loop: in CSV" "$("$PWRTRACE" report --format csv trace | head -1)" \
	'utilization_compute,ci95_utilization_compute,'
is "a loop: only power has energies" \
	"$(reported trace "sorted({b['domain'] for b in r['balance']['devices']})")" "['gpu', 'memory']"
run "$PWRTRACE" info trace
is "a loop: info reads it" "$status" 0
like "a loop: it is counted to the end" "$(counted_s)" ' -?0[.]0[0-4]'

# For 12 s.
on_gpu PWRTRACE_COUNTERS=0.5 -- cuda_loop 480
like "a longer one: a second in ten, and a bit" "$(counted_s)" '^2[.](09|1)'
is "a longer one: nothing is said" "$(grep -c 'counters:' err)" 0
is "a longer one: how busy each kernel keeps each part" "$(wrong_utilization)" "[]"

on_gpu PWRTRACE_COUNTERS=120 SIMGPU_SAMPLING_LOSES=40 -- cuda_loop 150
is "samples are lost: it is said once" "$(grep -c 'lost samples of its counters' err)" 1
like "samples are lost: the report says so" "$("$PWRTRACE" report trace)" 'lost: 1 busy_counter, GPU-[-0-9]* lost samples'
is "samples are lost: what is there is right" "$(wrong_utilization)" "[]"

on_gpu PWRTRACE_COUNTERS=120 SIMGPU_SAMPLING_LOSES=520 -- cuda_loop 150
is "most samples are lost: what is there is right" "$(wrong_utilization)" "[]"

# after_end_ms: by how much the last reading of power comes after the end of the recording.
after_end_ms() {
	events trace | /usr/bin/python3 -c '
import re, sys
last_ns = 0
for line in sys.stdin:
    if re.search("power_sample|energy_counter", line):
        last_ns = max(last_ns, int(re.search(r"time_ns = (\d+)", line)[1]))
    if "recording_end" in line:
        print((last_ns - int(re.search(r"end_ns = (\d+)", line)[1])) // 1000000)'
}
on_gpu PWRTRACE_COUNTERS=120 SIMGPU_SAMPLING_HANGS=600 -- cuda_loop 40
is "the driver hangs: exit status" "$status" 0
is "the driver hangs: it is said" "$(grep -c 'counters: GPU-.*: the driver does not answer' err)" 1
is "the driver hangs: it is in the trace" "$(count trace lost)" 1
ok "the driver hangs: power is read at the end, not after waiting for it" \
	test "$(after_end_ms)" -lt 500

# A long list of sources, which names them, too.
meter="exec:: $(printf '%01200d' 0); while echo 100; do sleep 0.02; done"
on_gpu PWRTRACE_COUNTERS=120 "PWRTRACE_POWER=nvml,counters,$meter" -- cuda_loop 20
is "named twice: they are there once" "$(events trace | grep sensor_def | grep -c 'quantity = "busy"')" 6
is "a long list: its last source is there" "$(events trace | grep sensor_def | grep -c 'source = "exec"')" 1

on_gpu -- cuda_loop 20
is "without it there are no counters" "$(count trace busy_counter)" 0
is "without it the report has no utilization" "$(reported trace "'utilization_compute' in rows[0]")" False

# What runs on two GPUs: the mean over both.
/usr/bin/python3 "$ROOT/tests/e2e/counters_trace.py" 2 2500 | "$BUILD/tests/trace_text" two
is "two GPUs: each kernel" "$(reported two "[[round(row[f'utilization_{part}'], 2)
	for part in ('compute', 'issue', 'tensor', 'cache', 'read', 'write')] for row in rows]")" \
	"[[0.67, 0.3, 0.6, 0.22, 0.15, 0.07], [0.45, 0.07, 0.0, 0.37, 0.6, 0.22]]"
run "$PWRTRACE" report --format html -o two.html two
is "two GPUs: the page has a bar of each part and kernel, and its interval" \
	"$(sed '/<table class="rows" id="utilization">/,/<\/table>/!d' two.html |
		grep -o '"fill" style="width:[0-9]*[.][0-9]*%"></span><span class="interval"' | wc -l)" 12
like "two GPUs: the page says it in words" "$(cat two.html)" '</div>67 ±0[.]8</td>'
like "two GPUs: each device" "$("$PWRTRACE" report --by device two | grep -A 3 '^Utilization' | sort -rn)" \
	'75 ±0[.]9 .*GPU-1.* 37 ±0[.]5 .*GPU-2'

/usr/bin/python3 "$ROOT/tests/e2e/counters_trace.py" 2 2500 | grep -v 'sensor=23 ' |
	"$BUILD/tests/trace_text" lacking
is "a part that one GPU lacks: the other's" \
	"$(reported lacking "[round(row['utilization_tensor'], 2) for row in rows]")" "[0.8, 0.0]"

# The same machine later, half as busy.
/usr/bin/python3 "$ROOT/tests/e2e/counters_trace.py" 1 2500 | tee early.txt |
	"$BUILD/tests/trace_text" early
/usr/bin/python3 -c '
import re
for line in open("early.txt"):
    if not line.startswith("at "):
        line = re.sub(r"(begin|end|time)_ns=(\d+)", lambda m: f"{m[1]}_ns={int(m[2]) + 10**10}", line)
        line = re.sub(r"busy_ns=(\d+)", lambda m: f"busy_ns={int(m[1]) // 2 + 1}", line)
    print(line, end="")' | "$BUILD/tests/trace_text" late
for first in early late; do
	second=$([ $first = early ] && echo late || echo early)
	is "$first, $second: the mean of both" \
		"$(reported $first "round(rows[0]['utilization_compute'], 1)" $second)" 0.7
done

run env SIMGPU_SAMPLING_REFUSES=35 LD_LIBRARY_PATH="$SIMGPU" "$PWRTRACE" record --counters -o refused -- true
is "refused: exit status" "$status" 125
like "refused: says what and what to do" "$(cat err)" \
	'^pwrtrace: counters: cuptiPmSamplingEnable: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES; only root may read the counters'
run env LD_LIBRARY_PATH="$SIMGPU" PWRTRACE_CUPTI=/nowhere/libcupti.so "$PWRTRACE" record --counters -o none -- true
is "no CUPTI: exit status" "$status" 125
like "no CUPTI: says so" "$(cat err)" 'counters: libcupti is not found [(]PWRTRACE_CUPTI=FILE'
run env -u LD_LIBRARY_PATH PWRTRACE_POWER=model "$PWRTRACE" record --counters -o none -- true
is "no driver: exit status" "$status" 125
like "no driver: says so" "$(cat err)" 'counters: libcuda.so.1 is not found; it comes with'

finish
