// Reads a connection's bytes in all the ways that may make no difference: whole, cut at every
// place, byte by byte, kept or not, and by the oracle. For the request reader's tests and its
// fuzzer.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "request_oracle.h"
#include "request_transcript.h"

namespace weir::test {

inline std::vector<std::size_t> every_place(std::size_t size) {
  std::vector<std::size_t> cuts;
  for (std::size_t at = 0; at < size; ++at) cuts.push_back(at);
  return cuts;
}

// @returns what does not hold; empty: nothing
inline std::string oracle_complaint(const Conversation& whole, std::string_view input,
                                    const front::ReaderBounds& bounds) {
  if (!whole.broken_promise().empty()) return whole.broken_promise();
  Transcript plain = whole.transcript();
  plain.code.clear();
  plain.sentence.clear();
  return plain == RequestOracle(input, bounds).transcript() ? "" : "the oracle reads otherwise";
}

// For the log of a test that fails.
inline void report_bytes(std::string_view text, std::string_view what) {
  std::fprintf(stderr, "  %.*s: \"", static_cast<int>(what.size()), what.data());
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if (code < 0x20 || code > 0x7e) {
      std::fprintf(stderr, "\\x%02x", code);
    } else {
      std::fputc(byte, stderr);
    }
  }
  std::fprintf(stderr, "\"\n");
}

// Whole, cut once at each place, and byte by byte; kept and not.
inline std::string every_way_complaint(const Conversation& whole, std::string_view input,
                                       const front::ReaderBounds& bounds) {
  std::string found = oracle_complaint(whole, input, bounds);
  for (std::size_t at = 0; at < input.size() && found.empty(); ++at) {
    found = piece_complaint(whole.transcript(), input, {at}, bounds, at % 2 == 0);
  }
  const std::vector<std::size_t> all = every_place(input.size());
  if (found.empty()) found = piece_complaint(whole.transcript(), input, all, bounds, false);
  if (found.empty()) found = piece_complaint(whole.transcript(), input, all, bounds, true);
  if (found.empty()) found = piece_complaint(whole.transcript(), input, {}, bounds, true);
  return found;
}

}  // namespace weir::test
