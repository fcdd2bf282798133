# What the tests share that add something to a copy of the tree, which is called tree; after lib.sh.

# copy_tree PART...: sources with their times, and of the build the parts that make would otherwise do
# again.  Objects say by a path below the tree what they were made of, and sanitized ones go with no
# others.
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

# build TARGET...: of the copy, with nothing that this make was told.
build() { env -u MAKEFLAGS -u MAKELEVEL make -s -j2 -C tree O=build "${@/#/build/}"; }

# row FILE AFTER LINE...: adds a line after the first that begins so; false where none does.
row() {
	awk -v after="$2" -v line="$(printf '%s\n' "${@:3}")" '
		{ print }
		!done && index($0, after) == 1 { print line; done = 1 }
		END { exit !done }' "tree/$1" >row && cat row >"tree/$1"
}

# file NAME: adds a file, the standard input; false where there is one.
file() { [ ! -e "tree/$1" ] && cat >"tree/$1"; }
