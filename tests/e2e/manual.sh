#!/bin/bash
# The manual pages agree with each other, and with the commands that there are.
. "$(dirname "$0")/lib.sh"

pages=$(ls "$ROOT"/{analyzer,preload}/*/*.[1-8] "$ROOT"/preload/*/*.[1-8].in)
own=$ROOT/analyzer/cmd/pwrtrace.1

# others PAGE: the pages of pwrtrace that its SEE ALSO names, as NAME.SECTION.
others() { sed -n '/^\.Sh SEE ALSO/,/^\.Sh [^S]/s/^\.Xr \(pwrtrace[^ ]*\) \([0-9]\).*/\1.\2/p' "$1"; }

# one_way: pairs of pages of which the first alone names the second.
one_way() {
	local page
	for page in $pages; do
		others "$page" | sed "s/^/$(basename "$page" .in) /"
	done | sort >named
	awk '{print $2, $1}' named | sort | comm -23 named -
}

# commands SECTION: those that a section of pwrtrace(1) has, before its first subsection.
commands() {
	awk -v section="$1" '/^\.S[hs]/ { inside = $2 == section } inside' "$own" |
		sed -n 's/^\(\.It \)\?\.\?Cm \([a-z]*\)$/\2/p' | sort -u
}

all=$( ("$PWRTRACE" --complete; echo help) | sort)
is "SEE ALSO goes both ways" "$(one_way)" ""
is "pwrtrace(1) names every page" "$(others "$own" | sort)" \
	"$(for page in $pages; do basename "$page" .in; done | grep -vx pwrtrace.1 | sort)"
for section in SYNOPSIS DESCRIPTION; do
	is "pwrtrace(1), $section: every command" "$(commands $section)" "$all"
done
# What the section sets as a word of an expression.
sed -n '/^\.Ss Filters/,/^\.Ss /s/^\.\(It \)\?Cm //p' "$ROOT/analyzer/cmd/pwrtrace-report.1" |
	grep -o '[a-z_0-9]*' >words
is "pwrtrace-report(1), Filters: every column" "$("$PWRTRACE" report --filter 'none == 1' . 2>&1 |
	sed 's/.*there are //; s/;.*//' | tr -d ' ' | tr , '\n' | grep -vxFf words)" ""
run env MANPATH="$WORK" "$PWRTRACE" help report
is "help without installed pages: exit status" "$status" 0
is "help without installed pages: as --help" "$(cat out)" "$("$PWRTRACE" report --help)"
run "$PWRTRACE" help reprot
refuses "help with no command" 2 'no command "reprot".*--help'
finish
