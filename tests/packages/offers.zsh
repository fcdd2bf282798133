# offers.zsh FOLDER LINE: what zsh offers at the end of LINE with the completions in FOLDER, with what it says
# of each, a line each.  A shell of its own, whose settings are the text below, is given LINE and the key Tab.
zmodload zsh/zpty
home=$(mktemp -d)
trap 'rm -rf $home' EXIT
export ZDOTDIR=$home OFFERS=$home/offers FOLDER=$1

cat >$home/.zshrc <<'END'
fpath=($FOLDER $fpath)
autoload -Uz compinit && compinit -u -D
zstyle ":completion:*" verbose yes
compadd() {
	local -a matches shown
	local -i at=${@[(I)-[a-zA-Z12]#d]} # where descriptions are given
	if (( ! ${@[(I)-[ODA]]} )); then # else the question is only what would fit
		builtin compadd -O matches "$@"
		(( at )) && [[ $argv[at+1] != \(* ]] && shown=("${(@P)argv[at+1]}")
		if (( $#shown )); then print -rl -- $shown; else print -rl -- $matches; fi >>$OFFERS
	fi
	builtin compadd "$@"
}
tell_end() { print END-OF-OFFERS; }
zle -N tell_end
bindkey "^X" tell_end
PS1=READY-TO-TYPE
END

zpty shell zsh -d -i
zpty -r shell said '*READY-TO-TYPE*' || exit 1
zpty -w -n shell "$2"$'\t\x18'
zpty -r shell said '*END-OF-OFFERS*' || exit 1
[[ ! -e $OFFERS ]] || cat $OFFERS
