// Proves that an owner may be killed at any moment while it puts the file in order: the next one
// does, and what was counted is counted still, nothing is had twice and nothing is lost.
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "check.h"
#include "counters/crowd.h"
#include "counters/processes.h"
#include "counters/scene.h"
#include "counters/temporary_directory.h"

namespace {

using namespace weir::test;
using weir::counters::Statistics;

// More than the window of those that go, and the grace.
constexpr std::uint64_t kLaterMs = kBootMs + 200'000;
constexpr std::uint64_t kCapacity = 5;
constexpr std::uint64_t kKeys = 300;
constexpr std::uint64_t kGone = 800;
constexpr std::size_t kBytesMax = 16 * kSegment;
const LimiterSpec kStays{"stays", kCapacity, 3'600'000, 2'000};

LimiterSpec come_and_gone(std::uint64_t number) {
  constexpr std::uint64_t kCapacities[] = {2, 10, 20, 100};
  return {"gone " + std::to_string(number), kCapacities[number % 4], 1'000, 100};
}

// One limiter that stays between many that are to go, a part of them collected before.
void fill(const std::string& path) {
  Party party(as_owner(frozen_at(path, kBootMs, kBytesMax)), come_and_gone(kGone));
  std::unique_ptr<OpenLimiter> stays;
  for (std::uint64_t i = 0; i < kGone; ++i) {
    if (i == kGone / 2) {
      party.set_clock(kLaterMs);
      while (!party.counters().collect(10'000)) {
      }
      stays = Party::limiter_of(party.counters(), kStays);
      for (std::uint64_t n = 0; n < kKeys * kCapacity; ++n) party.admit(*stays, n % kKeys);
      party.set_clock(kBootMs);
    }
    const auto limiter = Party::limiter_of(party.counters(), come_and_gone(i));
    for (std::uint64_t key = 0; key < 3; ++key) party.admit(*limiter, key);
  }
}

// Of the first segment, which is never cut off.
std::uint64_t pages_in_use(const FileView& file) {
  std::uint64_t count = 0;
  for (std::uint64_t page = 0; page < weir::counters::kSegmentPages; ++page) {
    count += file.is_handed_out(page) && file.own_word(page) != 0;
  }
  return count;
}

// A page without a type may become any: nothing may be on it.
bool untouched_pages_are_empty(const FileView& file) {
  for (std::uint64_t page = 0; page < file.pages(); ++page) {
    if (!file.is_handed_out(page) || file.own_word(page) != 0) continue;
    for (std::size_t i = 0; i < weir::counters::kPageWords; ++i) {
      if (file.page(page)[i].load() != 0) return false;
    }
  }
  return true;
}

void holds_what_it_held(const std::string& path) {
  Party party(as_owner(frozen_at(path, kLaterMs, kBytesMax)), kStays);
  const Statistics all = party.counters().statistics();
  CHECK(all.limiters == 1 && all.live == kKeys);
  CHECK(std::filesystem::file_size(path) == all.bytes);
  CHECK(untouched_pages_are_empty(FileView(path)));
  std::uint64_t admitted = 0;
  for (std::uint64_t key = 0; key < kKeys; ++key) admitted += party.admits(key);
  CHECK(admitted == 0);
  // All the rest can be had, each page once.
  std::vector<std::unique_ptr<OpenLimiter>> others;
  bool exact = true;
  for (std::uint64_t i = 0; i < kGone; ++i) {
    const LimiterSpec spec = come_and_gone(i);
    others.push_back(Party::limiter_of(party.counters(), spec));
    for (std::uint64_t key = 0; key < 20; ++key) {
      for (std::uint64_t n = 0; n <= spec.capacity; ++n) {
        exact = exact && (party.admit(*others.back(), key).kind == Verdict::kAdmitted) ==
                             (n < spec.capacity);
      }
    }
  }
  CHECK(exact);
  for (std::uint64_t key = 0; key < kKeys; ++key) admitted += party.admits(key);
  CHECK(admitted == 0);
  CHECK(keys_are_unique(path));
}

}  // namespace

int main() {
  const TemporaryDirectory directory;
  const std::string sound = directory.file("sound");
  fill(sound);
  CHECK(FileView(sound).header(weir::counters::kSegments) > 1);
  const std::uint64_t before = pages_in_use(FileView(sound));
  unsigned killed = 0;
  constexpr std::uint64_t kPlaces = 12;
  for (std::uint64_t place = 0; place <= kPlaces && failures == 0; ++place) {
    const std::string path = directory.file();
    std::filesystem::copy_file(sound, path, std::filesystem::copy_options::overwrite_existing);
    // Twice: the second owner finds what the first one left.
    for (std::uint64_t owner = 1; owner <= 2; ++owner) {
      const FileView file(path);
      const pid_t child = start_process([&] {
        open_or_exit(as_owner(frozen_at(path, kLaterMs, kBytesMax)));
        return 0;
      });
      const std::uint64_t left = before - before * place * owner / (2 * kPlaces);
      int status = 0;
      bool ended = false;
      CHECK(eventually([&] {
        ended = waitpid(child, &status, WNOHANG) == child;
        return ended || pages_in_use(file) <= left;
      }));
      if (!ended) {
        kill(child, SIGKILL);
        status = end_of(child);
      }
      killed += WIFSIGNALED(status);
    }
    holds_what_it_held(path);
  }
  std::printf("%" PRIu64 " pages in use; killed %u times\n", before, killed);
  CHECK(killed > 0);
  return finish();
}
