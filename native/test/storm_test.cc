// Proves that processes which are stopped or killed at any instruction harm nobody: no key is ever
// admitted more often than its capacity in any window, the others go on and come to their end, no
// key gets two cells, and the file is sound afterwards. How long the slowest decision of those took
// that were left alone is printed, not asserted. Usage: storm_test [seconds [seed]].
//
// An admission is written down after it was made, under the clock that it was made by. One whose
// process was killed in between is missing: that can hide an error but never make one up.
#include "counters/storm.h"

#include <algorithm>
#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "check.h"
#include "counters/crowd.h"
#include "counters/temporary_directory.h"

namespace {

using weir::counters::Statistics;
using weir::counters::Verdict;
using namespace weir::test;

constexpr std::uint64_t kWindowMs = 1'000;
constexpr std::uint64_t kKeys = 6;
constexpr std::size_t kAdmissionsMax = 1 << 20;
constexpr unsigned kSpared = 2;
constexpr unsigned kExposed = 6;

// All but the last have room for their keys; the last one's table is flooded.
const LimiterSpec kSpecs[] = {
    {"one", 1, kWindowMs, 500},        {"five", 5, kWindowMs, 500},
    {"sixty-one", 61, kWindowMs, 500}, {"thousand", 1'000, kWindowMs, 500},
    {"flooded", 2, kWindowMs, 32},
};
constexpr std::size_t kFlooded = std::size(kSpecs) - 1;

struct Admission {
  std::atomic<std::uint64_t> ms;  // 0: not written, its process was killed
  std::atomic<std::uint64_t> limiter;
  std::atomic<std::uint64_t> key;
};

struct Board {
  std::atomic<bool> is_over;
  std::atomic<std::uint64_t> seed;
  std::atomic<std::uint64_t> admissions;
  std::atomic<std::uint64_t> spared_decisions;
  std::atomic<std::uint64_t> slowest_ns;
};

CountersOptions options_for(const std::string& path) {
  CountersOptions options;
  options.path = path;
  options.bytes_max = 64 * kSegment;
  return options;
}

class Worker {
 public:
  Worker(const std::string& path, Board& board, Admission* admissions)
      : board_(board),
        admissions_(admissions),
        party_(options_for(path), kSpecs[0]),
        random_(board.seed.fetch_add(1)) {
    for (const LimiterSpec& spec : kSpecs) {
      limiters_.push_back(Party::limiter_of(party_.counters(), spec));
    }
  }

  int run(bool is_spared) {
    std::uint64_t decisions = 0;
    std::uint64_t slowest_ns = 0;
    bool in_range = true;
    for (; !board_.is_over.load(std::memory_order_relaxed); ++decisions) {
      const auto before = std::chrono::steady_clock::now();
      in_range = decide() && in_range;
      const std::chrono::nanoseconds taken = std::chrono::steady_clock::now() - before;
      slowest_ns = std::max(slowest_ns, static_cast<std::uint64_t>(taken.count()));
    }
    if (!is_spared) return in_range ? 0 : 1;
    board_.spared_decisions.fetch_add(decisions);
    std::uint64_t seen = board_.slowest_ns.load();
    while (seen < slowest_ns && !board_.slowest_ns.compare_exchange_weak(seen, slowest_ns)) {
    }
    return in_range && decisions > 0 ? 0 : 1;
  }

 private:
  bool decide() {
    const std::size_t at = random_.below(std::size(kSpecs));
    OpenLimiter& limiter = *limiters_[at];
    const std::uint64_t key = at == kFlooded ? random_.below(400) : random_.below(kKeys);
    const std::uint64_t now = party_.counters().now();
    const Verdict verdict = party_.counters().admit(limiter, party_.hash(limiter, key), now);
    if (verdict.kind != Verdict::kAdmitted) {
      return verdict.wait_ms >= 1 && verdict.wait_ms <= kWindowMs;
    }
    if (at != kFlooded) write_down(at, key, now);
    return true;
  }

  void write_down(std::size_t limiter, std::uint64_t key, std::uint64_t now) {
    const std::uint64_t index = board_.admissions.fetch_add(1);
    if (index >= kAdmissionsMax) return;
    admissions_[index].limiter.store(limiter);
    admissions_[index].key.store(key);
    admissions_[index].ms.store(now);
  }

  Board& board_;
  Admission* admissions_;
  Party party_;
  Random random_;
  std::vector<std::unique_ptr<OpenLimiter>> limiters_;
};

void never_more_than_the_capacity(const Board& board, const Shared<Admission>& admissions) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<std::uint64_t>> times;
  CHECK(board.admissions.load() <= kAdmissionsMax);
  const std::size_t count = std::min<std::size_t>(board.admissions.load(), kAdmissionsMax);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t ms = admissions[i].ms.load();
    if (ms != 0) times[{admissions[i].limiter.load(), admissions[i].key.load()}].push_back(ms);
  }
  CHECK(times.size() == kFlooded * kKeys);  // every key was admitted
  for (auto& [key, all] : times) {
    std::sort(all.begin(), all.end());
    const std::size_t capacity = kSpecs[key.first].capacity;
    bool holds = true;
    for (std::size_t i = capacity; i < all.size(); ++i) {
      holds = holds && all[i] - all[i - capacity] >= kWindowMs;
    }
    CHECK(holds);
  }
}

// Nobody has it open any more.
void sound_afterwards(const std::string& path, unsigned kills) {
  CHECK(keys_are_unique(path));
  const std::uint64_t open = FileView(path).cells().size();
  std::printf("%zu tentative cells left behind\n",
              FileView(path).cells(weir::counters::State::kTentative).size());
  Party owner(as_owner(options_for(path)), kSpecs[0]);
  const Statistics statistics = owner.counters().statistics();
  CHECK(statistics.limiters == std::size(kSpecs));
  // Each process that was killed may have left one uncounted.
  CHECK(statistics.live <= open + kills && open <= statistics.live + kills);
  CHECK(statistics.evicted > 0);
  for (const LimiterSpec& spec : kSpecs) {
    const auto limiter = Party::limiter_of(owner.counters(), spec);
    // In the flooded one as soon as one of those that are limited is not.
    CHECK(eventually([&] { return owner.admit(*limiter, 1'000'000).kind == Verdict::kAdmitted; }));
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::uint64_t seconds = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 4;
  const std::uint64_t seed = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1;
  const TemporaryDirectory directory;
  const std::string path = directory.file();
  open_or_exit(as_owner(options_for(path)));
  const Shared<Board> board;
  const Shared<Admission> admissions(kAdmissionsMax);
  board->seed = seed * 1'000'000;
  Random random(seed);
  Storm storm(kSpared, kExposed,
              [&](bool is_spared) { return Worker(path, *board, &admissions[0]).run(is_spared); });
  storm.rage(std::chrono::seconds(seconds), random);
  CHECK(storm.calm([&] { board->is_over.store(true); }));
  std::printf("%u stops and goes, %u kills; %" PRIu64 " admissions; %" PRIu64
              " decisions of those left alone, the slowest %.3f ms\n",
              storm.stops(), storm.kills(), board->admissions.load(),
              board->spared_decisions.load(), static_cast<double>(board->slowest_ns.load()) / 1e6);
  never_more_than_the_capacity(*board, admissions);
  sound_afterwards(path, storm.kills());
  if (failures > 0) std::fprintf(stderr, "seed %" PRIu64 "\n", seed);
  return finish();
}
