// The test programs' few lines of framework: CHECK says what failed and where, finish() is main's
// return value. Always on, unlike assert.
#pragma once

#include <cstdio>

namespace weir::test {

inline int failures = 0;
inline int checks = 0;

inline void check(bool holds, const char* what, const char* file, int line) {
  ++checks;
  if (holds) return;
  ++failures;
  std::fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
}

// 0 if something was checked and all of it held.
inline int finish() {
  std::printf("%d checks, %d failures\n", checks, failures);
  return failures == 0 && checks > 0 ? 0 : 1;
}

}  // namespace weir::test

#define CHECK(condition) ::weir::test::check((condition), #condition, __FILE__, __LINE__)
