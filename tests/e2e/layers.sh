#!/bin/bash
# A launch belongs to the layers that its thread had open, in the trace and in the report.
. "$(dirname "$0")/lib.sh"

# layer_counts DIR EVENT: "N PATH" for each layer that has such events, the path empty for none.
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

# printed_counts FIELD: the same, from what the client printed.
printed_counts() {
	sed -n "s/^layer .*\b$1=\([1-9][0-9]*\)\b.* path=\(.*\)/\1 \2/p" out | sort
}

same_as_printed() {
	is "$1: kernels of each layer" "$(layer_counts trace kernel_launch)" \
		"$(printed_counts kernels)"
	is "$1: copies of each layer" "$(layer_counts trace memory_exec)" "$(printed_counts copies)"
	is "$1: the report has the same" \
		"$(reported trace "'\n'.join(sorted('%d %s' % (row['executions'], row['name'])
			for row in rows if row['executions']))" --by layer)" \
		"$(sed -n 's/^layer kernels=\([0-9]*\) copies=\([0-9]*\) path=\(.*\)/\1 \2 \3/p' out |
			awk '{ n = $1 + $2; sub(/^[0-9]+ [0-9]+ /, ""); if (n)
				print n, $0 == "" ? "(no layer)" : $0 }' | sort)"
}

record trace "$CLIENTS/cl_layers"
is "exit status" "$status" 0
same_as_printed record
while read -r absent; do
	is "nothing was launched in $absent, and the report does not show it" \
		"$(reported trace "sum(row['name'] == '$absent' for row in rows)" --by layer)" 0
done < <(sed -n 's/^absent path=//p' out)
is "marks" "$(count trace mark)" "$(grep -c ^mark out)"
has_launches "layers" trace "$(printed kernels)"
cp out recorded

run "$CLIENTS/cl_layers"
ok "what the program prints is the same without pwrtrace" diff recorded out

rm -rf trace
bare trace "$CLIENTS/cl_layers"
same_as_printed bare

rm -rf trace
PWRTRACE_LAYERS=none record trace "$CLIENTS/cl_layers"
is "PWRTRACE_LAYERS=none: no layers" "$(count trace layer_def)" 0

rm -rf trace
run "$PWRTRACE" record -o trace --layers none -- "$CLIENTS/cl_layers"
is "--layers none: no layers" "$(count trace layer_def)" 0
finish
