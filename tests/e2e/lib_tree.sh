# What the tests share that change a copy of the source tree, in the folder `tree`, and build it; after
# lib.sh.

# copy_tree PART...: copies the sources with their times, and PARTs of the build, so that make does not
# build those again.  That works because the paths in the .d files are relative to the tree.  Nothing
# is copied of a sanitized build, as its objects cannot be linked with others.
copy_tree() {
	local part
	mkdir -p tree/build
	tar -C "$ROOT" --exclude=./.git --exclude='./build*' -cf - . | tar -C tree -xf - || return
	[ "$BUILD" = "$ROOT/build" ] && ! grep -q __asan_init "$BUILD/bin/pwrtrace" || return 0
	for part; do
		mkdir -p "$(dirname "tree/build/$part")"
		cp -a "$BUILD/$part" "tree/build/$part" || return
	done
}

# build TARGET...: builds the copy, without the variables of the make that runs this test.
build() { env -u MAKEFLAGS -u MAKELEVEL make -s -j2 -C tree O=build "${@/#/build/}"; }

# row FILE AFTER LINE...: adds lines after the first line that begins with AFTER; fails without one.
row() {
	awk -v after="$2" -v line="$(printf '%s\n' "${@:3}")" '
		{ print }
		!done && index($0, after) == 1 { print line; done = 1 }
		END { exit !done }' "tree/$1" >row && cat row >"tree/$1"
}

# file NAME: adds a file with the text on the standard input; fails where it exists already.
file() { [ ! -e "tree/$1" ] && cat >"tree/$1"; }
