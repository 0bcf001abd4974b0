// Faults of a disk, for the store's data file alone: a library for LD_PRELOAD (preload.ts). The file that
// WEIR_FAULTS names says which, and is read at each call; no file, no fault:
//
//   CALL ACTION ...    CALL: sync (fdatasync, fsync), data (writes of pages), meta (writes of a part of one)
//                      ACTION: eio, enospc: fails so
//                              lose: fails with EIO, and what was written since the last sync that succeeded
//                                    is garbage from then on: the kernel forgot it and the disk never had it
//                              stop: the process is stopped, before anything is done
//
// LMDB writes pages with pwrite and writev, syncs them, then writes a part of a meta page with pwrite through
// a descriptor that is O_DSYNC.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { kRanges = 4096, kPage = 4096 };

static struct { off_t at; size_t bytes; } unsynced[kRanges];
static int ranges;

static int is_data_file(int fd) {
  char name[64], path[4096];
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(name, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strstr(path, "/data.mdb") != NULL;
}

// Whether `call` is to fail, and how: the word behind it; NULL if not.
static const char* action_of(const char* call) {
  static _Thread_local char text[256];
  const char* const path = getenv("WEIR_FAULTS");
  if (path == NULL) return NULL;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return NULL;
  const ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return NULL;
  text[length] = 0;
  char* state = NULL;
  for (char* word = strtok_r(text, " \n", &state); word != NULL;) {
    char* const action = strtok_r(NULL, " \n", &state);
    if (strcmp(word, call) == 0) return action;
    word = strtok_r(NULL, " \n", &state);
  }
  return NULL;
}

static void lose(int fd) {
  char garbage[kPage];
  memset(garbage, 0xa5, sizeof garbage);
  char name[64];
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  const int own = open(name, O_WRONLY | O_CLOEXEC);
  for (int range = 0; range < ranges; ++range) {
    for (size_t done = 0; done < unsynced[range].bytes; done += kPage) {
      syscall(SYS_pwrite64, own, garbage, kPage, unsynced[range].at + (off_t)done);
    }
  }
  close(own);
}

// 1 if the call is over: it fails, errno says how.
static int is_faulty(const char* call, int fd) {
  const char* const action = action_of(call);
  if (action == NULL) return 0;
  if (strcmp(action, "stop") == 0) {
    raise(SIGSTOP);
    return 0;
  }
  if (strcmp(action, "lose") == 0) lose(fd);
  ranges = 0;
  errno = strcmp(action, "enospc") == 0 ? ENOSPC : EIO;
  return 1;
}

static void note(off_t at, size_t bytes) {
  if (ranges == kRanges) abort();
  unsynced[ranges].at = at;
  unsynced[ranges].bytes = bytes;
  ++ranges;
}

static int synced(long result) {
  if (result == 0) ranges = 0;
  return (int)result;
}

int fdatasync(int fd) {
  if (!is_data_file(fd)) return (int)syscall(SYS_fdatasync, fd);
  return is_faulty("sync", fd) ? -1 : synced(syscall(SYS_fdatasync, fd));
}

int fsync(int fd) {
  if (!is_data_file(fd)) return (int)syscall(SYS_fsync, fd);
  return is_faulty("sync", fd) ? -1 : synced(syscall(SYS_fsync, fd));
}

ssize_t pwrite64(int fd, const void* bytes, size_t length, off_t at) {
  if (is_data_file(fd)) {
    const int is_page = length % kPage == 0;
    if (is_faulty(is_page ? "data" : "meta", fd)) return -1;
    if (is_page) note(at, length);
  }
  return syscall(SYS_pwrite64, fd, bytes, length, at);
}

ssize_t pwrite(int fd, const void* bytes, size_t length, off_t at) {
  return pwrite64(fd, bytes, length, at);
}

ssize_t writev(int fd, const struct iovec* parts, int count) {
  if (is_data_file(fd)) {
    if (is_faulty("data", fd)) return -1;
    size_t length = 0;
    for (int part = 0; part < count; ++part) length += parts[part].iov_len;
    note(lseek(fd, 0, SEEK_CUR), length);
  }
  return syscall(SYS_writev, fd, parts, count);
}
