// Proves that the table of standing refusals finds what was put, all of it where several have one
// hash, and nothing that was taken, beside a std::multimap, in a crowd that comes and goes and
// whose hashes meet.
#include "front/standing_table.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "check.h"
#include "counters/random.h"

namespace {

using weir::front::StandingTable;

std::vector<std::uint32_t> found(const StandingTable& table, std::uint64_t hash) {
  std::vector<std::uint32_t> numbers;
  table.any(hash, [&](std::uint32_t number) {
    numbers.push_back(number);
    return false;
  });
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

void finds_as_a_map_does() {
  weir::test::Random random(2);
  StandingTable table;
  std::multimap<std::uint64_t, std::uint32_t> map;
  for (int step = 0; step < 60'000; ++step) {
    const std::uint64_t hash = random.between(0, 40) * (random.one_in(3) ? 64 : 1) +
                               (random.one_in(4) ? std::uint64_t{1} << 60 : 0);
    const auto number = static_cast<std::uint32_t>(random.between(0, 8));
    const auto [first, last] = map.equal_range(hash);
    const auto same =
        std::find_if(first, last, [number](const auto& pair) { return pair.second == number; });
    if (random.one_in(2)) {
      table.take(hash, number);
      if (same != last) map.erase(same);
    } else if (same == last) {
      table.put(hash, number);
      map.emplace(hash, number);
    }
    CHECK(table.size() == map.size());
    std::vector<std::uint32_t> wanted;
    for (auto [at, end] = map.equal_range(hash); at != end; ++at) wanted.push_back(at->second);
    std::sort(wanted.begin(), wanted.end());
    CHECK(found(table, hash) == wanted);
  }
  table.clear();
  CHECK(table.size() == 0 && found(table, 1).empty());
}

void ends_where_it_is_told() {
  StandingTable table;
  for (std::uint32_t i = 0; i < 5; ++i) table.put(9, i);
  int seen = 0;
  table.any(9, [&seen](std::uint32_t) { return ++seen == 2; });
  CHECK(seen == 2);
}

}  // namespace

int main() {
  finds_as_a_map_does();
  ends_where_it_is_told();
  return weir::test::finish();
}
