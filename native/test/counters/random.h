// Random numbers that a seed gives again. A test that fails prints its seed.
#pragma once

#include <cstdint>
#include <random>

namespace weir::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t word() { return engine_(); }
  // 0…bound − 1; the bias is of no importance to a test.
  std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }
  std::uint64_t between(std::uint64_t first, std::uint64_t last) {
    return first + below(last - first + 1);
  }
  bool one_in(std::uint64_t count) { return below(count) == 0; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace weir::test
