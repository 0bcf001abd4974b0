// CLOCK_BOOTTIME on Linux, mach_continuous_time on macOS, CLOCK_MONOTONIC anywhere else and in
// sandboxes that refuse the former: it stops in suspend, so a window may last longer, never
// shorter.
#include "boot_clock.h"

#include <cstdlib>

#if defined(__APPLE__)
#include <mach/mach_time.h>
#else
#include <ctime>
#endif

namespace weir {
namespace {

constexpr std::uint64_t kNanosecondsPerMs = 1'000'000;

#if !defined(__APPLE__)
constexpr std::uint64_t kMsPerSecond = 1'000;

bool read_clock(clockid_t clock, std::uint64_t& ms) noexcept {
  timespec now{};
  if (clock_gettime(clock, &now) != 0) return false;
  ms = static_cast<std::uint64_t>(now.tv_sec) * kMsPerSecond +
       static_cast<std::uint64_t>(now.tv_nsec) / kNanosecondsPerMs;
  return true;
}

// Chosen once: two clocks with different origins must never mix within one process.
clockid_t choose_clock() noexcept {
  std::uint64_t ignored = 0;
#if defined(CLOCK_BOOTTIME)
  if (read_clock(CLOCK_BOOTTIME, ignored)) return CLOCK_BOOTTIME;
#endif
  if (read_clock(CLOCK_MONOTONIC, ignored)) return CLOCK_MONOTONIC;
  std::abort();  // POSIX requires this clock; without one nothing can be limited
}
#endif

}  // namespace

std::uint64_t boot_clock_ms() noexcept {
#if defined(__APPLE__)
  static const mach_timebase_info_data_t base = [] {
    mach_timebase_info_data_t info{};
    if (mach_timebase_info(&info) != KERN_SUCCESS || info.denom == 0) std::abort();
    return info;
  }();
  // Whole and rest apart: ticks * numer overflows 64 bits within weeks where numer is 125.
  const std::uint64_t ticks = mach_continuous_time();
  const std::uint64_t nanoseconds =
      ticks / base.denom * base.numer + ticks % base.denom * base.numer / base.denom;
  return nanoseconds / kNanosecondsPerMs;
#else
  static const clockid_t clock = choose_clock();
  std::uint64_t ms = 0;
  if (!read_clock(clock, ms)) std::abort();  // it worked a moment ago
  return ms;
#endif
}

}  // namespace weir
