#!/bin/bash
# "Where do I add ...?" (CONTRIBUTING.md) is true of the online half: in a scratch copy a dummy of each
# kind is one row of a table and at most one file, and all that follows from the row is there.
. "$(dirname "$0")/lib.sh"

built=tree/o/lib/pwrtrace
programs="o/lib/libpwrtrace.so o/lib/pwrtrace/libpwrtrace-engine.so o/lib/pwrtrace/pwrtrace-record
	o/lib/pwrtrace/pwrtrace-sensors o/man/pwrtrace-environment.7"

# row FILE ROW: adds the row to a table's end.
row() { echo "$2" >>"tree/$1"; }

# file PATH: adds the file that is on the standard input.
file() { cat >"tree/$1"; }

builds() { make -C tree -j"$(nproc)" O=o $programs >build.log 2>&1 || { tail -5 build.log >&2; false; }; }

mkdir tree
cp -r "$ROOT/Makefile" "$ROOT/include" "$ROOT/preload" tree

# --- a power source: its file is the skeleton, with the steps that its first comment says
row preload/common/power_sources.def 'POWER_SOURCE(dummy, "", FOUND, "a dummy of a source")'
sed 's/^static const struct power_ops power_skeleton.*=/const struct power_ops power_dummy =/' \
	"$ROOT/preload/power/skeleton.c" | file preload/power/dummy.c

# --- a load that calibrates
row include/pwrtrace/loads.def 'LOAD(dummy)'
file preload/sensors/load_dummy.c <<'END'
#include <stdio.h>

#include "preload/sensors/load.h"

static int open_dummy(char *why)
{
	snprintf(why, LOAD_WHY_MAX, "a dummy has no device");
	return -1;
}

const struct load_api load_dummy = {.name = "dummy", .open = open_dummy};
END

# --- a source of layers, which its runtime loads as a tool
row preload/common/layer_sources.def 'SOURCE(dummy, "Dummy", "DUMMY_TOOL", "the layers of a dummy")'
file preload/shim/layer/dummy.c <<'END'
#include "preload/shim/layer/stack.h"

__attribute__((visibility("default"))) void dummy_push(const char *name);

void dummy_push(const char *name)
{
	if (layer_wanted[LAYER_dummy])
		layer_push(LAYER_dummy, name);
}
END

# --- a setting
row preload/common/conf.def 'SETTING(dummy, "PWRTRACE_DUMMY", "a", WORD("a,b"), "A dummy of a setting.")'

# --- an option of record
sed -i 's/^static const struct option_row rows\[\] = {/&\n\t{"dummy", 0, " WORD", "a dummy of an option", SETTING("PWRTRACE_DUMMY", NULL)},/' \
	tree/preload/record/main.c

# --- a column of sensors
sed -i 's/^\t\t{"pci", .*/&\n\t\t{"dummy", "DUMMY", TEXT("a dummy")},/' tree/preload/sensors/listing.c

# --- an API that is hooked: its row, its table and its header
sed -i 's/^API(cupti/API(dummy, "libdummy.so", "dummy", -1)\n&/
	s/^#include "preload\/api\/cupti.def"/&\n#include "preload\/api\/dummy.def"/' tree/preload/api/apis.def
echo 'HOOK(dummy, 0, int32_t, dummyLaunch, (int what), (what), LAUNCHES)' | file preload/api/dummy.def

ok "a dummy of each kind builds" builds

"$built/pwrtrace-record" --help >help
like "a power source is in the help of record" "$(tr -s ' \n' ' ' <help)" 'power SOURCES rapl, .*model, dummy, '
like "a source of layers is in the help of record" "$(tr -s ' \n' ' ' <help)" 'ompt, dummy, none'
like "an option is in the help of record" "$(cat help)" '--dummy WORD +a dummy of an option'
run "$built/pwrtrace-record" --dummy c true
refuses "an option of a setting takes what the setting takes" 2 '--dummy takes a or b, not "c"'
run "$built/pwrtrace-record" --layers nothing true
refuses "a source of layers is one that can be asked for" 2 'ompt, dummy or none'

page=$(tr '\n' ' ' <tree/o/man/pwrtrace-environment.7)
for text in "Cm dummy a dummy of a source" "Cm dummy the layers of a dummy" \
	"Ev PWRTRACE_DUMMY A dummy of a setting."; do
	like "the manual page has: $text" "$page" "$text"
done

PWRTRACE_SYSFS=$PWD/none run "$built/pwrtrace-sensors" --list --power model,dummy
like "a power source is listed" "$(cat out)" 'dummy: no skeleton in '
like "a column is printed in the text" "$(cat out)" 'DUMMY +DOMAIN.*a dummy +device +model'
run "$built/pwrtrace-sensors" --list --power model --json
like "a column is printed in JSON" "$(cat out)" '"dummy": "a dummy"'
run "$built/pwrtrace-sensors" --list --power nothing
refuses "a power source is one that can be asked for" 2 'model, dummy$'
run "$built/pwrtrace-sensors" --load --api dummy
refuses "a load is one that can be asked for" 1 'a dummy has no device'

tool=$(PWRTRACE_LAYERS=dummy LD_PRELOAD=$PWD/tree/o/lib/libpwrtrace.so sh -c 'echo "$DUMMY_TOOL"')
is "a runtime is told to load its tool" "$tool" "$PWD/tree/o/lib/libpwrtrace.so"

nm -D tree/o/lib/libpwrtrace.so | awk '{ print $3 }' >exported
for function in dummyLaunch dummy_push; do
	ok "libpwrtrace.so exports $function" grep -qx "$function" exported
done
finish
