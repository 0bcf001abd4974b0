#include "mapping_guard.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

namespace weir {

namespace {

struct Guard {
  // 0: free. Set last and cleared first, so that the handler sees whole entries only.
  std::atomic<std::uintptr_t> begin{0};
  std::uintptr_t end = 0;
  bool writable = false;
  std::size_t head_bytes = 0;
  unsigned char head[kGuardedHeadBytes] = {};
};

Guard guards[kGuards];
std::mutex changing;
std::atomic<std::uint32_t> faults{0};
bool installed = false;
struct sigaction before {};
std::uintptr_t page_bytes = 0;

// Everything from here to `pass_on` runs within the handler: system calls and memory, nothing else.

bool put_memory(std::uintptr_t from, std::uintptr_t to, int protection) noexcept {
  if (from >= to) return true;
  void* const wanted = reinterpret_cast<void*>(from);
  return mmap(wanted, to - from, protection,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) == wanted;
}

bool replace(const Guard& guard, std::uintptr_t begin, std::uintptr_t missed) noexcept {
  const int protection = guard.writable ? PROT_READ | PROT_WRITE : PROT_READ;
  const std::uintptr_t head_end = begin + guard.head_bytes;
  if (!put_memory(std::max(missed, head_end), guard.end, protection)) return false;
  if (missed >= head_end) return true;
  if (!put_memory(missed, head_end, PROT_READ | PROT_WRITE)) return false;
  std::memcpy(reinterpret_cast<void*>(missed), guard.head + (missed - begin), head_end - missed);
  return mprotect(reinterpret_cast<void*>(missed), head_end - missed, protection) == 0;
}

bool replace_missing(std::uintptr_t address) noexcept {
  for (const Guard& guard : guards) {
    const std::uintptr_t begin = guard.begin.load(std::memory_order_acquire);
    if (begin == 0 || address < begin || address >= guard.end) continue;
    return replace(guard, begin, address - address % page_bytes);
  }
  return false;
}

void pass_on(int signal, siginfo_t* info, void* context) noexcept {
  if ((before.sa_flags & SA_SIGINFO) != 0) {
    before.sa_sigaction(signal, info, context);
    return;
  }
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    before.sa_handler(signal);
    return;
  }
  // The touch comes again and ends the process, as it would have; one that was sent is sent again.
  sigaction(SIGBUS, &before, nullptr);
  if (info->si_code <= 0) raise(signal);
}

void on_bus_error(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (info->si_code == BUS_ADRERR && replace_missing(address)) {
    faults.fetch_add(1, std::memory_order_relaxed);
  } else {
    pass_on(signal, info, context);
  }
  errno = error;
}

bool install() {
  if (installed) return true;
  page_bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  struct sigaction action {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  installed = sigaction(SIGBUS, &action, &before) == 0;
  return installed;
}

}  // namespace

int guard_mapping(std::uintptr_t begin, std::uintptr_t end, bool writable, std::size_t head_bytes) {
  const std::lock_guard lock(changing);
  if (!install()) return -1;
  for (std::size_t index = 0; index < kGuards; ++index) {
    Guard& guard = guards[index];
    if (guard.begin.load(std::memory_order_relaxed) != 0) continue;
    guard.end = end;
    guard.writable = writable;
    guard.head_bytes = std::min({head_bytes, kGuardedHeadBytes, end - begin});
    guard.head_bytes -= guard.head_bytes % page_bytes;
    std::memcpy(guard.head, reinterpret_cast<const void*>(begin), guard.head_bytes);
    guard.begin.store(begin, std::memory_order_release);
    return static_cast<int>(index);
  }
  return -1;
}

void unguard_mapping(int guard) {
  const std::lock_guard lock(changing);
  guards[static_cast<std::size_t>(guard)].begin.store(0, std::memory_order_release);
}

std::uint32_t mapping_faults() noexcept { return faults.load(std::memory_order_relaxed); }

}  // namespace weir
