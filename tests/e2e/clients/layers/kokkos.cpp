/* SPDX-License-Identifier: MIT */
/* Kokkos's own regions, kernels and copies, with a launch on the simulated GPU in each. */
#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ProfileSection.hpp>

#include <cstdio>

extern "C" {
int cuInit(unsigned);
int cuDevicePrimaryCtxRetain(void **, int);
int cuCtxSetCurrent(void *);
int cuModuleLoadData(void **, const void *);
int cuModuleGetFunction(void **, void *, const char *);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
	void *, void **, void **);
int cuCtxSynchronize(void);
}

static void *kernel;
static int launched;

static void launch(const char *path, int times)
{
	for (int i = 0; i < times; i++, launched++)
		cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr);
	std::printf("layer kernels=%d copies=0 path=%s\n", times, path);
}

int main(int argc, char **argv)
{
	void *context, *module;

	cuInit(0);
	cuDevicePrimaryCtxRetain(&context, 0);
	cuCtxSetCurrent(context);
	cuModuleLoadData(&module, "");
	cuModuleGetFunction(&kernel, module, "_Z5shortILm2000EEvv");
	Kokkos::initialize(argc, argv);
	{
		Kokkos::Profiling::pushRegion("solver");
		launch("solver", 1);
		Kokkos::parallel_for("axpy", Kokkos::RangePolicy<Kokkos::Serial>(0, 1),
			[](int) { launch("solver/axpy", 2); });
		double sum = 0;
		Kokkos::parallel_reduce("dot", Kokkos::RangePolicy<Kokkos::Serial>(0, 1),
			[](int, double &partial) {
				launch("solver/dot", 3);
				partial += 1;
			},
			sum);
		Kokkos::Profiling::ProfilingSection section("overlapping");
		section.start();
		Kokkos::Profiling::popRegion();
		launch("overlapping", 4);
		section.stop();
		launch("", 5);
		Kokkos::Profiling::markEvent("an event");
	}
	Kokkos::finalize();
	cuCtxSynchronize();
	std::printf("kernels=%d\n", launched);
	return 0;
}
