#!/bin/bash
# pwrtrace efficiency: the energy of made-up servers whose costs are known, by phase, request and model.
. "$(dirname "$0")/lib.sh"

export NO_COLOR=1 LC_ALL=C.UTF-8
PATH=$BUILD/bin:$BUILD/tests:$PATH

# written CASE...: writes the traces of cases of efficiency_trace.py.
written() {
	local case
	for case; do
		/usr/bin/python3 "$ROOT/tests/e2e/efficiency_trace.py" "$case" >text &&
			trace_text "$case" <text
	done
}

# cost EXPRESSION OPTION-OR-TRACE...: a value of the answer r as Python prints it.
cost() {
	pwrtrace efficiency --format json "${@:2}" >cost.json &&
		/usr/bin/python3 -c 'import json, sys
r = json.load(open("cost.json"))
print(eval(sys.argv[1]))' "$1"
}

# efficiency OPTION-OR-TRACE...: as run, without the warning that all of these traces bring.
efficiency() {
	run pwrtrace efficiency "$@"
	sed -i '/lacks comparisons of a device/d' err
}

written requests waiting warmed cached chunked phases fitted small slow served half_tagged other_half untimed backwards unknown \
	unserved silent

# --- requests --------------------------------------------------------------------------------

efficiency requests
is "two requests that share steps" "$(<out)" "Total Energy (J): 60.0000
Output Tokens per Joule (tokens/J): 0.0833
Average GPU Power (W): 100.0000
prefill  29.8 J in 298 ms  150 mJ for each of 199 input tokens
decode  30.2 J in 302 ms  10.1 J for each of 3 output tokens
request A  25.2 J  TTFT 100 ms  TPOT 250 ms
request B  34.8 J  TTFT 200 ms  TPOT 300 ms"
is "the same as JSON" "$(cost '[[round(v, 9) if isinstance(v, float) else v for v in q.values()]
	for q in r["requests"]]' requests)" \
	"[['A', 100, 3, 25.2, 0.1, 0.25], ['B', 99, 2, 34.8, 0.2, 0.3]]"
is "the members of the schema" "$(cost '[r["schema"], *(key for key in r if key not in
	("schema", "trace", "method", "estimated", "tags", "coverage")), *r["requests"][0]]' requests)" \
	"['pwrtrace-efficiency/1', 'total_j', 'tokens_per_j', 'power_w', 'partly_measured', 'phases', 'requests', 'models', 'runs', 'request', 'input', 'output', 'energy_j', 'ttft_s', 'tpot_s']"
is "phases add up to all requests" "$(cost 'all(abs(sum(p["energy_j"] for p in r["phases"])
	- sum(q["energy_j"] for q in r["requests"])) < 1e-9 for _ in [0])' waiting)" True
is "nobody pays for the time without a request, and a name may come again" \
	"$(cost '[(q["request"], round(q["energy_j"], 9), round(q["ttft_s"], 9)) for q in r["requests"]]' waiting)" \
	"[('A', 10, 0.1), ('B', 12.5, 0.15), ('A', 7.5, 0.15)]"
is "nor for what ran before the first one" \
	"$(cost '[(q["energy_j"], q["ttft_s"]) for q in r["requests"]]' warmed)" "[(30, 0.1)]"
is "input in two chunks, most of it cached" \
	"$(cost '([(q["input"], q["output"], q["ttft_s"], q["energy_j"]) for q in r["requests"]],
		[p["amount"] for p in r["phases"]])' cached)" \
	"([(100, 2, 0.2, 40)], [40, 1])"
is "a step that ends in the middle of a prompt puts nothing out" \
	"$(cost '[(q["output"], q["ttft_s"], q["tpot_s"]) for q in r["requests"]]' chunked)" \
	"[(0, None, None), (1, 0.3, None)]"
is "reports know the steps as iterations, and the marks as one" \
	"$(pwrtrace report --by layer requests | sed -n '/^Iterations/{n;p}; /^  tokens:/p')" \
	"  3, each up to a mark \"tokens\"; 51 token each after the first, 490 mJ/token
  tokens: 202 token in 5 marks, 297 mJ/token (3.36667 token/J), 336.667 token/s
  tokens: 202 token in 5 marks"

record serving "$EXAMPLES/opencl-serving" 100
has_launches "the example is recorded" serving "$(printed launches)"
is "and each request has the tokens that it says" \
	"$(cost '"\n".join("request {request}: {input} tokens in, {output} out".format(**q)
		for q in sorted(r["requests"], key=lambda q: q["request"]))' serving)" \
	"$(grep ^request out | sort)"

# --- phases and the whole --------------------------------------------------------------------

efficiency phases
is "phases that are layers" "$(<out)" "Total Energy (J): 50.0000
Output Tokens per Joule (tokens/J): 0.6400
Average GPU Power (W): 100.0000
prefill  20.0 J in 200 ms  312 mJ for each of 64 input tokens
decode  30.0 J in 300 ms  1.25 J for each of 24 output tokens"
efficiency --work 2097152token silent
is "tokens that are given" "$(<out)" "Total Energy (J): 30.0000
Output Tokens per Joule (tokens/J): 69905.0667
Average GPU Power (W): 100.0000"
is "several traces without tags are one" "$(cost 'r["total_j"], len(r["runs"]), len(r["trace"])' \
	phases untimed)" "(50, 1, 2)"
trace_text work <"$ROOT/tests/golden/work.txt"
is "without all tags, a trace is a run and no model" \
	"$(cost 'r["total_j"], r["models"]' half_tagged)" "(50, [])"
is "and several are one run" "$(cost 'r["total_j"], len(r["runs"]), r["models"]' half_tagged untimed)" "(50, 1, [])"
is "tokens are given of one run, of which there may be several traces" \
	"$(cost 'round(r["tokens_per_j"], 9), len(r["runs"])' --work 100 phases untimed)" "(2, 1)"
is "or of one model" "$(cost 'round(r["tokens_per_j"] * r["total_j"], 9), len(r["models"])' --work 100 small)" "(100, 1)"
efficiency work
is "the figures that TensorRT-LLM prints" "$(<out)" "Total Energy (J): 160237.5460
Output Tokens per Joule (tokens/J): 13.0878
Average GPU Power (W): 991.4987"
is "CSV has a row for the whole, and each phase and request" \
	"$(pwrtrace efficiency --format csv requests | cut -d, -f1,2,9,15 | tr -d '\r')" "by,name,energy_j,ttft_s
total,,60,
phase,prefill,29.8,
phase,decode,30.2,
request,A,25.2,0.1
request,B,34.8,0.2"

# --- models ----------------------------------------------------------------------------------

efficiency small slow served
is "a row for each model, GPU and batch" "$(tail -n +4 out)" \
	"llama  H200  batch 4  5.71 J/request = 1.43 J/token × 4  TPOT 50.0 ms  cheapest
llama  H100  batch 4  6.57 J/request = 1.64 J/token × 4  TPOT 60.0 ms
qwen  H200  batch 2  31.2 J/request = 12.5 J/token × 2.5  TPOT 275 ms"
is "runs with the same tags are one row" "$(cost '[(m["model"], m["output"],
	round(m["j_per_token"], 6)) for m in r["models"]], len(r["runs"])' small small)" \
	"([('llama', 4, 1.428571)], 2)"
efficiency --deadline 55ms slow small
like "the cheapest within a deadline" "$(<out)" $'H200[^\n]*cheapest within 55.0 ms$'
efficiency --deadline 40ms slow small
refuses "a deadline that none keeps" 1 "no model is within 40.0 ms: the fastest takes 50.0 ms for a token"

# --- each member and column ------------------------------------------------------------------

columns "each member and column, of requests" "efficiency requests" efficiency requests
columns "each member and column, of models" "efficiency models" efficiency small served
columns "each member and column, of phases with an interval" "efficiency fitted" efficiency fitted

# --- bad input -------------------------------------------------------------------------------

efficiency silent
refuses "no marks" 1 "no mark counts tokens; .* --work"
efficiency backwards
refuses "a request that ends before it begins" 1 "request A ends before it begins"
efficiency unknown
refuses "a request without a beginning" 1 "request B does not begin"
/usr/bin/python3 "$ROOT/tests/e2e/efficiency_trace.py" unknown | sed 's/tokens#B/tokens#B\\nB2\\x1b[31m/' |
	"$BUILD/tests/trace_text" odd
run "$PWRTRACE" efficiency odd
refuses "a mark with a line end and an escape in its name" 1 \
	'^pwrtrace: request B\\nB2\\x1b\[31m does not begin'
efficiency unserved
refuses "requests without steps" 1 "there are requests, and no two steps with marks tokens#ID"
efficiency --deadline 50ms half_tagged
refuses "a tag is missing" 1 "half_tagged lacks the tag gpu; record it with --tag gpu="
efficiency small half_tagged
refuses "a tag is missing that another trace has" 1 "half_tagged lacks the tag gpu; record it"
efficiency half_tagged small
refuses "the same in the other order" 1 "half_tagged lacks the tag gpu, by which models are told apart"
efficiency half_tagged other_half
refuses "a tag is missing of two models" 1 "half_tagged lacks the tag gpu, by which models are told apart"
efficiency --work 100 small slow
refuses "tokens of several runs" 2 "--work is for one run, and these traces are one each"
efficiency --work 100 --deadline 50ms phases small
refuses "tokens of several runs, for a deadline" 2 "--work is for one run"
efficiency --deadline 50ms phases
refuses "a deadline needs tags" 1 "phases lacks the tag model"
efficiency small phases
refuses "a model among others without tags" 1 "phases lacks the tag model"
efficiency phases small
refuses "the same in the other order" 1 "phases lacks the tag model"
efficiency --work many phases
is "tokens that are no number" "$status" 2
efficiency nowhere
is "no trace" "$status" 1

# A replay holds the program up for 10 of the 21 ms from one token to the next.
tagged() { awk '{ print } /^recording / { print "tag pid=10 key=model value=m\ntag pid=10 key=gpu value=g\ntag pid=10 key=batch value=1" }'; }
sed 's/unit=step name=done/unit=token name=tokens/' "$ROOT/tests/golden/replay.txt" | tagged | trace_text replayed
efficiency replayed
like "replays are none of the time between tokens" "$(cat out)" 'TPOT 11\.0 ms'
sed '/^mark /s/unit=step name=done/unit=token name=tokens#A/
	0,/^mark /s/^mark .*/mark pid=10 tid=10 layer=1 time_ns=1000000 value=1 unit=token name=request#A\n&/' \
	"$ROOT/tests/golden/replay.txt" | tagged | trace_text replayed-request
efficiency replayed-request
like "nor of the time of a request, or of a step" "$(cat out)" 'in 11\.0 ms.*TPOT 11\.0 ms'
finish
