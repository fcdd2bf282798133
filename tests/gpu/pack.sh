#!/bin/bash
# Packs what a bare GPU machine needs into build/gpu, a folder to be copied there whole: pwrtrace
# itself, the clients and their sources, the scripts, and the packages of fetch-debs.sh.
# usage: pack.sh [BUILD]
set -e
cd "$(dirname "$0")/../.."
build=${1:-build}
pack=$build/gpu

[ -d "$pack/debs" ] || tests/gpu/fetch-debs.sh "$PWD/$pack/debs"
find "$pack" -mindepth 1 -maxdepth 1 ! -name debs -exec rm -rf {} +
for file in bin/pwrtrace lib/libpwrtrace.so lib/pwrtrace/libpwrtrace-engine.so \
	lib/pwrtrace/pwrtrace-record lib/pwrtrace/pwrtrace-sensors $(cd "$build" && find tests/gpu examples/cuda-* -type f -executable); do
	mkdir -p "$pack/build/${file%/*}"
	strip -o "$pack/build/$file" "$build/$file"
done
cp -r "$build/lib/pwrtrace/python" "$pack/build/lib/pwrtrace"
# After the programs, so that they are built again where there is a compiler.
cp -r --parents Makefile include tests/gpu examples/cuda-* examples/pytorch "$pack"
size=$(du -sm "$pack" | cut -f1)
echo "$pack: $size MB; copy it, then run $pack/tests/gpu/check.sh"
[ "$size" -le 40 ]
