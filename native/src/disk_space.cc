#include "disk_space.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>

#include <cerrno>
#if defined(__linux__)
#include <linux/fs.h>
#include <sys/ioctl.h>
#endif

namespace weir {

int allocate_space(int file, std::size_t offset, std::size_t bytes, FileLength length) noexcept {
#if defined(__linux__)
  const int mode = length == FileLength::kKept ? FALLOC_FL_KEEP_SIZE : 0;
  int result;
  do {
    result = fallocate(file, mode, static_cast<off_t>(offset), static_cast<off_t>(bytes));
  } while (result != 0 && errno == EINTR);
  if (result == 0) return 0;
  return errno == ENOSYS ? EOPNOTSUPP : errno;
#elif defined(__APPLE__)
  // Space behind what the file has; holes in the middle stay holes.
  struct stat status {};
  if (fstat(file, &status) != 0) return errno;
  const auto end = static_cast<off_t>(offset + bytes);
  const off_t allocated = status.st_blocks * 512;
  fstore_t store{F_ALLOCATEALL, F_PEOFPOSMODE, 0, end - allocated, 0};
  if (end > allocated && fcntl(file, F_PREALLOCATE, &store) != 0) {
    return errno == ENOSPC ? ENOSPC : EOPNOTSUPP;
  }
  if (length == FileLength::kKept || status.st_size >= end) return 0;
  return ftruncate(file, end) == 0 ? 0 : errno;
#else
  return EOPNOTSUPP;
#endif
}

void write_in_place([[maybe_unused]] int file) noexcept {
#if defined(__linux__) && defined(FS_NOCOW_FL)
  // The mark is an int, though the call's number says long.
  int flags = 0;
  if (ioctl(file, FS_IOC_GETFLAGS, &flags) != 0 || (flags & FS_NOCOW_FL) != 0) return;
  flags |= FS_NOCOW_FL;
  ioctl(file, FS_IOC_SETFLAGS, &flags);
#endif
}

}  // namespace weir
