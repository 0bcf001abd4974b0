// Proves, of pages.h with cell.h and placing.h, for every interleaving of threads whose keys need a
// place while the table's second group comes into being: a page that is attached is seen by all who
// must see what is claimed on it. So a key never has two open cells, one in each group; it never
// gets more than its capacity and, there being room, never less; no claim is left behind; wherever
// threads stop a newcomer comes to an end.
#include "explore/growing_program.h"

namespace {

using namespace weir::explore;
using weir::counters::Window;

constexpr std::uint64_t kLengthMs = 10;
constexpr std::uint64_t kA = 4;
constexpr std::uint64_t kB = 5;
constexpr std::uint64_t kX = 6;  // is there before
constexpr std::uint64_t kY = 7;

// Where the page's group is: the address decides which of two claims wins; a page of the same tier
// is made before the first group is full.
struct Place {
  const char* name;
  bool is_below;
  unsigned page_tier;
};
constexpr Place kPlaces[] = {{", page above", false, 1},
                             {", page below", true, 1},
                             {", page above, same tier", false, 0},
                             {", page below, same tier", true, 0}};

std::vector<TableCase> small_cases() {
  const Window one(1, kLengthMs, 2);
  const Window two(2, kLengthMs, 3);
  const Visit a{kA, 100};
  const Visit b{kB, 100};
  // By this clock the first group has an expired cell; by the other one it is full.
  const Visit later{kA, 105};
  const Visit freed{0, 105, 0};
  const std::vector<Kept> x = {{0, kX, {95}}};
  const std::vector<Kept> xy = {{0, kX, {95}}, {1, kY, {95}}};
  return {
      {"the first group is full", {one, 2, 1}, x, {{a}, {a}}, 0, 1},
      {"full for one of them", {one, 2, 1}, x, {{a}, {later}}, 0, 1},
      {"full for one, C=2", {two, 2, 1}, {{0, kX, {94, 95}}}, {{a, a}, {later, later}}, 0, 2},
      {"a cell comes free", {one, 2, 1}, x, {{a}, {a}, {freed}}, 0, 1},
      {"nearly full, 2 cells", {one, 2, 2}, x, {{a}, {a}}, 0, 1},
      {"two keys, room for both", {one, 2, 2}, xy, {{a}, {b}}, 0, 2},
  };
}

std::vector<TableCase> large_cases() {
  const Window one(1, kLengthMs, 2);
  const Visit a{kA, 100};
  const Visit later{kA, 105};
  const Visit made{0, 100, 0, Visit::kMakesPage};
  const Visit others{0, 100, 0, Visit::kMakesOthersPage};
  const std::vector<Kept> x = {{0, kX, {95}}};
  return {
      {"a third makes the page", {one, 2, 1}, x, {{a}, {later}, {made}}, 0, 1},
      {"a third takes the page for others", {one, 3, 1}, x, {{a}, {later}, {others}}, 0, 1},
  };
}

// The case with its first group where that is here.
TableCase placed(TableCase the, const Place& place) {
  const unsigned offset = place.is_below ? (the.shape.groups - 1) * the.shape.ways : 0;
  the.name += place.name;
  for (Kept& kept : the.kept) kept.cell += offset;
  for (auto& visits : the.threads) {
    for (Visit& visit : visits) visit.cell += visit.key == 0 ? offset : 0;
  }
  return the;
}

bool explore(const TableCase& the, const Place& place) {
  auto table = std::make_unique<GrowingTable>(the.shape, place.is_below, place.page_tier);
  return TableProgram(placed(the, place), std::move(table)).explore();
}

bool explore_all() {
  for (const TableCase& the : small_cases()) {
    for (const Place& place : kPlaces) {
      if (kSanitized && place.page_tier == 0) continue;
      if (!explore(the, place)) return false;
    }
  }
  if (kSanitized) return true;
  // The third thread's states, with a page of the same tier, would be several millions.
  for (const TableCase& the : large_cases()) {
    for (const Place& place : kPlaces) {
      if (place.page_tier > 0 && !explore(the, place)) return false;
    }
  }
  return true;
}

}  // namespace

int main() {
  explore_all();
  return weir::test::finish();
}
