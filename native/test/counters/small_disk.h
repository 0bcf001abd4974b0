// A file system with little room, for tests of a full disk: a tmpfs of its own where the process
// may mount one, else a limit on the size of its files. To be used in a process that was forked
// off, which takes both with it when it ends.
#pragma once

#include <signal.h>
#include <sys/resource.h>

#include <cerrno>
#include <cstddef>
#include <string>
#if defined(__linux__)
#include <sched.h>
#include <sys/mount.h>
#endif

namespace weir::test {

// Mounts it on the directory; false where that is not allowed.
inline bool mount_small_disk([[maybe_unused]] const std::string& directory,
                             [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__)
  if (unshare(CLONE_NEWNS) != 0) return false;
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return false;
  const std::string size = "size=" + std::to_string(bytes);
  return mount("none", directory.c_str(), "tmpfs", 0, size.c_str()) == 0;
#else
  return false;
#endif
}

// No file of this process grows beyond so many bytes; trying to fails with EFBIG.
inline bool limit_file_size(std::size_t bytes) {
  signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{bytes, bytes};
  return setrlimit(RLIMIT_FSIZE, &limit) == 0;
}

}  // namespace weir::test
