// A clock that takes as little time to read as the processor has it: a number that grows evenly,
// whose step `TickRate` tells. For durations within one process; over days it may drift from the
// system's clocks by parts of a million, and it says nothing of suspend. Read for each request by
// binding/ticks.h.
#pragma once

#include <cstdint>
#include <ctime>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace weir {

constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;

inline std::uint64_t monotonic_ns() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * kNanosecondsPerSecond +
         static_cast<std::uint64_t>(now.tv_nsec);
}

#if defined(__x86_64__)
// Does the processor's counter run evenly, whatever its clock and its sleep?
inline bool has_invariant_counter() noexcept {
  constexpr unsigned kPowerLeaf = 0x80000007;
  constexpr unsigned kInvariantBit = 8;
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid(kPowerLeaf, &a, &b, &c, &d) != 0 && ((d >> kInvariantBit) & 1U) != 0;
}
#endif

// Some 10 ns where the processor has a counter to rely on, 25 where the system has to be asked (AMD
// EPYC, a loop of 20 million reads).
inline std::uint64_t read_ticks() noexcept {
#if defined(__x86_64__)
  static const bool has_counter = has_invariant_counter();
  return has_counter ? __rdtsc() : monotonic_ns();
#elif defined(__aarch64__)
  std::uint64_t ticks = 0;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return monotonic_ns();
#endif
}

// How long a tick is, by the system's clock, from all the time since it was made.
class TickRate {
 public:
  TickRate() noexcept : ticks_(read_ticks()), ns_(monotonic_ns()) {}

  // Exact to a millionth once a tenth of a second has passed; waits for the first millisecond.
  double ns_per_tick() const noexcept {
    std::uint64_t ns = monotonic_ns();
    while (ns - ns_ < kLeastNs) ns = monotonic_ns();
    const std::uint64_t ticks = read_ticks() - ticks_;
    return ticks == 0 ? 1 : static_cast<double>(ns - ns_) / static_cast<double>(ticks);
  }

 private:
  static constexpr std::uint64_t kLeastNs = 1'000'000;

  std::uint64_t ticks_;
  std::uint64_t ns_;
};

}  // namespace weir
