#!/bin/bash
# browser.sh BUILD [FOLDER]: looks at pages (report --format html) in a headless Chromium, and prints
# TAP.  Screenshots go to FOLDER (BUILD/browser).  It needs npm, chromium, and a build with charts.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
shots=${2:-$build/browser}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$shots" "$build/browser"

[ -s "$build/html/charts.js" ] || { echo "Bail out! $build has no charts: make html"; exit 1; }
cp "$here"/package*.json "$build/browser"
npm ci --ignore-scripts --no-audit --no-fund --prefix "$build/browser" >"$build/browser/npm.log" 2>&1 || {
	echo "Bail out! npm cannot fetch its packages ($build/browser/npm.log)"
	exit 1
}

# page NAME [OPTION]...: the page of the trace NAME, and its JSON by kernel and by layer.
page() {
	"$build/bin/pwrtrace" report --format html -o "$work/$1.html" "${@:2}" "$work/$1"
	"$build/bin/pwrtrace" report --format json -o "$work/$1.json" "$work/$1"
	"$build/bin/pwrtrace" report --by layer --format json -o "$work/$1-layers.json" "$work/$1"
}

"$build/tests/truth_writer" scenario=varied "$work/varied" >/dev/null
"$build/tests/trace_writer" -n 300000 -k 40 -q 6 -p 5 -l 4 -o "$work/many"
for name in iterations tree; do
	"$build/tests/trace_text" "$work/$name" <"$here/../golden/$name.txt"
done
. "$here/../e2e/lib_hostile.sh"
hostile_text "$here/../golden" | "$build/tests/trace_text" -p 16777216 "$work/hostile"
for name in varied many iterations tree hostile; do page "$name"; done 2>"$work/err"
NODE_PATH=$build/browser/node_modules node "$here/browser.js" "$work" "$shots"
