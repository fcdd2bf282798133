#!/bin/bash
# Ranges of NVTX 2 and 3 and of ROCTX become layers, without a change to the program; and mistakes that
# programs make with them, and with our own API.
. "$(dirname "$0")/lib.sh"

export LD_LIBRARY_PATH=$BUILD/tests/simgpu PWRTRACE_POWER=model

# The names of layers as Python would write them.
names_in_report() {
	"$PWRTRACE" report --by layer --format json trace | /usr/bin/python3 -c '
import json, sys
for name in sorted(row["name"] for row in json.load(sys.stdin)["rows"]):
    print(ascii(name))'
}

# lost WHAT: how many events WHAT were lost, as the trace says.
lost() {
	events trace | sed -n "s/.* pwrtrace:lost: .* count = \([0-9]*\), what = \"$1\".*/\1/p" |
		awk '{ total += $1 } END { print total + 0 }'
}

# Of the layers whose names a line can hold, those that were recorded; of the others, how many.
plain_layers() { layer_counts trace kernel_exec | grep -avE 'a;b|lines|UTF-8|tab|quoted|two'; }

recorded_well() {
	is "$1: exit status" "$status" 0
	is "$1: kernels of each layer" "$(plain_layers)" \
		"$(printed_counts kernels | awk '{ n[substr($0, length($1) + 2)] += $1 }
			END { for (path in n) print n[path], path }' | sort)"
	is "$1: no launch is lost" "$(count trace kernel_exec)" "$(printed kernels)"
	is "$1: ranges deeper than 128 are counted" "$(lost layer_push)" $((10000 - 128))
	names_in_report >names
	for name in "'a;b'" "'two\\nlines'" "'not \\\\xff\\\\xfe UTF-8 \\\\xc3'" "'tab\\there'" \
		"'\"quoted\" \\\\ {x}'" "'(unnamed)'"; do
		ok "$1: the report has $name" grep -xF "$name" names
	done
}

for interface in api nvtx roctx; do
	rm -rf trace
	run "$PWRTRACE" record -o trace -- "$CLIENTS/cuda_ranges" $interface
	recorded_well $interface
	sed '/^pwrtrace: /d' out >recorded
	run "$CLIENTS/cuda_ranges" $interface
	ok "$interface: the program prints what it does without pwrtrace" diff out recorded
done

rm -rf trace
PWRTRACE_LAYERS=api record trace "$CLIENTS/cuda_ranges" nvtx
is "nvtx is not asked for: no layers" "$(count trace layer_def)" 0
rm -rf trace
NVTX_INJECTION64_PATH=/another/tool.so record trace "$CLIENTS/cuda_ranges" nvtx
is "another tool's injection: exit status" "$status" 0
is "another tool's injection: no layers" "$(count trace layer_def)" 0
is "another tool's injection: it is said once" \
	"$(grep -c "NVTX_INJECTION64_PATH is another tool's (/another/tool.so)" err)" 1
run "$PWRTRACE" record -o other --layers api,nvtX -- true
is "a source that is none: exit status" "$status" 2
like "a source that is none: it is said" "$(cat err)" 'nvtX'

if run "$CLIENTS/cuda_nvtx" && [ "$status" = 77 ]; then
	skip "NVTX 3" "$(sed 's/^skipped: //' out)"
	finish
fi
cp out plain
rm -rf trace
run "$PWRTRACE" record -o trace -- "$CLIENTS/cuda_nvtx"
recorded_well "NVTX 3"
ok "NVTX 3: the program prints what it does without pwrtrace" diff plain out
is "NVTX 3: a category with a name" \
	"$(events trace | grep -c 'layer_def: .*category = "seventh", name = "with payload"')" 1
is "NVTX 3: a category without" \
	"$(events trace | grep -c 'layer_def: .*category = "9", name = "of no name"')" 1
is "NVTX 3: a payload" "$(events trace | grep -c 'layer_push: .* payload = -42 ')" 1
is "NVTX 3: marks" "$(count trace mark)" 2
is "NVTX 3: a mark of a domain with a payload" \
	"$(events trace | grep -c 'mark: .*value = 2.5, unit = "", name = "one:a mark with 2.5"')" 1
rm -rf bare
bare bare "$CLIENTS/cuda_nvtx"
ok "NVTX 3: bare, the program prints the same" diff plain out
is "NVTX 3: bare, the same layers" "$(layer_counts bare kernel_exec | wc -l)" \
	"$(layer_counts trace kernel_exec | wc -l)"
finish
