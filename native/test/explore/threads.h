// Where the threads of an explored program are; what makes two states the same; the way to a state
// in words.
#pragma once

#include <array>
#include <cinttypes>
#include <cstdio>
#include <string>
#include <vector>

#include "memory.h"
#include "program.h"
#include "scripts.h"

namespace weir::explore {

inline constexpr std::size_t kOperationsMax = 5;  // of a thread

struct Thread {
  const std::vector<unsigned>* operations = nullptr;
  unsigned kind = 0;
  unsigned at = 0;
  std::uint32_t node = 0;
  View view{};
  std::array<Outcome, kOperationsMax> outcomes{};  // of the first `at`

  bool is_through() const noexcept { return at == operations->size(); }
};

struct Step {
  unsigned thread;
  std::uint32_t node;  // before it
  std::uint64_t answer;
  unsigned age;
};

struct Mix {
  std::uint64_t state;
  void operator()(std::uint64_t value) noexcept {
    state = (state ^ value) * 0x9e3779b97f4a7c15;
    state ^= state >> 29;
    state *= 0xbf58476d1ce4e5b9;
    state ^= state >> 32;
  }
};

// What is in memory and what every thread knows of it, where it is and how its operations went.
inline std::uint64_t state_hash(const Memory& memory, const std::vector<Thread>& threads) {
  View base;
  base.fill(0xff);
  for (const Thread& thread : threads) {
    if (thread.is_through()) continue;
    for (std::size_t i = 0; i < kWordsMax; ++i) base[i] = std::min(base[i], thread.view[i]);
  }
  for (std::size_t i = 0; i < memory.words(); ++i) {
    if (base[i] == 0xff) base[i] = static_cast<std::uint8_t>(memory.newest(i));
  }
  Mix all{1};
  memory.hash(base, all);
  std::uint64_t sum = 0;  // a sum: in no order
  for (const Thread& thread : threads) {
    Mix mix{thread.kind + 2};
    mix(thread.at);
    for (unsigned i = 0; i < thread.at; ++i) {
      const Outcome& outcome = thread.outcomes[i];
      mix(outcome.value);
      mix((outcome.has_written ? 2U : 0U) | (outcome.was_overtaken ? 1U : 0U));
    }
    if (!thread.is_through()) {
      mix(thread.node);
      Memory::hash_view(thread.view, base, memory.words(), mix);
    }
    sum += mix.state;
  }
  all(sum);
  return all.state;
}

inline std::vector<std::string> told(const Program& program, const Scripts& scripts,
                                     const std::vector<Step>& way) {
  static constexpr const char* kKinds[] = {"loads", "stores", "exchanges", "adds"};
  std::vector<std::string> lines;
  for (const Step& step : way) {
    const Scripts::Node& node = scripts.node(step.node);
    const Request& request = node.request;
    const bool has_failed =
        request.kind == Request::kCompareExchange && step.answer != request.expected;
    char text[200];
    std::snprintf(text, sizeof text,
                  "thread %u, %s, word %u: %s, reads %" PRIx64 " (%u newer), operand %" PRIx64 "%s",
                  step.thread, program.operations[node.outcome.operation].name.c_str(),
                  unsigned{request.word}, kKinds[request.kind], step.answer, step.age,
                  request.operand, has_failed ? ": failed" : "");
    lines.emplace_back(text);
  }
  return lines;
}

}  // namespace weir::explore
