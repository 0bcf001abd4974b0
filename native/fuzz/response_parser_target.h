// What must hold of the response parser for any input at all. Called by the fuzzer and, with every
// file of the corpus, by a test.
//
// An input's first line says how it is read, so that a corpus file can be written by hand: a digit,
// 1 for an answer to HEAD, 2 for tight bounds, 4 for a byte at a time, or a sum of these; then a
// byte for each cut, how many bytes it lies behind the one before. What follows is what the server
// sends.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "../test/upstream/response_oracle.h"
#include "../test/upstream/response_reading.h"
#include "../test/upstream/usual_options.h"
#include "upstream/response_parser.h"

namespace weir::test {

inline constexpr std::size_t kFuzzedBytesMax = 4096;

// Each line that passes can be written to the client, and says nothing of this connection.
inline bool can_pass(std::string_view lines) {
  static constexpr std::string_view kKept[] = {"connection",
                                               "content-length",
                                               "date",
                                               "keep-alive",
                                               "proxy-authenticate",
                                               "proxy-authorization",
                                               "proxy-connection",
                                               "te",
                                               "trailer",
                                               "transfer-encoding",
                                               "upgrade"};
  while (!lines.empty()) {
    const std::size_t end = lines.find("\r\n");
    const std::string_view line = lines.substr(0, end);
    for (const char byte : line) {
      if (std::iscntrl(static_cast<unsigned char>(byte)) != 0 && byte != '\t') return false;
    }
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos || colon == 0) return false;
    std::string name(line.substr(0, colon));
    for (char& byte : name)
      byte = static_cast<char>(std::tolower(static_cast<unsigned char>(byte)));
    if (name.find_first_of(" \t\"(),/:;<=>?@[\\]{}") != std::string::npos) return false;
    if (std::find(std::begin(kKept), std::end(kKept), name) != std::end(kKept)) return false;
    if (end == std::string_view::npos) return true;
    lines.remove_prefix(end + 2);
    // No CRLF at the end.
    if (lines.empty()) return false;
  }
  return true;
}

// @returns what does not hold; empty: nothing
inline std::string complaint(std::string_view input) {
  const std::size_t first_line = input.find('\n');
  if (first_line == std::string_view::npos || first_line == 0) return "";
  const std::string_view how = input.substr(0, first_line);
  const std::string_view sent = input.substr(first_line + 1).substr(0, kFuzzedBytesMax);
  const bool head_request = (how[0] & 1) != 0;
  upstream::ParserLimits limits = kUsualLimits;
  if ((how[0] & 2) != 0) limits = {.head_bytes = 80, .header_lines = 3, .interim_responses = 2};
  std::vector<std::size_t> cuts;
  if ((how[0] & 4) != 0) {
    for (std::size_t at = 0; at < sent.size(); ++at) cuts.push_back(at);
  } else {
    std::size_t at = 0;
    for (const char gap : how.substr(1)) {
      at = std::min(at + static_cast<unsigned char>(gap), sent.size());
      cuts.push_back(at);
    }
  }
  const Reader whole(sent, {}, head_request, limits);
  const Reader pieces(sent, cuts, head_request, limits);
  if (!whole.broken_promise().empty()) return whole.broken_promise();
  if (!pieces.broken_promise().empty()) return pieces.broken_promise();
  if (!(whole.reading() == pieces.reading())) return "the result depends on the pieces";
  if (!can_pass(whole.reading().passed)) return "a line passes that must not";
  Reading plain = whole.reading();
  plain.reason.clear();
  if (!(plain == ResponseOracle(sent, head_request, limits).reading())) {
    return "the oracle reads otherwise";
  }
  return "";
}

}  // namespace weir::test
