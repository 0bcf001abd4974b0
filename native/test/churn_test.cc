// Proves what holds while keys come, expire, are evicted and come back in a table far smaller than
// all of them, under several threads: a key never has two open cells, what the limiter says it
// keeps is what it keeps, and a key over its limit is not forgotten before its window has passed.
#include <algorithm>
#include <atomic>
#include <cinttypes>
#include <cstdio>

#include "check.h"
#include "counters/crowd.h"
#include "counters/random.h"
#include "counters/temporary_directory.h"

namespace {

using weir::counters::State;
using weir::counters::Verdict;
using weir::test::as_owner;
using weir::test::Crowd;
using weir::test::FileView;
using weir::test::frozen_at;
using weir::test::kBootMs;
using weir::test::LimiterSpec;
using weir::test::Party;
using weir::test::Random;
using weir::test::TemporaryDirectory;

constexpr unsigned kThreads = 4;
using Clock = std::atomic<std::uint64_t>;

// Time goes on now and then; whoever read it before may come late.
std::uint64_t pass_time(Clock& clock, Random& random, Party& party) {
  if (random.one_in(64)) clock.fetch_add(random.between(1, 20));
  const std::uint64_t now = clock.load();
  party.set_clock(now);
  return now;
}

// Few keys that take the places of each other, some of which expire: most decisions place a key.
void unique_keys(const std::string& path, std::uint64_t keys_max, std::uint64_t capacity) {
  const LimiterSpec spec{"unique " + std::to_string(keys_max) + " " + std::to_string(capacity),
                         capacity, 1'000, keys_max};
  Crowd crowd(frozen_at(path), spec, kThreads);
  Clock clock{kBootMs};
  std::atomic<unsigned> out_of_range{0};
  for (std::uint64_t round = 0; round < 24; ++round) {
    crowd.round([&](Party& party, unsigned number) {
      Random random(round * kThreads + number + 1);
      for (int i = 0; i < 3'000; ++i) {
        pass_time(clock, random, party);
        const Verdict verdict = party.admit(random.below(keys_max * 2));
        const bool waits = verdict.wait_ms >= 1 && verdict.wait_ms <= spec.window_ms;
        if (verdict.kind != Verdict::kAdmitted && !waits) out_of_range.fetch_add(1);
      }
    });
    CHECK(weir::test::keys_are_unique(path));
    CHECK(out_of_range.load() == 0);
  }
}

// Over all limiters of the file, at a quiet point.
void live_is_what_is_kept(const std::string& path, weir::counters::Counters& counters) {
  const FileView file(path);
  const std::uint64_t open = file.cells().size();
  CHECK(counters.statistics().live == open);
  std::printf("%" PRIu64 " open cells, %zu tentative ones left behind\n", open,
              file.cells(State::kTentative).size());
}

// Some keys reach their limit at one time; then a flood, while the clock goes on to the end of
// their window. They are asked for all the while, on all threads.
void limited_keys_stay(const std::string& path, std::uint64_t keys_max, std::uint64_t seed) {
  constexpr std::uint64_t kCapacity = 3;
  constexpr std::uint64_t kLimitedKeys = 5;
  constexpr std::uint64_t kFirstFloodKey = 1'000;
  const LimiterSpec spec{"limited " + std::to_string(keys_max), kCapacity, 10'000, keys_max};
  Crowd crowd(frozen_at(path), spec, kThreads);
  for (std::uint64_t key = 0; key < kLimitedKeys; ++key) {
    for (std::uint64_t i = 0; i < kCapacity; ++i) CHECK(crowd.party(0).admits(key));
  }
  Clock clock{kBootMs};
  std::atomic<unsigned> wrong{0};
  std::atomic<unsigned> asked{0};
  crowd.round([&](Party& party, unsigned number) {
    Random random(seed + number);
    // Nobody's clock gets to the end of the window before all are done.
    const std::uint64_t end = kBootMs + spec.window_ms;
    while (clock.load() < end) {
      const std::uint64_t now = std::min(pass_time(clock, random, party), end - 1);
      party.set_clock(now);
      if (!random.one_in(4)) {
        party.admit(kFirstFloodKey + random.below(keys_max * 20));
        continue;
      }
      const Verdict verdict = party.admit(random.below(kLimitedKeys));
      asked.fetch_add(1);
      if (verdict.kind != Verdict::kRejected || verdict.wait_ms != end - now) wrong.fetch_add(1);
    }
  });
  CHECK(asked.load() > 0 && wrong.load() == 0);
  crowd.party(0).set_clock(kBootMs + spec.window_ms);
  for (std::uint64_t key = 0; key < kLimitedKeys; ++key) CHECK(crowd.party(0).admits(key));
  CHECK(weir::test::keys_are_unique(path));
  if (wrong.load() > 0) std::fprintf(stderr, "seed %" PRIu64 "\n", seed);
}

}  // namespace

int main() {
  const TemporaryDirectory directory;
  const std::string path = directory.file();
  const auto owner = weir::test::open_or_exit(as_owner(frozen_at(path)));
  for (const std::uint64_t keys_max : {16, 64}) {
    for (const std::uint64_t capacity : {1, 4, 1'000}) unique_keys(path, keys_max, capacity);
    live_is_what_is_kept(path, *owner);
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      limited_keys_stay(path, keys_max + seed * 8, seed * 100);
    }
    live_is_what_is_kept(path, *owner);
  }
  CHECK(owner->statistics().evicted > 0);
  return weir::test::finish();
}
