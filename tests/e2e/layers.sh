#!/bin/bash
# A launch belongs to the layers that its thread had open, in the trace and in the report.
. "$(dirname "$0")/lib.sh"

record trace "$CLIENTS/cl_layers"
is "exit status" "$status" 0
same_as_printed record
like "there are marks, and layers in which nothing is launched" \
	"$(grep -c ^mark out) $(grep -c '^absent path=' out)" '^[1-9][0-9]* [1-9]'
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
