// Proves that the clock is the system's boot clock in milliseconds, never runs backwards, and may
// be read first by several threads at once (under TSAN: without a race on its initialisation).
#include "boot_clock.h"

#include <ctime>
#include <thread>
#include <vector>

#include "check.h"

namespace {

constexpr int kThreads = 4;
constexpr int kReadings = 20'000;

bool never_backwards() {
  std::uint64_t before = weir::boot_clock_ms();
  for (int i = 0; i < kReadings; ++i) {
    const std::uint64_t now = weir::boot_clock_ms();
    if (now < before) return false;
    before = now;
  }
  return true;
}

void several_threads() {
  // Not vector<bool>, whose neighbours share a byte.
  std::vector<int> held(kThreads, 0);
  std::vector<std::thread> threads;
  for (int& mine : held) threads.emplace_back([&mine] { mine = never_backwards() ? 1 : 0; });
  for (std::thread& thread : threads) thread.join();
  for (const int one : held) CHECK(one == 1);
}

#if defined(CLOCK_BOOTTIME)
void is_the_systems_boot_clock() {
  const auto read = [] {
    timespec now{};
    CHECK(clock_gettime(CLOCK_BOOTTIME, &now) == 0);
    return static_cast<std::uint64_t>(now.tv_sec) * 1000 +
           static_cast<std::uint64_t>(now.tv_nsec) / 1'000'000;
  };
  const std::uint64_t before = read();
  const std::uint64_t ours = weir::boot_clock_ms();
  const std::uint64_t after = read();
  CHECK(before <= ours && ours <= after);
}
#else
void is_the_systems_boot_clock() {}
#endif

}  // namespace

int main() {
  several_threads();  // first, so that the threads meet at the first reading
  CHECK(never_backwards());
  is_the_systems_boot_clock();
  return weir::test::finish();
}
