#!/bin/sh
# bundle.sh DIR [SECONDS]: makes charts.js, charts.css and licences.txt in DIR, of the packages of npm
# that package-lock.json names by version and hash.  Where npm is missing or cannot fetch them within
# SECONDS (40), they are empty, and one line says so.
seconds=${2:-40}
export npm_config_fetch_retries="${npm_config_fetch_retries:-0}"
page=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1" && cd "$1" || exit 1

without() {
	echo "  without charts in pages of --format html: $1; later: make html"
	for file in charts.js charts.css licences.txt; do : >"$file"; done
	exit 0
}

command -v npm >/dev/null || without "npm is not installed (make deps PACKAGES=npm)"
cp "$page/package.json" "$page/package-lock.json" . &&
	timeout "$seconds" npm ci --ignore-scripts --no-audit --no-fund >npm.log 2>&1 ||
	without "npm cannot fetch its packages ($PWD/npm.log)"
NODE_PATH=$PWD/node_modules node_modules/.bin/esbuild "$page/charts.js" --bundle --minify \
	--charset=utf8 --legal-comments=none --log-level=warning --outfile=charts.js ||
	without "esbuild cannot bundle them"
cat node_modules/d3-flame-graph/dist/d3-flamegraph.css charts.css >both.css && mv both.css charts.css
for licence in node_modules/*/LICENSE*; do
	case $licence in *esbuild*) continue ;; esac
	printf '%s\n\n' "$(basename "$(dirname "$licence")")"
	sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g' "$licence"
	printf '\n\n'
done >licences.txt
rm -rf node_modules
