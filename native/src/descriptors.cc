// Asks the kernel; called by binding/descriptors.cc.
#include "descriptors.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>

namespace weir {

int descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return INT_MAX;
  return limit.rlim_cur > INT_MAX ? INT_MAX : static_cast<int>(limit.rlim_cur);
}

int lowest_free_descriptor() {
  const int free = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
  if (free >= 0) {
    close(free);
    return free;
  }
  // Anything else says nothing, as in a process that has closed its standard error.
  return errno == EMFILE ? -1 : 0;
}

void keep_from_children(int descriptor) {
  const int flags = fcntl(descriptor, F_GETFD);
  if (flags >= 0) fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC);
}

}  // namespace weir
