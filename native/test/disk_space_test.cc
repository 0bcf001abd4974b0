// Proves that space is taken before it is written to: nothing that a file holds changes, a full
// disk is an error. And that the counters file grows without holes where the file system takes no
// space in advance, with several processes that make it longer at a time, and no count is lost.
#include "disk_space.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>
#if defined(__linux__)
#include <sched.h>
#include <sys/mount.h>
#endif

#include "check.h"
#include "counters/processes.h"
#include "counters/scene.h"
#include "counters/small_disk.h"
#include "counters/temporary_directory.h"

namespace {

using weir::allocate_space;
using weir::FileLength;
using weir::write_in_place;
using namespace weir::test;

constexpr std::size_t kMebibyte = 1 << 20;
constexpr int kSkipped = 77;

struct stat status_of(const std::string& path) {
  struct stat status {};
  CHECK(stat(path.c_str(), &status) == 0);
  return status;
}

bool has_holes(const std::string& path) {
  const struct stat status = status_of(path);
  return status.st_blocks * 512 < status.st_size;
}

int open_new(const std::string& path) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT, 0600);
  CHECK(file >= 0);
  return file;
}

// In a process that was forked off, which takes a mount of its own with it.
template <class Body>
void in_own_process(Body body) {
  const TemporaryDirectory directory;
  const int status = end_of(start_process([&] {
    const int result = body(directory);
    return result != 0 ? result : failures == 0 ? 0 : 1;
  }));
  if (WIFEXITED(status) && WEXITSTATUS(status) == kSkipped) {
    std::printf("skipped: no file system can be mounted here\n");
    return;
  }
  CHECK(succeeded(status));
}

void leaves_what_is_there() {
  const TemporaryDirectory directory;
  const std::string path = directory.file();
  const int file = open_new(path);
  write_in_place(file);
  int error = allocate_space(file, 0, kMebibyte, FileLength::kKept);
  if (error == EOPNOTSUPP) return;
  CHECK(error == 0 && status_of(path).st_size == 0);
  CHECK(pwrite(file, "content", 7, 0) == 7);
  CHECK(ftruncate(file, kMebibyte) == 0);
  CHECK(allocate_space(file, 0, 2 * kMebibyte, FileLength::kExtended) == 0);
  CHECK(status_of(path).st_size == 2 * kMebibyte && !has_holes(path));
  char content[8] = {};
  CHECK(pread(file, content, 8, 0) == 8 && std::string(content) == "content");
  CHECK(allocate_space(-1, 0, kMebibyte, FileLength::kExtended) == EBADF);
  close(file);
}

void is_an_error_on_a_full_disk() {
  in_own_process([](const TemporaryDirectory& directory) {
    if (!mount_small_disk(directory.file("."), kMebibyte)) return kSkipped;
    const std::string path = directory.file();
    const int file = open_new(path);
    for (const FileLength length : {FileLength::kKept, FileLength::kExtended}) {
      CHECK(allocate_space(file, 0, 2 * kMebibyte, length) == ENOSPC);
      CHECK(status_of(path).st_size == 0);
    }
    CHECK(allocate_space(file, 0, kMebibyte / 2, FileLength::kExtended) == 0);
    return 0;
  });
}

#if defined(__linux__)

// A ramfs has no fallocate.
bool mount_without_allocation(const std::string& directory) {
  return unshare(CLONE_NEWNS) == 0 &&
         mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("none", directory.c_str(), "ramfs", 0, nullptr) == 0;
}

constexpr std::uint64_t kProcesses = 4;
constexpr std::uint64_t kKeysEach = 5'000;
// 512 bytes a key.
const LimiterSpec kSpec{"large", 61, 60'000, 100'000};

void counters_grow_without_allocation() {
  in_own_process([](const TemporaryDirectory& directory) {
    if (!mount_without_allocation(directory.file("."))) return kSkipped;
    const std::string path = directory.file();
    Party party(as_owner(frozen_at(path)), kSpec);
    CHECK(allocate_space(open(path.c_str(), O_RDWR), 0, 1, FileLength::kExtended) == EOPNOTSUPP);
    std::vector<pid_t> children;
    for (std::uint64_t number = 0; number < kProcesses; ++number) {
      children.push_back(start_process([&] {
        Party own(frozen_at(path), kSpec);
        bool admitted = true;
        for (std::uint64_t key = number * kKeysEach; key < (number + 1) * kKeysEach; ++key) {
          for (std::uint64_t i = 0; i < kSpec.capacity; ++i) admitted = own.admits(key) && admitted;
        }
        return admitted && own.counters().commit_error() == 0 ? 0 : 1;
      }));
    }
    for (const pid_t child : children) CHECK(succeeded(end_of(child)));
    CHECK(party.counters().statistics().bytes > 4 * kSegment);
    CHECK(!has_holes(path));
    bool kept = true;
    for (std::uint64_t key = 0; key < kProcesses * kKeysEach; ++key) {
      kept = !party.admits(key) && kept;
    }
    CHECK(kept);
    return 0;
  });
}

#endif

}  // namespace

int main() {
  leaves_what_is_there();
  is_an_error_on_a_full_disk();
#if defined(__linux__)
  counters_grow_without_allocation();
#endif
  return finish();
}
