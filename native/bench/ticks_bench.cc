// What noting the time costs (binding/ticks.h), beside asking the system for it: two lines,
// nanoseconds, the lower quartile of 21 slices. Built and run by bench/metrics.mjs; no test.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

#include "tick_clock.h"

namespace {

// Memory that JS reads.
volatile double noted = 0;

double thread_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

template <typename Act>
double cost_of(Act act) {
  constexpr int kTimes = 200'000;
  std::vector<double> slices;
  for (int slice = 0; slice < 21; ++slice) {
    const double begin = thread_ns();
    for (int time = 0; time < kTimes; ++time) act();
    slices.push_back((thread_ns() - begin) / kTimes);
  }
  std::sort(slices.begin(), slices.end());
  return slices[slices.size() / 4];
}

}  // namespace

int main() {
  std::printf("%.2f\n", cost_of([] { noted = static_cast<double>(weir::read_ticks()); }));
  std::printf("%.2f\n", cost_of([] { noted = static_cast<double>(weir::monotonic_ns()); }));
  return 0;
}
