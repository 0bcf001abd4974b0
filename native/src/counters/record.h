// The head of a limiter's record: its count says when some process last had the limiter open, and
// how long its counts matter. Both are in the one word that retires the record, so that it can't
// be retired by somebody who missed that it was touched.
//
//   count  touched:30 in units of 4 s, rounded down | window:9, rounded up (at most 7 % more)
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "words.h"

namespace weir::counters::record {

inline constexpr unsigned kWindowBits = 9;
inline constexpr std::uint64_t kWindowMask = (std::uint64_t{1} << kWindowBits) - 1;
inline constexpr std::uint64_t kTouchUnitMs = 4000;
inline constexpr std::uint64_t kTouchMax = kCountMask >> kWindowBits;
inline constexpr std::uint64_t kWindowUnitMs = 1000;
inline constexpr unsigned kMantissaBits = 5;

// A process that has touched a limiter may count in it for so long, and has to touch it again
// before. Nobody retires a record that was touched less than its window and kGraceMs ago. What is
// between the two, less the rounding, is how much older than the window everything is that a
// retired record has counted, whenever its counting is finished.
inline constexpr std::uint64_t kLeaseMs = 60'000;
inline constexpr std::uint64_t kGraceMs = 120'000;
static_assert(kGraceMs > kLeaseMs + kTouchUnitMs);

// A window as mantissa:5 | exponent:4, in seconds.
constexpr std::uint64_t window_code(std::uint64_t window_ms) noexcept {
  const std::uint64_t seconds = (window_ms + kWindowUnitMs - 1) / kWindowUnitMs;
  const auto width = static_cast<unsigned>(std::bit_width(seconds));
  unsigned exponent = width > kMantissaBits ? width - kMantissaBits : 0;
  std::uint64_t mantissa = (seconds + (std::uint64_t{1} << exponent) - 1) >> exponent;
  if (mantissa >> kMantissaBits != 0) {
    mantissa >>= 1;
    ++exponent;
  }
  return (mantissa << (kWindowBits - kMantissaBits)) | exponent;
}

constexpr std::uint64_t window_ms_of(std::uint64_t count) noexcept {
  const std::uint64_t code = count & kWindowMask;
  constexpr unsigned kExponentBits = kWindowBits - kMantissaBits;
  const std::uint64_t exponent = code & ((std::uint64_t{1} << kExponentBits) - 1);
  return ((code >> kExponentBits) << exponent) * kWindowUnitMs;
}

constexpr std::uint64_t touched_unit(std::uint64_t now) noexcept {
  return std::min(now / kTouchUnitMs, kTouchMax);
}

constexpr std::uint64_t touched_ms_of(std::uint64_t count) noexcept {
  return (count >> kWindowBits) * kTouchUnitMs;
}

constexpr std::uint64_t make_count(std::uint64_t now, std::uint64_t window_ms) noexcept {
  return (touched_unit(now) << kWindowBits) | window_code(window_ms);
}

// Whether two heads are of one life of a record: touched at different times at most.
constexpr bool same_life(std::uint64_t one, std::uint64_t other) noexcept {
  return ((one ^ other) & ~(kCountMask & ~kWindowMask)) == 0;
}

// From 2106 on, or where a clock once said so, nothing can be said: it is kept.
constexpr bool may_be_retired(std::uint64_t count, std::uint64_t now) noexcept {
  if (count >> kWindowBits == kTouchMax) return false;
  return now >= touched_ms_of(count) + window_ms_of(count) + kGraceMs;
}

}  // namespace weir::counters::record
