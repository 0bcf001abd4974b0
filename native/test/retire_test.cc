// Proves that a collector may stand still between any two instructions around the one that retires
// a record: a limiter that comes back meanwhile keeps its counts, however old the judgement. The
// collector is led there instruction by instruction, then the limiter is opened and used, then the
// collector goes on.
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <string>

#include "check.h"
#include "counters/effort.h"
#include "counters/file_view.h"
#include "counters/scene.h"
#include "counters/stepper.h"
#include "counters/temporary_directory.h"

namespace {

using namespace weir::test;
using weir::counters::PageType;

// More than the window and the grace.
constexpr std::uint64_t kLaterMs = kBootMs + 200'000;
// A sanitizer makes many more instructions of it, and stepping is slow.
constexpr std::uint64_t kPlaces = kInstructionsFactor == 1    ? 80
                                  : kInstructionsFactor < 100 ? 24
                                                              : 6;
constexpr std::uint64_t kStride = kInstructionsFactor == 1 ? 1 : kInstructionsFactor < 100 ? 7 : 40;
constexpr std::uint64_t kInstructionsMax = 200'000 * kInstructionsFactor;
const LimiterSpec kBack{"comes back", 3, 1'000, 8};

void collect_to_the_end(Counters& counters) {
  while (!counters.collect(10'000)) {
  }
}

std::uint64_t limiters(const FileView& file) {
  std::uint64_t count = 0;
  for (std::uint64_t page = 0; page < file.pages(); ++page) {
    if (!file.is_handed_out(page) || file.type(page) != PageType::kRecords) continue;
    for (std::size_t i = 0; i < weir::counters::kPageWords; i += weir::counters::kRecordWords) {
      const auto sight = weir::counters::look(file.page(page) + i);
      count += sight.state() == weir::counters::State::kOpen;
    }
  }
  return count;
}

// How many instructions it takes until the record is retired.
std::uint64_t instructions_to_retire(const std::string& path) {
  const auto counters = open_or_exit(frozen_at(path, kLaterMs));
  const FileView file(path);
  Stepper collector([&] { collect_to_the_end(*counters); });
  CHECK(collector.stands() && limiters(file) == 1);
  std::uint64_t instructions = 0;
  while (limiters(file) == 1 && instructions < kInstructionsMax && collector.step(1)) {
    ++instructions;
  }
  CHECK(limiters(file) == 0);
  return instructions;
}

// lead(collector, file) takes the collector to its place. Whether it was there still when it came
// back.
template <class Lead>
bool comes_back(const std::string& path, Lead lead) {
  const auto counters = open_or_exit(frozen_at(path, kLaterMs));
  const FileView file(path);
  Stepper collector([&] { collect_to_the_end(*counters); });
  CHECK(collector.stands() && lead(collector, file));
  const bool is_there = limiters(file) == 1;
  Party party(frozen_at(path, kLaterMs), kBack);
  for (int i = 0; i < 3; ++i) CHECK(party.admits(1));
  CHECK(!party.admits(1));
  CHECK(collector.finish_work());
  CHECK(!party.admits(1));
  CHECK(!Party(frozen_at(path, kLaterMs), kBack).admits(1));
  CHECK(limiters(FileView(path)) == 1);
  return is_there;
}

}  // namespace

int main() {
  const Stepper probe([] {});
  if (!probe.stands()) {
    std::printf("skipped: no process can be traced here\n");
    return 0;
  }
  const TemporaryDirectory directory;
  const std::string sound = directory.file("sound");
  const std::string path = directory.file();
  const auto renew_file = [&] {
    std::filesystem::copy_file(sound, path, std::filesystem::copy_options::overwrite_existing);
  };
  { CHECK(Party(as_owner(frozen_at(sound)), kBack).admits(1)); }
  renew_file();
  const std::uint64_t all = instructions_to_retire(path);
  std::uint64_t before = 0;
  std::uint64_t places = 0;
  for (std::uint64_t back = 0; back < kPlaces * kStride && back < all; back += kStride, ++places) {
    renew_file();
    before += comes_back(
        path, [&](Stepper& collector, const FileView&) { return collector.step(all + 20 - back); });
  }
  std::printf("retired after %" PRIu64 " instructions; stopped at %" PRIu64 " places, %" PRIu64
              " of them before\n",
              all, places, before);
  // Under a sanitizer two runs don't take the same number of instructions, so that all those places
  // may lie on one side. These are one on each.
  renew_file();
  CHECK(comes_back(path, [](Stepper&, const FileView&) { return true; }));
  renew_file();
  CHECK(!comes_back(path, [](Stepper& collector, const FileView& file) {
    while (limiters(file) == 1) {
      if (!collector.step(1)) return false;
    }
    return true;
  }));
  return finish();
}
