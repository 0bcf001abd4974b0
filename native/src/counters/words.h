// The two words that every cell of the counters file begins with, packed and unpacked. A cell is
// a bucket's entry or a limiter's record; both are claimed, opened and freed in the same way.
//
//   key   fingerprint:48 | version:16      version is the generation that the key was claimed in
//   head  generation:24 | open:1 | count:39
//
//   free       the key's version is not the head's generation, or there is no key at all (all zero)
//   tentative  they agree and the cell is not open: claimed, not yet known to be the only one
//   open       they agree and the cell is open: counts
//   retired    like tentative with a count: a limiter's record whose space is being collected
//
// Freeing a cell is one change of its head (the generation grows), claiming it one change of its
// key. Nobody is in between: a process that stops or dies after either leaves a cell that all
// others understand.
#pragma once

#include <cstdint>

namespace weir::counters {

inline constexpr unsigned kCountBits = 39;
inline constexpr std::uint64_t kCountMask = (std::uint64_t{1} << kCountBits) - 1;
inline constexpr std::uint64_t kOpenBit = std::uint64_t{1} << kCountBits;
inline constexpr unsigned kGenerationShift = kCountBits + 1;
inline constexpr std::uint64_t kVersionMask = 0xffff;
inline constexpr std::uint64_t kRetiredCount = 1;

enum class State { kFree, kTentative, kOpen, kRetired };

constexpr std::uint64_t fingerprint_of(std::uint64_t key) noexcept { return key >> 16; }
constexpr std::uint64_t count_of(std::uint64_t head) noexcept { return head & kCountMask; }
constexpr bool is_open(std::uint64_t head) noexcept { return (head & kOpenBit) != 0; }

// 48 bits of a hash, never 0: 0 means that there is no key.
constexpr std::uint64_t fingerprint_from(std::uint64_t hash) noexcept {
  const std::uint64_t fingerprint = hash >> 16;
  return fingerprint == 0 ? 1 : fingerprint;
}

// Whether the head belongs to this key's claim.
constexpr bool same_version(std::uint64_t key, std::uint64_t head) noexcept {
  return ((key ^ (head >> kGenerationShift)) & kVersionMask) == 0;
}

constexpr State state_of(std::uint64_t key, std::uint64_t head) noexcept {
  if (fingerprint_of(key) == 0 || !same_version(key, head)) return State::kFree;
  if (is_open(head)) return State::kOpen;
  return count_of(head) == 0 ? State::kTentative : State::kRetired;
}

// The key word of a claim on a free cell with this head.
constexpr std::uint64_t claim_of(std::uint64_t fingerprint, std::uint64_t head) noexcept {
  return (fingerprint << 16) | ((head >> kGenerationShift) & kVersionMask);
}

constexpr std::uint64_t opened(std::uint64_t head, std::uint64_t count) noexcept {
  return (head & ~(kCountMask | kOpenBit)) | kOpenBit | count;
}

constexpr std::uint64_t retired(std::uint64_t head) noexcept {
  return (head & ~(kCountMask | kOpenBit)) | kRetiredCount;
}

// Free: the next generation, which no key was claimed in yet.
constexpr std::uint64_t freed(std::uint64_t head) noexcept {
  return ((head >> kGenerationShift) + 1) << kGenerationShift;
}

}  // namespace weir::counters
