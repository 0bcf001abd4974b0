// Proves that requests that are worth several admissions get all of them or none: as the exact
// sliding log decides where an entry holds a stamp for each, within a block of it where it does
// not; exactly the capacity from several threads and processes under a clock that stands still.
// That what a decision says of the room is what the log says, and never more. That one may ask
// without counting, count what has happened whether there was room or not, forget a key, and that
// what was decided is added up over all.
#include <algorithm>
#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <thread>
#include <vector>

#include "check.h"
#include "counters/processes.h"
#include "counters/random.h"
#include "counters/scene.h"
#include "counters/sliding_log.h"
#include "counters/temporary_directory.h"

namespace {

using weir::counters::Ask;
using weir::counters::Room;
using namespace weir::test;

constexpr std::uint64_t kKey = 1;

// A limiter whose requests may be worth up to `cost_max`.
class Shop {
 public:
  Shop(const CountersOptions& options, std::uint64_t capacity, std::uint64_t cost_max,
       std::uint64_t window_ms = 60'000, std::uint64_t keys_max = 1'000)
      : counters_(open_or_exit(options)),
        limiter_(counters_->open_limiter("shop", capacity, window_ms, keys_max, cost_max)) {}

  auto hash(std::uint64_t key) const {
    unsigned char bytes[8];
    weir::store_little_endian(key, bytes);
    return counters_->hash(*limiter_, bytes, sizeof bytes);
  }

  Verdict ask(std::uint64_t key, std::uint64_t cost, bool is_counted = true,
              bool is_forced = false) {
    return counters_->admit(*limiter_, hash(key), counters_->now(),
                            Ask{cost, is_counted, is_forced, &room_});
  }
  bool admits(std::uint64_t key, std::uint64_t cost) {
    return ask(key, cost).kind == Verdict::kAdmitted;
  }
  Verdict would(std::uint64_t key) {
    return counters_->admit(*limiter_, hash(key), counters_->now(),
                            Ask{1, false, false, &room_, true});
  }
  bool forget(std::uint64_t key) { return counters_->forget(*limiter_, hash(key)); }
  const Room& room() const { return room_; }
  Counters& counters() { return *counters_; }
  OpenLimiter& limiter() { return *limiter_; }

 private:
  std::unique_ptr<Counters> counters_;
  std::unique_ptr<OpenLimiter> limiter_;
  Room room_{};
};

// One decision beside the log's.
bool step(Shop& shop, SlidingLog& log, Random& random, std::uint64_t now) {
  const auto& window = shop.limiter().window();
  const std::uint64_t cost = random.between(1, window.cost_max);
  const bool only_asks = random.one_in(4);
  const bool is_forced = !only_asks && random.one_in(20);
  const std::uint64_t exact_ms = log.wait_ms(now, cost);
  const Verdict verdict = shop.ask(kKey, cost, !only_asks, is_forced);
  const bool is_admitted = verdict.kind == Verdict::kAdmitted;
  if (is_forced != (is_forced && is_admitted)) return false;
  if (is_admitted && exact_ms > 0 && !is_forced) return false;  // more than the capacity
  if (is_admitted && !only_asks) log.admit(now, cost);
  if (!is_admitted && log.in_window(now) + cost + window.block - 1 <= window.capacity) return false;
  const std::uint64_t remaining = log.remaining(now);
  const Room& room = shop.room();
  if (window.block > 1) {
    // Never more than there is, and a block less at most.
    return room.remaining <= remaining && remaining - room.remaining < window.block;
  }
  if (!is_admitted && verdict.wait_ms != exact_ms) return false;
  const std::uint64_t frees_ms = remaining == window.capacity ? 0 : log.wait_ms(now, remaining + 1);
  return room.remaining == remaining && room.frees_ms == frees_ms;
}

void histories(std::uint64_t capacity, std::uint64_t cost_max, unsigned steps) {
  constexpr std::uint64_t kWindowMs = 1'000;
  Shop shop(frozen_at(""), capacity, cost_max, kWindowMs);
  SlidingLog log(capacity, kWindowMs);
  Random random(capacity * 1'000 + cost_max);
  std::uint64_t now = kBootMs;
  bool holds = true;
  for (unsigned i = 0; i < steps && holds; ++i) {
    if (random.one_in(3)) now += random.below(2 * kWindowMs * cost_max / capacity + 2);
    if (random.one_in(40)) now += kWindowMs;
    shop.counters().set_manual_clock(now);
    holds = step(shop, log, random, shop.counters().now());
  }
  CHECK(holds);
  if (!holds) {
    std::fprintf(stderr, "capacity %" PRIu64 ", cost up to %" PRIu64 "\n", capacity, cost_max);
  }
}

void random_histories() {
  for (const std::uint64_t capacity : {1, 2, 3, 5, 7, 13, 14, 29, 31, 61, 62, 100, 1'000, 5'000}) {
    for (const std::uint64_t cost_max : {std::uint64_t{1}, capacity / 3, capacity / 2, capacity}) {
      if (cost_max > 0) histories(capacity, cost_max, capacity > 500 ? 1'500 : 4'000);
    }
  }
}

// The largest numbers there may be, on a count that is set back on the way.
void large_numbers() {
  constexpr std::uint64_t kCapacity = 2'000'000'000;
  Shop shop(frozen_at(""), kCapacity, kCapacity, 1'000);
  std::uint64_t now = kBootMs;
  bool holds = true;
  for (int i = 0; i < 600 && holds; ++i) {
    shop.counters().set_manual_clock(now);
    holds = shop.admits(kKey, kCapacity) && shop.room().remaining == 0 && !shop.admits(kKey, 1);
    now += 999;
    shop.counters().set_manual_clock(now);
    holds = holds && !shop.admits(kKey, 1);
    ++now;
  }
  CHECK(holds);
}

// Asks for random costs until not even one more is admitted; what it got.
std::uint64_t taken_until_full(Shop& shop, std::uint64_t key, std::uint64_t seed) {
  Random random(seed);
  std::uint64_t taken = 0;
  for (;;) {
    const std::uint64_t cost = random.between(1, shop.limiter().window().cost_max);
    if (shop.admits(key, cost)) {
      taken += cost;
      if (shop.room().remaining > shop.limiter().window().capacity - cost) return ~std::uint64_t{0};
    } else if (shop.room().remaining >= cost) {
      return ~std::uint64_t{0};
    } else if (!shop.admits(key, 1)) {
      return taken;
    } else {
      ++taken;
    }
  }
}

constexpr unsigned kAtOnce = 4;

void processes_take_all(const std::string& path, std::uint64_t capacity, std::uint64_t cost_max) {
  constexpr std::uint64_t kKeys = 200;
  Shared<std::atomic<std::uint64_t>> taken(kKeys);
  std::vector<pid_t> children;
  for (unsigned i = 0; i < kAtOnce; ++i) {
    children.push_back(start_process([&, i] {
      Shop shop(frozen_at(path), capacity, cost_max);
      for (std::uint64_t key = 0; key < kKeys; ++key) {
        taken[key].fetch_add(taken_until_full(shop, key, i + 1));
      }
      return 0;
    }));
  }
  for (const pid_t child : children) CHECK(succeeded(end_of(child)));
  for (std::uint64_t key = 0; key < kKeys; ++key) CHECK(taken[key].load() == capacity);
}

void threads_take_all(const std::string& path, std::uint64_t capacity, std::uint64_t cost_max) {
  constexpr std::uint64_t kKeys = 200;
  std::vector<std::atomic<std::uint64_t>> taken(kKeys);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kAtOnce; ++i) {
    threads.emplace_back([&, i] {
      Shop shop(frozen_at(path), capacity, cost_max);
      for (std::uint64_t key = 0; key < kKeys; ++key) {
        taken[key].fetch_add(taken_until_full(shop, 10'000 + key, i + 1));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::uint64_t key = 0; key < kKeys; ++key) CHECK(taken[key].load() == capacity);
}

// A key that nobody has asked for is not made by asking; one that is full is free again when it is
// forgotten, for all who have the file open.
void asking_and_forgetting(const std::string& path) {
  Shop shop(frozen_at(path), 9, 3);
  Shop other(frozen_at(path), 9, 3);
  const auto live = [&] { return shop.counters().statistics().live; };
  const std::uint64_t before = live();
  CHECK(other.ask(77, 3, false).kind == Verdict::kAdmitted && other.room().remaining == 9);
  CHECK(!other.forget(77) && live() == before);
  for (int i = 0; i < 3; ++i) CHECK(shop.admits(77, 3));
  CHECK(other.ask(77, 1, false).kind == Verdict::kRejected && other.room().remaining == 0);
  CHECK(other.room().frees_ms == 60'000);
  CHECK(other.forget(77) && !other.forget(77) && live() == before);
  CHECK(shop.admits(77, 3) && shop.room().remaining == 6);
}

// What has happened is counted beyond the capacity, too, and keeps others out for a window.
// Who asks as if it were counted hears what it would hear, also where there is no room for its key.
void asking_for_a_place() {
  Shop shop(frozen_at(""), 1, 1, 60'000, 16);
  const auto seen = [&] { return shop.counters().statistics(); };
  unsigned turned_away = 0;
  for (std::uint64_t key = 0; key < 200; ++key) {
    const auto before = seen();
    const Verdict told = shop.would(key);
    const Room room = shop.room();
    CHECK(shop.ask(key, 1, false).kind == Verdict::kAdmitted);
    CHECK(seen().full == before.full && seen().live == before.live);
    const Verdict verdict = shop.ask(key, 1);
    CHECK(told.kind == verdict.kind && told.wait_ms == verdict.wait_ms);
    if (verdict.kind == Verdict::kAdmitted) continue;
    CHECK(room.remaining == 0 && room.frees_ms == verdict.wait_ms);
    ++turned_away;
  }
  CHECK(turned_away > 100);
}

void counting_what_has_happened() {
  Shop shop(frozen_at(""), 2, 1);
  for (int i = 0; i < 5; ++i) {
    CHECK(shop.ask(kKey, 1, true, true).kind == Verdict::kAdmitted);
    CHECK(shop.room().remaining == (i == 0 ? 1 : 0));
  }
  CHECK(shop.ask(kKey, 1, false).kind == Verdict::kRejected);
  shop.counters().set_manual_clock(kBootMs + 59'999);
  CHECK(shop.ask(kKey, 1, false).kind == Verdict::kRejected);
  shop.counters().set_manual_clock(kBootMs + 60'000);
  CHECK(shop.ask(kKey, 1, false).kind == Verdict::kAdmitted && shop.room().remaining == 2);
}

void totals(const std::string& path) {
  Shop one(frozen_at(path), 7, 7);
  Shop two(frozen_at(path), 7, 7);
  const auto note = [](Shop& shop, std::uint64_t cost) {
    shop.limiter().tally(shop.ask(500, cost).kind);
  };
  note(one, 5);
  note(two, 5);
  note(two, 2);
  one.limiter().report();
  one.limiter().report();
  two.limiter().report();
  const auto read = two.limiter().totals();
  CHECK(read.live == 1 && read.admitted == 2 && read.rejected == 1);
  // A limiter that nobody has made is not made by looking for it.
  CHECK(one.counters().find_limiter("nobody's", 7, 60'000, 1'000, 7) == nullptr);
  const auto found = one.counters().find_limiter("shop", 7, 60'000, 1'000, 7);
  CHECK(found != nullptr && found->totals().admitted == 2);
}

}  // namespace

int main() {
  const TemporaryDirectory directory;
  const std::string path = directory.file();
  const auto owner = open_or_exit(as_owner(frozen_at(path)));
  // Processes first: a program with threads may not fork.
  processes_take_all(path, 10, 10);
  processes_take_all(path, 1'000, 7);
  threads_take_all(path, 61, 61);
  threads_take_all(path, 1'001, 1'001);
  asking_and_forgetting(path);
  asking_for_a_place();
  totals(path);
  counting_what_has_happened();
  random_histories();
  large_numbers();
  return finish();
}
