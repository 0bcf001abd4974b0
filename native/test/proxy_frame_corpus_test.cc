// Plays the fuzzer's corpus to the reader of PROXY protocol frames, so that what it once found
// stays found where there is no fuzzer. WEIR_CORPUS is the corpus's folder.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "../fuzz/proxy_frame_target.h"
#include "check.h"

int main() {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(WEIR_CORPUS)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string input{std::istreambuf_iterator<char>(file), {}};
    const std::string found = weir::test::complaint(input);
    CHECK(!input.empty() && found.empty());
    if (!found.empty()) std::fprintf(stderr, "  %s: %s\n", entry.path().c_str(), found.c_str());
    ++files;
  }
  CHECK(files > 50);
  return weir::test::finish();
}
