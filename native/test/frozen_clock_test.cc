// Proves that exactly the capacity is admitted, neither more nor less, however many threads and
// processes ask at once: under a clock that stands still nothing comes free again. On one key
// that all meet at, its first sight included, and on many keys at once.
#include <atomic>
#include <barrier>
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

#include "check.h"
#include "counters/processes.h"
#include "counters/random.h"
#include "counters/scene.h"
#include "counters/temporary_directory.h"

namespace {

using weir::test::as_owner;
using weir::test::frozen_at;
using weir::test::LimiterSpec;
using weir::test::Party;
using weir::test::Random;
using weir::test::Shared;
using weir::test::TemporaryDirectory;

constexpr unsigned kAtOnce = 4;
constexpr std::uint64_t kCapacities[] = {1, 2, 5, 61, 62, 1'000, 100'000};
using Count = std::atomic<std::uint64_t>;

// Asks until it is rejected, and once more: a rejected key stays so.
std::uint64_t admitted_until_rejected(Party& party, std::uint64_t key) {
  std::uint64_t admitted = 0;
  for (unsigned rejected = 0; rejected < 2;)
    party.admits(key) ? void(++admitted) : void(++rejected);
  return admitted;
}

std::uint64_t keys_for(std::uint64_t capacity) {
  return capacity > 10'000 ? 5 : capacity > 100 ? 100 : 2'000;
}

LimiterSpec spec_for(std::uint64_t capacity) {
  return {"capacity " + std::to_string(capacity), capacity, 60'000, 100'000};
}

void check_counts(const char* who, std::uint64_t capacity, const Count* admitted,
                  std::uint64_t keys) {
  for (std::uint64_t key = 0; key < keys; ++key) {
    CHECK(admitted[key].load() == capacity);
    if (admitted[key].load() == capacity) continue;
    std::fprintf(stderr, "%s: capacity %" PRIu64 ", key %" PRIu64 ": %" PRIu64 " admitted\n", who,
                 capacity, key, admitted[key].load());
  }
}

// All threads at one key, then all at the next.
void threads_on_one_key(const std::string& path, std::uint64_t capacity) {
  const std::uint64_t keys = keys_for(capacity);
  std::vector<Count> admitted(keys);
  std::barrier together(kAtOnce);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kAtOnce; ++i) {
    threads.emplace_back([&] {
      Party party(frozen_at(path), spec_for(capacity));
      for (std::uint64_t key = 0; key < keys; ++key) {
        together.arrive_and_wait();
        admitted[key].fetch_add(admitted_until_rejected(party, key));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  check_counts("threads on one key", capacity, admitted.data(), keys);
}

// Each of them asks for all keys in an order of its own, a few times each, until all are rejected.
void ask_for_all(Party& party, std::uint64_t seed, std::uint64_t keys, Count* admitted) {
  Random random(seed);
  std::vector<std::uint64_t> left(keys);
  for (std::uint64_t key = 0; key < keys; ++key) left[key] = key;
  while (!left.empty()) {
    const std::uint64_t at = random.below(left.size());
    const std::uint64_t key = left[at];
    std::uint64_t times = random.between(1, 3);
    while (times > 0 && party.admits(key)) {
      admitted[key].fetch_add(1);
      --times;
    }
    if (times == 0) continue;
    left[at] = left.back();
    left.pop_back();
  }
}

void threads_on_many_keys(const std::string& path, std::uint64_t capacity) {
  constexpr std::uint64_t kKeys = 2'000;
  const LimiterSpec spec{"many", capacity, 60'000, 100'000};
  std::vector<Count> admitted(kKeys);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kAtOnce; ++i) {
    threads.emplace_back([&, i] {
      Party party(frozen_at(path), spec);
      ask_for_all(party, i + 1, kKeys, admitted.data());
    });
  }
  for (std::thread& thread : threads) thread.join();
  check_counts("threads on many keys", capacity, admitted.data(), kKeys);
}

// Runs ask(party, number) in several processes that start together, on counters opened after the
// fork; true if all came to their end.
template <class Ask>
bool in_processes(const std::string& path, const LimiterSpec& spec, Ask ask) {
  Shared<std::atomic<unsigned>> ready;
  std::vector<pid_t> children;
  for (unsigned i = 0; i < kAtOnce; ++i) {
    children.push_back(weir::test::start_process([&, i] {
      Party party(frozen_at(path), spec);
      ready->fetch_add(1);
      while (ready->load() < kAtOnce) std::this_thread::yield();
      ask(party, i);
      return 0;
    }));
  }
  bool all = true;
  for (const pid_t child : children) {
    all = weir::test::succeeded(weir::test::end_of(child)) && all;
  }
  return all;
}

void processes_on_one_key(const std::string& path, std::uint64_t capacity) {
  const std::uint64_t keys = keys_for(capacity);
  Shared<Count> admitted(keys);
  LimiterSpec spec = spec_for(capacity);
  spec.identity += " in processes";
  CHECK(in_processes(path, spec, [&](Party& party, unsigned) {
    for (std::uint64_t key = 0; key < keys; ++key) {
      admitted[key].fetch_add(admitted_until_rejected(party, key));
    }
  }));
  check_counts("processes on one key", capacity, &admitted[0], keys);
}

void processes_on_many_keys(const std::string& path, std::uint64_t capacity) {
  constexpr std::uint64_t kKeys = 2'000;
  const LimiterSpec spec{"many in processes", capacity, 60'000, 100'000};
  Shared<Count> admitted(kKeys);
  CHECK(in_processes(path, spec, [&](Party& party, unsigned number) {
    ask_for_all(party, number + 100, kKeys, &admitted[0]);
  }));
  check_counts("processes on many keys", capacity, &admitted[0], kKeys);
}

// A process goes on with the very counters it had open when it was forked off.
void forked_counters(const std::string& path) {
  constexpr std::uint64_t kCapacity = 1'000;
  Party party(frozen_at(path), {"forked", kCapacity, 60'000, 100});
  Shared<Count> admitted;
  std::vector<pid_t> children;
  for (unsigned i = 0; i < kAtOnce; ++i) {
    children.push_back(weir::test::start_process([&] {
      admitted->fetch_add(admitted_until_rejected(party, 1));
      return 0;
    }));
  }
  for (const pid_t child : children) CHECK(weir::test::succeeded(weir::test::end_of(child)));
  check_counts("forked counters", kCapacity, &*admitted, 1);
}

}  // namespace

int main() {
  const TemporaryDirectory directory;
  const std::string path = directory.file();
  const auto owner = weir::test::open_or_exit(as_owner(frozen_at(path)));
  // Processes first: a program with threads may not fork.
  for (const std::uint64_t capacity : kCapacities) processes_on_one_key(path, capacity);
  for (const std::uint64_t capacity : {1, 5, 62}) processes_on_many_keys(path, capacity);
  forked_counters(path);
  for (const std::uint64_t capacity : kCapacities) threads_on_one_key(path, capacity);
  for (const std::uint64_t capacity : {1, 5, 62}) threads_on_many_keys(path, capacity);
  CHECK(owner->statistics().evicted == 0 && owner->statistics().full == 0);
  return weir::test::finish();
}
