// What a decision costs in C++, beside a mutex map: `npm run bench:counters` builds and runs this.
//
//   counters_bench ROUNDS MEMORY_FOLDER DISK_FOLDER
//
// One line of JSON per measurement, {table, row, contender, ns}, and per kind of entry, {capacity,
// windowSeconds, cellBytes, keys, bytes}. Makes files in the two folders, which the
// caller removes.
#include <cstdlib>
#include <string>

#include "contenders.h"
#include "hot_key.h"
#include "many_keys.h"
#include "strangers.h"
#include "turns.h"

using namespace weir::bench;

int main(int count, char** arguments) {
  if (count != 4) stop("usage: counters_bench ROUNDS MEMORY_FOLDER DISK_FOLDER");
  const auto rounds = static_cast<unsigned>(std::strtoul(arguments[1], nullptr, 10));
  const std::string in_memory = arguments[2];
  print_all_bytes(in_memory);
  // One object per thread; most rows use the first.
  WeirFile memory(in_memory + "/counters", 2);
  WeirFile disk(std::string(arguments[3]) + "/counters", 1);
  Turns turns;
  add_hot_table_alone(turns, memory, disk);
  add_hot_with_clock(turns, memory);
  add_hot_together(turns, memory);
  add_many_keys(turns, memory, disk);
  add_strangers(turns, memory, disk);
  turns.run(rounds);
  return 0;
}
