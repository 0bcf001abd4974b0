#include "mapping.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#if defined(__APPLE__)
#include <sys/random.h>
#include <sys/sysctl.h>
#elif defined(__linux__)
#include <sys/random.h>
#endif

#include "../disk_space.h"
#include "../sip_hash.h"
#include "layout.h"

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

namespace weir::counters {

namespace {

// Waits at most 30 s for the lock.
constexpr unsigned kLockAttempts = 3000;
constexpr long kLockPauseNanoseconds = 10'000'000;
// Waits at most 20 ms for another process that makes the file longer.
constexpr unsigned kGrowthAttempts = 20;
constexpr long kGrowthPauseNanoseconds = 1'000'000;
// A disk that was full is asked again every so many times.
constexpr unsigned kCommitsSkipped = 1024;

// The bytes of the file that locks are on; its own locks are on nobody else's.
constexpr off_t kCollectorLock = 0;
constexpr off_t kGrowthLock = 1;

#if defined(F_OFD_SETLK)
constexpr int kSetLock = F_OFD_SETLK;
#else
constexpr int kSetLock = F_SETLK;  // per process there, which opens the file once
#endif

bool set_lock(int file, off_t at, int type) noexcept {
  struct flock range {};
  range.l_type = static_cast<decltype(range.l_type)>(type);
  range.l_whence = SEEK_SET;
  range.l_start = at;
  range.l_len = 1;
  return fcntl(file, kSetLock, &range) == 0;
}

bool lock_growth(int file) noexcept {
  for (unsigned attempt = 0; attempt < kGrowthAttempts; ++attempt) {
    if (set_lock(file, kGrowthLock, F_WRLCK)) return true;
    const timespec pause{0, kGrowthPauseNanoseconds};
    nanosleep(&pause, nullptr);
  }
  return false;
}

int write_zeros(int file, std::size_t end) noexcept {
  static constexpr char kZeros[65536] = {};
  for (;;) {
    struct stat status {};
    if (fstat(file, &status) != 0) return errno;
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size >= end) return 0;
    const ssize_t written =
        pwrite(file, kZeros, std::min(sizeof kZeros, end - size), status.st_size);
    if (written < 0 && errno != EINTR) return errno;
    if (written == 0) return ENOSPC;
  }
}

// Space on the disk for a range of the file, which is extended if it must be. 0 or an errno. Where
// the file system can't take space, zeros do, behind the file's end only: who comes second finds
// the file long enough, and what is used by then stays. A process that is killed meanwhile leaves
// a file that is too short, with all of its space taken.
int allocate(int file, std::size_t offset, std::size_t bytes) noexcept {
  const int error = allocate_space(file, offset, bytes, FileLength::kExtended);
  if (error != EOPNOTSUPP) return error;
  if (!lock_growth(file)) return EAGAIN;
  const int failed = write_zeros(file, offset + bytes);
  set_lock(file, kGrowthLock, F_UNLCK);
  return failed;
}

}  // namespace

Mapping::~Mapping() {
  if (words_ != nullptr) munmap(static_cast<void*>(words_), bytes_);
  if (file_ >= 0) close(file_);
}

int Mapping::open_file(const std::string& path, bool create, std::size_t bytes_max) {
  do {
    file_ = open(path.c_str(), O_RDWR | O_CLOEXEC | (create ? O_CREAT : 0), 0600);
  } while (file_ < 0 && errno == EINTR);
  if (file_ < 0) return errno;
  struct stat status {};
  if (fstat(file_, &status) != 0) return errno;
  if (!S_ISREG(status.st_mode)) return EINVAL;
  if (status.st_size == 0) write_in_place(file_);
  return map(bytes_max, MAP_SHARED | MAP_NORESERVE);
}

int Mapping::open_memory(std::size_t bytes_max) {
  return map(bytes_max, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE);
}

int Mapping::map(std::size_t bytes_max, int flags) {
  for (std::size_t bytes = bytes_max; bytes >= kSegmentBytes; bytes /= 2) {
    bytes -= bytes % kSegmentBytes;
    void* const address = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, file_, 0);
    if (address != MAP_FAILED) {
      words_ = static_cast<AtomicWord*>(address);
      bytes_ = bytes;
      return 0;
    }
    if (errno != ENOMEM && errno != EAGAIN) return errno;
  }
  return ENOMEM;
}

bool Mapping::lock_alone() noexcept {
  return file_ < 0 || flock(file_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

int Mapping::lock_shared() noexcept {
  if (file_ < 0) return 0;
  for (unsigned attempt = 0; attempt < kLockAttempts; ++attempt) {
    if (flock(file_, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK) return 0;
    const timespec pause{0, kLockPauseNanoseconds};
    nanosleep(&pause, nullptr);
  }
  return EWOULDBLOCK;
}

bool Mapping::lock_collector() noexcept {
  if (is_collector_ || file_ < 0) return true;
  is_collector_ = set_lock(file_, kCollectorLock, F_WRLCK);
  return is_collector_;
}

std::size_t Mapping::file_bytes() const noexcept {
  struct stat status {};
  if (file_ < 0 || fstat(file_, &status) != 0) return 0;
  return static_cast<std::size_t>(status.st_size);
}

int Mapping::truncate(std::size_t bytes) noexcept {
  if (file_ < 0) return 0;
  return ftruncate(file_, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
}

bool Mapping::commit(std::uint64_t segment) noexcept {
  if (segment >= segments_max_ || (segment + 1) * kSegmentBytes > bytes_) {
    commit_error_ = EFBIG;
    return false;
  }
  if (file_ < 0) return true;
  if (commit_error_ != 0 && ++commits_skipped_ % kCommitsSkipped != 0) return false;
  commit_error_ = allocate(file_, segment * kSegmentBytes, kSegmentBytes);
  return commit_error_ == 0;
}

BootId boot_id() noexcept {
  char text[64] = {};
#if defined(__APPLE__)
  std::size_t length = sizeof text - 1;
  if (sysctlbyname("kern.bootsessionuuid", text, &length, nullptr, 0) != 0) return {};
#else
  std::FILE* const file = std::fopen("/proc/sys/kernel/random/boot_id", "re");
  if (file == nullptr) return {};
  const bool read = std::fgets(text, sizeof text, file) != nullptr;
  std::fclose(file);
  if (!read) return {};
#endif
  const Hash128 hash =
      key_hash({}, reinterpret_cast<const unsigned char*>(text), std::strlen(text));
  return {hash.low, hash.high};
}

std::uint64_t wall_clock_ms() noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1000 +
         static_cast<std::uint64_t>(now.tv_nsec) / 1'000'000;
}

bool random_bytes(unsigned char (&bytes)[16]) noexcept {
  return getentropy(bytes, sizeof bytes) == 0;
}

}  // namespace weir::counters
