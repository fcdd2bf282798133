#!/bin/sh
# Downloads the Debian packages that a machine without LTTng needs to record and read traces.
# usage: fetch-debs.sh [DIR [PACKAGE...]]
set -e
dir=${1:-$(dirname "$0")/../../build/gpu/debs}
[ $# -eq 0 ] || shift
mkdir -p "$dir"
cd "$dir"
apt-get download -qq lttng-tools liblttng-ctl0 liblttng-ust1 liblttng-ust-common1 \
	liblttng-ust-ctl5 liburcu8 libnuma1 libpopt0 libxml2 libicu72 liblzma5 libkmod2 \
	babeltrace2 libbabeltrace2-0 libglib2.0-0 libpcre2-8-0 libelf1 libdw1 libjansson4 libuuid1 \
	libunwind8 liblapacke liblapack3 libblas3 libtmglib3 libgfortran5 libquadmath0 libglpk40 libamd2 libcolamd2 \
	libsuitesparseconfig5 libltdl7 libgmp10 libncursesw6 libtinfo6 zlib1g \
	libbz2-1.0 "$@"
