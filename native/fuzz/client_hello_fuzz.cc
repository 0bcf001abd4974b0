// The reader of ClientHellos, and JA4, under libFuzzer; scripts/native-fuzz.mjs builds and runs it.
#include "client_hello_target.h"
#include "fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return weir::test::fuzz(weir::test::complaint, data, size);
}
