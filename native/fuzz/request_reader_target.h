// What must hold of the request reader for any input at all. Called by the fuzzer and, with every
// file of the corpus, by a test.
//
// An input's first line says how it is read, so that a corpus file can be written by hand: a digit,
// 1 for heads that are kept, 2 for tight bounds, 4 for a byte at a time, or a sum of these; then a
// byte for each cut, how many bytes it lies behind the one before. What follows is what the client
// sends.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "../test/front/request_checks.h"
#include "../test/front/request_generator.h"

namespace weir::test {

inline constexpr std::size_t kFuzzedBytesMax = 4096;

// What the connection layer writes to the server library by what the reader says of a head: no byte
// of it may end a line, or a word of the request line, before its time.
inline bool is_plain(const SeenRequest& request) {
  const auto has_control = [](const std::string& text) {
    return std::any_of(text.begin(), text.end(), [](char byte) {
      const auto code = static_cast<unsigned char>(byte);
      return (code < 0x20 && byte != '\t') || code == 0x7f;
    });
  };
  const auto is_word = [&](const std::string& text) {
    return !text.empty() && !has_control(text) && text.find_first_of(" \t") == std::string::npos;
  };
  if (!is_word(request.method) || !is_word(request.target) || request.method == "CONNECT") {
    return false;
  }
  if (request.target[0] != '/' && (request.target != "*" || request.method != "OPTIONS")) {
    return false;
  }
  if (has_control(request.authority) || (request.minor_version == 1 && request.authority.empty())) {
    return false;
  }
  for (const SeenField& field : request.fields) {
    if (!is_word(field.name) || field.name.find(':') != std::string::npos) return false;
    if (has_control(field.value)) return false;
    if (field.value.empty()) continue;
    const std::string ends{field.value.front(), field.value.back()};
    if (ends.find_first_of(" \t") != std::string::npos) return false;
  }
  return !request.ended || request.kind != front::BodyKind::sized ||
         request.body.size() == request.body_bytes;
}

// @returns what does not hold; empty: nothing
inline std::string complaint(std::string_view input) {
  const std::size_t first_line = input.find('\n');
  if (first_line == std::string_view::npos || first_line == 0) return "";
  const std::string_view how = input.substr(0, first_line);
  const std::string_view sent = input.substr(first_line + 1).substr(0, kFuzzedBytesMax);
  const front::ReaderBounds& bounds = (how[0] & 2) != 0 ? kTightReader : kUsualReader;
  std::vector<std::size_t> cuts;
  if ((how[0] & 4) != 0) {
    cuts = every_place(sent.size());
  } else {
    std::size_t at = 0;
    for (const char gap : how.substr(1)) {
      at = std::min(at + static_cast<unsigned char>(gap), sent.size());
      cuts.push_back(at);
    }
  }
  const Conversation whole(sent, {}, bounds, false);
  std::string found = oracle_complaint(whole, sent, bounds);
  if (found.empty()) {
    found = piece_complaint(whole.transcript(), sent, cuts, bounds, (how[0] & 1) != 0);
  }
  if (!found.empty()) return found;
  const std::vector<SeenRequest>& requests = whole.transcript().requests;
  return std::all_of(requests.begin(), requests.end(), is_plain) ? "" : "a head cannot be written";
}

}  // namespace weir::test
