# shellcheck shell=bash
# Source this where LTTng and babeltrace2 are not installed: it unpacks Debian's packages (see
# fetch-debs.sh) into a folder of its own, beside the system and never over it, and points the
# environment there.  Where they are installed it does nothing.
#
# usage: . setup.sh [DIR OF PACKAGES]

# Links the libraries of the packages into a folder for LD_LIBRARY_PATH: "missing", those that the
# system lacks, so that programs keep the system's own; or "all".
pwrtrace_link_libraries() {
	local root=$1 which=$2 library
	rm -rf "${root:?}/lib"
	mkdir "$root/lib"
	for library in "$root"/unpacked/{usr/,}lib/*-linux-gnu/{,blas/,lapack/}*.so.*; do
		[ "$which" = missing ] && ldconfig -p | grep -q "^\s${library##*/} " && continue
		ln -sf "$library" "$root/lib/"
	done
}

# Whether the loader finds all that the programs need.
pwrtrace_programs_load() {
	local root=$1 program
	for program in "$root"/unpacked/usr/bin/{lttng-sessiond,babeltrace2} \
		"$root"/unpacked/usr/lib/*/lttng/libexec/lttng-consumerd; do
		ldd "$program" 2>&1 | grep -q 'not found' && return 1
	done
	return 0
}

pwrtrace_setup() {
	local here root libraries package
	command -v lttng-sessiond babeltrace2 >/dev/null && return
	here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
	root=${TMPDIR:-/tmp}/pwrtrace-lttng-$(id -u)
	if [ ! -e "$root/complete" ]; then
		mkdir -p "$root/unpacked"
		for package in "${1:-$here/../../debs}"/*.deb; do
			dpkg -x "$package" "$root/unpacked" || return
		done
		touch "$root/complete"
	fi
	libraries=$(echo "$root"/unpacked/usr/lib/*-linux-gnu)
	export LD_LIBRARY_PATH=$root/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
	export PATH=$root/unpacked/usr/bin:$PATH
	pwrtrace_link_libraries "$root" missing
	pwrtrace_programs_load "$root" || pwrtrace_link_libraries "$root" all
	# Without its schema, the session daemon ends and does not say why.
	export LTTNG_SESSION_CONFIG_XSD_PATH=$root/unpacked/usr/share/xml/lttng/
	export LTTNG_SESSIOND_PATH=$root/unpacked/usr/bin/lttng-sessiond
	export LTTNG_CONSUMERD64_BIN=$libraries/lttng/libexec/lttng-consumerd
	export LTTNG_CONSUMERD64_LIBDIR=$root/lib
	export BABELTRACE_PLUGIN_PATH=$libraries/babeltrace2/plugins
	export LIBBABELTRACE2_PLUGIN_PROVIDER_DIR=$libraries/babeltrace2/plugin-providers
}

pwrtrace_setup "$@"
unset -f pwrtrace_setup pwrtrace_link_libraries pwrtrace_programs_load
