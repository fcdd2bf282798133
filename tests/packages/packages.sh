#!/bin/bash
# packages.sh BUILD: builds the packages of Debian and of Python, has lintian judge them, and runs from
# there what they bring.  Prints TAP.  It needs what step "packages" of .ci/run installs.
. "$(dirname "$0")/../e2e/lib.sh"

VERSION=$(sed -n 's/^VERSION := //p' "$ROOT/Makefile")
DEB=$BUILD/deb
INSTALLED=$WORK/root

# --- Debian --------------------------------------------------------------------------------------

ok "make deb" make -s -C "$ROOT" O="$BUILD" deb || finish
ok "lintian" lintian --allow-root --fail-on error,warning "$DEB"/*.changes
is "packages of that version" "$(cd "$DEB" && echo {lib,}pwrtrace*_"$VERSION"_*.deb)" \
	"libpwrtrace-dev_${VERSION}_all.deb pwrtrace-dbgsym_${VERSION}_amd64.deb pwrtrace_${VERSION}_amd64.deb"
for package in "$DEB"/{lib,}pwrtrace{-dev,}_*.deb; do
	[ ! -e "$package" ] || dpkg-deb -x "$package" "$INSTALLED"
done
PWRTRACE=$INSTALLED/usr/bin/pwrtrace

is "its version" "$("$PWRTRACE" --version)" "pwrtrace $VERSION"
like "--help" "$("$PWRTRACE" --help)" "usage: pwrtrace COMMAND"
is "a manual page of each command" "$(cd "$INSTALLED/usr/share/man/man1" && ls pwrtrace-*.1.gz)" \
	"$("$PWRTRACE" --complete | sort | sed 's/.*/pwrtrace-&.1.gz/')"

config() {
	PKG_CONFIG_LIBDIR=$INSTALLED/usr/share/pkgconfig PKG_CONFIG_SYSROOT_DIR=$INSTALLED \
		PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 pkg-config "$@" pwrtrace
}
is "pkg-config: the version" "$(config --modversion)" "$VERSION"
is "pkg-config: flags" "$(config --cflags --libs | xargs)" "-I$INSTALLED/usr/include"
compiled() { cc -D_GNU_SOURCE $(config --cflags) -o "$1" "$ROOT/examples/$1/$1.c" $(config --libs) -lOpenCL -lm; }
ok "an example is compiled with its header" compiled opencl-layers

record trace ./opencl-layers --steps 3
is "record: exit status" "$status" 0
like "record: its layers are there" "$("$PWRTRACE" report --by layer trace 2>/dev/null)" attention
has_layer='import pwrtrace; print(pwrtrace.__file__)'
run "$PWRTRACE" record -q -o python -- /usr/bin/python3 -c "$has_layer"
is "record: import pwrtrace" "$(cat out)" "$INSTALLED/usr/lib/pwrtrace/python/pwrtrace/__init__.py"
like "a page has charts, as those of this build" \
	"$("$PWRTRACE" report --format html -o run.html trace && wc -c <run.html) $(wc -c <"$BUILD/html/charts.js")" \
	"^[0-9]{6,} [0-9]{6,}$|^[0-9]+ 0$"

# --- completion --------------------------------------------------------------------------------

# Of shells in which nothing but the package's own files is prepared.
PATH=$INSTALLED/usr/bin:$PATH
bash_offers() {
	bash --norc -c '. "$1"; COMP_WORDS=("${@:2}") COMP_CWORD=$(($# - 2)); _pwrtrace; printf "%s\n" "${COMPREPLY[@]}"' \
		- "$INSTALLED/usr/share/bash-completion/completions/pwrtrace" "$@" | sort | xargs
}
zsh_offers() { zsh -f "$ROOT/tests/packages/offers.zsh" "$INSTALLED/usr/share/zsh/vendor-completions" "$1" | sort -u | grep .; }
is "bash: commands" "$(bash_offers pwrtrace re)" "record report"
is "bash: options" "$(bash_offers pwrtrace report --f)" "--filter --format"
ok "zsh: it is well-formed" zsh -n "$INSTALLED/usr/share/zsh/vendor-completions/_pwrtrace"
like "zsh: commands, with what they do" "$(zsh_offers 'pwrtrace re')" \
	$'^record +-- run a program .*\nreport +-- [a-z]'
like "zsh: options, with what they do" "$(zsh_offers 'pwrtrace report --f')" \
	$'^--filter +-- rows .*\n--format +-- text'
like "zsh: options of the command that is a program of its own" \
	"$(zsh_offers 'pwrtrace record --replay-')" "^--replay-budget +-- for how long"
is "zsh: values" "$(zsh_offers 'pwrtrace report --by=la' | xargs)" "launch layer"
is "zsh: values, in a word of their own" "$(zsh_offers 'pwrtrace report --by la' | xargs)" "launch layer"
is "zsh: a trace" "$(zsh_offers 'pwrtrace report tra' | xargs)" trace
is "zsh: a program to record" "$(zsh_offers 'pwrtrace record -o run pwrtrac' | xargs)" pwrtrace

# --- Python --------------------------------------------------------------------------------------

# A copy, in which pip may leave what it makes.
mkdir -p source/preload/shim/layer
cp "$ROOT/Makefile" source
cp -r "$ROOT/preload/shim/layer/python" source/preload/shim/layer
/usr/bin/python3 -m venv --system-site-packages environment
ok "pip install" environment/bin/pip install -q --no-index --no-build-isolation \
	--disable-pip-version-check source/preload/shim/layer/python
is "pip: the version" "$(environment/bin/pip show pwrtrace 2>/dev/null | grep ^Version)" "Version: $VERSION"
run environment/bin/python -c "$has_layer
with pwrtrace.layer('a'): pwrtrace.mark('x')"
like "pip: it is found, and does nothing, without a recording" "$status $(cat out err)" \
	"^0 $WORK/environment/lib/python[0-9.]*/site-packages/pwrtrace/__init__.py$"
run "$PWRTRACE" record -q -o installed -- environment/bin/python -c "$has_layer"
like "pip: it is found in a recording too" "$(cat out)" "^$WORK/environment/"

finish
