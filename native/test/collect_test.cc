// Proves that limiters come and go: tens of thousands of them in one file, their space collected
// when nobody has touched them for their window and a time of grace, and used again; a process that
// is killed while it collects leaves nothing that the next one can't finish; a limiter that was
// collected under somebody who has it open is bound again.
#include <algorithm>
#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "check.h"
#include "counters/effort.h"
#include "counters/file_view.h"
#include "counters/processes.h"
#include "counters/scene.h"
#include "counters/temporary_directory.h"

namespace {

using weir::counters::PageType;
using weir::counters::Statistics;
using weir::counters::Verdict;
using namespace weir::test;

constexpr std::uint64_t kWindowMs = 1'000;
// More than the window and the grace.
constexpr std::uint64_t kForgottenMs = 200'000;
constexpr std::size_t kBytesMax = 512 * kSegment;
constexpr std::uint64_t kKeysEach = 3;

LimiterSpec spec_of(const std::string& generation, std::uint64_t number) {
  // Of every entry size.
  constexpr std::uint64_t kCapacities[] = {2, 10, 20, 100};
  return {generation + std::to_string(number), kCapacities[number % 4], kWindowMs, 100};
}

// Opens so many limiters and admits a few keys to each.
void come(Party& party, const std::string& generation, std::uint64_t count) {
  bool all = true;
  for (std::uint64_t i = 0; i < count && all; ++i) {
    const LimiterSpec spec = spec_of(generation, i);
    const auto limiter =
        party.counters().open_limiter(spec.identity, spec.capacity, spec.window_ms, spec.keys_max);
    all = limiter != nullptr;
    for (std::uint64_t key = 0; all && key < kKeysEach; ++key) {
      all = party.admit(*limiter, key).kind == Verdict::kAdmitted;
    }
  }
  CHECK(all);
}

bool collect_all(Counters& counters, std::uint64_t budget) {
  for (int i = 0; i < 1'000'000; ++i) {
    if (counters.collect(budget)) return true;
  }
  return false;
}

std::uint64_t pages_of_entries(const FileView& file) {
  std::uint64_t count = 0;
  for (std::uint64_t page = 0; page < file.pages(); ++page) {
    count += file.is_handed_out(page) && file.is_owned(page) && file.record_of(page) != 0;
  }
  return count;
}

std::size_t made_for_entries(const std::vector<PageType>& types) {
  return static_cast<std::size_t>(std::count_if(types.begin(), types.end(), [](PageType type) {
    return type >= PageType::kEntries64 && type <= PageType::kEntries512;
  }));
}

// No page has become one of another type, but those that were untouched.
bool types_are_kept(const std::vector<PageType>& before, const std::vector<PageType>& after) {
  for (std::size_t page = 0; page < before.size(); ++page) {
    if (before[page] != PageType::kUntouched && before[page] != after[page]) return false;
  }
  return before.size() <= after.size();
}

void tens_of_thousands(std::uint64_t limiters) {
  const TemporaryDirectory directory;
  const std::string path = directory.file();
  std::uint64_t bytes = 0;
  {
    Party party(as_owner(frozen_at(path, kBootMs, kBytesMax)), {"stays", 5, 3'600'000, 100});
    for (int i = 0; i < 5; ++i) CHECK(party.admits(1));
    come(party, "first ", limiters);
    const Statistics all = party.counters().statistics();
    CHECK(all.limiters == limiters + 1 && all.live == limiters * kKeysEach + 1);
    bytes = all.bytes;
    std::printf("%" PRIu64 " limiters: %" PRIu64 " bytes\n", limiters, bytes);
    const std::vector<PageType> types = FileView(path).types();

    // Within window and grace nothing is taken from anybody.
    party.set_clock(kBootMs + kWindowMs + 100'000);
    CHECK(collect_all(party.counters(), 10'000));
    CHECK(party.counters().statistics().limiters == limiters + 1);

    party.set_clock(kBootMs + kForgottenMs);
    party.counters().touch(party.limiter());
    CHECK(collect_all(party.counters(), 10'000));
    CHECK(party.counters().statistics().limiters == 1 && party.counters().statistics().live == 1);
    CHECK(pages_of_entries(FileView(path)) == 1);
    CHECK(!party.admits(1));

    come(party, "second ", limiters);
    CHECK(party.counters().statistics().limiters == limiters + 1);
    // Not a page of entries more; records are where their limiter's hash has them.
    const std::uint64_t grown = party.counters().statistics().bytes;
    std::printf("%" PRIu64 " others: %" PRIu64 " bytes\n", limiters, grown);
    CHECK(made_for_entries(FileView(path).types()) == made_for_entries(types));
    CHECK(types_are_kept(types, FileView(path).types()));
    bytes = grown;
  }
  // Nobody has it open: the next owner puts it in order.
  Party owner(as_owner(frozen_at(path, kBootMs + 2 * kForgottenMs, kBytesMax)),
              {"stays", 5, 3'600'000, 100});
  CHECK(owner.counters().statistics().limiters == 1);
  CHECK(!owner.admits(1));
  std::printf("put in order: %" PRIu64 " bytes\n", owner.counters().statistics().bytes);
  CHECK(owner.counters().statistics().bytes < bytes / 2);
  CHECK(std::filesystem::file_size(path) == owner.counters().statistics().bytes);
}

// A budget of any size gets round.
void small_budgets() {
  for (const std::uint64_t budget : {0, 1, 16, 17, 100}) {
    const TemporaryDirectory directory;
    Party party(as_owner(frozen_at(directory.file())), {"stays", 5, 3'600'000, 100});
    come(party, "gone ", 50);
    party.set_clock(kBootMs + kForgottenMs);
    CHECK(collect_all(party.counters(), budget));
    CHECK(party.counters().statistics().limiters == 1);
  }
}

// Killed again and again in the middle of it, at any instruction; the next one goes on.
void killed_while_collecting() {
  constexpr std::uint64_t kLimiters = 300;
  const TemporaryDirectory directory;
  const std::string path = directory.file();
  const auto options = frozen_at(path, kBootMs, kBytesMax);
  // Who is to collect must be no one who stays.
  open_or_exit(as_owner(options));
  Party party(options, {"stays", 5, 3'600'000, 100});
  CHECK(party.admits(1));
  Shared<std::atomic<std::uint64_t>> rounds;
  unsigned unfinished = 0;
  for (std::uint64_t kills = 0; kills < 40; ++kills) {
    come(party, std::to_string(kills) + " gone ", kLimiters);
    rounds->store(0);
    const pid_t child = start_process([&] {
      const auto counters = open_or_exit(options);
      counters->set_manual_clock(kBootMs + kForgottenMs);
      for (;;) {
        counters->collect(0);
        rounds->fetch_add(1);
      }
      return 0;
    });
    // Once it has come some way; it does not wait for the signal.
    CHECK(eventually([&] { return rounds->load() > kills % 4; }));
    kill(child, SIGKILL);
    CHECK(WIFSIGNALED(end_of(child)));
    unfinished += party.counters().statistics().limiters > 1;
  }
  std::printf("killed 40 times, %u times before it was done\n", unfinished);
  CHECK(unfinished > 0);
  party.set_clock(kBootMs + kForgottenMs);
  party.counters().touch(party.limiter());
  CHECK(collect_all(party.counters(), 10'000));
  CHECK(party.counters().statistics().limiters == 1 && party.counters().statistics().live == 1);
  CHECK(pages_of_entries(FileView(path)) == 1);
  const std::uint64_t bytes = party.counters().statistics().bytes;
  come(party, "0 gone ", kLimiters);
  CHECK(party.counters().statistics().bytes == bytes);
}

void bound_again() {
  const TemporaryDirectory directory;
  const std::string path = directory.file();
  const LimiterSpec spec{"stopped", 5, kWindowMs, 100};
  Party collector(as_owner(frozen_at(path)), {"stays", 5, 3'600'000, 100});
  Party stopped(frozen_at(path), spec);
  for (int i = 0; i < 5; ++i) CHECK(stopped.admits(1));
  collector.set_clock(kBootMs + kForgottenMs);
  CHECK(collect_all(collector.counters(), 10'000));
  // It goes on with its limiter, and with all others who open it.
  stopped.set_clock(kBootMs + kForgottenMs);
  CHECK(!stopped.limiter().is_leased(stopped.counters().now()));
  CHECK(stopped.admits(1));
  CHECK(stopped.limiter().is_leased(stopped.counters().now()));
  Party other(frozen_at(path, kBootMs + kForgottenMs), spec);
  for (int i = 0; i < 2; ++i) CHECK(stopped.admits(1) && other.admits(1));
  CHECK(!stopped.admits(1) && !other.admits(1));
}

// A process that stands still in the middle of a decision until its limiter is collected and the
// page is another's: it must not take that one's places, whose keys it would judge by its own rate.
void stopped_while_deciding() {
  const TemporaryDirectory directory;
  const std::string path = directory.file();
  const LimiterSpec spec{"stopped", 5, kWindowMs, 8};
  Party stopped(as_owner(frozen_at(path)), spec);
  CHECK(stopped.admits(1));
  const std::uint64_t now = stopped.counters().now();

  const LimiterSpec next{"next", 3, 3'600'000, 8};
  Party other(frozen_at(path, kBootMs + kForgottenMs), {"any", 100, kWindowMs, 8});
  stopped.set_clock(kBootMs + kForgottenMs);
  CHECK(collect_all(stopped.counters(), 10'000));
  const auto limiter = Party::limiter_of(other.counters(), next);
  for (std::uint64_t key = 0; key < 8; ++key) {
    for (int i = 0; i < 3; ++i) CHECK(other.admit(*limiter, key).kind == Verdict::kAdmitted);
  }
  CHECK(made_for_entries(FileView(path).types()) == 2);
  // It had its lease and had read the clock; now it goes on.
  for (std::uint64_t key = 1; key < 20; ++key) {
    CHECK(stopped.limiter().admit(stopped.hash(stopped.limiter(), key), now).kind ==
          Verdict::kGone);
  }
  CHECK(!stopped.limiter().is_leased(now));
  for (std::uint64_t key = 0; key < 8; ++key) {
    CHECK(other.admit(*limiter, key).kind == Verdict::kRejected);
  }
  CHECK(other.counters().statistics().evicted == 0);
  CHECK(stopped.admits(1));
}

}  // namespace

int main(int count, char** arguments) {
  tens_of_thousands(count > 1 ? std::strtoull(arguments[1], nullptr, 10) : effort(30'000));
  small_budgets();
  killed_while_collecting();
  bound_again();
  stopped_while_deciding();
  return finish();
}
