// Rows about keys that are new: the first sight of one while there is room, and floods of them when
// there is none. And what a key takes on the disk.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>

#include "contenders.h"
#include "turns.h"

namespace weir::bench {

inline constexpr std::uint64_t kNewKeys = 200'000;
inline constexpr std::uint64_t kDefaultKeysMax = 65'536;

// Into a table that is empty every time, and grows.
inline Measure first_sight(WeirFile& file) {
  return [&file, turn = 0]() mutable {
    const std::string identity = "first sight " + std::to_string(++turn);
    WeirTable table(file, 1, identity, 5, kMinuteMs, 2 * kNewKeys);
    return time_each(kNewKeys, Expect::kAllAdmitted,
                     [&](std::uint64_t i) { return table.admit(key_of(i), kBeginMs); });
  };
}

inline Measure first_sight_in_map() {
  return [] {
    MutexMap<kMapCapacity> map(kMinuteMs);
    return time_each(kNewKeys, Expect::kAllAdmitted,
                     [&](std::uint64_t i) { return map.admit(key_of(i), kBeginMs); });
  };
}

inline std::shared_ptr<WeirTable> full_table(WeirFile& file, const std::string& identity,
                                             std::uint64_t capacity) {
  auto table = std::make_shared<WeirTable>(file, 1, identity, capacity, kMinuteMs, kDefaultKeysMax);
  for (std::uint64_t key = 0; key < 8 * kDefaultKeysMax; ++key) {
    table->admit(key_of(key), kBeginMs);
  }
  return table;
}

// Every key is new. Its time is `later` ahead of the one before in thousandths of a millisecond.
inline Measure flood(std::shared_ptr<WeirTable> table, Expect expect, std::uint64_t later) {
  return [=, index = 8 * kDefaultKeysMax, time = kBeginMs * 1000]() mutable {
    return time_each(kNewKeys, expect, [&](std::uint64_t) {
      time += later;
      return table->admit(key_of(index++), time / 1000);
    });
  };
}

inline void add_strangers(Turns& turns, WeirFile& memory, WeirFile& disk) {
  const std::string table = "New keys, the table alone";
  const std::string empty = "first sight, the table grows";
  turns.add(table, empty, "weir", first_sight(memory));
  turns.add(table, empty, "weir on disk", first_sight(disk));
  turns.add(table, empty, "mutex map", first_sight_in_map());
  turns.add(table, "flood, the table is full: one is forgotten", "weir",
            flood(full_table(memory, "evicting", 5), Expect::kAllAdmitted, 0));
  // A full table's worth of keys takes two windows.
  turns.add(table, "flood, half of them have expired: one is reused", "weir",
            flood(full_table(memory, "expiring", 5), Expect::kAllAdmitted,
                  2 * kMinuteMs * 1000 / kDefaultKeysMax));
  turns.add(table, "flood, all are limited: turned away", "weir",
            flood(full_table(memory, "limited", 1), Expect::kAllRejected, 0));
}

// A file of one limiter that got four times as many keys as it keeps.
inline void print_bytes(const std::string& path, std::uint64_t capacity, std::uint64_t window_ms,
                        std::uint64_t keys_max) {
  WeirFile file(path, 1);
  WeirTable table(file, 1, "bytes", capacity, window_ms, keys_max);
  for (std::uint64_t key = 0; key < 4 * keys_max; ++key) table.admit(key_of(key), kBeginMs);
  const counters::Statistics full = file.object().statistics();
  std::printf(
      "{\"capacity\":%llu,\"windowSeconds\":%llu,\"cellBytes\":%llu,\"keys\":%llu,\"bytes\":%llu}"
      "\n",
      static_cast<unsigned long long>(capacity), static_cast<unsigned long long>(window_ms / 1000),
      static_cast<unsigned long long>(counters::entry_class_for(capacity).words *
                                      counters::kWordBytes),
      static_cast<unsigned long long>(full.live), static_cast<unsigned long long>(full.bytes));
}

inline void print_all_bytes(const std::string& folder) {
  const auto print = [&](std::uint64_t capacity, std::uint64_t keys_max) {
    for (const std::uint64_t window_ms : {kMinuteMs, kDayMs}) {
      const std::string path = folder + "/bytes";
      print_bytes(path, capacity, window_ms, keys_max);
      unlink(path.c_str());
    }
  };
  for (const std::uint64_t capacity : {5u, 13u, 29u, 61u, 2'000'000'000u}) {
    print(capacity, kDefaultKeysMax);
  }
  print(5, 1'000'000);
  print(13, 1'000'000);
}

}  // namespace weir::bench
