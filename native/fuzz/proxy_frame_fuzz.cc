// The reader of PROXY protocol frames under libFuzzer; scripts/native-fuzz.mjs builds and runs it.
#include "fuzz_target.h"
#include "proxy_frame_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return weir::test::fuzz(weir::test::complaint, data, size);
}
