/* SPDX-License-Identifier: MIT */
/*
 * Launches kernels and leaves by a chosen route, so that a test sees what a trace keeps.
 *
 *	cl_nofinish return|exit|_exit|quick_exit|abort|kill|thread|atexit [--finish] [--launches N]
 *
 * --finish waits for the kernels before leaving.  "thread" ends the main thread, and a second one
 * then ends the process.  "atexit" launches as many kernels again from an atexit handler and prints
 * the totals again.
 */
#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "client.h"

static struct client client;
static cl_command_queue queue;
static unsigned long launches = 100;
static bool finish;

static void work(void)
{
	launch_empty(&client, queue, launches);
	if (finish)
		check(clFinish(queue), "clFinish");
}

static void work_at_exit(void)
{
	work();
	print_started();
}

static void leave_by_return(void)
{
}

static void leave_by_exit(void)
{
	exit(3);
}

static void leave_by__exit(void)
{
	_exit(3);
}

static void leave_by_quick_exit(void)
{
	quick_exit(3);
}

static void leave_by_kill(void)
{
	kill(getpid(), SIGKILL);
}

static void *exit_alone(void *main_thread)
{
	pthread_join(*(pthread_t *)main_thread, NULL);
	exit(3);
}

static void leave_by_thread(void)
{
	static pthread_t main_thread;
	pthread_t other;

	main_thread = pthread_self();
	if (pthread_create(&other, NULL, exit_alone, &main_thread))
		fail("no second thread");
	pthread_exit(NULL);
}

static void leave_by_atexit(void)
{
	if (atexit(work_at_exit))
		fail("no atexit handler");
	exit(3);
}

static const struct route {
	const char *name;
	void (*leave)(void);
} routes[] = {
	{"return", leave_by_return},
	{"exit", leave_by_exit},
	{"_exit", leave_by__exit},
	{"quick_exit", leave_by_quick_exit},
	{"abort", abort},
	{"kill", leave_by_kill},
	{"thread", leave_by_thread},
	{"atexit", leave_by_atexit},
};

static const struct route *find_route(const char *name)
{
	for (size_t i = 0; name && i < COUNT_OF(routes); i++)
		if (!strcmp(name, routes[i].name))
			return &routes[i];
	fprintf(stderr, "usage: cl_nofinish ROUTE [--finish] [--launches N]; see the source\n");
	exit(2);
}

static const struct route *parse_options(int argc, char **argv)
{
	static const struct option options[] = {
		{"finish", no_argument, NULL, 'f'},
		{"launches", required_argument, NULL, 'n'},
		{0},
	};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'f')
			finish = true;
		else if (option == 'n')
			launches = number(optarg);
		else
			exit(2);
	}
	return find_route(argv[optind]);
}

int main(int argc, char **argv)
{
	const struct route *route = parse_options(argc, argv);

	client = client_open(first_device());
	queue = new_queue(&client, 0);
	work();
	print_started();
	route->leave();
	return 0;
}
