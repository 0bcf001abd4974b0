// Reading memory that may not be there: the kernel copies it and says so, where a load would end
// the process. Used to follow words that look like pointers (ticket_keys.h).
#pragma once

#include <cstddef>

namespace weir::tls {

class ReadableMemory {
 public:
  ReadableMemory();
  ~ReadableMemory();
  ReadableMemory(const ReadableMemory&) = delete;
  ReadableMemory& operator=(const ReadableMemory&) = delete;

  // At most 512 bytes, what a pipe takes whole on every system.
  // @returns false if any of them can't be read
  bool copy(const void* from, void* to, std::size_t bytes) const;

 private:
  int pipe_[2] = {-1, -1};
};

}  // namespace weir::tls
