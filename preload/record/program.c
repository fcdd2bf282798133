/* SPDX-License-Identifier: MIT */
#include "preload/record/program.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preload/common/log.h"

/* Returns 0 and the path, or -1 with errno: ENOENT, or EACCES where all that was found cannot be
 * executed. */
static int find_in_path(const char *command, char path[PATH_MAX])
{
	const char *list = getenv("PATH");
	int why = ENOENT;

	if (!list)
		list = "/usr/local/bin:/usr/bin:/bin";
	if (strchr(command, '/')) {
		snprintf(path, PATH_MAX, "%s", command);
		return access(path, F_OK) ? -1 : access(path, X_OK);
	}
	for (;;) {
		size_t length = strcspn(list, ":");
		struct stat stat_of;

		snprintf(path, PATH_MAX, "%.*s%s%s", (int)length, list, length ? "/" : "", command);
		if (stat(path, &stat_of) == 0 && S_ISREG(stat_of.st_mode)) {
			if (access(path, X_OK) == 0)
				return 0;
			why = EACCES;
		}
		if (!list[length])
			break;
		list += length + 1;
	}
	errno = why;
	return -1;
}

/* Anything but an ELF file that has no interpreter is left to exec to judge. */
static bool is_static(int fd)
{
	Elf *elf;
	size_t headers = 0;
	bool interpreted = false;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF || elf_getphdrnum(elf, &headers))
		interpreted = true;
	for (size_t i = 0; i < headers; i++) {
		GElf_Phdr header;

		if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_INTERP)
			interpreted = true;
	}
	elf_end(elf);
	return !interpreted;
}

/* The interpreter of a script, or false. */
static bool script_interpreter(int fd, char interpreter[PATH_MAX])
{
	char line[PATH_MAX] = "";
	const char *start = line + 2;

	if (pread(fd, line, sizeof(line) - 1, 0) < 3 || line[0] != '#' || line[1] != '!')
		return false;
	start += strspn(start, " \t");
	snprintf(interpreter, PATH_MAX, "%.*s", (int)strcspn(start, " \t\n"), start);
	return *interpreter != 0;
}

static int check_file(const char *path, bool is_script, char *why, size_t why_size)
{
	char interpreter[PATH_MAX];
	struct stat stat_of;
	int status = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	/* What may be run but not read cannot be checked. */
	if (fd < 0 || fstat(fd, &stat_of)) {
		status = 0;
	} else if (((stat_of.st_mode & S_ISUID) && stat_of.st_uid != geteuid()) ||
		   ((stat_of.st_mode & S_ISGID) && stat_of.st_gid != getegid())) {
		snprintf(why, why_size,
			"%s is setuid or setgid, and the loader ignores LD_PRELOAD there; run it "
			"as "
			"the user it changes to",
			path);
		status = EXIT_CANNOT_RECORD;
	} else if (!is_script && script_interpreter(fd, interpreter)) {
		status = check_file(interpreter, true, why, why_size);
	} else if (is_static(fd)) {
		snprintf(why, why_size,
			"%s is linked statically, and nothing can be preloaded into it; link it "
			"dynamically",
			path);
		status = EXIT_CANNOT_RECORD;
	}
	if (fd >= 0)
		close(fd);
	return status;
}

int program_check(const char *command, char *why, size_t why_size)
{
	char path[PATH_MAX];

	if (find_in_path(command, path)) {
		snprintf(why, why_size, "%s: %s", command,
			errno == ENOENT ? "not found" : strerror(errno));
		return errno == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_EXECUTE;
	}
	return check_file(path, false, why, why_size);
}

static void assign(char *const *assignments)
{
	for (; *assignments; assignments++) {
		if (strchr(*assignments, '='))
			putenv(*assignments);
		else
			unsetenv(*assignments);
	}
}

int program_hold(struct program *program, char *const *argv, char *const *assignments)
{
	int gate[2];
	char go;

	if (pipe2(gate, O_CLOEXEC))
		return -1;
	program->gate_fd = gate[1];
	program->pid = fork();
	if (program->pid)
		return close(gate[0]), program->pid < 0 ? -1 : 0;

	close(gate[1]);
	assign(assignments);
	if (read(gate[0], &go, 1) != 1)
		_exit(EXIT_CANNOT_RECORD);
	execvp(argv[0], argv);
	log_error("%s: %s", argv[0], strerror(errno));
	_exit(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_EXECUTE);
}

void program_start(struct program *program)
{
	if (write(program->gate_fd, "", 1) != 1)
		perror("pwrtrace: the program is gone");
	close(program->gate_fd);
}

void program_cancel(struct program *program)
{
	close(program->gate_fd);
	program_wait(program);
}

int program_wait(const struct program *program)
{
	int status;

	while (waitpid(program->pid, &status, 0) < 0)
		if (errno != EINTR)
			return EXIT_CANNOT_RECORD;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
