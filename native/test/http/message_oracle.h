// What oracles of requests and responses have in common, written as plainly as it can be: bytes of
// an input one after another, field lines' words, and bodies. Shares nothing with the readers. Base
// of test/front/request_oracle.h and test/upstream/response_oracle.h.
#pragma once

#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir::test {

class MessageOracle {
 protected:
  explicit MessageOracle(std::string_view input) : input_(input) {}

  // The status is of requests.
  struct Refused {
    int status;
  };
  struct Incomplete {};

  static void demand(bool holds, int status = 400) {
    if (!holds) throw Refused{status};
  }

  char next() {
    if (at_ - section_ >= section_max_) throw Refused{section_status_};
    if (at_ >= input_.size()) throw Incomplete();
    return input_[at_++];
  }

  // From here on no more than so many bytes, until the next call.
  void section(std::size_t bytes, int status = 400) {
    section_ = at_;
    section_max_ = bytes;
    section_status_ = status;
  }

  static unsigned code(char byte) { return static_cast<unsigned char>(byte); }

  static bool in_name(char byte) {
    if (byte >= 'a' && byte <= 'z') return true;
    if (byte >= 'A' && byte <= 'Z') return true;
    if (byte >= '0' && byte <= '9') return true;
    return byte != '\0' && std::string("!#$%&'*+-.^_`|~").find(byte) != std::string::npos;
  }

  static bool in_value(char byte) {
    return byte == '\t' || (code(byte) > 0x1f && code(byte) != 0x7f);
  }

  static std::string lower(std::string text) {
    for (char& byte : text) {
      if (byte >= 'A' && byte <= 'Z') byte = static_cast<char>(byte - 'A' + 'a');
    }
    return text;
  }

  static std::string trim(const std::string& text) {
    const std::size_t from = text.find_first_not_of(" \t");
    if (from == std::string::npos) return "";
    return text.substr(from, text.find_last_not_of(" \t") - from + 1);
  }

  static std::vector<std::string> elements(const std::string& list) {
    std::vector<std::string> found;
    std::string element;
    for (const char byte : list + ",") {
      if (byte != ',') {
        element += byte;
      } else {
        if (!trim(element).empty()) found.push_back(lower(trim(element)));
        element.clear();
      }
    }
    return found;
  }

  void read_bytes(std::uint64_t count, std::string& body) {
    for (std::uint64_t i = 0; i < count; ++i) body += next();
  }

  // With trailers, of so many bytes and lines.
  void read_chunks(std::size_t head_bytes, std::size_t lines_max, std::string& body) {
    std::size_t extensions = 0;
    for (;;) {
      std::string digits;
      char byte = next();
      for (; std::isxdigit(static_cast<int>(code(byte))) != 0; byte = next()) {
        digits += byte;
        demand(digits.size() <= 15);
      }
      demand(!digits.empty() && (byte == '\r' || byte == ';'));
      if (byte == ';') {
        for (byte = next(); byte != '\r'; byte = next()) {
          demand(in_value(byte));
          ++extensions;
          demand(extensions <= head_bytes + body.size());
        }
      }
      demand(next() == '\n');
      const std::uint64_t size = std::stoull(digits, nullptr, 16);
      if (size == 0) break;
      read_bytes(size, body);
      demand(next() == '\r');
      demand(next() == '\n');
    }
    section(head_bytes);
    for (std::size_t lines = 0; read_trailer(lines < lines_max); ++lines) continue;
  }

  std::string_view input_;
  std::size_t at_ = 0;

 private:
  // @returns false for the empty line
  bool read_trailer(bool fits) {
    char byte = next();
    if (byte == '\r') {
      demand(next() == '\n');
      return false;
    }
    demand(in_name(byte) && fits);
    for (; byte != ':'; byte = next()) demand(in_name(byte));
    for (byte = next(); byte != '\r'; byte = next()) demand(in_value(byte));
    demand(next() == '\n');
    return true;
  }

  std::size_t section_ = 0;
  std::size_t section_max_ = 0;
  int section_status_ = 0;
};

}  // namespace weir::test
