/*
 * Makes fork() fail as a full machine does: with the errno that stands in the file named by
 * WEIR_FAULT_FORK, as long as that file is there and says more than 0. libuv forks with fork() of the C
 * library on Linux (Node 20 and 22). Preloaded by test/faults/preload.ts.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static int wanted_error(void) {
	const char *path = getenv("WEIR_FAULT_FORK");
	if (path == NULL) return 0;
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0) return 0;
	char text[16] = {0};
	ssize_t length = read(file, text, sizeof text - 1);
	close(file);
	return length > 0 ? atoi(text) : 0;
}

pid_t fork(void) {
	static pid_t (*real)(void);
	int error = wanted_error();
	if (error > 0) {
		errno = error;
		return -1;
	}
	if (real == NULL) real = (pid_t (*)(void))dlsym(RTLD_NEXT, "fork");
	return real();
}
