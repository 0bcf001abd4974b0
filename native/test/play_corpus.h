// Plays a fuzzer's corpus to what it is for, so that what the fuzzer once found stays found where
// there is none. WEIR_CORPUS is the corpus's folder.
#pragma once

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "check.h"

namespace weir::test {

// @param complaint says what does not hold for an input; empty if all does @returns the exit status
inline int play_corpus(std::string (*complaint)(std::string_view)) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(WEIR_CORPUS)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string input{std::istreambuf_iterator<char>(file), {}};
    const std::string found = complaint(input);
    CHECK(!input.empty() && found.empty());
    if (!found.empty()) std::fprintf(stderr, "  %s: %s\n", entry.path().c_str(), found.c_str());
    ++files;
  }
  CHECK(files > 50);
  return finish();
}

}  // namespace weir::test
