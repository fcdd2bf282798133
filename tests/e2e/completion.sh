#!/bin/bash
# Completion in bash: what it offers after the words of a command line, and that it is installed where
# bash looks for it.
. "$(dirname "$0")/lib.sh"

PATH=$BUILD/bin:$PATH
. "$ROOT/analyzer/cmd/pwrtrace.bash-completion"

# offered WORD...: the completions of the last word, sorted, on one line.
offered() {
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
	_pwrtrace
	printf '%s\n' "${COMPREPLY[@]}" | sort | paste -sd' '
}

# takes_offered OPTION: the command accepts every value that completion offers for an option: its only
# complaint is about the trace.
takes_offered() {
	local value values
	values=$(offered pwrtrace report "--$1" '')
	for value in $values; do
		run pwrtrace report "--$1" "$value" no-such-trace
		equal "$value: $status" "$value: 1" || return
	done
	run pwrtrace report "--$1" no-such-value no-such-trace
	equal "$status" 2 && [ -n "$values" ]
}

# same_options COMMAND: --help and the manual page have the same options.
same_options() {
	diff <(pwrtrace "$1" --help | grep -oE '(^ +|, )--[a-z-]+' | sed 's/.*--//' | sort -u) \
		<(sed -n 's/^\.It .*Fl -\([a-z-]*\).*/\1/p' "$ROOT"/*/*/pwrtrace-"$1".1 | sort -u)
}

# knows COMMAND: the command accepts each option that its --help lists.
knows() {
	local option options
	options=$(pwrtrace "$1" --help | grep -oE '(^ +|, )--[a-z-]+' | sed 's/.*--//')
	for option in $options; do
		run pwrtrace "$1" "--$option" no-such-value
		! grep -E 'unrecognized|unknown option' err || return
	done
	[ -n "$options" ]
}

mkdir trace traces && touch trace.json

is "commands" "$(offered pwrtrace re)" "record report"
is "every command, and what pwrtrace itself takes" "$(offered pwrtrace '')" \
	"$( (pwrtrace --complete; printf '%s\n' help --help --version) | sort | paste -sd' ')"
is "commands to help with" "$(offered pwrtrace help gr)" graphs
is "options of a command" "$(offered pwrtrace report --f)" "--filter --format"
is "options of the command that is a program of its own" "$(offered pwrtrace record --lay)" --layers
is "no option that another command has" "$(offered pwrtrace graphs --g)" ""
for command in $(pwrtrace --complete); do
	ok "$command: --help has the options of the manual page" same_options "$command"
	ok "$command: it takes them" knows "$command"
done
for option in by format method sort color; do
	ok "--$option: report takes the values that are offered, and no other" takes_offered $option
done
is "a value that has begun" "$(offered pwrtrace report --by la)" "launch layer"
is "--by=" "$(offered pwrtrace report --by =)" "$(offered pwrtrace report --by '')"
is "--by=la" "$(offered pwrtrace report --by = la)" "launch layer"
is "directories for traces" "$(offered pwrtrace report tr)" "trace traces"
is "files to write" "$(offered pwrtrace report -o tr)" "trace trace.json traces"
is "a profile of graphs" "$(offered pwrtrace report --graphs trace.)" trace.json
is "a program to record" "$(offered pwrtrace record -o run pwrtra)" pwrtrace
is "a program to record, after --" "$(offered pwrtrace record --layers = none -- pwrtra)" pwrtrace
is "arguments of the program" "$(offered pwrtrace record pwrtrace trace.)" trace.json
is "no command, no words" "$(offered pwrtrace no-such-command --)" ""

ok "make install" make -s -C "$ROOT" O="$BUILD" DESTDIR="$WORK/root" PREFIX=/usr install
ok "it is installed" cmp "$ROOT/analyzer/cmd/pwrtrace.bash-completion" \
	root/usr/share/bash-completion/completions/pwrtrace
ok "that of zsh, too" cmp "$ROOT/analyzer/cmd/pwrtrace.zsh-completion" \
	root/usr/share/zsh/site-functions/_pwrtrace
finish
