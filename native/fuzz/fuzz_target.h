// What libFuzzer calls, of a target that says what does not hold for an input.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace weir::test {

// @param complaint empty if all holds
inline int fuzz(std::string (*complaint)(std::string_view), const std::uint8_t* data,
                std::size_t size) {
  const std::string found = complaint({reinterpret_cast<const char*>(data), size});
  if (!found.empty()) {
    std::fprintf(stderr, "does not hold: %s\n", found.c_str());
    std::abort();
  }
  return 0;
}

}  // namespace weir::test
