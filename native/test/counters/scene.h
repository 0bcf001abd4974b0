// What most tests of the counters begin with: a file opened under a manual clock, a limiter in it,
// keys by number. All times are on the boot clock's scale unless they say otherwise.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "counters/counters.h"

namespace weir::test {

using counters::Counters;
using counters::CountersError;
using counters::CountersOptions;
using counters::Verdict;
using OpenLimiter = counters::Counters::OpenLimiter;

inline constexpr std::uint64_t kBootMs = 5'000'000;
inline constexpr std::uint64_t kWallMs = 1'700'000'000'000;
inline constexpr std::size_t kSegment = counters::kSegmentBytes;

inline CountersOptions frozen_at(const std::string& path, std::uint64_t boot_ms = kBootMs,
                                 std::size_t bytes_max = 64 * kSegment) {
  CountersOptions options;
  options.path = path;
  options.bytes_max = bytes_max;
  options.manual_clock = true;
  options.boot_ms = boot_ms;
  options.wall_ms = kWallMs + (boot_ms - kBootMs);
  options.boot = {1, 2};
  return options;
}

inline CountersOptions as_owner(CountersOptions options) {
  options.owner = true;
  return options;
}

// The counters, or the end of the test.
inline std::unique_ptr<Counters> open_or_exit(const CountersOptions& options) {
  CountersError error;
  std::unique_ptr<Counters> opened = Counters::open(options, error);
  if (opened == nullptr) {
    std::fprintf(stderr, "%s: can't be opened: kind %d, errno %d\n", options.path.c_str(),
                 static_cast<int>(error.kind), error.system_error);
    std::_Exit(1);
  }
  return opened;
}

struct LimiterSpec {
  std::string identity = "limiter";
  std::uint64_t capacity = 5;
  std::uint64_t window_ms = 60'000;
  std::uint64_t keys_max = 10'000;
};

// One thread's or process's view: its own counters object on the file, and one limiter in it.
class Party {
 public:
  Party(const CountersOptions& options, const LimiterSpec& spec)
      : counters_(open_or_exit(options)), limiter_(limiter_of(*counters_, spec)) {}

  static std::unique_ptr<OpenLimiter> limiter_of(Counters& counters, const LimiterSpec& spec) {
    std::unique_ptr<OpenLimiter> limiter =
        counters.open_limiter(spec.identity, spec.capacity, spec.window_ms, spec.keys_max);
    if (limiter == nullptr) {
      std::fprintf(stderr, "%s: no room for the limiter\n", spec.identity.c_str());
      std::_Exit(1);
    }
    return limiter;
  }

  Verdict admit(std::uint64_t key) { return admit(*limiter_, key); }
  Verdict admit(OpenLimiter& limiter, std::uint64_t key) {
    return counters_->admit(limiter, hash(limiter, key));
  }
  Hash128 hash(const OpenLimiter& limiter, std::uint64_t key) const {
    unsigned char bytes[8];
    store_little_endian(key, bytes);
    return counters_->hash(limiter, bytes, sizeof bytes);
  }
  bool admits(std::uint64_t key) { return admit(key).kind == Verdict::kAdmitted; }

  void set_clock(std::uint64_t boot_ms) { counters_->set_manual_clock(boot_ms); }
  Counters& counters() { return *counters_; }
  OpenLimiter& limiter() { return *limiter_; }

 private:
  std::unique_ptr<Counters> counters_;
  std::unique_ptr<OpenLimiter> limiter_;
};

}  // namespace weir::test
