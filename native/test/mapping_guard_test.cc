// Proves that a guarded mapping outlives its file: what was cut off reads as zeros, the head as it
// was, and each miss is counted; and that a SIGBUS elsewhere still ends the process.
#include "mapping_guard.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "check.h"
#include "counters/temporary_directory.h"

namespace {

using weir::guard_mapping;
using weir::mapping_faults;
using weir::unguard_mapping;
using weir::test::TemporaryDirectory;

constexpr std::size_t kPages = 16;
const std::size_t page_bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));

// A file of pages that each hold their own number plus 1, mapped.
struct Mapped {
  TemporaryDirectory directory;
  int file = -1;
  unsigned char* bytes = nullptr;

  explicit Mapped(int protection) {
    file = open(directory.file().c_str(), O_RDWR | O_CREAT, 0600);
    CHECK(file >= 0);
    for (std::size_t page = 0; page < kPages; ++page) {
      const std::vector<unsigned char> content(page_bytes, static_cast<unsigned char>(page + 1));
      CHECK(write(file, content.data(), page_bytes) == static_cast<ssize_t>(page_bytes));
    }
    void* const address = mmap(nullptr, size(), protection, MAP_SHARED, file, 0);
    CHECK(address != MAP_FAILED);
    bytes = static_cast<unsigned char*>(address);
  }
  ~Mapped() {
    munmap(bytes, size());
    close(file);
  }
  static std::size_t size() { return kPages * page_bytes; }
  std::uintptr_t begin() const { return reinterpret_cast<std::uintptr_t>(bytes); }
  void cut(std::size_t pages) const {
    CHECK(ftruncate(file, static_cast<off_t>(pages * page_bytes)) == 0);
  }
  unsigned page(std::size_t number) const {
    return *const_cast<const volatile unsigned char*>(bytes + number * page_bytes + 7);
  }
};

void reads_zeros_where_the_file_ends() {
  const Mapped mapped(PROT_READ);
  const int guard = guard_mapping(mapped.begin(), mapped.begin() + Mapped::size(), false, 0);
  CHECK(guard >= 0);
  const auto before = mapping_faults();
  mapped.cut(8);
  CHECK(mapped.page(7) == 8);
  CHECK(mapping_faults() == before);
  CHECK(mapped.page(12) == 0);
  CHECK(mapped.page(15) == 0);
  CHECK(mapping_faults() == before + 1);
  CHECK(mapped.page(8) == 0);
  CHECK(mapped.page(11) == 0);
  CHECK(mapping_faults() == before + 2);
  CHECK(mapped.page(7) == 8);
  unguard_mapping(guard);
}

void keeps_the_head() {
  const Mapped mapped(PROT_READ);
  const int guard =
      guard_mapping(mapped.begin(), mapped.begin() + Mapped::size(), false, 2 * page_bytes);
  mapped.cut(0);
  CHECK(mapped.page(1) == 2);
  CHECK(mapped.page(0) == 1);
  CHECK(mapped.page(2) == 0);
  unguard_mapping(guard);
}

void takes_writes_where_the_mapping_did() {
  const Mapped mapped(PROT_READ | PROT_WRITE);
  const int guard = guard_mapping(mapped.begin(), mapped.begin() + Mapped::size(), true, 0);
  mapped.cut(0);
  mapped.bytes[5 * page_bytes] = 9;
  CHECK(mapped.bytes[5 * page_bytes] == 9);
  CHECK(mapped.page(0) == 0);
  unguard_mapping(guard);
}

template <typename Work>
int signal_that_ends(const Work& work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

void others_end_the_process() {
  const Mapped guarded(PROT_READ);
  const Mapped other(PROT_READ);
  const int guard = guard_mapping(guarded.begin(), guarded.begin() + Mapped::size(), false, 0);
  other.cut(0);
  guarded.cut(0);
  CHECK(signal_that_ends([&] { (void)guarded.page(3); }) == 0);
  CHECK(signal_that_ends([&] { (void)other.page(3); }) == SIGBUS);
  CHECK(signal_that_ends([] { raise(SIGBUS); }) == SIGBUS);
  unguard_mapping(guard);
  CHECK(signal_that_ends([&] { (void)guarded.page(5); }) == SIGBUS);
}

void has_bounds() {
  const Mapped mapped(PROT_READ);
  std::vector<int> guards;
  for (std::size_t count = 0; count < weir::kGuards; ++count) {
    guards.push_back(guard_mapping(mapped.begin(), mapped.begin() + Mapped::size(), false, 0));
    CHECK(guards.back() >= 0);
  }
  CHECK(guard_mapping(mapped.begin(), mapped.begin() + Mapped::size(), false, 0) == -1);
  for (const int guard : guards) unguard_mapping(guard);
}

}  // namespace

int main() {
  // As in a process of its own: a sanitizer's handler would be the one that was there before.
  signal(SIGBUS, SIG_DFL);
  reads_zeros_where_the_file_ends();
  keeps_the_head();
  takes_writes_where_the_mapping_did();
  others_end_the_process();
  has_bounds();
}
