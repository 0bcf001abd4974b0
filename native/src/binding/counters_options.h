// Reads what counters and their limiters are opened with, and says why a file can't be. The bounds
// are those of src/limits/; C++ has none of its own, but for what words and pages can hold
// (counters/limiter.h). Used by counters.cc.
#pragma once

#include <cstddef>
#include <cstdint>

#include "binding/arguments.h"
#include "counters/counters.h"

namespace weir::binding {

// Parts of a key that one decision has room for.
inline constexpr std::size_t kKeyPartsRoom = 12;

// What a limiter may be opened with, and how many parts its keys may have.
struct LimiterBounds {
  std::uint64_t capacity_max = 0;
  std::uint64_t window_max_ms = 0;
  std::uint64_t keys_max = 0;
  std::size_t key_parts_max = 0;
};

// Both throw a TypeError for a number that is missing or beyond what the counters can hold.
LimiterBounds read_bounds(const Arguments& arguments, std::size_t at);
// Of openCounters(path, owner, bytesMax, bounds[, clock]).
counters::CountersOptions read_counters_options(const Arguments& arguments);

// Throws an Error whose code is one of those that src/limiter/binding.ts knows.
[[noreturn]] void fail_to_open(Napi::Env env, const counters::CountersError& error);

}  // namespace weir::binding
