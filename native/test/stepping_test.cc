// Proves that a process may be stopped or killed after any instruction of a decision: another one
// decides on the same key and on others meanwhile, and never is a key admitted more often than its
// capacity or given two cells, nor is anything lost that could be had. A process is led into a
// decision instruction by instruction; there it stays while the test's own process makes decisions,
// and is then killed or let go on.
// Usage: stepping_test [instructions between two places]; 1 is every instruction.
#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "check.h"
#include "counters/crowd.h"
#include "counters/effort.h"
#include "counters/stepper.h"
#include "counters/temporary_directory.h"

namespace {

using weir::counters::State;
using weir::counters::Verdict;
using namespace weir::test;

constexpr std::uint64_t kWindowMs = 1'000;
constexpr std::uint64_t kKey = 1;
constexpr std::uint64_t kOther = 1'000;

// What is there before, and what the stopped one is to do.
struct Scene {
  const char* name;
  std::uint64_t capacity;
  std::uint64_t keys_max;
  std::uint64_t before;   // admissions of the key by others, or by the stopped one itself
  std::uint64_t filling;  // other keys that are in the table, with one admission each
  std::uint64_t age_ms;   // of all that
};

constexpr Scene kScenes[] = {
    {"first sight", 2, 8, 0, 0, 0},
    {"first sight by eviction", 2, 8, 0, 20, 1},
    {"first sight, others expired", 2, 8, 0, 20, kWindowMs},
    {"second sight", 3, 8, 1, 0, 1},
    {"the last admission", 3, 8, 2, 0, 1},
    {"a window later", 2, 8, 2, 0, kWindowMs},
    {"a block", 62, 8, 61, 0, 1},
};

// A sanitizer makes many more instructions of a decision.
constexpr std::uint64_t kStride = 61 * kInstructionsFactor;

enum class Fate { kKilled, kContinued };

// One process stopped after so many instructions of one decision. False once there are no more.
bool at_instruction(const std::string& path, const Scene& scene, std::uint64_t instructions,
                    Fate fate, std::uint64_t number) {
  const LimiterSpec spec{scene.name + std::to_string(number), scene.capacity, kWindowMs,
                         scene.keys_max};
  Party party(frozen_at(path), spec);
  for (std::uint64_t key = 0; key < scene.filling; ++key) party.admit(kOther + key);
  for (std::uint64_t i = 0; i < scene.before; ++i) CHECK(party.admits(kKey));
  party.set_clock(kBootMs + scene.age_ms);
  const std::uint64_t left =
      scene.age_ms < kWindowMs ? scene.capacity - scene.before : scene.capacity;
  Shared<std::atomic<int>> admitted;
  // Its own copies of the counters, on the file that both share.
  Stepper stopped([&] { admitted->store(party.admits(kKey) ? 1 : 0); });
  CHECK(stopped.stands());
  if (!stopped.step(instructions)) return false;

  std::uint64_t mine = 0;
  for (std::uint64_t i = 0; i < left + 2; ++i) mine += party.admits(kKey);
  // Whether the stopped one is in already, nobody can tell; more than one it is not.
  CHECK(mine == left || mine + 1 == left);
  if (fate == Fate::kKilled) stopped.end();
  if (fate == Fate::kContinued) {
    CHECK(stopped.finish_work());
    CHECK(mine + static_cast<std::uint64_t>(admitted->load()) == left);
  }
  CHECK(!party.admits(kKey));
  // It goes on to others: all cells can be had but one that the dead one may have claimed.
  std::uint64_t newcomers = 0;
  party.set_clock(kBootMs + scene.age_ms + kWindowMs);
  for (std::uint64_t i = 0; i < scene.capacity; ++i) CHECK(party.admits(kKey));
  CHECK(!party.admits(kKey));
  for (std::uint64_t key = 0; key < 20; ++key) newcomers += party.admits(2 * kOther + key);
  CHECK(newcomers == 20);
  return true;
}

void scene_at_all_instructions(const Scene& scene, std::uint64_t stride) {
  const TemporaryDirectory directory;
  const std::string path = directory.file();
  open_or_exit(as_owner(frozen_at(path)));
  std::uint64_t number = 0;
  for (std::uint64_t at = 0; failures == 0; at += stride, ++number) {
    const Fate fate = number % 2 == 0 ? Fate::kKilled : Fate::kContinued;
    if (!at_instruction(path, scene, at, fate, number)) break;
  }
  CHECK(number > 0);
  CHECK(keys_are_unique(path));
  std::printf("%s: stopped at %" PRIu64 " places; %zu tentative cells left behind\n", scene.name,
              number, FileView(path).cells(State::kTentative).size());
}

}  // namespace

int main(int count, char** arguments) {
  const std::uint64_t stride = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : kStride;
  const Stepper probe([] {});
  if (!probe.stands()) {
    std::printf("skipped: no process can be traced here\n");
    return 0;
  }
  for (const Scene& scene : kScenes) scene_at_all_instructions(scene, stride);
  return finish();
}
