// Proves that a full disk ends nothing: the counters can't be made on one, and say so; those that
// are open go on within what there is, newcomers take the place of others or are told to wait,
// limited keys stay limited, and once there is room again the table grows on.
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "check.h"
#include "counters/processes.h"
#include "counters/scene.h"
#include "counters/small_disk.h"
#include "counters/temporary_directory.h"

namespace {

using weir::counters::Statistics;
using weir::counters::Verdict;
using namespace weir::test;

constexpr std::uint64_t kWindowMs = 60'000;
constexpr std::uint64_t kFirstFloodKey = 1'000;
constexpr std::size_t kSmallBytes = 2 * kSegment + kSegment / 2;

enum class Shortage { kDisk, kFileSize };

bool make_short(Shortage shortage, const std::string& directory, std::size_t bytes) {
  return shortage == Shortage::kDisk ? mount_small_disk(directory, bytes) : limit_file_size(bytes);
}

int expected_error(Shortage shortage) { return shortage == Shortage::kDisk ? ENOSPC : EFBIG; }

// Runs body in a process whose disk has so many bytes; skipped where that can't be done.
template <class Body>
void on_small_disk(Shortage shortage, std::size_t bytes, Body body) {
  constexpr int kSkipped = 77;
  const TemporaryDirectory directory;
  const int status = end_of(start_process([&] {
    if (!make_short(shortage, directory.file("."), bytes)) return kSkipped;
    body(directory.file());
    return failures == 0 ? 0 : 1;
  }));
  if (WIFEXITED(status) && WEXITSTATUS(status) == kSkipped) {
    std::printf("skipped: no file system can be mounted here\n");
    return;
  }
  CHECK(succeeded(status));
}

void no_room_to_begin(Shortage shortage) {
  on_small_disk(shortage, kSegment / 2, [&](const std::string& path) {
    CountersError error;
    for (int i = 0; i < 2; ++i) {
      CHECK(Counters::open(as_owner(frozen_at(path)), error) == nullptr);
      CHECK(error.kind == CountersError::kSystem);
      CHECK(error.system_error == expected_error(shortage));
      // Nothing that would be taken for a damaged file later.
      CHECK(std::filesystem::file_size(path) == 0);
    }
  });
}

void flood(Party& party, OpenLimiter& limiter, std::uint64_t keys, bool all_come_in) {
  bool holds = true;
  for (std::uint64_t key = kFirstFloodKey; key < kFirstFloodKey + keys; ++key) {
    const Verdict verdict = party.admit(limiter, key);
    const bool admitted = verdict.kind == Verdict::kAdmitted;
    const bool waits = verdict.wait_ms >= 1 && verdict.wait_ms <= kWindowMs;
    holds = holds && (admitted || (!all_come_in && waits));
  }
  CHECK(holds);
}

// 512 bytes an entry and 100,000 keys: fifty times of what there is.
void goes_on_within_what_there_is(Shortage shortage) {
  on_small_disk(shortage, kSmallBytes, [&](const std::string& path) {
    Party party(as_owner(frozen_at(path)), {"large", 61, kWindowMs, 100'000});
    const auto strict = Party::limiter_of(party.counters(), {"strict", 1, kWindowMs, 1'000'000});
    for (int i = 0; i < 61; ++i) CHECK(party.admits(1));
    CHECK(party.admit(*strict, 1).kind == Verdict::kAdmitted);

    flood(party, party.limiter(), 30'000, true);
    CHECK(party.counters().commit_error() == expected_error(shortage));
    const Statistics full = party.counters().statistics();
    CHECK(full.evicted > 0 && full.bytes == 2 * kSegment);
    CHECK(std::filesystem::file_size(path) < kSmallBytes + 1);
    // All limited from the first admission on: nobody has to go for those who come.
    flood(party, *strict, 5'000, false);
    CHECK(party.counters().statistics().full > 0);

    CHECK(party.admit(1).wait_ms == kWindowMs && party.admit(*strict, 1).wait_ms == kWindowMs);
    // A limiter that finds no room is a limiter less, not a crash.
    CHECK(party.counters().open_limiter("one more", 14, kWindowMs, 100) == nullptr);
    CHECK(party.counters().statistics().bytes == 2 * kSegment);
    // Its window over, what is there is used again.
    party.set_clock(kBootMs + kWindowMs);
    CHECK(party.admits(1));
    CHECK(party.admit(*strict, 1).kind == Verdict::kAdmitted);
  });
}

void opens_again_on_a_full_disk(Shortage shortage) {
  on_small_disk(shortage, kSmallBytes, [&](const std::string& path) {
    const LimiterSpec spec{"large", 61, kWindowMs, 100'000};
    {
      Party party(as_owner(frozen_at(path)), spec);
      for (int i = 0; i < 61; ++i) CHECK(party.admits(1));
      flood(party, party.limiter(), 20'000, true);
    }
    Party again(as_owner(frozen_at(path)), spec);
    CHECK(again.admit(1).wait_ms == kWindowMs);
    flood(again, again.limiter(), 20'000, true);
  });
}

// Something else filled the disk and is removed.
void grows_on_with_room() {
  on_small_disk(Shortage::kDisk, 3 * kSegment + kSegment / 2, [](const std::string& path) {
    Party party(as_owner(frozen_at(path)), {"large", 61, kWindowMs, 100'000});
    std::ofstream(path + ".other") << std::string(2 * kSegment, 'x');
    flood(party, party.limiter(), 10'000, true);
    CHECK(party.counters().statistics().bytes == kSegment);
    CHECK(party.counters().commit_error() == ENOSPC);
    std::filesystem::remove(path + ".other");
    flood(party, party.limiter(), 30'000, true);
    CHECK(party.counters().statistics().bytes == 3 * kSegment);
  });
}

}  // namespace

int main() {
  for (const Shortage shortage : {Shortage::kDisk, Shortage::kFileSize}) {
    no_room_to_begin(shortage);
    goes_on_within_what_there_is(shortage);
    opens_again_on_a_full_disk(shortage);
  }
  grows_on_with_room();
  return finish();
}
