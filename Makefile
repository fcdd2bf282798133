# pwrtrace: joules per kernel and per layer of any unmodified GPU program.
#
#   make            build into $(O)
#   make demo       install what is missing, build, record a real OpenCL program, report
#   make check      install what is missing, build, run every test
#   make help       every target and variable

O ?= build
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR ?= $(PREFIX)/share/man
COMPLETIONDIR ?= $(PREFIX)/share/bash-completion/completions
VERSION := 0.1.0

CFLAGS ?= -O2 -g
WARNINGS := -Wall -Wextra -Wshadow -Wmissing-prototypes -Werror
SAN_FLAGS := $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)
COV_FLAGS := $(if $(COV),--coverage)
ALL_CFLAGS = -std=gnu11 $(WARNINGS) -I. -Iinclude -D_GNU_SOURCE \
	     -DPWRTRACE_VERSION='"$(VERSION)"' -fvisibility=hidden $(CFLAGS)
LINK_FLAGS = $(LDFLAGS) $(if $(COV),--coverage)

Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-7s %s\n' $(1) $(2))

# The online half.  The shim depends on libc alone; the engine is opened on the first GPU use.
SHIM_SRC := $(addprefix preload/,init.c conf.c log.c hook.c hook_entry.c rendezvous.c open.c \
	    engine_open.c intern.c layer/stack.c layer/api.c gpu/opencl_layer.c)
ENGINE_SRC := $(filter-out $(SHIM_SRC),$(wildcard preload/*.c)) preload/conf.c preload/log.c preload/intern.c \
	      $(filter-out $(SHIM_SRC),$(wildcard preload/gpu/*.c preload/layer/*.c)) \
	      $(wildcard preload/power/*.c)
RECORD_SRC := $(wildcard preload/record/*.c) \
	      $(addprefix preload/,conf.c log.c rendezvous.c engine_open.c)

# The offline half.
ANALYZER_SRC := $(wildcard analyzer/*.c analyzer/*/*.c)

SHIM := $(O)/lib/libpwrtrace.so
ENGINE := $(O)/lib/pwrtrace/libpwrtrace-engine.so
RECORD := $(O)/lib/pwrtrace/pwrtrace-record
PWRTRACE := $(O)/bin/pwrtrace

pkg = $(shell pkg-config $(1) $(2))
ENGINE_LIBS = -llttng-ust -llttng-ust-tracepoint -lpthread -ldl
RECORD_LIBS = -llttng-ctl -lelf -lpthread -ldl
ANALYZER_LIBS = $(call pkg,--libs,babeltrace2 jansson) -liberty -lm

all: $(SHIM) $(ENGINE) $(RECORD) $(PWRTRACE) examples tests

# Objects mirror the tree: pic/ goes into shared objects, bin/ into programs.
PIC = $(patsubst %.c,$(O)/pic/%.o,$(1))
BIN = $(patsubst %.c,$(O)/bin-o/%.o,$(1))

# The shim runs in every process under LD_PRELOAD, sanitized ones included: never sanitized itself.
$(call PIC,$(SHIM_SRC) $(ENGINE_SRC)): $(O)/pic/%.o: %.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(COV_FLAGS) -fPIC -ftls-model=initial-exec -MMD -MP -c -o $@ $<

$(O)/bin-o/%.o: %.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(SAN_FLAGS) $(COV_FLAGS) -MMD -MP -c -o $@ $<

$(SHIM): $(call PIC,$(SHIM_SRC))
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -shared -Wl,-soname,libpwrtrace.so -Wl,-z,defs -o $@ $^ $(LINK_FLAGS)

$(ENGINE): $(call PIC,$(ENGINE_SRC))
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -shared -Wl,-z,defs -o $@ $^ $(LINK_FLAGS) $(ENGINE_LIBS)

$(RECORD): $(call BIN,$(RECORD_SRC))
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SAN_FLAGS) -o $@ $^ $(LINK_FLAGS) $(RECORD_LIBS)

$(PWRTRACE): $(call BIN,$(ANALYZER_SRC))
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SAN_FLAGS) -o $@ $^ $(LINK_FLAGS) $(ANALYZER_LIBS)

examples:
tests:

clean:
	$(Q)rm -rf $(O)

-include $(shell find $(O) -name '*.d' 2>/dev/null)

.PHONY: all examples tests clean
