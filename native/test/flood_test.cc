// Proves what a flood of distinct keys does and what it does not: every key is accounted for as
// kept, evicted or turned away; memory stops growing; another limiter's keys are left alone.
#include <atomic>
#include <cinttypes>
#include <cstdio>

#include "check.h"
#include "counters/crowd.h"
#include "counters/temporary_directory.h"

namespace {

using weir::counters::Counters;
using weir::counters::PageType;
using weir::counters::Statistics;
using weir::counters::Verdict;
using weir::test::as_owner;
using weir::test::Crowd;
using weir::test::FileView;
using weir::test::frozen_at;
using weir::test::kBootMs;
using weir::test::LimiterSpec;
using weir::test::Party;
using weir::test::TemporaryDirectory;

constexpr unsigned kThreads = 4;
constexpr std::uint64_t kFloodKeys = 20'000;

struct Outcome {
  std::atomic<std::uint64_t> admitted{0};
  std::atomic<std::uint64_t> rejected{0};
  std::atomic<std::uint64_t> wrong_waits{0};
};

// Every key once, under a clock that stands still. `first`: of the keys, none of which came before.
void flood(Crowd& crowd, std::uint64_t first, std::uint64_t window_ms, Outcome& outcome) {
  crowd.round([&](Party& party, unsigned number) {
    for (std::uint64_t i = 0; i < kFloodKeys / kThreads; ++i) {
      const Verdict verdict = party.admit(first + i * kThreads + number);
      if (verdict.kind == Verdict::kAdmitted) {
        outcome.admitted.fetch_add(1);
        continue;
      }
      outcome.rejected.fetch_add(1);
      if (verdict.wait_ms < 1 || verdict.wait_ms > window_ms) outcome.wrong_waits.fetch_add(1);
    }
  });
}

std::uint64_t owned_pages(const std::string& path) {
  const FileView file(path);
  std::uint64_t count = 0;
  for (std::uint64_t page = 0; page < file.pages(); ++page) {
    count += file.is_handed_out(page) && file.is_owned(page);
  }
  return count;
}

// Capacity 1: who is in is limited, nobody is evicted. More: nobody is limited, all come in.
void all_keys_are_accounted_for(std::uint64_t keys_max, std::uint64_t capacity) {
  const TemporaryDirectory directory;
  const std::string path = directory.file();
  const auto owner = weir::test::open_or_exit(as_owner(frozen_at(path)));
  const LimiterSpec spec{"flooded", capacity, 60'000, keys_max};
  Crowd crowd(frozen_at(path), spec, kThreads);
  Outcome outcome;
  flood(crowd, 0, spec.window_ms, outcome);
  const Statistics once = owner->statistics();
  const std::uint64_t pages = owned_pages(path);
  CHECK(outcome.admitted + outcome.rejected == kFloodKeys);
  CHECK(outcome.wrong_waits == 0);
  CHECK(once.live <= (keys_max + 7) / 8 * 8);
  CHECK(once.live == FileView(path).cells().size());
  CHECK(once.live + once.evicted == outcome.admitted);
  CHECK(once.full == outcome.rejected);
  CHECK(weir::test::keys_are_unique(path));
  CHECK(capacity == 1 ? once.evicted == 0 && once.full > 0 : once.evicted > 0 && once.full == 0);

  flood(crowd, kFloodKeys, spec.window_ms, outcome);
  const Statistics twice = owner->statistics();
  CHECK(twice.live + twice.evicted == outcome.admitted);
  CHECK(twice.full == outcome.rejected);
  CHECK(twice.bytes == once.bytes && owned_pages(path) == pages);
  std::printf("%" PRIu64 " keys at most, capacity %" PRIu64 ": %" PRIu64 " kept, %" PRIu64
              " evicted, %" PRIu64 " turned away\n",
              keys_max, capacity, twice.live, twice.evicted, twice.full);
}

// A table through all its tiers: it grows to its bound and no further, and is well filled then.
void grows_to_its_bound() {
  constexpr std::uint64_t kKeysMax = 12'000;
  const TemporaryDirectory directory;
  const std::string path = directory.file();
  const auto owner = weir::test::open_or_exit(as_owner(frozen_at(path)));
  const LimiterSpec spec{"large", 1, 60'000, kKeysMax};
  Crowd crowd(frozen_at(path), spec, kThreads);
  Outcome outcome;
  for (std::uint64_t i = 0; i < 2; ++i) flood(crowd, i * kFloodKeys, spec.window_ms, outcome);
  const Statistics statistics = owner->statistics();
  CHECK(statistics.live <= kKeysMax && statistics.live == outcome.admitted);
  CHECK(statistics.live > kKeysMax * 9 / 10);
  const std::uint64_t pages = owned_pages(path);
  // Entries, the way to them, the limiter's record.
  const auto shape = weir::counters::Shape::make(PageType::kEntries64, 8, kKeysMax);
  CHECK(pages <= shape.pages(0) + shape.pages(1) + shape.pages(2) + 2 + 1);
  flood(crowd, 2 * kFloodKeys, spec.window_ms, outcome);
  CHECK(owned_pages(path) == pages);
  CHECK(owner->statistics().live == outcome.admitted);
}

// One limiter's keys, one admission short of their limit, while two others are flooded.
void others_are_left_alone() {
  constexpr std::uint64_t kKeys = 20;
  const TemporaryDirectory directory;
  const std::string path = directory.file();
  const auto owner = weir::test::open_or_exit(as_owner(frozen_at(path)));
  Party quiet(frozen_at(path), {"quiet", 5, 60'000, 256});
  for (std::uint64_t key = 0; key < kKeys; ++key) {
    for (int i = 0; i < 4; ++i) CHECK(quiet.admits(key));
  }
  Outcome outcome;
  for (const std::uint64_t capacity : {1, 5}) {
    // The same identity but for its bound or capacity is another limiter.
    Crowd crowd(frozen_at(path), {"quiet", capacity, 60'000, 64}, kThreads);
    flood(crowd, 0, 60'000, outcome);
  }
  CHECK(owner->statistics().evicted > 0 && owner->statistics().full > 0);
  for (std::uint64_t key = 0; key < kKeys; ++key) {
    CHECK(quiet.admits(key));
    CHECK(!quiet.admits(key));
  }
}

// Where all are limited a newcomer waits for the first of them, wherever it is.
void waits_for_the_soonest() {
  const TemporaryDirectory directory;
  constexpr std::uint64_t kWindowMs = 60'000;
  Party party(as_owner(frozen_at(directory.file())), {"limited", 1, kWindowMs, 8});
  for (std::uint64_t key = 0; key < 8; ++key) {
    party.set_clock(kBootMs + key * 1'000);
    CHECK(party.admits(key));
  }
  party.set_clock(kBootMs + 8'000);
  for (std::uint64_t key = 8; key < 40; ++key) {
    const Verdict verdict = party.admit(key);
    CHECK(verdict.kind == Verdict::kRejected && verdict.wait_ms == kWindowMs - 8'000);
  }
  CHECK(party.counters().statistics().full == 32);
  party.set_clock(kBootMs + kWindowMs);
  CHECK(party.admits(40) && !party.admits(41));
}

// Where none is, the least recently admitted one is forgotten, and no other.
void forgets_the_least_recent() {
  for (std::uint64_t newcomer = 8; newcomer < 40; ++newcomer) {
    Party party(frozen_at(""), {"not limited", 2, 60'000, 8});
    for (std::uint64_t key = 0; key < 8; ++key) {
      party.set_clock(kBootMs + key * 1'000);
      CHECK(party.admits(key));
    }
    party.set_clock(kBootMs + 8'000);
    CHECK(party.admits(newcomer));
    CHECK(party.counters().statistics().evicted == 1);
    for (std::uint64_t key = 1; key < 8; ++key) CHECK(party.admits(key) && !party.admits(key));
    CHECK(party.counters().statistics().evicted == 1);
  }
}

}  // namespace

int main() {
  for (const std::uint64_t keys_max : {16, 64}) {
    for (const std::uint64_t capacity : {1, 5, 62}) all_keys_are_accounted_for(keys_max, capacity);
  }
  grows_to_its_bound();
  others_are_left_alone();
  waits_for_the_soonest();
  forgets_the_least_recent();
  return weir::test::finish();
}
