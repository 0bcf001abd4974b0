#include "tls/readable_memory.h"

#include <fcntl.h>
#include <unistd.h>

namespace weir::tls {

ReadableMemory::ReadableMemory() {
  if (pipe(pipe_) != 0) return;
  for (const int end : pipe_) {
    fcntl(end, F_SETFD, FD_CLOEXEC);
    fcntl(end, F_SETFL, O_NONBLOCK);
  }
}

ReadableMemory::~ReadableMemory() {
  for (const int end : pipe_) {
    if (end >= 0) close(end);
  }
}

bool ReadableMemory::copy(const void* from, void* to, std::size_t bytes) const {
  const ssize_t taken = write(pipe_[1], from, bytes);
  if (taken <= 0) return false;
  // Also what was taken before a page that isn't there, so that the pipe is empty again.
  return read(pipe_[0], to, static_cast<std::size_t>(taken)) == taken &&
         static_cast<std::size_t>(taken) == bytes;
}

}  // namespace weir::tls
