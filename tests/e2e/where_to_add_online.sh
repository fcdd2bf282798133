#!/bin/bash
# "Where do I add ...?" of CONTRIBUTING.md, tried out for the half that records: in a copy of the tree
# something is added of each kind below, as exactly the row and the file that the page names, built,
# and seen to work.
. "$(dirname "$0")/lib.sh"
. "$ROOT/tests/e2e/lib_tree.sh"

PWRTRACE=tree/build/bin/pwrtrace
RECORD=tree/build/lib/pwrtrace/pwrtrace-record
SENSORS=tree/build/lib/pwrtrace/pwrtrace-sensors

# --- a source of power: a row of power_sources.def, and a copy of skeleton.c ---------------------

add_power_source() {
	row preload/common/power_sources.def 'POWER_SOURCE(intel' \
		'POWER_SOURCE(dummy, "", FOUND, "power of a dummy")' &&
		sed -e '/^static const struct power_ops/ { s/^static //; s/ __attribute__((unused))// }' \
			-e 's/skeleton/dummy/g' "$ROOT/preload/power/skeleton.c" |
		file preload/power/dummy.c &&
		build lib/pwrtrace/pwrtrace-sensors lib/pwrtrace/pwrtrace-record man/pwrtrace-environment.7
}

has_power_source() {
	mkdir -p sys/class/dummy/0
	echo 42000 >sys/class/dummy/0/power_mw
	run env PWRTRACE_SYSFS="$PWD/sys" "$PWRTRACE" sensors --watch --count 1 --interval 100
	like "a source of power: it is found, and read" "$(cat out)" "	dummy	gpu	gpu	gauge	42.000"
	like "a source of power: --help lists it" "$("$RECORD" --help | tr -s ' \n' ' ')" 'intel, dummy,'
	like "a source of power: the manual page lists it" \
		"$(cat tree/build/man/pwrtrace-environment.7)" dummy
	run "$PWRTRACE" sensors --power dummy --watch
	refuses "a source of power: without it" 1 'no dummy in /sys/class/dummy; sudo modprobe dummy'
	run "$SENSORS" --list --power nothing
	refuses "a source of power: another one" 2 'intel, dummy, '
}

# --- a load that calibrates: a row of loads.def and its file --------------------------------------

add_load() {
	row include/pwrtrace/loads.def 'LOAD(opencl)' 'LOAD(dummy)' &&
		file preload/sensors/load_dummy.c <<-'END' && build lib/pwrtrace/pwrtrace-sensors
		#include "preload/sensors/load.h"

		#include <stdio.h>

		static int open_dummy(char *why)
		{
			snprintf(why, LOAD_WHY_MAX, "no device for a dummy; buy one");
			return -1;
		}

		const struct load_api load_dummy = {.name = "dummy", .open = open_dummy};
	END
}

has_load() {
	run "$SENSORS" --load --api dummy
	refuses "a load" 1 'no device for a dummy; buy one'
}

# --- a source of layers: a row of layer_sources.def and its file ----------------------------------

add_layer_source() {
	row preload/common/layer_sources.def 'SOURCE(ompt' 'SOURCE(dummy, "Dummy", "DUMMY_TOOL", "layers of a dummy")' &&
		file preload/shim/layer/dummy.c <<-'END' &&
		#include "preload/shim/layer/stack.h"

		__attribute__((visibility("default"))) void dummy_begin(const char *name);
		void dummy_begin(const char *name)
		{
			if (layer_wanted[LAYER_dummy])
				layer_push(LAYER_dummy, name);
		}
	END
		build lib/libpwrtrace.so lib/pwrtrace/pwrtrace-record man/pwrtrace-environment.7
}

has_layer_source() {
	local library=$PWD/tree/build/lib/libpwrtrace.so
	like "a source of layers: the library has it" \
		"$(nm -D "$library")" ' T dummy_begin'
	like "a source of layers: --help lists it" "$("$RECORD" --help | tr -s ' \n' ' ')" 'ompt, dummy,'
	run "$RECORD" --layers dummies true
	refuses "a source of layers: another one" 2 '^pwrtrace: --layers takes .*dummy'
	like "a source of layers: the manual page has it" \
		"$(tr '\n' ' ' <tree/build/man/pwrtrace-environment.7)" 'Cm dummy layers of a dummy'
	is "a source of layers: its runtime is told to load the library" \
		"$(PWRTRACE_LAYERS=dummy LD_PRELOAD=$library sh -c 'echo "$DUMMY_TOOL"')" "$library"
}

# --- a setting and an option for it: a row of conf.def and one of main.c --------------------------

add_option() {
	row preload/common/conf.def '	"How many launches a burst has.")' \
		'SETTING(dummy, "PWRTRACE_DUMMY", "this", WORD("this,that"), "This or that.")' &&
		row preload/record/main.c 'static const struct option_row rows[]' \
			'	{"dummy", 0, " WHAT", "this or that", SETTING("PWRTRACE_DUMMY", NULL)},' &&
		build lib/pwrtrace/pwrtrace-record man/pwrtrace-environment.7
}

has_option() {
	like "an option: --help lists it" "$("$RECORD" --help)" '--dummy WHAT +this or that'
	run "$RECORD" --dummy else true
	refuses "an option: another word" 2 '^pwrtrace: --dummy takes this or that'
	like "a setting: the manual page has it" \
		"$(cat tree/build/man/pwrtrace-environment.7)" PWRTRACE_DUMMY
}

# --- a column of the list of sensors: a row of listing.c ------------------------------------------

add_sensor_column() {
	row preload/sensors/listing.c '		{"pci",' '		{"dummy", "DUMMY", TEXT("a dummy")},' &&
		build lib/pwrtrace/pwrtrace-sensors
}

has_sensor_column() {
	run "$SENSORS" --list --power model
	like "a column of sensors: the text has it" "$(cat out)" 'DUMMY +DOMAIN.*a dummy +device +model'
	run "$SENSORS" --list --power model --json
	like "a column of sensors: JSON has it" "$(cat out)" '"dummy": "a dummy"'
}

# --- an API whose functions are hooked: its rows of apis.def and its table ------------------------

add_hooked_api() {
	sed -i 's/^API(cupti/API(dummy, "libdummy.so", "dummy", -1)\n&/' tree/preload/api/apis.def &&
		row preload/api/apis.def '#include "preload/api/cupti.def"' \
			'#include "preload/api/dummy.def"' &&
		echo 'HOOK(dummy, 0, int32_t, dummyLaunch, (int what), (what), LAUNCHES)' |
		file preload/api/dummy.def &&
		build lib/libpwrtrace.so lib/pwrtrace/libpwrtrace-engine.so
}

has_hooked_api() {
	like "a hooked API: the library has its function" \
		"$(nm -D tree/build/lib/libpwrtrace.so)" ' T dummyLaunch'
}

ok "a copy of the tree" copy_tree bin lib man bin-o/preload pic/preload
for kind in power_source load layer_source option sensor_column hooked_api; do
	ok "${kind/_/ }: it is added and built" add_$kind && has_$kind
done
finish
