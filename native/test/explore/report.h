// Runs a program through the explorer, prints what was covered and fails the test with the way to
// where something did not hold.
#pragma once

#include <chrono>
#include <cstdio>

#include "../check.h"
#include "explorer.h"

namespace weir::explore {

// Sanitizers slow the search down without seeing more of it: there is but one thread. They get the
// smaller programs.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kSanitized =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool kSanitized = false;
#endif

// True if it held. The first program that does not ends the test: the rest would say the same.
inline bool explored(const Program& program) {
  const auto begin = std::chrono::steady_clock::now();
  const Result result = Explorer(program).run();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::printf("%-62s %8zu states %9zu steps %8.2g executions, operations <= %u steps, %.1f s",
              program.name.c_str(), result.states, result.changes, result.executions, result.steps,
              seconds.count());
  if (result.cuts > 0) {
    std::printf("; BOUNDED: %zu changes not followed, alone <= %zu steps", result.cuts,
                result.alone);
  }
  std::printf("\n");
  std::fflush(stdout);
  weir::test::check(result.complaint.empty(), program.name.c_str(), __FILE__, __LINE__);
  if (result.complaint.empty()) return true;
  std::fprintf(stderr, "%s\n", result.complaint.c_str());
  for (const std::string& step : result.way) std::fprintf(stderr, "  %s\n", step.c_str());
  return false;
}

}  // namespace weir::explore
