# pwrtrace: joules per kernel and per layer of any unmodified GPU program.
#
#   make            build into $(O)
#   make html       bring the charts of pages, where npm was missing when pwrtrace was built
#   make deps       install what is missing of Debian's packages (root or sudo)
#   make demo       install what is missing, build, record a real OpenCL program, report
#   make check      install what is missing, build, run every test
#   make fuzz       damage traces for both readers, FUZZ_SECONDS (60) each (with clang)
#   make bench      measure what pwrtrace costs (NAMES="bytes reading": only these; KEEP=1: the page is
#                   kept in tests/bench/pages)
#   make bench-accuracy  measure attribution against runs whose truth is known (SEEDS=1 ROWS="..."
#                   VERBOSE=1); ABLATE=1: with and without each mechanism of the estimator
#   make check-gpu  run the tests that need an NVIDIA GPU (NAMES="launches* graphs": only these)
#   make bench-gpu  measure what pwrtrace costs and how exact it is on an NVIDIA GPU (NAMES="torch")
#   make install    install below $(DESTDIR)$(PREFIX)
#   make uninstall  remove what install put there
#   make deb        build packages of Debian, in $(O)/deb
#   make clean      remove $(O)
#   make gpu-clients  build the programs of check-gpu and bench-gpu (with NVIDIA's compiler)
#   make help       this text
#
#   O=DIR           where to build (build)
#   V=1             show the commands
#   CC=COMPILER     as in CC=clang; also CFLAGS (-O2 -g) and LDFLAGS, beside the flags of our own
#   CUDA=DIR        where CUDA is (/usr/local/cuda); HIPCC=FILE, HIP_ARCH=GPU: AMD's compiler, and
#                   for which GPU it compiles.  What needs a compiler that is missing is not built.
#   SAN=LIST        sanitize programs and tests, as in SAN=address,undefined
#   COV=1           measure the coverage of the tests
#   PREFIX=DIR      where to install (/usr/local); DESTDIR=DIR goes before it, for packagers

O ?= build
PREFIX ?= /usr/local
MANDIR ?= $(PREFIX)/share/man
COMPLETIONDIR ?= $(PREFIX)/share/bash-completion/completions
ZSH_COMPLETIONDIR ?= $(PREFIX)/share/zsh/site-functions
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

# A program is made of folders: of all the .c files in them.  What several programs share is an
# archive, of which the linker takes what each of them calls.
tree = $(shell find $(1) -name '*.c' | sort)

SHIM := $(O)/lib/libpwrtrace.so
ENGINE := $(O)/lib/pwrtrace/libpwrtrace-engine.so
RECORD := $(O)/lib/pwrtrace/pwrtrace-record
SENSORS := $(O)/lib/pwrtrace/pwrtrace-sensors
PWRTRACE := $(O)/bin/pwrtrace
# What runs within Python lies beside the libraries, where the shim looks for it.
PYTHON_SRC := $(wildcard preload/shim/layer/python/pwrtrace/*.py)
PYTHON := $(patsubst preload/shim/layer/python/%,$(O)/lib/pwrtrace/python/%,$(PYTHON_SRC))

, := ,
pkg = $(shell pkg-config $(1) $(2))
UNWIND_LIBS = -lunwind-x86_64
ENGINE_LIBS = -llttng-ust -llttng-ust-tracepoint $(UNWIND_LIBS) -lpthread -ldl
RECORD_LIBS = -llttng-ctl -lelf -lpthread -ldl
SENSORS_LIBS = $(call pkg,--libs,jansson) -lpthread -ldl -lm
ANALYZER_PACKAGES := babeltrace2 glib-2.0 jansson libdw zlib
ANALYZER_LIBS = $(call pkg,--libs,$(ANALYZER_PACKAGES) ncursesw) -llapacke -lglpk -liberty -lm

PRODUCT := $(SHIM) $(PYTHON) $(ENGINE) $(RECORD) $(SENSORS) $(PWRTRACE) $(O)/man/pwrtrace-environment.7

all: product examples tests
	@:
product: $(PRODUCT)

# Objects mirror the tree: pic/ goes into shared objects, bin/ into programs.
PIC = $(patsubst %.c,$(O)/pic/%.o,$(1))
BIN = $(patsubst %.c,$(O)/bin-o/%.o,$(1))

# Shared objects are never sanitized: they are preloaded into other people's programs.
# The engine has few thread-local variables and reads them at each launch, so they are in static TLS
# (initial-exec).  The shim has too many for that: the CUDA driver loads a second copy of it into a
# namespace of its own, where no static TLS may be left.
$(O)/pic/preload/engine/%.o: TLS_MODEL = -ftls-model=initial-exec
$(O)/pic/%.o: %.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(COV_FLAGS) -fPIC $(TLS_MODEL) -MMD -MP -c -o $@ $<

$(O)/bin-o/analyzer/%.o $(O)/bin-o/tests/unit/analyzer/%.o: \
	PACKAGE_CFLAGS = $(call pkg,--cflags,$(ANALYZER_PACKAGES))

# Loops over slots and over columns: gcc makes vectors of them from -O3 on.
$(O)/bin-o/analyzer/response/%.o $(O)/bin-o/analyzer/regress/normal.o: ALL_CFLAGS += -O3

$(O)/bin-o/%.o: %.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(PACKAGE_CFLAGS) $(SAN_FLAGS) $(COV_FLAGS) -MMD -MP -c -o $@ $<

# What draws the charts of pages is bundled of packages of npm.  Where npm is missing, or cannot fetch
# them, the files are empty and pages have no charts.
PAGE := analyzer/view/html/page
CHARTS := $(addprefix $(O)/html/,charts.js charts.css licences.txt)
$(CHARTS) &: $(wildcard $(PAGE)/*)
	$(call say,NPM,$(O)/html/charts.js)
	$(Q)$(PAGE)/bundle.sh $(O)/html
html:
	+$(Q)npm_config_fetch_retries=4 $(PAGE)/bundle.sh $(O)/html 600 && $(MAKE) --no-print-directory all

$(O)/bin-o/analyzer/view/html/html_assets.o: $(CHARTS) $(PAGE)/page.css
$(O)/bin-o/analyzer/view/html/html_assets.o: ALL_CFLAGS += -Wa,-I$(O)/html,-I$(PAGE)

$(O)/bin-o/analyzer/view/ctf/ctf_analyses.o: analyzer/view/ctf/pwrtrace.xml

# Before analyzer/load is compiled: each field of the schema is read, or unread.def says why not.
FIELDS := analyzer/load/fields.awk include/pwrtrace/events.def analyzer/load/unread.def \
	  $(wildcard analyzer/load/*.c)
$(O)/fields-read: $(FIELDS)
	$(Q)awk -f $^
	@mkdir -p $(@D) && touch $@
$(call BIN,$(wildcard analyzer/load/*.c)): | $(O)/fields-read

# $(call archive,NAME,FOLDER): archives of a folder and all below it, $(NAME_PIC) for shared objects and
# $(NAME_BIN) for programs, which bring a main of their own.
define archive
$(1)_PIC := $(O)/pic/$(2).a
$(1)_BIN := $(O)/bin-o/$(2).a
$(O)/pic/$(2).a: $(call PIC,$(call tree,$(2)))
$(O)/bin-o/$(2).a: $(call BIN,$(filter-out %/main.c,$(call tree,$(2))))
endef
$(eval $(call archive,COMMON,preload/common))
$(eval $(call archive,POWER,preload/power))
$(eval $(call archive,ENGINE,preload/engine))
$(eval $(call archive,RECORD,preload/record))
$(eval $(call archive,ANALYZER,analyzer))
$(O)/%.a:
	@mkdir -p $(@D)
	$(Q)rm -f $@ && ar rcs $@ $^

# A program may export functions of the names that are hooked: the tables have our own all the same.
$(SHIM): $(call PIC,$(call tree,preload/shim)) $(COMMON_PIC)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -shared -Wl,-Bsymbolic-functions -Wl,-soname,libpwrtrace.so -Wl,-z,defs -Wl,-z,nodelete -o $@ $^ $(LINK_FLAGS)

$(PYTHON): $(O)/lib/pwrtrace/python/%: preload/shim/layer/python/%
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(ENGINE): $(call PIC,$(call tree,preload/engine)) $(POWER_PIC) $(COMMON_PIC)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -shared -Wl,-z,defs -o $@ $^ $(LINK_FLAGS) $(ENGINE_LIBS)

$(RECORD): $(call BIN,$(call tree,preload/record)) $(COMMON_BIN)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SAN_FLAGS) -o $@ $^ $(LINK_FLAGS) $(RECORD_LIBS)

$(SENSORS): $(call BIN,$(call tree,preload/sensors)) $(POWER_BIN) $(COMMON_BIN)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SAN_FLAGS) -o $@ $^ $(LINK_FLAGS) $(SENSORS_LIBS)

$(PWRTRACE): $(call BIN,analyzer/cmd/main.c) $(ANALYZER_BIN)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SAN_FLAGS) -o $@ $^ $(LINK_FLAGS) $(ANALYZER_LIBS)

# NVIDIA's compiler and libraries, where they are.
CUDA ?= /usr/local/cuda
NVCC ?= $(wildcard $(CUDA)/bin/nvcc)
CUDA_HEADER := $(wildcard $(CUDA)/include/cuda.h)
CUPTI_HEADER := $(firstword $(wildcard $(CUDA)/include/cupti.h $(CUDA)/extras/CUPTI/include/cupti.h))
CUDA_DIRS := $(wildcard $(addprefix $(CUDA)/,lib64 targets/x86_64-linux/lib extras/CUPTI/lib64))
CUDA_LINK := $(patsubst %,-L%,$(CUDA_DIRS) $(addsuffix /stubs,$(CUDA_DIRS)))

# AMD's compiler, and for which GPU it compiles: rocminfo says what yours is.
HIPCC ?= $(firstword $(wildcard /opt/rocm/bin/hipcc /usr/bin/hipcc))
HIP_ARCH ?= gfx906

EXAMPLES := $(patsubst %,$(O)/examples/%,$(notdir $(patsubst %/,%,$(dir $(wildcard examples/*/*.c)))))
CUDA_EXAMPLES := $(if $(NVCC),$(patsubst %,$(O)/examples/%,$(basename $(notdir $(wildcard examples/*/*.cu)))))
HIP_EXAMPLES := $(if $(HIPCC),$(patsubst %,$(O)/examples/%,$(basename $(notdir $(wildcard examples/*/*.hip)))))
HIP_CLIENTS := $(if $(HIPCC),$(addprefix $(O)/tests/clients/,hip_compiled hip_compiled_spt hip_saxpy))
CLIENTS := $(patsubst tests/e2e/clients/%.c,$(O)/tests/clients/%,$(wildcard tests/e2e/clients/*.c))
# Programs in CUDA and in C for a real GPU, those that are built in several ways, and a library.
GPU_CLIENTS := $(if $(NVCC),$(patsubst %.cu,%,$(notdir $(wildcard tests/gpu/clients/*.cu))) \
	       launches-shared launches-per-thread) \
	       $(if $(CUDA_HEADER),$(patsubst %.c,%,$(notdir $(wildcard tests/gpu/clients/*.c))) driver.so) \
	       $(if $(CUPTI_HEADER),count_records.so) libthread_samples.so
GPU_CLIENTS := $(addprefix $(O)/tests/gpu/,$(filter-out $(if $(CUPTI_HEADER),,profiled),$(GPU_CLIENTS)))
# Clients in languages that bring layers, where there is a compiler or header for them.
OMP_TOOLS := $(firstword $(wildcard /usr/lib/llvm-*/lib/clang/*/include/omp-tools.h))
KOKKOS_HEADER := $(wildcard /usr/include/trilinos/Kokkos_Core.hpp)
OPENMP_CC ?= $(shell command -v clang)
LAYER_CLIENTS := $(addprefix $(O)/tests/clients/layers/,$(if $(OMP_TOOLS),$(if $(OPENMP_CC),openmp)) \
		 $(if $(KOKKOS_HEADER),kokkos))
CUDA_PLUGINS := $(addprefix $(O)/tests/clients/,cuda_constructor.so cuda_many.so cuda_own.so \
		cuda_profiled.so)
CL_PLUGINS := $(O)/tests/clients/cl_stacks.so
UNIT_TESTS := $(patsubst tests/%.c,$(O)/tests/%,$(wildcard tests/unit/*/test_*.c))
TRACE_WRITER := $(O)/tests/trace_writer
TRACE_TEXT := $(O)/tests/trace_text
READ_TRACE := $(O)/tests/read_trace
TRUTH_WRITER := $(O)/tests/truth_writer
TRUTH_PROGRAM := $(O)/tests/truth_program
COUNTER := $(O)/tests/count_launches.so
SIMGPU := $(addprefix $(O)/tests/simgpu/,libnvidia-ml.so.1 libcuda.so.1 libcupti.so.13 \
	  libamdhip64.so.6 librocprofiler-sdk.so.1 libroctracer64.so.4 over-opencl/libamdhip64.so.6 \
	  libvirtual-time.so libreal-clock.so libnvToolsExt.so.1 libroctx64.so.4 \
	  libnccl.so.2)
CLOCKS := $(filter %-time.so %-clock.so,$(SIMGPU))
ABI_TESTS := $(patsubst tests/abi/%.c,$(O)/tests/abi/%.o,$(wildcard tests/abi/*.c))

examples: $(EXAMPLES) $(CUDA_EXAMPLES) $(HIP_EXAMPLES)
gpu-clients: $(GPU_CLIENTS) $(CUDA_EXAMPLES)
tests: $(CLIENTS) $(HIP_CLIENTS) $(LAYER_CLIENTS) $(UNIT_TESTS) $(TRACE_WRITER) $(TRACE_TEXT) $(READ_TRACE) \
	$(TRUTH_WRITER) $(TRUTH_PROGRAM) $(COUNTER) $(SIMGPU) $(CUDA_PLUGINS) $(CL_PLUGINS) $(ABI_TESTS)

# $(call program,libraries): a program of one source file.
program = $(Q)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) -MMD -MP -MF $@.d -MT $@ -o $@ $< $(LDFLAGS) $(1)

.SECONDEXPANSION:
$(O)/examples/%: examples/$$*/$$*.c
	$(call say,CC,$@)
	$(call program,-lOpenCL -lm)

# Clients that are not linked with OpenCL: one opens it at run time, the other does not use it, and
# exports a function of its own.
NO_OPENCL := cl_dlopen hygiene
$(O)/tests/clients/hygiene: CLIENT_FLAGS = -rdynamic
$(O)/tests/clients/%: tests/e2e/clients/%.c
	$(call say,CC,$@)
	$(call program,$(CLIENT_FLAGS) $(if $(filter $(NO_OPENCL),$*),,-lOpenCL) -lpthread -ldl -lm)

# Clients of CUDA are linked with the simulated libraries that they call (--as-needed): how a client
# comes to the driver is a part of its test.
SIMCUDA := $(filter %/libcuda.so.1 %/libcupti.so.13,$(SIMGPU))
SIMRANGES := $(filter %/libnvToolsExt.so.1 %/libroctx64.so.4,$(SIMGPU))
SIMNCCL := $(filter %/libnccl.so.2,$(SIMGPU))
$(O)/tests/clients/cuda_nvtx: CLIENT_FLAGS = -isystem $(CUDA_INCLUDE)
$(O)/tests/clients/cuda_own: CLIENT_FLAGS = -rdynamic
$(O)/tests/clients/cuda_%: tests/e2e/clients/cuda_%.c $(SIMCUDA) $(SIMRANGES) $(SIMNCCL)
	$(call say,CC,$@)
	$(call program,$(CLIENT_FLAGS) -Xlinker --as-needed $(SIMNCCL) $(SIMCUDA) $(SIMRANGES) -lOpenCL -lpthread -ldl)

SIMHIP := $(O)/tests/simgpu/libamdhip64.so.6
$(O)/tests/clients/hip_%: tests/e2e/clients/hip_%.c $(SIMHIP)
	$(call say,CC,$@)
	$(call program,-Xlinker --as-needed $(SIMHIP) -lpthread -ldl)

# Programs in HIP: examples are linked with AMD's library, clients with the simulated one, so that
# they need no GPU.  NAME_spt is NAME with a default stream per thread.
hip_object = $(Q)mkdir -p $(@D) && HIP_PLATFORM=amd $(HIPCC) --offload-arch=$(HIP_ARCH) -O2 -std=c++17 \
	     -Iinclude -Wall -Wextra -MMD -MP -MF $@.d -MT $@ $(1) -c -o $@ $<
$(O)/hip/%.o: tests/e2e/clients/%.hip
	$(call say,HIPCC,$@)
	$(call hip_object)
$(O)/hip/%_spt.o: tests/e2e/clients/%.hip
	$(call say,HIPCC,$@)
	$(call hip_object,-fgpu-default-stream=per-thread)
$(O)/hip/%.o: examples/$$*/$$*.hip
	$(call say,HIPCC,$@)
	$(call hip_object)

$(HIP_EXAMPLES): $(O)/examples/%: $(O)/hip/%.o
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && HIP_PLATFORM=amd $(HIPCC) --offload-arch=$(HIP_ARCH) -o $@ $<

$(O)/tests/clients/hip_saxpy: $(O)/hip/hip-saxpy.o
$(filter-out %/hip_saxpy,$(HIP_CLIENTS)): $(O)/tests/clients/%: $(O)/hip/%.o
$(HIP_CLIENTS): $(SIMHIP)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(CXX) -o $@ $(filter %.o,$^) $(SIMHIP)

$(O)/tests/clients/layers/openmp: tests/e2e/clients/layers/openmp.c $(SIMCUDA)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D) && $(OPENMP_CC) $(ALL_CFLAGS) -fopenmp -rdynamic -o $@ $< $(LDFLAGS) \
		$(firstword $(SIMCUDA))

$(O)/tests/clients/layers/kokkos: tests/e2e/clients/layers/kokkos.cpp $(SIMCUDA)
	$(call say,CXX,$@)
	$(Q)mkdir -p $(@D) && $(CXX) -O1 -I/usr/include/trilinos -o $@ $< $(LDFLAGS) \
		-ltrilinos_kokkoscore $(firstword $(SIMCUDA)) -ldl -lpthread

# Clients once more, as libraries that cuda_loader and cl_stacks load.
$(CUDA_PLUGINS): $(O)/tests/clients/%.so: tests/e2e/clients/%.c $(SIMCUDA)
	$(call say,CC,$@)
	$(call program,-shared -fPIC -fvisibility=default -Xlinker --as-needed $(SIMCUDA) -lpthread -ldl)

$(CL_PLUGINS): $(O)/tests/clients/%.so: tests/e2e/clients/%.c
	$(call say,CC,$@)
	$(call program,-shared -fPIC -lOpenCL -lpthread -ldl)

$(COUNTER): tests/e2e/count_launches.c
	$(call say,CC,$@)
	$(call program,-shared -fPIC -ldl)

# Vendors' libraries of our own making: which files of tests/simgpu each is made of, by how these begin.
sim = $(call PIC,$(filter $(addprefix tests/simgpu/,$(addsuffix %.c,$(1))),$(wildcard tests/simgpu/*.c)))
KNOWN_TRUTH := $(addprefix tests/truth/,known_truth.c known_power.c known_sensor.c truth_settings.c)
$(O)/tests/simgpu/libcuda.so.1: $(call sim,cuda)
$(O)/tests/simgpu/libcupti.so.13: $(call sim,cupti nvml_load)
$(O)/tests/simgpu/libnvToolsExt.so.1: $(call sim,nvtx)
$(O)/tests/simgpu/libnccl.so.2: $(call sim,nccl) $(SIMCUDA)
$(O)/tests/simgpu/libnccl.so.2: private SIM_LIBS = $(firstword $(SIMCUDA))
$(O)/tests/simgpu/libroctx64.so.4: $(call sim,roctx)
$(O)/tests/simgpu/librocprofiler-sdk.so.1: $(call sim,rocprofiler)
$(O)/tests/simgpu/libroctracer64.so.4: $(call sim,roctracer)
# HIP runs on the simulated GPUs of CUDA, but is found by its own names.
$(O)/tests/simgpu/libamdhip64.so.6: $(call sim,hip) $(filter-out %/cuda_resolve.o,$(call sim,cuda)) tests/simgpu/hip.map
$(O)/tests/simgpu/libamdhip64.so.6: EXPORTS = -Wl,--version-script=tests/simgpu/hip.map
# A HIP library that calls OpenCL, as chipStar does.
$(O)/tests/simgpu/over-opencl/libamdhip64.so.6: $(call sim,over_opencl)
$(O)/tests/simgpu/over-opencl/libamdhip64.so.6: SIM_LIBS = -lOpenCL
# -Bsymbolic: a library calls its own functions, whatever else is preloaded.
$(filter-out %/libnvidia-ml.so.1 $(CLOCKS),$(SIMGPU)):
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -shared -Wl,-soname,$(@F) -Wl,-Bsymbolic -Wl,-z,defs $(EXPORTS) -o $@ $(filter %.o,$^) \
		$(LINK_FLAGS) $(SIM_LIBS) -lpthread -ldl

$(O)/tests/simgpu/libnvidia-ml.so.1: $(call sim,nvml) $(call PIC,$(KNOWN_TRUTH))
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -shared -Wl,-z,defs -o $@ $^ $(LINK_FLAGS) -lpthread -lm

# The clocks of a process in virtual time: its own, and the real one for what LTTng's daemons read.
$(O)/tests/simgpu/libvirtual-time.so: $(call sim,virtual)
$(O)/tests/simgpu/libreal-clock.so: $(call sim,real)
$(CLOCKS):
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -shared -Wl,-z,defs -o $@ $^ $(LINK_FLAGS) -Wl,--as-needed -llttng-ust-common -lpthread

# Programs in CUDA.  The ending of a name says how the program is built.
cuda_program = $(Q)mkdir -p $(@D) && $(NVCC) -O2 -std=c++17 -Iinclude -Xcompiler -Wall,-Wextra \
	       $(addprefix -I,$(dir $(CUPTI_HEADER))) -MMD -MP -MF $@.d -MT $@ -o $@ $< \
	       $(CUDA_LINK) $(patsubst %,-Xlinker -rpath=%,$(CUDA_DIRS)) $(1)

$(O)/examples/cuda-power-limit: GPU_LIBS = -lcublasLt
$(O)/examples/%: examples/$$*/$$*.cu
	$(call say,NVCC,$@)
	$(call cuda_program,$(GPU_LIBS))

$(O)/tests/gpu/cublas: GPU_LIBS = -lcublas
$(O)/tests/gpu/profiled: GPU_LIBS = -lcupti
$(O)/tests/gpu/empty_launches: GPU_LIBS = -L$(O)/tests/gpu -lthread_samples -Xlinker -rpath='$$ORIGIN'
$(O)/tests/gpu/empty_launches: | $(O)/tests/gpu/libthread_samples.so
$(O)/tests/gpu/%: tests/gpu/clients/%.cu
	$(call say,NVCC,$@)
	$(call cuda_program,$(GPU_LIBS))

$(O)/tests/gpu/%-shared: tests/gpu/clients/%.cu
	$(call say,NVCC,$@)
	$(call cuda_program,-cudart shared)

$(O)/tests/gpu/%-per-thread: tests/gpu/clients/%.cu
	$(call say,NVCC,$@)
	$(call cuda_program,-default-stream per-thread)

$(O)/tests/gpu/%: tests/gpu/clients/%.c
	$(call say,CC,$@)
	$(call program,-isystem $(CUDA)/include $(CUDA_LINK) $(if $(filter driver,$*),-lcuda) -ldl)

$(O)/tests/gpu/%.so: tests/gpu/clients/%.c
	$(call say,CC,$@)
	$(call program,-shared -fPIC -fvisibility=default -isystem $(CUDA)/include $(CUDA_LINK) \
		-lcuda -ldl)

$(O)/tests/gpu/count_records.so: tests/gpu/count_records.c
	$(call say,CC,$@)
	$(call program,-shared -fPIC -fvisibility=default -isystem $(dir $(CUPTI_HEADER)) \
		-isystem $(CUDA)/include $(CUDA_LINK) $(patsubst %,-Wl$(,)-rpath=%,$(CUDA_DIRS)) -lcupti)

$(O)/tests/gpu/libthread_samples.so: tests/gpu/thread_samples.c
	$(call say,CC,$@)
	$(call program,-shared -fPIC -fvisibility=default -ldl)

# Vendors' headers, where they are: that these compile is the test.
CUDA_INCLUDE ?= $(CUDA)/include
$(O)/tests/abi/%.o: tests/abi/%.c
	$(call say,CC,$@)
	$(call program,-c -isystem $(CUDA_INCLUDE) $(if $(OMP_TOOLS),-DOMP_TOOLS='"$(OMP_TOOLS)"'))

# A unit test is linked with archives of the half that it tests, and so with what it needs of it; what
# the tests of a half share is an archive, too.
$(foreach half,preload analyzer,$(eval $(O)/bin-o/tests/unit/$(half).a: \
	$(call BIN,$(filter-out tests/unit/$(half)/test_%,$(wildcard tests/unit/$(half)/*.c)))))
$(filter $(O)/tests/unit/preload/%,$(UNIT_TESTS)): $(ENGINE_BIN) $(RECORD_BIN) $(POWER_BIN) $(COMMON_BIN)
$(O)/tests/unit/preload/test_torch_nodes: $(call BIN,preload/shim/layer/torch_nodes.c)
$(filter $(O)/tests/unit/preload/%,$(UNIT_TESTS)): UNIT_LIBS = $(sort $(ENGINE_LIBS) $(RECORD_LIBS) $(SENSORS_LIBS))
$(filter $(O)/tests/unit/analyzer/%,$(UNIT_TESTS)): $(ANALYZER_BIN)
$(filter $(O)/tests/unit/analyzer/%,$(UNIT_TESTS)): UNIT_LIBS = $(ANALYZER_LIBS)
$(UNIT_TESTS): $(O)/tests/unit/%: $(O)/bin-o/tests/unit/%.o $(O)/bin-o/tests/unit/$$(*D).a
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SAN_FLAGS) -o $@ $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group \
		$(LINK_FLAGS) -lcmocka -lpthread $(UNIT_LIBS)

$(TRACE_WRITER): $(call BIN,tests/writers/trace_writer.c tests/writers/ctf_writer.c preload/engine/core/tp.c)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SAN_FLAGS) -o $@ $^ $(LINK_FLAGS) $(ENGINE_LIBS)

$(TRACE_TEXT): $(call BIN,tests/writers/trace_text.c tests/writers/ctf_writer.c)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SAN_FLAGS) -o $@ $^ $(LINK_FLAGS)

$(READ_TRACE): $(call BIN,tests/readers/read_trace.c) $(ANALYZER_BIN)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SAN_FLAGS) -o $@ $^ $(LINK_FLAGS) $(ANALYZER_LIBS)

$(TRUTH_WRITER): $(call BIN,tests/truth/truth_writer.c tests/truth/truth_counters.c $(KNOWN_TRUTH) tests/writers/ctf_writer.c)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SAN_FLAGS) -o $@ $^ $(LINK_FLAGS) -lm

$(TRUTH_PROGRAM): $(call BIN,tests/truth/truth_program.c $(KNOWN_TRUTH)) $(filter %/libcuda.so.1,$(SIMGPU))
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SAN_FLAGS) -o $@ $^ $(LINK_FLAGS) -lm

# The reader of packets with a small window, so that small inputs reach every part of it.
FUZZ_SAN := address,undefined,fuzzer
FUZZED := $(addprefix analyzer/trace/,metadata.c packets.c plan.c rows.c stream.c stream_files.c tokens.c) \
	  analyzer/print/message.c tests/writers/ctf_writer.c
$(O)/tests/fuzz_packets: tests/fuzz/fuzz_packets.c $(FUZZED)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D) && clang $(ALL_CFLAGS) $(call pkg,--cflags,glib-2.0) -fsanitize=$(FUZZ_SAN) \
		-fno-sanitize-recover=all -DWINDOW_BYTES=256 -o $@ $^ $(LDFLAGS) $(call pkg,--libs,glib-2.0) -lm

BUILD_PACKAGES := gcc libc6-dev make pkg-config liblttng-ust-dev liblttng-ctl-dev \
		  libbabeltrace2-dev libglib2.0-dev libjansson-dev zlib1g-dev libelf-dev libdw-dev libunwind-dev libiberty-dev liblapacke-dev \
		  libglpk-dev libncurses-dev ocl-icd-opencl-dev lttng-tools babeltrace2
TEST_PACKAGES := libcmocka-dev pocl-opencl-icd clpeak clblast-utils python3 strace \
		 python3-pyopencl time xz-utils
PACKAGES ?= $(BUILD_PACKAGES) $(TEST_PACKAGES)

# $(call missing,PACKAGES): those that are not installed, in a command of the shell.
missing = $$(for package in $(1); do \
		dpkg-query -W -f '$${db:Status-Status}' $$package 2>/dev/null | \
			grep -qx installed || echo $$package; \
	done)

deps:
	$(Q)missing=$(call missing,$(PACKAGES)); \
	test -z "$$missing" && exit 0; \
	echo "  APT     "$$missing; \
	sudo=$$(test $$(id -u) = 0 || echo sudo); \
	$$sudo apt-get -qq update && \
	$$sudo env DEBIAN_FRONTEND=noninteractive \
		apt-get -qq -y --no-install-recommends install $$missing >/dev/null

# A make of its own: nothing may be compiled before deps is through, even with -j.  Without -j it takes
# all cores.
THEN_MAKE = $(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc))

demo: deps
	+$(Q)$(THEN_MAKE) $(PRODUCT) $(O)/examples/opencl-layers
	$(Q)rm -rf $(O)/demo
	$(PWRTRACE) record -o $(O)/demo -- $(O)/examples/opencl-layers --steps 20
	@echo
	$(PWRTRACE) report --by kernel $(O)/demo
	@echo
	$(PWRTRACE) report --by layer $(O)/demo
	@echo; echo "The trace is in $(O)/demo; look inside with: babeltrace2 $(O)/demo"
	@echo; echo "What a sensor makes of it: a training loop recorded on an NVIDIA H200 (examples/h200-run)"
	$(Q)rm -rf $(O)/h200-run
	tar -C $(O) -xJf examples/h200-run/h200-run.tar.xz
	$(PWRTRACE) report --by layer --depth 3 $(O)/h200-run
	@echo; echo "As a page for a browser, drawn where npm is (make deps PACKAGES=npm && make html):"
	@echo "  $(PWRTRACE) report --format html -o $(O)/h200-run.html $(O)/h200-run"

check: deps
	+$(Q)$(THEN_MAKE) all
	$(Q)tests/run $(O)

# For a machine on which LTTng cannot be installed, see tests/gpu/pack.sh.
check-gpu bench-gpu: %-gpu:
	$(Q)tests/gpu/count-gpus.sh >/dev/null
	+$(Q)$(THEN_MAKE) all gpu-clients
	$(Q)O=$(O) tests/gpu/$*.sh $(NAMES)

FUZZ_SECONDS ?= 60
fuzz: deps
	+$(Q)$(THEN_MAKE) all $(O)/tests/fuzz_packets
	$(Q)tests/fuzz/fuzz.sh $(O) $(FUZZ_SECONDS)

bench: deps
	+$(Q)$(THEN_MAKE) all
	$(Q)NAMES="$(NAMES)" KEEP=$(KEEP) tests/bench/bench.sh $(O)

bench-accuracy: deps
	+$(Q)$(THEN_MAKE) all
	$(if $(ABLATE),+$(Q)$(MAKE) --no-print-directory O=$(O)/ablation \
		CFLAGS="$(CFLAGS) -DPWRTRACE_ABLATION" $(O)/ablation/bin/pwrtrace)
	$(Q)tests/truth/bench_accuracy.sh $(O)

ENVIRONMENT_PAGE := $(O)/man/pwrtrace-environment.7
MAN_PAGES := $(shell find analyzer preload -name '*.[1-8]' | sort) \
	     $(ENVIRONMENT_PAGE)

# pwrtrace-environment(7), with a paragraph for each row of conf.def.
$(O)/man/conf_man: preload/man/conf_man.c $(wildcard preload/common/*.def)
	$(call say,CC,$@)
	$(call program)

$(ENVIRONMENT_PAGE): preload/man/pwrtrace-environment.7.in $(O)/man/conf_man
	$(call say,MAN,$@)
	$(Q)$(O)/man/conf_man | sed '/^\.\\" SETTINGS$$/r /dev/stdin' $< > $@

# bin/ and lib/ must stay side by side: each program finds the others relative to itself.
TO = $(DESTDIR)$(PREFIX)

install: $(PRODUCT) $(O)/pwrtrace.pc
	install -D -m 755 $(PWRTRACE) $(TO)/bin/pwrtrace
	install -D -m 644 $(SHIM) $(TO)/lib/libpwrtrace.so
	install -D -m 644 $(ENGINE) $(TO)/lib/pwrtrace/$(notdir $(ENGINE))
	install -D -m 755 $(RECORD) $(TO)/lib/pwrtrace/$(notdir $(RECORD))
	install -D -m 755 $(SENSORS) $(TO)/lib/pwrtrace/$(notdir $(SENSORS))
	$(foreach file,$(PYTHON),install -D -m 644 $(file) \
		$(TO)/lib/pwrtrace/python/pwrtrace/$(notdir $(file)) &&) true
	install -D -m 644 include/pwrtrace/pwrtrace.h $(TO)/include/pwrtrace/pwrtrace.h
	install -D -m 644 $(O)/pwrtrace.pc $(TO)/share/pkgconfig/pwrtrace.pc
	$(foreach page,$(MAN_PAGES),install -D -m 644 $(page) \
		$(DESTDIR)$(MANDIR)/man$(subst .,,$(suffix $(page)))/$(notdir $(page)) &&) true
	install -D -m 644 analyzer/cmd/pwrtrace.bash-completion $(DESTDIR)$(COMPLETIONDIR)/pwrtrace
	install -D -m 644 analyzer/cmd/pwrtrace.zsh-completion $(DESTDIR)$(ZSH_COMPLETIONDIR)/_pwrtrace
	$(if $(DESTDIR),,-ldconfig)

uninstall:
	rm -rf $(TO)/lib/pwrtrace $(TO)/include/pwrtrace
	rm -f $(TO)/bin/pwrtrace $(TO)/lib/libpwrtrace.so $(TO)/share/pkgconfig/pwrtrace.pc \
		$(foreach page,$(MAN_PAGES),$(DESTDIR)$(MANDIR)/man$(subst .,,$(suffix \
		$(page)))/$(notdir $(page))) $(DESTDIR)$(COMPLETIONDIR)/pwrtrace \
		$(DESTDIR)$(ZSH_COMPLETIONDIR)/_pwrtrace
	$(if $(DESTDIR),,-ldconfig)

# Packages of Debian, of the work tree: .debian is the folder "debian" of a copy of it, which has the
# charts of this build and is compiled anew, with Debian's flags.
DEB := $(O)/deb
DEB_PACKAGES := debhelper dpkg-dev git
deb: $(CHARTS)
	$(Q)missing=$(call missing,$(DEB_PACKAGES)); \
	test -z "$$missing" || { echo "make deb: install what is missing by" \
		"make deps PACKAGES=\"$$(echo $$missing)\""; exit 1; }
	$(call say,DEB,$(DEB))
	$(Q)rm -rf $(DEB) && mkdir -p $(DEB)/source/build/html
	$(Q)git ls-files -co --exclude-standard | while read -r file; do \
		test ! -e "$$file" || echo "$$file"; done | tar -c -T - | tar -x -C $(DEB)/source
	$(Q)mv $(DEB)/source/.debian $(DEB)/source/debian && cp $(CHARTS) $(DEB)/source/build/html
	$(Q)printf 'pwrtrace ($(VERSION)) unstable; urgency=medium\n\n  * See NEWS.md.\n\n -- %s  %s\n' \
		"$$(sed -n 's/^Maintainer: //p' .debian/control)" "$$(git log -1 --format=%aD)" \
		>$(DEB)/source/debian/changelog
	$(Q)cd $(DEB)/source && env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS \
		dpkg-buildpackage -b -nc -us -uc -j$$(nproc) >../build.log 2>&1 || { tail -20 ../build.log; exit 1; }
	$(Q)rm -rf $(DEB)/source && ls $(DEB)/*.deb

# PREFIX may differ from the last build's, so this is made anew each time.
$(O)/pwrtrace.pc: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' 'prefix=$(PREFIX)' 'includedir=$${prefix}/include' '' 'Name: pwrtrace' \
		'Description: Naming the layers of a program for energy measurement' \
		'Version: $(VERSION)' 'Cflags: -I$${includedir}' > $@

help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' $(firstword $(MAKEFILE_LIST))

clean:
	$(Q)rm -rf $(O)

-include $(shell find $(O) -name '*.d' 2>/dev/null)

FORCE:
.SECONDARY:
.PHONY: all examples tests gpu-clients html product deps deb demo check fuzz bench bench-accuracy check-gpu bench-gpu install uninstall help clean FORCE
