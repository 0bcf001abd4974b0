// Rows about a million keys: every decision waits for memory. Beside them what one such wait costs
// on this machine, a chain of loads of which each tells where the next one goes.
#pragma once

#include <sys/mman.h>

#include <memory>
#include <string>
#include <vector>

#include "contenders.h"
#include "turns.h"

namespace weir::bench {

inline constexpr std::uint64_t kManyKeys = 1'000'000;

// Each sweep comes to every key once, a window after the one before. Threads sweep at the same
// time, and each is somewhere else.
template <class Table>
Measure sweep_admitting(std::shared_ptr<Table> table, unsigned threads) {
  return [table, threads, now = kBeginMs]() mutable {
    now += kMinuteMs;
    return together(threads, [&](unsigned thread) {
      Scattered keys{kManyKeys, thread * kManyKeys / threads};
      return time_each(
          kManyKeys, Expect::kAllAdmitted,
          [&](std::uint64_t) { return table->admit(key_of(keys.next()), now, thread); },
          clock_for(threads));
    });
  };
}

template <class Table>
Measure sweep_rejecting(std::shared_ptr<Table> table, unsigned threads, unsigned admissions) {
  for (unsigned i = 0; i < admissions; ++i) {
    for (std::uint64_t key = 0; key < kManyKeys; ++key) table->admit(key_of(key), kBeginMs);
  }
  return [table, threads] {
    return together(threads, [&](unsigned thread) {
      Scattered keys{kManyKeys, thread * kManyKeys / threads};
      return time_each(
          kManyKeys, Expect::kAllRejected,
          [&](std::uint64_t) { return table->admit(key_of(keys.next()), kBeginMs + 1, thread); },
          clock_for(threads));
    });
  };
}

// Every cache line of so many bytes once, in one random circle.
class PointerChase {
 public:
  // Large pages only where the system has them to give.
  PointerChase(std::size_t bytes, bool large_pages) : lines_(bytes / kLineBytes), bytes_(bytes) {
    void* const memory =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) stop("no memory for the chain of loads");
#if defined(MADV_HUGEPAGE)
    madvise(memory, bytes, large_pages ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#endif
    words_ = static_cast<std::uint64_t*>(memory);
    std::vector<std::uint64_t> next(lines_);
    for (std::uint64_t i = 0; i < lines_; ++i) next[i] = i;
    // Sattolo's shuffle: one circle.
    for (std::uint64_t i = lines_ - 1; i > 0; --i) std::swap(next[i], next[mixed(i) % i]);
    for (std::uint64_t i = 0; i < lines_; ++i) words_[i * kLineWords] = next[i];
  }
  PointerChase(const PointerChase&) = delete;
  PointerChase& operator=(const PointerChase&) = delete;
  ~PointerChase() { munmap(words_, bytes_); }

  double measure() {
    return time_each(lines_, Expect::kAllAdmitted, [&](std::uint64_t) {
      at_ = words_[at_ * kLineWords];
      return at_ < lines_;
    });
  }

 private:
  static constexpr std::size_t kLineBytes = 64;
  static constexpr std::size_t kLineWords = kLineBytes / sizeof(std::uint64_t);

  std::uint64_t lines_;
  std::size_t bytes_;
  std::uint64_t* words_ = nullptr;
  std::uint64_t at_ = 0;
};

inline void add_machine(Turns& turns, const std::string& table) {
  turns.add(table, "of which making the key", "machine", [] {
    Scattered keys{kManyKeys};
    return time_each(kManyKeys, Expect::kAllAdmitted, [&](std::uint64_t) {
      const Hash128 key = key_of(keys.next());
      return (key.low ^ key.high) != 0;
    });
  });
  const auto add = [&](std::size_t megabytes, bool large_pages) {
    const std::string row = "one dependent load in " + std::to_string(megabytes) +
                            " MiB of pages of " + (large_pages ? "2 MiB" : "4 KiB");
    auto chase = std::make_shared<PointerChase>(megabytes << 20, large_pages);
    turns.add(table, row, "machine", [chase] { return chase->measure(); });
  };
  add(64, false);
  add(128, false);
  add(64, true);
  add(128, true);
}

inline void add_many_keys(Turns& turns, WeirFile& memory, WeirFile& disk) {
  const std::string table = "1,000,000 keys, the table alone";
  const auto weir = [&](WeirFile& file, const std::string& identity, unsigned threads,
                        std::uint64_t capacity, std::uint64_t keys_max) {
    return std::make_shared<WeirTable>(file, threads, identity, capacity, kMinuteMs, keys_max);
  };
  const auto map = [] { return std::make_shared<MutexMap<kMapCapacity>>(kMinuteMs); };
  const std::string roomy = "keys_max 2,000,000";
  for (const std::uint64_t capacity : {5u, 13u, 61u}) {
    const std::string row = "admit, C = " + std::to_string(capacity) + ", " + roomy;
    turns.add(table, row, "weir",
              sweep_admitting(weir(memory, row, 1, capacity, 2 * kManyKeys), 1));
    if (capacity != kMapCapacity) continue;
    turns.add(table, row, "weir on disk",
              sweep_admitting(weir(disk, row, 1, capacity, 2 * kManyKeys), 1));
    turns.add(table, row, "mutex map", sweep_admitting(map(), 1));
  }
  const std::string tight = "keys_max 1,000,000";
  turns.add(table, "admit, C = 5, " + tight, "weir",
            sweep_admitting(weir(memory, "admit tight", 1, 5, kManyKeys), 1));
  // Entries as for 5: one admission fills a key.
  const std::string reject = "reject, C = 1, ";
  turns.add(table, reject + roomy, "weir",
            sweep_rejecting(weir(memory, "reject", 1, 1, 2 * kManyKeys), 1, 1));
  turns.add(table, reject + roomy, "weir on disk",
            sweep_rejecting(weir(disk, "reject", 1, 1, 2 * kManyKeys), 1, 1));
  turns.add(table, reject + roomy, "mutex map",
            sweep_rejecting(std::make_shared<MutexMap<1>>(kMinuteMs), 1, 1));
  turns.add(table, reject + tight, "weir",
            sweep_rejecting(weir(memory, "reject tight", 1, 1, kManyKeys), 1, 1));
  const std::string two = "2 threads, C = 5, " + roomy;
  turns.add(table, "admit, " + two, "weir",
            sweep_admitting(weir(memory, "admit two", 2, 5, 2 * kManyKeys), 2));
  turns.add(table, "admit, " + two, "mutex map", sweep_admitting(map(), 2));
  turns.add(table, "reject, " + two, "weir",
            sweep_rejecting(weir(memory, "reject two", 2, 5, 2 * kManyKeys), 2, 5));
  turns.add(table, "reject, " + two, "mutex map", sweep_rejecting(map(), 2, 5));

  add_machine(turns, table);
}

}  // namespace weir::bench
