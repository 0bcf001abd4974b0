// Makes ClientHellos for the tests: of lists, message by message and record by record.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::test {

using Numbers = std::vector<std::uint16_t>;

// @param width of the number in bytes
inline std::string number(std::size_t value, std::size_t width) {
  std::string out;
  for (std::size_t at = width; at > 0; --at) out += static_cast<char>(value >> (at - 1) * 8 & 0xff);
  return out;
}

// The bytes with their number before them, in `width` bytes.
inline std::string block(std::string_view bytes, std::size_t width) {
  return number(bytes.size(), width) + std::string(bytes);
}

inline std::string numbers(const Numbers& values) {
  std::string out;
  for (const std::uint16_t value : values) out += number(value, 2);
  return out;
}

inline std::string server_name(std::string_view name) {
  return block(std::string(1, '\0') + block(name, 2), 2);
}

inline std::string protocols(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += block(name, 1);
  return block(out, 2);
}

struct HelloParts {
  std::uint16_t version = 0x0303;
  std::string session_id = std::string(32, 's');
  Numbers suites = {0x1301};
  std::string compression = std::string(1, '\0');
  // type and content, in order
  std::vector<std::pair<std::uint16_t, std::string>> extensions;
  // as older clients have it: not even an empty list
  bool without_extensions = false;
};

inline std::string message_of(const HelloParts& parts) {
  std::string body = number(parts.version, 2) + std::string(32, 'r') + block(parts.session_id, 1) +
                     block(numbers(parts.suites), 2) + block(parts.compression, 1);
  std::string list;
  for (const auto& [type, content] : parts.extensions) list += number(type, 2) + block(content, 2);
  if (!parts.without_extensions) body += block(list, 2);
  return number(1, 1) + block(body, 3);
}

// @param size of each record's content but the last
inline std::string records_of(std::string_view message, std::size_t size = 16'384) {
  std::string out;
  for (std::size_t at = 0; at < message.size(); at += size) {
    out += "\x16\x03\x01" + block(message.substr(at, size), 2);
  }
  return out;
}

inline std::string from_hexadecimal(std::string_view digits) {
  const auto digit = [](char character) {
    return character <= '9' ? character - '0' : character - 'a' + 10;
  };
  std::string out;
  for (std::size_t at = 0; at + 1 < digits.size(); at += 2) {
    out += static_cast<char>(digit(digits[at]) << 4 | digit(digits[at + 1]));
  }
  return out;
}

}  // namespace weir::test
