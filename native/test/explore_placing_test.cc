// Proves, of cell.h and placing.h, for every interleaving of threads that see the same key for the
// first time: the key never has two open cells, never gets more than its capacity, no claim is left
// behind, and wherever a thread stops the others and a newcomer come to an end.
#include "explore/table_program.h"

namespace {

using namespace weir::explore;
using weir::counters::Window;

constexpr std::uint64_t kLengthMs = 10;
constexpr std::uint64_t kClock = 100;

// `threads` threads, each with the same visits.
std::vector<std::vector<Visit>> each(unsigned threads, const std::vector<Visit>& visits) {
  return std::vector<std::vector<Visit>>(threads, visits);
}

bool explore_all() {
  const Window one(1, kLengthMs, 2);
  const Window two(2, kLengthMs, 3);
  const Visit a{4, kClock};
  const Visit b{5, kClock};
  // A cell that comes free before the one that the others have chosen: they claim two.
  const Visit freed{0, kClock, 0};
  const std::vector<Kept> old = {{0, 6, {80}}};
  std::vector<TableCase> cases = {
      {"2 threads, a new key, a cell comes free, C=1", {one, 1, 2}, old, {{a}, {a}, {freed}}},
      {"2 threads, a new key twice, a cell comes free, C=2",
       {two, 1, 2},
       old,
       {{a, a}, {a, a}, {freed}}},
      {"2 threads, a new key twice, 2 cells, C=1", {one, 1, 2}, {}, each(2, {a, a})},
      {"2 threads, a new key twice, 3 cells, C=2", {two, 1, 3}, {}, each(2, {a, a})},
      {"2 threads, a new key, two groups of 1, C=1", {one, 2, 1}, {}, each(2, {a})},
      {"2 threads, two new keys each, 2 cells, C=1", {one, 1, 2}, {}, {{a, b}, {b, a}}},
  };
  if (!kSanitized) {
    cases.push_back({"3 threads, a new key, a cell comes free, C=1",
                     {one, 1, 2},
                     old,
                     {{a}, {a}, {a}, {freed}}});
    cases.push_back({"3 threads, a new key, two cells come free",
                     {one, 1, 3},
                     {{0, 6, {80}}, {1, 7, {80}}},
                     {{a}, {a}, {a}, {freed, {0, kClock, 1}}}});
    cases.push_back({"3 threads, a new key twice, 2 cells, C=1", {one, 1, 2}, {}, each(3, {a, a})});
    cases.push_back({"3 threads, a new key twice, 3 cells, C=2", {two, 1, 3}, {}, each(3, {a, a})});
    cases.push_back({"3 threads, a new key, two groups of 2", {one, 2, 2}, {}, each(3, {a})});
    cases.push_back({"3 threads, two new keys, 2 cells, C=1", {one, 1, 2}, {}, {{a, b}, {b}, {a}}});
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
