// A small program to be explored: words, operations, which thread does which of them, and what must
// hold at every moment. A moment is one between two steps that others can see; since all of them
// are looked at, a thread that is stopped or killed there and never goes on is looked at too.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model_word.h"

namespace weir::explore {

// One call by a thread. Its code depends on nothing but what it reads from ModelWords.
struct Operation {
  std::string name;
  std::function<std::uint64_t()> code;
  std::uint64_t key = 0;    // for the assertions
  std::uint64_t clock = 0;  // for the assertions
  std::uint64_t cost = 1;   // for the assertions: what it counts if it is admitted; 0: only asks
};

// How an operation went.
struct Outcome {
  std::uint64_t value = 0;     // what its code returned
  unsigned operation = 0;      // index in Program::operations
  bool has_written = false;    // it changed something
  bool was_overtaken = false;  // a compare-exchange of it failed
};

struct Moment {
  std::vector<std::uint64_t> values;  // the newest of every word
  std::vector<Outcome> outcomes;      // of the operations that are over, in no particular order
  std::vector<unsigned> under_way;    // operations that have changed something and are not over
  bool at_end = false;                // all threads are through
};

struct Change {
  const Operation* by;
  std::size_t word;
  std::uint64_t was;
  std::uint64_t is;
};

// Empty if all is well.
using Complaint = std::string;

struct Program {
  std::string name;
  std::vector<std::uint64_t> initial;
  std::vector<Operation> operations;
  std::vector<std::vector<unsigned>> threads;  // indices of operations
  std::function<Complaint(const Moment&)> holds;
  // Optional. Before a change takes effect: the moment is the one before it.
  std::function<Complaint(const Moment&, const Change&)> may_change;
  // Optional. What newcomers do, each alone, when all others stop at this very moment, and what
  // must hold then.
  std::vector<std::function<std::uint64_t()>> newcomers;
  std::function<Complaint(const std::vector<std::uint64_t>&, std::uint64_t outcome)> newcomer_holds;
  // Optional. Where two may hinder each other for ever: whether to look at what follows a change.
  // What is left out is counted.
  std::function<bool(const Change&)> is_followed;
  std::size_t steps_max = 150;  // of one operation, from the last again() on; more is a failure
  std::size_t alone_max = 60;   // of one that is alone from some moment on, to its end
  std::size_t states_max = 8'000'000;  // beyond it the exploration is a failure
};

}  // namespace weir::explore
