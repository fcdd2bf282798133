#!/bin/bash
# Packs what a bare GPU machine needs into build/gpu, a folder to be copied there whole: pwrtrace
# itself, the clients and their sources, the scripts, and the packages of fetch-debs.sh.
# usage: pack.sh [BUILD]
set -e
cd "$(dirname "$0")/../.."
build=${1:-build}
pack=$build/gpu

# Packages that are there are not downloaded again.
tests/gpu/fetch-debs.sh "$PWD/$pack/debs"
find "$pack" -mindepth 1 -maxdepth 1 ! -name debs -exec rm -rf {} +
for file in bin/pwrtrace lib/libpwrtrace.so lib/pwrtrace/libpwrtrace-engine.so \
	lib/pwrtrace/pwrtrace-record lib/pwrtrace/pwrtrace-sensors $(cd "$build" && find tests/gpu examples/cuda-* -type f -executable); do
	mkdir -p "$pack/build/${file%/*}"
	strip -o "$pack/build/$file" "$build/$file"
done
cp -r "$build/lib/pwrtrace/python" "$pack/build/lib/pwrtrace"
# Time on such a machine is scarce: what would not start there is found here.
packed=$(for package in "$pack"/debs/*.deb; do dpkg-deb -c "$package"; done)
ldd "$build"/bin/pwrtrace "$build"/lib/pwrtrace/{pwrtrace-record,pwrtrace-sensors,libpwrtrace-engine.so} |
	awk '/=>/ { print $1 }' | sort -u | while read -r library; do
	case $library in
	lib[cm].so* | libpthread.so* | libdl.so* | librt.so* | libgcc_s.so* | libstdc++.so*) ;;
	*) grep -q "/$library" <<<"$packed" || { echo "fetch-debs.sh brings no package with $library" >&2; exit 1; } ;;
	esac
done
# After the programs, so that they are built again where there is a compiler.
cp -r --parents Makefile include tests/gpu examples/cuda-* examples/pytorch "$pack"
size=$(du -sm "$pack" | cut -f1)
echo "$pack: $size MB; copy it, then run $pack/tests/gpu/check.sh"
[ "$size" -le 40 ]
