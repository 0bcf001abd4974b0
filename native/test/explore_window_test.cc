// Proves, of window.h, for every interleaving of three threads with two requests each on one entry:
// no window holds more admissions than the capacity, a rejection's wait is 1…W and exact where all
// clocks agree, a rejection that nobody overtook wrote nothing, the count is the number of
// admissions, a frozen clock admits exactly the capacity, nobody waits for one who has stopped.
#include <string>
#include <vector>

#include "counters/window.h"
#include "explore/report.h"
#include "explore/verdicts.h"

namespace {

using namespace weir::explore;
using namespace weir::counters;

constexpr std::uint64_t kLengthMs = 10;
constexpr std::uint64_t kKey = 0x1234;
constexpr std::uint64_t kGeneration = 7;
constexpr std::uint64_t kHead = kGeneration << kGenerationShift;

ModelWord entry[8];

struct Case {
  std::string name;
  Window window;
  std::vector<std::uint64_t> before;               // clocks of earlier admissions, growing
  std::vector<std::vector<std::uint64_t>> clocks;  // of each thread's requests
};

std::string listed(const std::vector<std::vector<std::uint64_t>>& clocks) {
  std::string text;
  for (const auto& thread : clocks) {
    text += text.empty() ? "" : " |";
    for (const std::uint64_t clock : thread) text += " " + std::to_string(clock);
  }
  return text;
}

Complaint holds(const Case& the, const Program& program, const Moment& moment) {
  std::vector<std::uint64_t> clocks = the.before;
  std::uint64_t first = ~std::uint64_t{0};
  std::uint64_t last = 0;
  for (const Operation& operation : program.operations) {
    first = std::min(first, operation.clock);
    last = std::max(last, operation.clock);
  }
  for (const Admission& admission : admissions_of(program, moment))
    clocks.push_back(admission.clock);
  if (count_of(moment.values[kHeadWord]) != clocks.size()) return "the count is not the admissions";
  const std::uint64_t most = densest(clocks, kLengthMs);
  if (most > the.window.capacity) return std::to_string(most) + " admissions in a window";
  for (std::size_t i = kFirstStamp; i < moment.values.size(); ++i) {
    if (moment.values[i] > last) return "a stamp from the future";
  }
  const Complaint wrong = rejections_hold(program, moment, kLengthMs);
  if (!wrong.empty()) return wrong;
  for (const Outcome& outcome : moment.outcomes) {
    // One who lost the last place to another has raised the stamp that the winner raised too.
    const bool is_admitted = Answer::unpacked(outcome.value).verdict.kind == Verdict::kAdmitted;
    if (!is_admitted && outcome.has_written && !outcome.was_overtaken) return "a rejection wrote";
  }
  if (first != last) return {};
  // All clocks of the run agree: what is in the window now, and when the C-th latest leaves it.
  std::uint64_t young = 0;
  for (const std::uint64_t clock : clocks) young += last - clock < kLengthMs ? 1 : 0;
  const bool is_rejected = moment.outcomes.size() + the.before.size() > clocks.size();
  if (!is_rejected) return {};
  // A block may hold B - 1 admissions that are old enough; while the first C are let in, none is.
  const std::uint64_t slack = the.before.empty() ? 0 : the.window.block - 1;
  if (young + slack < the.window.capacity) return "rejected early";
  if (moment.at_end && young + slack < the.window.capacity) return "not all were admitted";
  return {};
}

bool check_case(const Case& the) {
  Program program;
  program.name = "C=" + std::to_string(the.window.capacity) +
                 " R=" + std::to_string(the.window.ring) +
                 " B=" + std::to_string(the.window.block) + " " + the.name + listed(the.clocks);
  program.initial.assign(kFirstStamp + the.window.ring, 0);
  for (std::uint64_t i = 0; i < the.before.size(); ++i) {
    program.initial[kFirstStamp + the.window.slot(i)] = the.before[i];
  }
  const std::uint64_t key = claim_of(kKey, kHead);
  program.initial[0] = key;
  program.initial[kHeadWord] = opened(kHead, the.before.size());
  for (std::uint16_t i = 0; i < program.initial.size(); ++i) entry[i].place(i);
  const auto request = [&the, key](std::uint64_t now) {
    return [&the, key, now] { return Answer{admit_to(entry, key, the.window, now)}.packed(); };
  };
  for (const auto& thread : the.clocks) {
    std::vector<unsigned> operations;
    for (const std::uint64_t now : thread) {
      unsigned same = 0;
      while (same < program.operations.size() && program.operations[same].clock != now) ++same;
      operations.push_back(same);
      if (same < program.operations.size()) continue;
      program.operations.push_back({"request at " + std::to_string(now), request(now), kKey, now});
    }
    program.threads.push_back(operations);
  }
  program.holds = [&](const Moment& moment) { return holds(the, program, moment); };
  return explored(program);
}

bool explore_all() {
  const std::vector<std::vector<std::uint64_t>> frozen = {{100, 100}, {100, 100}, {100, 100}};
  const std::vector<std::vector<std::uint64_t>> growing = {{100, 110}, {100, 110}, {105, 111}};
  const std::vector<std::vector<std::uint64_t>> late = {{100, 110}, {100, 110}, {92, 101}};
  // Threads that do the same take less time to explore.
  const std::vector<std::vector<std::uint64_t>> alike = {{100, 110}, {100, 110}, {100, 110}};
  std::vector<Case> cases;
  for (const auto& clocks : {frozen, growing, late}) {
    cases.push_back({"", Window(1, kLengthMs, 2), {}, clocks});
    cases.push_back({"", Window(2, kLengthMs, 3), {}, clocks});
    cases.push_back({"", Window(3, kLengthMs, 4), {}, clocks == growing ? alike : clocks});
    cases.push_back({"", Window(3, kLengthMs, 3), {}, clocks});
    cases.push_back({"", Window(2, kLengthMs, 2), {}, clocks});
    // A ring that has turned: its stamps are old, or some are not.
    cases.push_back({"expired", Window(1, kLengthMs, 2), {70, 80}, clocks});
    cases.push_back({"expired", Window(2, kLengthMs, 3), {70, 75, 80, 85}, clocks});
    cases.push_back({"expired", Window(3, kLengthMs, 3), {60, 62, 64, 76, 78, 80}, clocks});
    cases.push_back({"half", Window(2, kLengthMs, 3), {70, 75, 80, 90, 91}, clocks});
    cases.push_back({"half", Window(3, kLengthMs, 3), {70, 75, 80, 90, 91}, clocks});
  }
  for (Case& the : cases) {
    if (kSanitized) the.clocks.resize(2);
    if (!check_case(the)) return false;
  }
  return true;
}

}  // namespace

int main() {
  explore_all();
  return weir::test::finish();
}
