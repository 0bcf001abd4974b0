// Proves, of placing.h, for every interleaving of threads whose keys compete for cells that have
// expired or may be evicted while the owners of those cells come back: no key has two open cells or
// more than its capacity in a window of any one cell, nor at all unless it was evicted; a limited
// key is never freed; the count of a cell is its admissions; wherever a thread stops, the others
// and a newcomer come to an end.
//
// Left out: an owner that read its clock before another took its expired cell by a later clock, and
// comes back after that. The new cell knows nothing of the old one's stamps, so that by the clocks
// that were read, a window may then hold more; by the times at which they were admitted none does.
#include "explore/table_program.h"

namespace {

using namespace weir::explore;
using weir::counters::Window;

constexpr std::uint64_t kLengthMs = 10;
constexpr std::uint64_t kA = 4;
constexpr std::uint64_t kB = 5;
constexpr std::uint64_t kC = 6;
// Two keys may take the same cell from each other again and again, until one has lost kRoundsMax
// times. So many turns are looked at.
constexpr std::uint64_t kTurns = kSanitized ? 1 : 4;
constexpr std::uint64_t kFewTurns = 2;  // of three threads

std::vector<TableCase> small_cases() {
  const Window one(1, kLengthMs, 2);
  const Window two(2, kLengthMs, 3);
  const Window dear(2, kLengthMs, 4, 2);
  return {
      {"an expired key's owner comes back for two, another wants its cell",
       {dear, 1, 1},
       {{0, kA, {80, 85}}},
       {{{kA, 100, 0, Visit::kUsual, 2}, {kA, 100}}, {{kB, 100, 0, Visit::kUsual, 2}, {kB, 101}}},
       kTurns},
      {"a key with room for one of two is evicted while its owner comes back",
       {dear, 1, 1},
       {{0, kA, {95}}},
       {{{kA, 100, 0, Visit::kUsual, 2}, {kA, 100}}, {{kB, 100, 0, Visit::kUsual, 2}}},
       kTurns},
      {"an expired key's owner comes back, another wants its cell",
       {one, 1, 1},
       {{0, kA, {80}}},
       {{{kA, 100}, {kA, 100}}, {{kB, 100}, {kB, 101}}},
       kTurns},
      {"an expired key's owner comes back, C=2",
       {two, 1, 1},
       {{0, kA, {80, 85}}},
       {{{kA, 100}, {kA, 100}}, {{kB, 100}, {kB, 101}}},
       kTurns},
      {"a key with room is evicted while its owner comes back",
       {two, 1, 1},
       {{0, kA, {95}}},
       {{{kA, 100}, {kA, 100}}, {{kB, 100}}},
       kTurns},
      {"a limited key is left alone, until its window is over",
       {two, 1, 1},
       {{0, kA, {92, 95}}},
       {{{kA, 104}, {kA, 105}}, {{kB, 101}, {kB, 105}}},
       kTurns},
      {"a late clock: the newest stamp is the latest",
       {two, 1, 1},
       {{0, kA, {109}}},
       {{{kA, 100}, {kA, 110}, {kA, 110}}, {{kB, 110}}},
       kTurns},
      {"one of two is limited, the other expired",
       {one, 1, 2},
       {{0, kA, {95}}, {1, kB, {80}}},
       {{{kB, 100}}, {{kC, 100}, {kA, 100}}},
       kTurns},
  };
}

std::vector<TableCase> large_cases() {
  const Window one(1, kLengthMs, 2);
  const Window two(2, kLengthMs, 3);
  return {
      {"3 threads, an expired cell, two want it, its owner too",
       {one, 1, 1},
       {{0, kA, {80}}},
       {{{kA, 100}, {kA, 100}}, {{kB, 100}, {kB, 100}}, {{kC, 100}, {kC, 100}}},
       kFewTurns},
      {"3 threads, a free cell and an expired one",
       {one, 1, 2},
       {{1, kA, {80}}},
       {{{kA, 100}}, {{kB, 100}}, {{kC, 100}}},
       1},
      {"3 threads, eviction of a key with room, C=2",
       {two, 1, 1},
       {{0, kA, {95}}},
       {{{kA, 100}, {kA, 100}}, {{kA, 100}}, {{kB, 100}}},
       kFewTurns},
  };
}

bool explore_all() {
  std::vector<TableCase> cases = small_cases();
  if (!kSanitized) {
    for (const TableCase& the : large_cases()) cases.push_back(the);
  }
  for (const TableCase& the : cases) {
    if (!TableProgram(the).explore()) return false;
  }
  return true;
}

}  // namespace

int main() {
  explore_all();
  return weir::test::finish();
}
