#include "address_room.h"

#if defined(__linux__) && defined(__LP64__)
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#endif

namespace weir {

#if defined(__linux__) && defined(__LP64__) && defined(MAP_FIXED_NOREPLACE)

namespace {

// @returns bytes taken; 0 also where somebody else has come first
std::uint64_t take(std::uintptr_t begin, std::uintptr_t end) noexcept {
  const std::size_t bytes = end - begin;
  void* const wanted = reinterpret_cast<void*>(begin);
  void* const got = mmap(wanted, bytes, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == MAP_FAILED) return 0;
  // A kernel that does not know the flag takes the address for a wish.
  if (got == wanted) return bytes;
  munmap(got, bytes);
  return 0;
}

// Whether the kernel's own choices and this thread's stack lie above: with 39 or 42 bits of
// addresses, or where it chooses from below (`ulimit -s unlimited`), stack and libraries would be
// left without room to grow.
bool is_room_above() noexcept {
  constexpr std::size_t kProbe = 4096;
  const char here = 0;
  void* const chosen = mmap(nullptr, kProbe, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (chosen == MAP_FAILED) return false;
  munmap(chosen, kProbe);
  return reinterpret_cast<std::uintptr_t>(chosen) >= kDrawnEnd &&
         reinterpret_cast<std::uintptr_t>(&here) >= kDrawnEnd;
}

bool is_bounded() noexcept {
  rlimit limit{};
  return getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

}  // namespace

std::uint64_t take_drawn_addresses() noexcept {
  if (is_bounded() || !is_room_above()) return 0;
  std::FILE* const maps = std::fopen("/proc/self/maps", "re");
  if (maps == nullptr) return 0;
  std::uint64_t taken = 0;
  std::uintptr_t free_from = kDrawnBegin;
  char line[512];
  bool is_begin = true;
  while (free_from < kDrawnEnd && std::fgets(line, sizeof line, maps) != nullptr) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    const bool is_mapping =
        is_begin && std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &begin, &end) == 2;
    // A path longer than the buffer goes on in the next read.
    is_begin = std::find(line, line + sizeof line, '\n') != line + sizeof line;
    if (!is_mapping || end <= free_from) continue;
    if (begin > free_from) taken += take(free_from, std::min(begin, kDrawnEnd));
    free_from = end;
  }
  if (free_from < kDrawnEnd) taken += take(free_from, kDrawnEnd);
  std::fclose(maps);
  return taken;
}

#else

std::uint64_t take_drawn_addresses() noexcept { return 0; }

#endif

}  // namespace weir
