// Proves that a bucket's window decides as the exact sliding log does: the same decisions and waits
// where an entry holds a stamp for every admission, and within one block of it where it does not.
// Random histories under a manual clock, late clocks among them, on entries of all sizes; and the
// arithmetic of large numbers, up to the count that fills its field.
#include "counters/window.h"

#include <cinttypes>
#include <cstdio>

#include "check.h"
#include "counters/layout.h"
#include "counters/mapping.h"
#include "counters/random.h"
#include "counters/sliding_log.h"

namespace {

using weir::counters::AtomicWord;
using weir::counters::entry_class_for;
using weir::counters::kCountMask;
using weir::counters::kHeadWord;
using weir::counters::opened;
using weir::counters::Verdict;
using weir::counters::Window;
using weir::test::Random;
using weir::test::SlidingLog;

constexpr std::size_t kEntryWords = 64;
constexpr std::uint64_t kKey = std::uint64_t{0xabcdef} << 16;
constexpr std::uint64_t kStartMs = 1'700'000'000'000;
constexpr std::uint64_t kDayMs = 86'400'000;

// An entry by itself, open from `count` on.
class Entry {
 public:
  explicit Entry(std::uint64_t count = 0) {
    words_[0].store(kKey);
    words_[kHeadWord].store(opened(0, count));
  }
  Entry(const Entry& other) { copy(other); }
  Entry& operator=(const Entry& other) {
    copy(other);
    return *this;
  }

  AtomicWord* words() { return words_; }
  bool operator==(const Entry& other) const {
    for (std::size_t i = 0; i < kEntryWords; ++i) {
      if (words_[i].load() != other.words_[i].load()) return false;
    }
    return true;
  }
  Verdict admit(const Window& window, std::uint64_t now) {
    return weir::counters::admit_to(words_, kKey, window, now);
  }

 private:
  void copy(const Entry& other) {
    for (std::size_t i = 0; i < kEntryWords; ++i) words_[i].store(other.words_[i].load());
  }
  AtomicWord words_[kEntryWords]{};
};

Window window_for(std::uint64_t capacity, std::uint64_t length_ms) {
  return {capacity, length_ms, entry_class_for(capacity).ring()};
}

// A step of the clock: mostly such that a window holds about its capacity, often none at all.
std::uint64_t step_ms(Random& random, const Window& window) {
  switch (random.below(8)) {
    case 0:
      return random.between(0, window.length_ms + 1);
    case 1:
      return window.length_ms;
    case 2:
    case 3:
      return random.below(2 * window.length_ms / window.capacity + 2);
    default:
      return random.one_in(3) ? 1 : 0;
  }
}

struct Walk {
  const Window window;
  SlidingLog log;
  Entry entry;
  std::uint64_t latest = 0;

  // A rejection: it wrote nothing, its wait is to the millisecond, and there was a reason for it.
  bool rejection_holds(const Entry& before, std::uint64_t wait_ms, std::uint64_t now) {
    if (!(entry == before)) return false;
    if (wait_ms < 1 || wait_ms > window.length_ms) return false;
    if (log.in_window(now) < window.capacity - window.block + 1) return false;
    Entry early = entry;
    if (early.admit(window, now + wait_ms - 1).kind != Verdict::kRejected) return false;
    Entry late = entry;
    // A clock behind the stamp can't tell how long.
    return now < latest || late.admit(window, now + wait_ms).kind == Verdict::kAdmitted;
  }

  bool step(std::uint64_t now) {
    const Entry before = entry;
    const std::uint64_t exact_ms = log.wait_ms(now);
    const Verdict verdict = entry.admit(window, now);
    if (verdict.kind == Verdict::kAdmitted) {
      if (exact_ms > 0) return false;  // more than the capacity in some window
      log.admit(now);
      if (now > latest) latest = now;
      return true;
    }
    if (verdict.kind != Verdict::kRejected) return false;
    if (window.block == 1 && verdict.wait_ms != exact_ms) return false;
    return verdict.wait_ms >= exact_ms && rejection_holds(before, verdict.wait_ms, now);
  }
};

void walk(std::uint64_t seed, const Window& window, unsigned steps) {
  Random random(seed);
  Walk walk{window, SlidingLog(window.capacity, window.length_ms), Entry{}, 0};
  std::uint64_t now = kStartMs;
  bool holds = true;
  for (unsigned i = 0; i < steps && holds; ++i) {
    now += step_ms(random, window);
    // One that read the clock before others and comes after them.
    const std::uint64_t late_ms = random.one_in(10) ? random.below(window.length_ms) : 0;
    holds = walk.step(now - late_ms);
  }
  CHECK(holds);
  if (!holds) {
    std::fprintf(stderr, "seed %" PRIu64 ", capacity %" PRIu64 ", window %" PRIu64 " ms\n", seed,
                 window.capacity, window.length_ms);
  }
}

void random_histories() {
  constexpr std::uint64_t kEdges[] = {5, 6, 13, 14, 29, 30, 61, 62, 122, 123};
  constexpr std::uint64_t kWindowsMs[] = {1'000, 2'000, 60'000, 3'600'000, kDayMs};
  std::uint64_t seed = 1;
  const auto both = [&](std::uint64_t capacity, unsigned steps) {
    for (const std::uint64_t length_ms : kWindowsMs) {
      walk(seed++, window_for(capacity, length_ms), steps);
    }
  };
  for (std::uint64_t capacity = 1; capacity <= 200; ++capacity) both(capacity, 400);
  for (const std::uint64_t capacity : kEdges) both(capacity, 5'000);
  for (const std::uint64_t capacity : {1'000, 4'097, 20'000}) {
    walk(seed++, window_for(capacity, 60'000), 60'000);
  }
}

// An entry that is exact up to its size and no further, as the table of sizes says.
void entry_sizes() {
  const auto words = [](std::uint64_t capacity) { return entry_class_for(capacity).words; };
  CHECK(words(1) == 8 && words(5) == 8 && words(6) == 16 && words(13) == 16);
  CHECK(words(14) == 32 && words(29) == 32 && words(30) == 64 && words(61) == 64);
  CHECK(words(62) == 64 && words(2'000'000'000) == 64);
  for (std::uint64_t capacity = 1; capacity <= 61; ++capacity) {
    CHECK(window_for(capacity, 1'000).block == 1);
  }
  CHECK(window_for(62, 1'000).block == 2);
}

void slots_of_large_numbers() {
  Random random(7);
  const std::uint64_t capacities[] = {
      1, 5, 61, 62, 1'000, 123'456'789, 1'999'999'999, 2'000'000'000};
  bool holds = true;
  for (const std::uint64_t capacity : capacities) {
    const Window window = window_for(capacity, kDayMs);
    const auto check = [&](std::uint64_t number) {
      holds = holds && window.slot(number) == number / window.block % window.ring;
    };
    for (int i = 0; i < 20'000; ++i) {
      const std::uint64_t number = random.below(kCountMask + 1);
      check(number);
      // Where a quotient changes.
      const std::uint64_t edge = number / window.block * window.block;
      check(edge);
      if (edge > 0) check(edge - 1);
    }
    check(kCountMask);
    check(0);
  }
  CHECK(holds);
}

// The same history on two entries, one of them a few admissions before its count fills its field:
// the set back count makes no difference.
void full_count(std::uint64_t seed, std::uint64_t capacity) {
  const Window window = window_for(capacity, 60'000);
  Random random(seed);
  const std::uint64_t turn = window.block * window.ring;
  // As far in its turn as a young entry, with that one's stamps.
  const std::uint64_t high = (kCountMask - capacity - 2 * turn) / turn * turn;
  Entry young;
  std::uint64_t now = kStartMs;
  for (std::uint64_t i = 0; i < capacity + turn; ++i) {
    now += 2 * window.length_ms / capacity + 1;  // slowly: a block is rejected early
    CHECK(young.admit(window, now).kind == Verdict::kAdmitted);
  }
  Entry old = young;
  old.words()[kHeadWord].store(
      opened(0, high + weir::counters::count_of(young.words()[kHeadWord].load())));
  std::uint64_t smallest = kCountMask;
  for (std::uint64_t i = 0; i < 6 * turn + 100; ++i) {
    now += step_ms(random, window);
    const Verdict one = young.admit(window, now);
    const Verdict other = old.admit(window, now);
    const std::uint64_t count = weir::counters::count_of(old.words()[kHeadWord].load());
    if (count < smallest) smallest = count;
    const bool same = one.kind == other.kind && one.wait_ms == other.wait_ms;
    CHECK(same && count >= capacity && count < kCountMask);
    if (!same) return;
  }
  CHECK(smallest < high);  // it was set back on the way
}

}  // namespace

int main() {
  entry_sizes();
  slots_of_large_numbers();
  for (const std::uint64_t capacity : {1, 5, 13, 61, 62, 200}) full_count(capacity, capacity);
  random_histories();
  return weir::test::finish();
}
