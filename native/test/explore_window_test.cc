// Proves, of window.h, for every interleaving of three threads with two requests each on one entry:
// no window holds more admissions than the capacity, a rejection's wait is 1…W and exact where all
// clocks agree, a rejection that nobody overtook wrote nothing, the count is the number of
// admissions, a frozen clock admits exactly the capacity, nobody waits for one who has stopped. And
// of requests that are worth several: all or none are counted, none is rejected because of what
// another has raised and not counted, nobody is told of more room than there is.
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

// A request: when, for how many admissions; 0: it asks whether there is room for one.
struct Wanted {
  std::uint64_t clock;
  std::uint64_t cost;

  Wanted(int clock_, std::uint64_t cost_ = 1)
      : clock(static_cast<std::uint64_t>(clock_)), cost(cost_) {}
  bool operator==(const Wanted&) const = default;
};
using Threads = std::vector<std::vector<Wanted>>;

struct Case {
  std::string name;
  Window window;
  std::vector<std::uint64_t> before;  // clocks of earlier admissions, growing
  Threads threads;
};

std::string name_of(const Wanted& wanted) {
  const std::string clock = std::to_string(wanted.clock);
  return wanted.cost == 1 ? clock : std::to_string(wanted.cost) + "x" + clock;
}

std::string listed(const Threads& threads) {
  std::string text;
  for (const auto& thread : threads) {
    text += text.empty() ? "" : " |";
    for (const Wanted& wanted : thread) text += " " + name_of(wanted);
  }
  return text;
}

// What is said of the room is no more than there can be: what a request has got is not left, and
// where it was rejected there is less than it asked for.
Complaint rooms_hold(const Case& the, const Program& program, const Moment& moment) {
  if (the.window.cost_max == 1) return {};
  for (const Outcome& outcome : moment.outcomes) {
    const Answer answer = Answer::unpacked(outcome.value);
    const std::uint64_t cost = program.operations[outcome.operation].cost;
    const bool is_admitted = answer.verdict.kind == Verdict::kAdmitted;
    const std::uint64_t most = is_admitted ? the.window.capacity - cost : cost == 0 ? 0 : cost - 1;
    if (answer.remaining > most) return "told of more room than there is";
    if (is_admitted && cost == 0 && answer.remaining == 0) return "admitted without room";
  }
  return {};
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
  const std::uint64_t count = count_of(moment.values[kHeadWord]);
  const std::uint64_t under_way = the.window.cost_max == 1 ? 0 : counted_under_way(program, moment);
  if (count < clocks.size() || count > clocks.size() + under_way) {
    return "the count is not the admissions";
  }
  const std::uint64_t most = densest(clocks, kLengthMs);
  if (most > the.window.capacity) return std::to_string(most) + " admissions in a window";
  for (std::size_t i = kFirstStamp; i < moment.values.size(); ++i) {
    if (moment.values[i] > last) return "a stamp from the future";
  }
  Complaint wrong = rejections_hold(program, moment, kLengthMs);
  if (wrong.empty()) wrong = rooms_hold(the, program, moment);
  if (!wrong.empty()) return wrong;
  for (const Outcome& outcome : moment.outcomes) {
    // One who lost the last place to another has raised the stamp that the winner raised too.
    const bool is_admitted = Answer::unpacked(outcome.value).verdict.kind == Verdict::kAdmitted;
    if (!is_admitted && outcome.has_written && !outcome.was_overtaken) return "a rejection wrote";
  }
  if (first != last) return {};
  // All clocks of the run agree: what is in the window now, and when the C-th latest leaves it.
  std::uint64_t young = count - the.before.size();
  for (const std::uint64_t clock : the.before) young += last - clock < kLengthMs ? 1 : 0;
  // A block may hold B - 1 admissions that are old enough; while the first C are let in, none is.
  const std::uint64_t slack = the.before.empty() ? 0 : the.window.block - 1;
  for (const Outcome& outcome : moment.outcomes) {
    if (Answer::unpacked(outcome.value).verdict.kind == Verdict::kAdmitted) continue;
    const std::uint64_t cost =
        std::max<std::uint64_t>(program.operations[outcome.operation].cost, 1);
    if (young + slack + cost - 1 < the.window.capacity) return "rejected early";
  }
  return {};
}

bool check_case(const Case& the) {
  Program program;
  program.name = "C=" + std::to_string(the.window.capacity) +
                 " R=" + std::to_string(the.window.ring) +
                 " B=" + std::to_string(the.window.block) + " " + the.name +
                 (the.window.cost_max == 1 ? "" : " K=" + std::to_string(the.window.cost_max)) +
                 listed(the.threads);
  program.initial.assign(kFirstStamp + the.window.ring, 0);
  for (std::uint64_t i = 0; i < the.before.size(); ++i) {
    program.initial[kFirstStamp + the.window.slot(i)] = the.before[i];
  }
  const std::uint64_t key = claim_of(kKey, kHead);
  program.initial[0] = key;
  program.initial[kHeadWord] = opened(kHead, the.before.size());
  for (std::uint16_t i = 0; i < program.initial.size(); ++i) entry[i].place(i);
  const auto request = [&the, key](const Wanted& wanted) {
    return [&the, key, wanted] {
      if (the.window.cost_max == 1) {
        return Answer{admit_to(entry, key, the.window, wanted.clock)}.packed();
      }
      Room room{};
      const Ask ask{std::max<std::uint64_t>(wanted.cost, 1), wanted.cost > 0, false, &room};
      const Verdict verdict = admit_to(entry, key, the.window, wanted.clock, ask);
      return Answer{verdict, false, false, 0, room.remaining}.packed();
    };
  };
  std::vector<Wanted> all;
  for (const auto& thread : the.threads) {
    std::vector<unsigned> operations;
    for (const Wanted& wanted : thread) {
      const auto same =
          static_cast<unsigned>(std::find(all.begin(), all.end(), wanted) - all.begin());
      operations.push_back(same);
      if (same < all.size()) continue;
      all.push_back(wanted);
      program.operations.push_back(
          {"request " + name_of(wanted), request(wanted), kKey, wanted.clock, wanted.cost});
    }
    program.threads.push_back(operations);
  }
  program.holds = [&](const Moment& moment) { return holds(the, program, moment); };
  return explored(program);
}

bool explore_all() {
  const Threads frozen = {{100, 100}, {100, 100}, {100, 100}};
  const Threads growing = {{100, 110}, {100, 110}, {105, 111}};
  const Threads late = {{100, 110}, {100, 110}, {92, 101}};
  // Threads that do the same take less time to explore.
  const Threads alike = {{100, 110}, {100, 110}, {100, 110}};
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
  const Threads dear = {{{100, 2}, 100}, {{100, 2}, 100}, {100}};
  const Threads dearest = {{{100, 3}, 100}, {{100, 2}, 100}, {100}};
  const Threads dear_late = {{{100, 2}, 110}, {{92, 2}, 101}, {110}};
  const Threads asked = {{{100, 2}, 100}, {{100, 0}, {100, 2}}, {{100, 0}}};
  for (const Threads& threads : {dear, dear_late, asked}) {
    cases.push_back({"", Window(2, kLengthMs, 4, 2), {}, threads});
    cases.push_back({"", Window(2, kLengthMs, 2, 2), {}, threads});
    cases.push_back({"", Window(3, kLengthMs, 3, 2), {}, threads});
    cases.push_back({"expired", Window(2, kLengthMs, 4, 2), {60, 65, 75, 80, 86}, threads});
    cases.push_back({"half", Window(2, kLengthMs, 4, 2), {60, 65, 75, 80, 91}, threads});
    cases.push_back({"half", Window(3, kLengthMs, 3, 2), {60, 65, 75, 80, 91}, threads});
  }
  cases.push_back({"", Window(3, kLengthMs, 6, 3), {}, dearest});
  cases.push_back({"expired", Window(3, kLengthMs, 6, 3), {50, 55, 60, 75, 80, 82}, dearest});
  cases.push_back({"half", Window(3, kLengthMs, 6, 3), {50, 55, 60, 75, 80, 91}, dearest});
  cases.push_back({"half", Window(3, kLengthMs, 4, 3), {50, 55, 60, 75, 80, 91}, dearest});
  for (Case& the : cases) {
    if (kSanitized) the.threads.resize(2);
    if (!check_case(the)) return false;
  }
  return true;
}

}  // namespace

int main() {
  explore_all();
  return weir::test::finish();
}
