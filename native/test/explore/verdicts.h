// What the counters answer, as the one number that an explored operation returns, and what must be
// true of a number of answers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "counters/placing.h"
#include "program.h"

namespace weir::explore {

// kind:2 | full:1 | evicted:1 | cell:8 | version:16 | wait:24 | remaining:8
struct Answer {
  counters::Verdict verdict;
  bool is_full = false;  // turned away: no cell
  bool has_evicted = false;
  std::uint64_t life = 0;       // cell and version: which claim of a cell it was counted in
  std::uint64_t remaining = 0;  // of those who want to know

  std::uint64_t packed() const noexcept {
    return static_cast<std::uint64_t>(verdict.kind) | (is_full ? 4U : 0U) |
           (has_evicted ? 8U : 0U) | (life << 8) | (verdict.wait_ms << 32) | (remaining << 56);
  }
  static Answer unpacked(std::uint64_t word) noexcept {
    return {{static_cast<counters::Verdict::Kind>(word & 3), (word >> 32) & 0xffffff},
            (word & 4) != 0,
            (word & 8) != 0,
            (word >> 8) & 0xffffff,
            word >> 56};
  }
};

inline std::uint64_t life_of(std::uint64_t cell, std::uint64_t version) noexcept {
  return (cell << 16) | (version & counters::kVersionMask);
}

// An admission that was counted; a request of several makes so many.
struct Admission {
  std::uint64_t key;
  std::uint64_t clock;
  std::uint64_t life;
};

inline std::vector<Admission> admissions_of(const Program& program, const Moment& moment) {
  std::vector<Admission> all;
  for (const Outcome& outcome : moment.outcomes) {
    const Answer answer = Answer::unpacked(outcome.value);
    const Operation& operation = program.operations[outcome.operation];
    if (answer.verdict.kind != counters::Verdict::kAdmitted) continue;
    for (std::uint64_t i = 0; i < operation.cost; ++i) {
      all.push_back({operation.key, operation.clock, answer.life});
    }
  }
  return all;
}

// What is counted by operations that are not over: they still look at the room that there is.
inline std::uint64_t counted_under_way(const Program& program, const Moment& moment) {
  std::uint64_t most = 0;
  for (const unsigned operation : moment.under_way) most += program.operations[operation].cost;
  return most;
}

// Most admissions that a window of this length holds.
inline std::uint64_t densest(std::vector<std::uint64_t> clocks, std::uint64_t length_ms) {
  std::sort(clocks.begin(), clocks.end());
  std::size_t most = 0;
  for (std::size_t from = 0, to = 0; to < clocks.size(); ++to) {
    while (clocks[to] - clocks[from] >= length_ms) ++from;
    most = std::max(most, to - from + 1);
  }
  return most;
}

// Every rejection's wait is 1…W.
inline Complaint rejections_hold(const Program& program, const Moment& moment,
                                 std::uint64_t length_ms) {
  for (const Outcome& outcome : moment.outcomes) {
    const Answer answer = Answer::unpacked(outcome.value);
    if (answer.verdict.kind == counters::Verdict::kAdmitted) continue;
    const std::string& name = program.operations[outcome.operation].name;
    if (program.operations[outcome.operation].key == 0) continue;  // no request
    if (answer.verdict.kind != counters::Verdict::kRejected) return name + ": no verdict";
    if (answer.verdict.wait_ms < 1 || answer.verdict.wait_ms > length_ms) {
      return name + ": a wait of " + std::to_string(answer.verdict.wait_ms) + " ms";
    }
  }
  return {};
}

}  // namespace weir::explore
