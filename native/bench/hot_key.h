// Rows about one key that is always in the cache: what the code itself costs, and what two threads
// cost each other.
#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <string>

#include "boot_clock.h"
#include "contenders.h"
#include "turns.h"

namespace weir::bench {

inline constexpr std::uint64_t kHotDecisions = 1'000'000;
inline constexpr std::uint64_t kFewKeys = 16;
// Bytes of a key of host, client address and two headers, as bench/counters.mjs writes it.
inline constexpr std::size_t kKeyBytes = 164;

// The time is given and goes on by a window with each decision, so that each is admitted, also past
// the capacity, where the ring is asked.
template <class Table>
Measure admit_given_time(std::shared_ptr<Table> table, std::uint64_t window_ms) {
  return [table, window_ms, now = kBeginMs]() mutable {
    const Hash128 key = key_of(1);
    return time_each(kHotDecisions, Expect::kAllAdmitted, [&](std::uint64_t) {
      now += window_ms;
      return table->admit(key, now);
    });
  };
}

template <class Table>
Measure reject_given_time(std::shared_ptr<Table> table, std::uint64_t capacity) {
  const Hash128 key = key_of(1);
  for (std::uint64_t i = 0; i < capacity; ++i) table->admit(key, kBeginMs);
  return [table, key] {
    return time_each(kHotDecisions, Expect::kAllRejected,
                     [&](std::uint64_t) { return table->admit(key, kBeginMs + 1); });
  };
}

inline std::shared_ptr<WeirTable> hot_table(WeirFile& file, const std::string& identity,
                                            std::uint64_t capacity, std::uint64_t window_ms) {
  return std::make_shared<WeirTable>(file, 1, identity, capacity, window_ms, kFewKeys);
}

inline void add_hot_table_alone(Turns& turns, WeirFile& memory, WeirFile& disk) {
  const std::string table = "Hot key, the table alone";
  for (const std::uint64_t capacity : {5u, 13u, 29u, 61u, 100'000u, 2'000'000'000u}) {
    const std::string row = "admit, C = " + std::to_string(capacity);
    turns.add(table, row, "weir",
              admit_given_time(hot_table(memory, row, capacity, kMinuteMs), kMinuteMs));
    if (capacity != kMapCapacity) continue;
    turns.add(table, row, "weir on disk",
              admit_given_time(hot_table(disk, row, capacity, kMinuteMs), kMinuteMs));
    turns.add(table, row, "mutex map",
              admit_given_time(std::make_shared<MutexMap<kMapCapacity>>(kMinuteMs), kMinuteMs));
  }
  // 2e9 admissions would have to come first; 100,000 take the same way.
  for (const std::uint64_t capacity : {5u, 13u, 29u, 61u, 100'000u}) {
    const std::string row = "reject, C = " + std::to_string(capacity);
    turns.add(table, row, "weir",
              reject_given_time(hot_table(memory, row, capacity, kMinuteMs), capacity));
    if (capacity != kMapCapacity) continue;
    turns.add(table, row, "weir on disk",
              reject_given_time(hot_table(disk, row, capacity, kMinuteMs), capacity));
    turns.add(table, row, "mutex map",
              reject_given_time(std::make_shared<MutexMap<kMapCapacity>>(kMinuteMs), capacity));
  }
}

using KeyBytes = std::array<unsigned char, kKeyBytes>;

// The same bytes, but the compiler can't know: they are hashed for each decision.
inline const unsigned char* read_anew(const unsigned char* bytes) noexcept {
  __asm__ volatile("" : "+r"(bytes) : : "memory");
  return bytes;
}

// With the real clock a key is admitted without end only below a very large capacity.
inline void add_hot_with_clock(Turns& turns, WeirFile& memory) {
  const std::string table = "Hot key, with the clock and the hash";
  const auto large = hot_table(memory, "clock, admit", counters::kCapacityCeiling, kDayMs);
  const auto small = hot_table(memory, "clock, reject", 5, kDayMs);
  const Hash128 key = key_of(1);
  const KeyBytes bytes{};
  const auto add = [&](const std::string& row, Expect expect, auto decide) {
    turns.add(table, row, "weir",
              [expect, decide] { return time_each(kHotDecisions, expect, decide); });
  };
  for (unsigned i = 0; i < 5; ++i) {
    small->admit_by_clock(key);
    small->admit_bytes(bytes.data(), bytes.size());
  }
  add("admit by the clock, C = 2000000000", Expect::kAllAdmitted,
      [large, key](std::uint64_t) { return large->admit_by_clock(key); });
  add("reject by the clock, C = 5", Expect::kAllRejected,
      [small, key](std::uint64_t) { return small->admit_by_clock(key); });
  add("admit by hash and clock, C = 2000000000", Expect::kAllAdmitted,
      [large, bytes](std::uint64_t) {
        return large->admit_bytes(read_anew(bytes.data()), kKeyBytes);
      });
  add("reject by hash and clock, C = 5", Expect::kAllRejected, [small, bytes](std::uint64_t) {
    return small->admit_bytes(read_anew(bytes.data()), kKeyBytes);
  });
  add("of which the clock", Expect::kAllAdmitted,
      [](std::uint64_t) { return boot_clock_ms() != 0; });
  // Chained, so that one hash waits for the one before as it does for the answer to a request.
  add("of which the hash of " + std::to_string(kKeyBytes) + " bytes", Expect::kAllAdmitted,
      [chained = bytes](std::uint64_t) mutable {
        const Hash128 hash = key_hash({1, 2}, chained.data(), chained.size());
        store_little_endian(hash.low, chained.data());
        return hash.low != 0;
      });
}

// Nanoseconds in place of milliseconds: time that goes on with every decision and is the same for
// all threads, so that five in a window of one are always admitted.
inline std::uint64_t nanoseconds_now() noexcept {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

template <class Table>
Measure admit_together(std::shared_ptr<Table> table, unsigned threads, bool one_key) {
  return [=] {
    return together(threads, [&](unsigned thread) {
      const Hash128 key = key_of(one_key ? 1 : 1 + thread);
      // Whoever read the clock early and comes late to a stamp of the other is told to wait.
      std::uint64_t admitted = 0;
      const double each = time_each(
          kHotDecisions, Expect::kAllAdmitted,
          [&](std::uint64_t) {
            admitted += table->admit(key, nanoseconds_now(), thread) ? 1 : 0;
            return true;
          },
          clock_for(threads));
      if (admitted < kHotDecisions * 9 / 10) stop("too few were admitted");
      return each;
    });
  };
}

template <class Table>
Measure reject_together(std::shared_ptr<Table> table, unsigned threads, bool one_key) {
  return [=] {
    for (std::uint64_t key = 1; key <= threads; ++key) {
      for (unsigned i = 0; i < 5; ++i) table->admit(key_of(key), nanoseconds_now());
    }
    return together(threads, [&](unsigned thread) {
      const Hash128 key = key_of(one_key ? 1 : 1 + thread);
      return time_each(
          kHotDecisions, Expect::kAllRejected,
          [&](std::uint64_t) { return table->admit(key, nanoseconds_now(), thread); },
          clock_for(threads));
    });
  };
}

// The clock is part of each of these.
inline void add_hot_together(Turns& turns, WeirFile& memory) {
  const std::string table = "Hot key by threads, C = 5, with a clock";
  const std::uint64_t never = std::uint64_t{1} << 38;  // filled anew each turn
  for (const auto& [threads, one_key] : {std::pair{1u, true}, {2u, true}, {2u, false}}) {
    const std::string who = threads == 1 ? "1 thread"
                            : one_key    ? "2 threads, one key"
                                         : "2 threads, a key each";
    const auto weir = [&](const std::string& row, std::uint64_t window) {
      return std::make_shared<WeirTable>(memory, threads, row + who, 5, window, kFewKeys);
    };
    turns.add(table, "admit, " + who, "weir", admit_together(weir("admit", 1), threads, one_key));
    turns.add(table, "admit, " + who, "mutex map",
              admit_together(std::make_shared<MutexMap<kMapCapacity>>(1), threads, one_key));
    turns.add(table, "reject, " + who, "weir",
              reject_together(weir("reject", never), threads, one_key));
    turns.add(table, "reject, " + who, "mutex map",
              reject_together(std::make_shared<MutexMap<kMapCapacity>>(never), threads, one_key));
  }
}

}  // namespace weir::bench
