// Who is measured: the counters, each thread with its own object on one file, and the mutex map
// that one would write first. Both decide on a key that is hashed already.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "counters/counters.h"
#include "turns.h"

namespace weir::bench {

// Any time will do where it is given to the table; far from zero, as real times are.
inline constexpr std::uint64_t kBeginMs = 1'700'000'000'000;
inline constexpr std::uint64_t kMinuteMs = 60'000;
inline constexpr std::uint64_t kDayMs = 86'400'000;
// Up to which the smallest entry is exact; the mutex map's.
inline constexpr std::uint64_t kMapCapacity = 5;

// The last step of SplitMix64: a bijection, so that no two indexes make one key.
inline std::uint64_t mixed(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// A key made of its index: an array of keys would cost cache misses of its own.
inline Hash128 key_of(std::uint64_t index) noexcept {
  return {mixed(index * 2 + 1), mixed(index * 2 + 2)};
}

// All indexes below `count`, which is above the step, in an order in which no neighbour of the last
// one comes soon: what was made one after the other lies side by side in a map's memory.
struct Scattered {
  std::uint64_t count;
  std::uint64_t index = 0;

  std::uint64_t next() noexcept {
    index += 618'033;  // shares no factor with a power of ten or of two
    if (index >= count) index -= count;
    return index;
  }
};

// One file, opened by one object per thread.
class WeirFile {
 public:
  static constexpr std::size_t kBytesMax = std::size_t{8} << 30;

  WeirFile(const std::string& path, unsigned threads) {
    for (unsigned thread = 0; thread < threads; ++thread) {
      counters::CountersOptions options;
      options.path = path;
      options.owner = thread == 0;
      options.bytes_max = kBytesMax;
      counters::CountersError error;
      objects_.push_back(counters::Counters::open(options, error));
      if (objects_.back() == nullptr) stop("the counters file cannot be opened");
    }
  }

  counters::Counters& object(unsigned thread = 0) { return *objects_[thread]; }

 private:
  std::vector<std::unique_ptr<counters::Counters>> objects_;
};

// One limiter as every thread has it open.
class WeirTable {
 public:
  WeirTable(WeirFile& file, unsigned threads, const std::string& identity, std::uint64_t capacity,
            std::uint64_t window_ms, std::uint64_t keys_max)
      : file_(&file) {
    for (unsigned thread = 0; thread < threads; ++thread) {
      limiters_.push_back(
          file.object(thread).open_limiter(identity, capacity, window_ms, keys_max));
      if (limiters_.back() == nullptr) stop("no room for a limiter");
    }
  }

  bool admit(const Hash128& key, std::uint64_t now, unsigned thread = 0) {
    return is_admission(file_->object(thread).admit(*limiters_[thread], key, now));
  }

  bool admit_by_clock(const Hash128& key) {
    return is_admission(file_->object().admit(*limiters_[0], key));
  }

  bool admit_bytes(const unsigned char* key, std::size_t bytes) {
    counters::Counters& object = file_->object();
    return is_admission(object.admit(*limiters_[0], object.hash(*limiters_[0], key, bytes)));
  }

 private:
  static bool is_admission(const counters::Verdict& verdict) noexcept {
    return verdict.kind == counters::Verdict::kAdmitted;
  }

  WeirFile* file_;
  std::vector<std::unique_ptr<counters::Counters::OpenLimiter>> limiters_;
};

// The exact sliding log of so many admissions a key, behind one mutex. It serves one process,
// forgets nothing, and a thread that is stopped in it stops all others.
template <std::uint64_t kCapacity>
class MutexMap {
 public:
  explicit MutexMap(std::uint64_t window_ms) : window_ms_(window_ms) {}

  bool admit(const Hash128& key, std::uint64_t now, unsigned = 0) {
    const std::lock_guard lock(mutex_);
    Log& log = logs_[key];
    std::uint64_t& oldest = log.stamps[log.admitted % kCapacity];
    if (log.admitted >= kCapacity && now - oldest < window_ms_) return false;
    oldest = now;
    ++log.admitted;
    return true;
  }

 private:
  struct Log {
    std::uint64_t admitted = 0;
    std::uint64_t stamps[kCapacity] = {};
  };
  // Keys are hashed already.
  struct HashOf {
    std::size_t operator()(const Hash128& key) const noexcept { return key.low; }
  };

  std::mutex mutex_;
  std::uint64_t window_ms_;
  std::unordered_map<Hash128, Log, HashOf> logs_;
};

}  // namespace weir::bench
