// Proves that time goes on over a reboot: the boot clock begins again, the wall clock says how long
// the machine was off, and where it is wrong a wait is never shorter than the time known to have
// passed allows, never negative, never longer than the window.
#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "check.h"
#include "counters/scene.h"
#include "counters/temporary_directory.h"

namespace {

using weir::counters::BootId;
using weir::counters::CountersOptions;
using weir::counters::Verdict;
using weir::test::as_owner;
using weir::test::frozen_at;
using weir::test::kBootMs;
using weir::test::kWallMs;
using weir::test::LimiterSpec;
using weir::test::Party;
using weir::test::TemporaryDirectory;

constexpr std::uint64_t kWindowMs = 60'000;
const LimiterSpec kSpec{"kept", 2, kWindowMs, 100};

CountersOptions after_boot(const std::string& path, std::uint64_t boot_ms, std::uint64_t wall_ms,
                           BootId boot = {3, 4}) {
  CountersOptions options = as_owner(frozen_at(path, boot_ms));
  options.wall_ms = wall_ms;
  options.boot = boot;
  return options;
}

// A file with key 1 at its limit, its last admission at kWallMs + passed_ms; closed, or left as a
// lost machine leaves it, when nobody said what time it was.
void fill(const std::string& path, std::uint64_t passed_ms, bool closed) {
  auto* party = new Party(as_owner(frozen_at(path)), kSpec);
  party->set_clock(kBootMs + passed_ms);
  CHECK(party->admits(1) && party->admits(1) && !party->admits(1));
  if (closed) {
    delete party;
    return;
  }
  // Closed at the time of its opening: what a process knows that did not live to tell.
  party->set_clock(kBootMs);
  delete party;
}

std::uint64_t wait_after(const CountersOptions& options) {
  Party party(options, kSpec);
  const Verdict verdict = party.admit(1);
  CHECK(verdict.kind == Verdict::kRejected ? verdict.wait_ms >= 1 && verdict.wait_ms <= kWindowMs
                                           : verdict.wait_ms == 0);
  return verdict.wait_ms;
}

// off_ms: how long the machine was off by the wall clock, negative where it was set back.
void wall_clock(std::int64_t off_ms, std::uint64_t boot_ms, std::uint64_t expected_ms) {
  const TemporaryDirectory directory;
  constexpr std::uint64_t kPassedMs = 7'000;
  fill(directory.file(), kPassedMs, true);
  const auto wall_ms =
      static_cast<std::uint64_t>(static_cast<std::int64_t>(kWallMs + kPassedMs) + off_ms);
  const std::uint64_t wait_ms = wait_after(after_boot(directory.file(), boot_ms, wall_ms));
  CHECK(wait_ms == expected_ms);
  if (wait_ms != expected_ms) {
    std::fprintf(stderr, "off for %" PRId64 " ms: waits %" PRIu64 " ms\n", off_ms, wait_ms);
  }
}

void wall_clocks() {
  for (const std::uint64_t boot_ms : {std::uint64_t{0}, std::uint64_t{900}, 2 * kBootMs}) {
    wall_clock(0, boot_ms, kWindowMs);
    wall_clock(1, boot_ms, kWindowMs - 1);
    wall_clock(20'000, boot_ms, kWindowMs - 20'000);
    wall_clock(kWindowMs - 1, boot_ms, 1);
    wall_clock(kWindowMs, boot_ms, 0);
    wall_clock(3'600'000, boot_ms, 0);
    // Ran back: as if no time had passed.
    wall_clock(-1, boot_ms, kWindowMs);
    wall_clock(-3'600'000, boot_ms, kWindowMs);
    wall_clock(-static_cast<std::int64_t>(kWallMs), boot_ms, kWindowMs);
  }
}

// The machine was lost: the file knows admissions later than the last time anybody noted.
void lost_machine() {
  for (const std::uint64_t ahead_ms : {0, 1, 5'000, 70'000}) {
    const TemporaryDirectory directory;
    fill(directory.file(), ahead_ms, false);
    // The wall clock is right: only the time off counts.
    const std::uint64_t off_ms = 10'000;
    CHECK(wait_after(after_boot(directory.file(), 0, kWallMs + ahead_ms + off_ms)) ==
          kWindowMs - off_ms);
  }
  for (const std::uint64_t ahead_ms : {1, 5'000, 70'000}) {
    const TemporaryDirectory directory;
    fill(directory.file(), ahead_ms, false);
    // The wall clock stands before the admission: the whole window.
    CHECK(wait_after(after_boot(directory.file(), 0, kWallMs)) == kWindowMs);
  }
}

// Over several boots with clocks of all kinds: the wait is never shorter than W less all time that
// the boot clocks saw pass and the wall clock claims.
void many_boots() {
  const TemporaryDirectory directory;
  fill(directory.file(), 0, true);
  std::uint64_t shown_ms = kWallMs;
  constexpr std::int64_t kOffMs[] = {3'000, -2'000, 0, 5'000, -100'000, 1};
  std::uint64_t boot = 10;
  std::uint64_t known_ms = kWallMs;
  for (const std::int64_t off_ms : kOffMs) {
    shown_ms = static_cast<std::uint64_t>(static_cast<std::int64_t>(shown_ms) + off_ms);
    known_ms = std::max(known_ms, shown_ms);
    Party party(after_boot(directory.file(), 100, shown_ms, {boot++, 1}), kSpec);
    party.set_clock(100 + 2'000);
    shown_ms += 2'000;
    known_ms += 2'000;
    const Verdict verdict = party.admit(1);
    CHECK(verdict.kind == Verdict::kRejected);
    CHECK(verdict.wait_ms == kWindowMs - (known_ms - kWallMs));
  }
}

// The same boot goes by the boot clock alone, whatever the wall clock says; a system that does not
// tell its boots apart goes by the wall clock at every start.
void same_boot() {
  const TemporaryDirectory directory;
  fill(directory.file(), 0, true);
  for (const std::uint64_t wall_ms : {kWallMs - 5'000, kWallMs, kWallMs + 500'000}) {
    CHECK(wait_after(after_boot(directory.file(), kBootMs + 10'000, wall_ms, {1, 2})) ==
          kWindowMs - 10'000);
  }
  CHECK(wait_after(after_boot(directory.file(), kBootMs + 10'000, kWallMs + 30'000, {})) ==
        kWindowMs - 30'000);
  CHECK(wait_after(after_boot(directory.file(), kBootMs + 10'000, kWallMs + 40'000, {})) ==
        kWindowMs - 40'000);
}

// A clock that was wrong by centuries once: time stays there, the limiters too.
void far_future() {
  for (const std::uint64_t wall_ms : {4'102'444'800'000, 4'300'000'000'000, 16'000'000'000'000}) {
    const TemporaryDirectory directory;
    fill(directory.file(), 0, true);
    CHECK(wait_after(after_boot(directory.file(), 500, wall_ms, {5, 6})) == 0);
    Party party(after_boot(directory.file(), 1'000, kWallMs, {7, 8}), kSpec);
    CHECK(party.counters().now() >= wall_ms);
    CHECK(party.admits(1) && !party.admits(1));
    party.set_clock(1'000 + kWindowMs - 1);
    CHECK(party.counters().collect(1'000'000));
    CHECK(party.counters().statistics().limiters == 1);
    CHECK(!party.admits(1));
  }
}

// Those who open it after the owner go by the owner's time.
void others_follow_the_owner() {
  const TemporaryDirectory directory;
  fill(directory.file(), 0, true);
  Party owner(after_boot(directory.file(), 500, kWallMs + 10'000), kSpec);
  CountersOptions later = after_boot(directory.file(), 700, kWallMs + 999'999);
  later.owner = false;
  Party other(later, kSpec);
  CHECK(other.counters().now() == owner.counters().now() + 200);
  CHECK(other.admit(1).wait_ms == kWindowMs - 10'200);
}

}  // namespace

int main() {
  wall_clocks();
  lost_machine();
  many_boots();
  same_boot();
  far_future();
  others_follow_the_owner();
  return weir::test::finish();
}
