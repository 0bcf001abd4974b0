// Proves that a limiter which comes back is not retired by a collector that judged it before: the
// collector is stopped at each of the instructions before it retires a record, the limiter is
// opened and used up, the collector goes on; nothing more is admitted. And the arithmetic of the
// record's head: windows are never taken for shorter ones, times never for later ones.
#include <cinttypes>
#include <cstdio>

#include "check.h"
#include "counters/crowd.h"
#include "counters/effort.h"
#include "counters/record.h"
#include "counters/stepper.h"
#include "counters/temporary_directory.h"

namespace {

using weir::counters::AtomicWord;
using weir::counters::look;
using weir::counters::PageType;
using weir::counters::State;
namespace record = weir::counters::record;
using namespace weir::test;

constexpr std::uint64_t kWindowMs = 60'000;
constexpr std::uint64_t kCapacity = 5;
constexpr std::uint64_t kForgottenMs = kBootMs + kWindowMs + record::kGraceMs + 10'000;
const LimiterSpec kSpec{"comes back", kCapacity, kWindowMs, 100};

AtomicWord* open_record(const FileView& file) {
  for (std::uint64_t page = 0; page < file.pages(); ++page) {
    if (!file.is_handed_out(page) || file.type(page) != PageType::kRecords) continue;
    for (std::size_t i = 0; i < weir::counters::kPageWords; i += weir::counters::kRecordWords) {
      if (look(file.page(page) + i).state() == State::kOpen) return file.page(page) + i;
    }
  }
  return nullptr;
}

// A file with one limiter that nobody has touched for long enough, and a collector that stands
// before its first instruction.
struct Scene {
  TemporaryDirectory directory;
  std::string path = directory.file();
  std::unique_ptr<weir::counters::Counters> collector;

  Scene() {
    open_or_exit(as_owner(frozen_at(path)));
    Party(frozen_at(path), kSpec).admits(1);
    collector = open_or_exit(frozen_at(path));
    collector->set_manual_clock(kForgottenMs);
  }

  void collect() {
    while (!collector->collect(100'000)) {
    }
  }
};

// Instructions until the record is retired; 0 if there is no stepping here.
std::uint64_t instructions_to_retire() {
  Scene scene;
  const FileView file(scene.path);
  AtomicWord* const found = open_record(file);
  CHECK(found != nullptr);
  Stepper child([&] { scene.collect(); });
  if (!child.stands() || found == nullptr) return 0;
  std::uint64_t steps = 0;
  while (look(found).state() == State::kOpen) {
    if (!child.step(1)) return 0;
    ++steps;
  }
  return steps;
}

unsigned admitted_of(Party& party, unsigned requests) {
  unsigned admitted = 0;
  for (unsigned i = 0; i < requests; ++i) admitted += party.admits(1) ? 1 : 0;
  return admitted;
}

void comes_back_before_it_is_retired() {
  const std::uint64_t retiring = instructions_to_retire();
  if (retiring == 0) {
    std::puts("no stepping here: skipped");
    return;
  }
  const std::uint64_t places = effort(retiring < 80 ? retiring : 80);
  for (std::uint64_t before = 1; before <= places; ++before) {
    Scene scene;
    Stepper child([&] { scene.collect(); });
    if (!child.step(retiring - before)) continue;
    Party party(frozen_at(scene.path, kForgottenMs), kSpec);
    CHECK(admitted_of(party, 7) == kCapacity);
    CHECK(child.finish_work());
    CHECK(admitted_of(party, 7) == 0);
    Party other(frozen_at(scene.path, kForgottenMs), kSpec);
    CHECK(admitted_of(other, 7) == 0);
  }
  std::printf("%" PRIu64 " places before instruction %" PRIu64 "\n", places, retiring);
}

void windows_and_times() {
  for (std::uint64_t ms = 1; ms <= 86'400'000; ms += ms < 100'000 ? 7 : 9'973) {
    const std::uint64_t kept = record::window_ms_of(record::make_count(0, ms));
    CHECK(kept >= ms && kept <= ms + 1000 + ms / 14);
  }
  for (std::uint64_t now = 0; now < 4'000'000'000'000; now = now * 3 / 2 + 1'234) {
    const std::uint64_t touched = record::touched_ms_of(record::make_count(now, 60'000));
    CHECK(touched <= now && touched + record::kTouchUnitMs > now);
  }
  // What was touched at the end of its lease is kept for more than a window from then on.
  const std::uint64_t now = 1'800'000'000'000;
  const std::uint64_t count = record::make_count(now - record::kLeaseMs, kWindowMs);
  CHECK(!record::may_be_retired(count, now + kWindowMs));
  CHECK(record::may_be_retired(count, now + kWindowMs + record::kGraceMs));
}

}  // namespace

int main() {
  windows_and_times();
  comes_back_before_it_is_retired();
  return finish();
}
