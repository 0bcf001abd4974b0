// Proves that a file with wrong bytes in it, wherever they are, is either refused or served: no
// crash, no endless loop, no wait beyond the window, and new keys are placed. Every damage is
// random and happens in a process of its own, so that the seed of one that goes wrong can be told.
// Usage: damage_test [seeds [first seed]].
#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "check.h"
#include "counters/effort.h"
#include "counters/layout.h"
#include "counters/processes.h"
#include "counters/random.h"
#include "counters/scene.h"
#include "counters/temporary_directory.h"

namespace {

using weir::counters::Counters;
using weir::counters::CountersError;
using weir::counters::CountersOptions;
using weir::counters::kPageBytes;
using weir::counters::Verdict;
using weir::test::as_owner;
using weir::test::effort;
using weir::test::frozen_at;
using weir::test::kBootMs;
using weir::test::kSegment;
using weir::test::LimiterSpec;
using weir::test::Party;
using weir::test::Random;
using weir::test::TemporaryDirectory;

constexpr unsigned kDeadlineSeconds = 20;
constexpr std::size_t kBytesMax = 4 * kSegment;
constexpr std::size_t kHeaderBytes = 1'024;

// Of all sizes of entries, small tables and one with directories.
const LimiterSpec kSpecs[] = {
    {"a", 1, 1'000, 16},   {"b", 5, 60'000, 8'000},   {"c", 13, 60'000, 500},
    {"d", 29, 10'000, 64}, {"e", 1'000, 60'000, 200}, {"f", 2'000'000'000, 86'400'000, 100},
};

std::string read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_all(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// A sound file with something of everything in it, a collected limiter's freed pages too.
std::string sound_file(const std::string& path) {
  Party party(as_owner(frozen_at(path, kBootMs, kBytesMax)), {"gone", 5, 1'000, 1'000});
  for (std::uint64_t key = 0; key < 500; ++key) party.admit(key);
  party.set_clock(kBootMs + 200'000);
  party.counters().collect(1'000'000);
  for (const LimiterSpec& spec : kSpecs) {
    const auto limiter = Party::limiter_of(party.counters(), spec);
    for (std::uint64_t key = 0; key < 2'000; ++key) party.admit(*limiter, key % 1'200);
  }
  return read_all(path);
}

// Where bytes matter most: the words of the pages, the header, the pages that are used.
std::size_t place_of_damage(Random& random, std::size_t size) {
  const std::size_t used = std::min<std::size_t>(size, 200 * kPageBytes);
  switch (random.below(5)) {
    case 0:
      return random.below(kPageBytes / 2);
    case 1:
      return kPageBytes + random.below(kHeaderBytes);
    case 2:
      return random.below(size);
    default:
      return random.below(used);
  }
}

void damage(Random& random, std::string& bytes) {
  for (std::uint64_t count = random.between(1, 1 + random.below(200)); count > 0; --count) {
    const std::size_t at = place_of_damage(random, bytes.size());
    if (random.one_in(2)) {
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
    } else if (random.one_in(2)) {
      bytes[at] = static_cast<char>(random.below(256));
    } else {
      // A word from somewhere else, so that it means something.
      const std::size_t from = place_of_damage(random, bytes.size()) / 8 * 8;
      bytes.replace(at / 8 * 8, 8, bytes, from, 8);
    }
  }
}

// All admissions that a limiter is asked for; true if every wait is in its range.
bool serves(Party& party, const LimiterSpec& spec, Random& random) {
  const auto limiter =
      party.counters().open_limiter(spec.identity, spec.capacity, spec.window_ms, spec.keys_max);
  if (limiter == nullptr) return true;  // no room is an answer
  for (int i = 0; i < 600; ++i) {
    const std::uint64_t key = random.one_in(2) ? random.below(1'200) : random.word();
    const Verdict verdict = party.admit(*limiter, key);
    const bool in_range = verdict.kind == Verdict::kRejected
                              ? verdict.wait_ms >= 1 && verdict.wait_ms <= spec.window_ms
                              : verdict.kind == Verdict::kAdmitted;
    if (!in_range) return false;
  }
  return true;
}

constexpr int kServed = 100;
constexpr int kRefused = 101;

bool is_refusal(const CountersError& error, bool owner) {
  if (error.kind == CountersError::kSystem) return !owner && error.system_error == ENOMEM;
  return error.kind != CountersError::kNone;
}

// In a process of its own. Any other exit code is that of something that went wrong.
int try_it(const std::string& path, std::uint64_t seed) {
  alarm(kDeadlineSeconds);
  Random random(seed);
  CountersOptions options = frozen_at(path, kBootMs + random.below(400'000), kBytesMax);
  options.owner = !random.one_in(4);
  if (random.one_in(4)) options.boot = {9, 9};
  CountersError error;
  const auto first = Counters::open(options, error);
  if (first == nullptr) return is_refusal(error, options.owner) ? kRefused : 2;
  // Without an owner to put it in order there may seem to be no room.
  if (!options.owner && first->open_limiter("new", 5, 60'000, 50) == nullptr) return kRefused;
  Party party(options, {"new", 5, 60'000, 50});
  if (!party.admits(random.word())) return 3;
  for (const LimiterSpec& spec : kSpecs) {
    if (!serves(party, spec, random)) return 4;
  }
  for (int i = 0; i < 10'000 && !party.counters().collect(10'000); ++i) {
  }
  party.counters().statistics();
  party.set_clock(options.boot_ms + 90'000'000);
  for (int i = 0; i < 10'000 && !party.counters().collect(10'000); ++i) {
  }
  for (const LimiterSpec& spec : kSpecs) {
    if (!serves(party, spec, random)) return 5;
  }
  return kServed;
}

}  // namespace

int main(int count, char** arguments) {
  const std::uint64_t seeds = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : effort(200);
  const std::uint64_t first = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1;
  const TemporaryDirectory directory;
  const std::string sound = sound_file(directory.file("sound"));
  CHECK(sound.size() >= kSegment && sound.size() <= kBytesMax);
  std::uint64_t refused = 0;
  std::uint64_t served = 0;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    Random random(seed);
    std::string bytes = sound;
    damage(random, bytes);
    if (random.one_in(20)) bytes.resize(random.below(bytes.size()));
    write_all(directory.file(), bytes);
    const int status = weir::test::end_of(
        weir::test::start_process([&] { return try_it(directory.file(), seed); }));
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    const bool holds = code == kServed || code == kRefused;
    CHECK(holds);
    if (!holds) std::fprintf(stderr, "seed %" PRIu64 ": wait status %#x\n", seed, status);
    served += code == kServed;
    refused += code == kRefused;
  }
  std::printf("%" PRIu64 " refused, %" PRIu64 " served\n", refused, served);
  CHECK(served > 0);
  return weir::test::finish();
}
