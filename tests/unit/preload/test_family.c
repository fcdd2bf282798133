/* SPDX-License-Identifier: MIT */
/* This program maps a file that is called libpwrtrace.so, which is all that marks it as preloaded.
 */
#include "preload/record/family.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preload/common/rendezvous.h"
#include "tests/unit/unit.h"

static void close_open(int fd)
{
	assert_true(fd >= 0);
	close(fd);
}

static void a_process_that_has_ended_is_none(void **state)
{
	pid_t child = fork();
	siginfo_t info;

	(void)state;
	if (child == 0)
		_exit(0);
	assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
	assert_int_equal(family_open(child), -1);
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_int_equal(family_open(child), -1);
	close_open(family_open(getpid()));
}

static void the_root_is_told_from_another_with_its_number(void **state)
{
	char id[64], older[64];

	(void)state;
	rendezvous_new_id(id, sizeof(id));
	snprintf(older, sizeof(older), "%d-1", (int)getpid());
	close_open(family_open_root(id));
	assert_int_equal(family_open_root(older), -1);
	assert_int_equal(family_open_root("1-7fffffffffffffff"), -1);
	assert_int_equal(family_open_root(""), -1);
}

static void executed_processes_show_their_recording(void **state)
{
	pid_t child = fork(), found;

	(void)state;
	if (child == 0) {
		setenv("PWRTRACE_RECORDING", "test-family", 1);
		execlp("sleep", "sleep", "100", NULL);
		_exit(1);
	}
	for (int fd = -1; fd < 0;) {
		fd = family_open_any("test-family", &found);
		if (fd >= 0)
			close(fd);
		usleep(1000);
	}
	assert_int_equal(found, child);
	assert_int_equal(family_open_any("test-famil", &found), -1);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	assert_int_equal(family_open_any("test-family", &found), -1);
}

static void a_forked_process_has_its_eldest(void **state)
{
	int up[2];
	pid_t child, eldest;
	char byte;

	(void)state;
	assert_int_equal(pipe(up), 0);
	child = fork();
	if (child == 0) {
		close(up[1]);
		_exit(read(up[0], &byte, 1) != 0);
	}
	close_open(family_open_eldest(child, &eldest));
	assert_int_equal(eldest, getpid());
	close(up[0]);
	close(up[1]);
	waitpid(child, NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_that_has_ended_is_none),
		cmocka_unit_test(the_root_is_told_from_another_with_its_number),
		cmocka_unit_test(executed_processes_show_their_recording),
		cmocka_unit_test(a_forked_process_has_its_eldest),
	};
	char dir[] = "/tmp/pwrtrace-family-XXXXXX", path[64];
	int fd, failed;

	if (!mkdtemp(dir))
		return 1;
	snprintf(path, sizeof(path), "%s/libpwrtrace.so", dir);
	fd = open(path, O_RDWR | O_CREAT, 0600);
	if (ftruncate(fd, 1) || mmap(NULL, 1, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED)
		return 1;
	failed = cmocka_run_group_tests_name("family", tests, NULL, NULL);
	unlink(path);
	rmdir(dir);
	return failed;
}
