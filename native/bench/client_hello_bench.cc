// What reading ClientHellos costs: a connection's hello, from its first byte to the text that JS
// takes, and each later read of a TLS connection, which passes by. Prints nanoseconds, the lower
// quartile of 21 slices. Built by name; no test.
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "../test/client_hello_builder.h"
#include "../test/client_hello_captures.h"
#include "front/client_counts.h"
#include "front/client_hello.h"
#include "front/tls_client.h"

namespace {

double now_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

template <typename Act>
double cost_of(Act act) {
  constexpr int kTimes = 20'000;
  std::vector<double> slices;
  for (int slice = 0; slice < 21; ++slice) {
    const double begin = now_ns();
    for (int time = 0; time < kTimes; ++time) act();
    slices.push_back((now_ns() - begin) / kTimes);
  }
  std::sort(slices.begin(), slices.end());
  return slices[slices.size() / 4];
}

}  // namespace

int main() {
  std::size_t sum = 0;
  for (const auto& capture : weir::test::kCaptures) {
    const std::string bytes = weir::test::from_hexadecimal(capture.bytes);
    const double cost = cost_of([&] {
      weir::front::ClientHello hello;
      hello.read(bytes);
      sum += weir::front::tls_client_text(hello).size();
    });
    std::printf("%6.0f ns  %4zu bytes  %s\n", cost, bytes.size(),
                std::string(capture.client).c_str());
  }
  weir::front::ClientCounts counts;
  if (counts.open_memory() != 0) return 1;
  std::uint64_t address = 0;
  const double counted = cost_of([&] {
    const std::string_view bytes(reinterpret_cast<const char*>(&address), 4);
    const std::uint64_t key = counts.key_of(bytes);
    counts.enter(1000);
    counts.enter_address(key, 1000);
    counts.leave_address(key);
    counts.leave();
    address = (address + 7919) % 100'000;
  });
  std::printf("%6.0f ns  a connection counted and counted off again, one worker\n", counted);
  return sum == 0;
}
