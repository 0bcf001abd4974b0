// The request reader under libFuzzer; scripts/native-fuzz.mjs builds and runs it.
#include "fuzz_target.h"
#include "request_reader_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return weir::test::fuzz(weir::test::complaint, data, size);
}
