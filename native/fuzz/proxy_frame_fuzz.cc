// The reader of PROXY protocol frames under libFuzzer; scripts/native-fuzz.mjs builds and runs it.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "proxy_frame_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string found = weir::test::complaint({reinterpret_cast<const char*>(data), size});
  if (!found.empty()) {
    std::fprintf(stderr, "does not hold: %s\n", found.c_str());
    std::abort();
  }
  return 0;
}
