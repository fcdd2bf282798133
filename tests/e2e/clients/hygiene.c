/* SPDX-License-Identifier: MIT */
/*
 * What a program can see of its own process without using a GPU: symbol look-ups and their errors,
 * errno, environment, signals, descriptors, threads and children.  Its output is the same, byte by
 * byte, with and without LD_PRELOAD=libpwrtrace.so.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))
#define ERRNO_BEFORE 4242

/* errno after a call, and the text of dlerror, which a second dlerror no longer has. */
static void print_outcome(const char *call, const void *result)
{
	const int error = errno;
	const char *text = dlerror();

	printf("%s: %s, errno %d, \"%s\"", call, result ? "found" : "null", error,
		text ? text : "");
	printf(", then \"%s\"\n", dlerror() ? "another" : "");
}

static void look_up(const char *how, void *handle, const char *symbol)
{
	char call[512];

	snprintf(call, sizeof(call), "dlsym %s \"%.200s\"", how, symbol);
	errno = ERRNO_BEFORE;
	print_outcome(call, dlsym(handle, symbol));
}

/* Its name is that of a function of CUDA's, which this program has for itself and exports. */
__attribute__((visibility("default"))) int cuStreamSynchronize(void);
int cuStreamSynchronize(void)
{
	return 0;
}

/* No driver is loaded: the entry points of GPU interfaces are not there to be found. */
static void look_up_symbols(void)
{
	static char long_name[4096];
	const char *const symbols[] = {"malloc", "main", "environ", "", "no_such_symbol", "%s%n",
		"malloc@GLIBC_2.2.5", "clEnqueueNDRangeKernel", "clCreateCommandQueue", "clFinish",
		"cuLaunchKernel", "cuInit", "cuStreamSynchronize", "hipLaunchKernel", "nvmlInit_v2",
		"lttng_ust_init", "tracepoint_dlopen", "layer_push", "conf", long_name};
	void *libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
	void *program = dlopen(NULL, RTLD_NOW);

	memset(long_name, 'l', sizeof(long_name) - 1);
	for (size_t i = 0; i < COUNT_OF(symbols); i++) {
		look_up("RTLD_DEFAULT", RTLD_DEFAULT, symbols[i]);
		look_up("RTLD_NEXT", RTLD_NEXT, symbols[i]);
		look_up("libc", libc, symbols[i]);
		look_up("program", program, symbols[i]);
	}
	errno = ERRNO_BEFORE;
	print_outcome("dlvsym malloc", dlvsym(libc, "malloc", "GLIBC_2.2.5"));
	errno = ERRNO_BEFORE;
	print_outcome("dlvsym no such version", dlvsym(libc, "malloc", "GLIBC_9.9"));
	dlclose(program);
	dlclose(libc);
}

/* The library that defines a name which pwrtrace does not hook. */
static void print_origins(void)
{
	static const char *const symbols[] = {"malloc", "write", "waitpid", "pthread_create"};
	Dl_info info;

	for (size_t i = 0; i < COUNT_OF(symbols); i++)
		if (dladdr(dlsym(RTLD_NEXT, symbols[i]), &info))
			printf("%s is in %s\n", symbols[i], info.dli_fname);
}

static void open_libraries(void)
{
	static const char *const libraries[] = {"", "libOpenCL.so.1", "libcuda.so.1", "libc.so.6",
		"/no/such/library.so", "no-such-library.so", "/dev/null", "/"};
	char call[128];

	for (size_t i = 0; i < COUNT_OF(libraries); i++) {
		snprintf(call, sizeof(call), "dlopen \"%s\" if loaded", libraries[i]);
		errno = ERRNO_BEFORE;
		print_outcome(call, dlopen(libraries[i], RTLD_NOW | RTLD_NOLOAD));
	}
	for (size_t i = 4; i < COUNT_OF(libraries); i++) {
		snprintf(call, sizeof(call), "dlopen \"%s\"", libraries[i]);
		errno = ERRNO_BEFORE;
		print_outcome(call, dlopen(libraries[i], RTLD_NOW));
	}
	errno = ERRNO_BEFORE;
	print_outcome("dlopen with bad flags", dlopen("libm.so.6", 0));
}

/* The environment, without the variables that load pwrtrace. */
static void print_environment(void)
{
	static const char *const ours[] = {"LD_PRELOAD=", "PWRTRACE_",
		"OPENCL_LAYERS=", "CUDA_INJECTION64_PATH=", "NVTX_INJECTION64_PATH="};

	for (char **variable = environ; *variable; variable++) {
		size_t i = 0;

		while (i < COUNT_OF(ours) && strncmp(*variable, ours[i], strlen(ours[i])))
			i++;
		if (i == COUNT_OF(ours))
			puts(*variable);
	}
	printf("getenv: %s\n", getenv("PATH"));
}

static void print_signals(void)
{
	struct sigaction action;
	sigset_t blocked, pending;

	sigprocmask(SIG_SETMASK, NULL, &blocked);
	sigpending(&pending);
	for (int i = 1; i < NSIG; i++) {
		if (sigaction(i, NULL, &action))
			continue;
		printf("signal %d: %s%s%s flags %#x\n", i,
			action.sa_handler == SIG_DFL   ? "default"
			: action.sa_handler == SIG_IGN ? "ignored"
						       : "handled",
			sigismember(&blocked, i) ? " blocked" : "",
			sigismember(&pending, i) ? " pending" : "", action.sa_flags);
	}
}

static void print_descriptors(void)
{
	struct stat status;

	for (int fd = 0; fd < 1024; fd++)
		if (!fstat(fd, &status))
			printf("fd %d: type %#o, flags %#x, descriptor flags %d\n", fd,
				status.st_mode & S_IFMT, fcntl(fd, F_GETFL), fcntl(fd, F_GETFD));
	printf("next fd: %d\n", dup(0));
}

static void print_children(void)
{
	int status = 0;
	pid_t pid = waitpid(-1, &status, WNOHANG);

	printf("waitpid without children: %d, errno %d\n", pid, errno);
	pid = waitpid(-1, &status, __WALL | WNOHANG);
	printf("waitpid without clones: %d, errno %d\n", pid, errno);
	pid = fork();
	if (!pid)
		_exit(7);
	printf("waitpid finds the child: %d", waitpid(-1, &status, 0) == pid);
	printf(" status %#x, then %d", status, waitpid(-1, &status, 0));
	printf(", errno %d\n", errno);
}

static void print_process(void)
{
	char line[256];
	char name[16] = "";
	mode_t mask = umask(0);
	FILE *status = fopen("/proc/self/status", "r");

	umask(mask);
	prctl(PR_GET_NAME, name);
	printf("name %s, locale %s, umask %#o, dumpable %d, subreaper %d\n", name,
		setlocale(LC_ALL, NULL), mask, prctl(PR_GET_DUMPABLE),
		prctl(PR_GET_CHILD_SUBREAPER, &(int){0}));
	while (status && fgets(line, sizeof(line), status))
		if (!strncmp(line, "Threads:", 8) || !strncmp(line, "Seccomp:", 8))
			fputs(line, stdout);
	if (status)
		fclose(status);
}

int main(void)
{
	printf("errno %d, dlerror \"%s\"\n", errno, dlerror() ? "pending" : "");
	print_descriptors();
	print_signals();
	print_environment();
	print_process();
	look_up_symbols();
	print_origins();
	open_libraries();
	print_children();
	return 0;
}
