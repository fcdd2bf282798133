#!/bin/bash
# views.sh BUILD: has DuckDB read reports (report --format ndjson) and speedscope's published schema
# judge profiles (--format speedscope), and prints TAP.  It needs npm.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
names="fitted names layers tree iterations stacks hostile"

mkdir -p "$build/views"
cp "$here"/package*.json "$build/views"
# Not "npm ci", which wants DuckDB for all other systems in the lockfile, too.
npm install --ignore-scripts --no-audit --no-fund --prefix "$build/views" >"$build/views/npm.log" 2>&1 || {
	echo "Bail out! npm cannot fetch its packages ($build/views/npm.log)"
	exit 1
}
"$build/tests/trace_writer" -n 20000 -k 4 -p 5 -l 4 -o "$work/fitted"
for name in names layers tree iterations stacks; do
	"$build/tests/trace_text" "$work/$name" <"$here/../golden/$name.txt"
done
. "$here/../e2e/lib_hostile.sh"
hostile_text "$here/../golden" | "$build/tests/trace_text" -p 16777216 "$work/hostile"
for name in $names; do
	for format in json ndjson speedscope; do
		"$build/bin/pwrtrace" report --format $format -o "$work/$name.$format" "$work/$name" 2>>"$work/err"
	done
done
NODE_PATH=$build/views/node_modules node "$here/views.js" "$work" $names
