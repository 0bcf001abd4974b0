// What must hold of the reader of ClientHellos for any input at all, beside a second reader that is
// as plain as can be. Called by the fuzzer and, with every file of the corpus, by a test. An input
// is what a connection begins with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "front/client_hello.h"
#include "front/ja4.h"

namespace weir::test {

// What a ClientHello tells, in memory of its own.
struct Told {
  front::HelloState state = front::HelloState::kMore;
  std::string name;
  std::vector<std::string> protocols;
  std::uint16_t legacy_version = 0;
  std::vector<std::uint16_t> versions, suites, extensions, signatures;
  bool operator==(const Told&) const = default;
};

inline Told told_by(const front::ClientHello& hello) {
  return {hello.state(),
          std::string(hello.server_name()),
          {hello.protocols().begin(), hello.protocols().end()},
          hello.legacy_version(),
          hello.versions(),
          hello.cipher_suites(),
          hello.extensions(),
          hello.signature_algorithms()};
}

// The second reader: it takes all there is, throws where anything is missing, and is slow.
class PlainReader {
 public:
  explicit PlainReader(std::string bytes) : bytes_(std::move(bytes)) {}

  std::size_t number(std::size_t width) {
    std::size_t out = 0;
    while (width-- > 0) out = out * 256 + static_cast<unsigned char>(bytes_.at(at_++));
    return out;
  }
  std::string part(std::size_t size) {
    std::string out;
    while (size-- > 0) out += bytes_.at(at_++);
    return out;
  }
  std::string block(std::size_t width) { return part(number(width)); }
  bool at_end() const { return at_ == bytes_.size(); }
  void must(bool holds) const {
    if (!holds) throw std::out_of_range("not a ClientHello");
  }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

inline bool is_reserved(std::size_t value) {
  for (std::size_t nibble = 0; nibble < 16; ++nibble) {
    if (value == nibble * 0x1010 + 0x0a0a) return true;
  }
  return false;
}

inline std::vector<std::uint16_t> plain_numbers(const std::string& list) {
  PlainReader reader(list);
  reader.must(!list.empty());
  std::vector<std::uint16_t> out;
  while (!reader.at_end()) {
    const std::size_t value = reader.number(2);
    if (!is_reserved(value)) out.push_back(static_cast<std::uint16_t>(value));
  }
  return out;
}

inline std::string only_block(const std::string& content, std::size_t width) {
  PlainReader reader(content);
  std::string out = reader.block(width);
  reader.must(reader.at_end());
  return out;
}

inline void plain_extension(std::size_t type, const std::string& content, Told& told) {
  if (type == 0) {
    PlainReader list(only_block(content, 2));
    list.must(list.number(1) == 0);
    told.name = list.block(2);
    list.must(list.at_end() && !told.name.empty() && told.name.size() < 256);
    list.must(told.name.find('\0') == std::string::npos);
  } else if (type == 13) {
    told.signatures = plain_numbers(only_block(content, 2));
  } else if (type == 16) {
    PlainReader list(only_block(content, 2));
    list.must(!list.at_end());
    while (!list.at_end()) {
      const std::string name = list.block(1);
      list.must(!name.empty());
      const bool two = name.size() == 2;
      if (!two || !is_reserved(PlainReader(name).number(2))) told.protocols.push_back(name);
    }
  } else if (type == 43) {
    told.versions = plain_numbers(only_block(content, 1));
  }
}

inline Told plain_message(const std::string& body) {
  Told told;
  told.state = front::HelloState::kDone;
  PlainReader reader(body);
  told.legacy_version = static_cast<std::uint16_t>(reader.number(2));
  reader.part(32);
  reader.must(reader.block(1).size() <= 32);
  told.suites = plain_numbers(reader.block(2));
  reader.must(!reader.block(1).empty());
  if (reader.at_end()) return told;
  PlainReader list(reader.block(2));
  reader.must(reader.at_end());
  std::set<std::size_t> seen;
  while (!list.at_end()) {
    const std::size_t type = list.number(2);
    list.must(seen.insert(type).second);
    if (!is_reserved(type)) told.extensions.push_back(static_cast<std::uint16_t>(type));
    plain_extension(type, list.block(2), told);
  }
  return told;
}

// Only the state where it is not done.
inline Told state_alone(front::HelloState state) {
  Told told;
  told.state = state;
  return told;
}

inline Told plain_reading(std::string_view input) {
  std::string message;
  bool is_bad = false;
  for (std::size_t at = 0; at < input.size() && !is_bad;) {
    const std::string_view header = input.substr(at, 5);
    is_bad = header[0] != 22 || (header.size() > 1 && header[1] != 3);
    if (is_bad || header.size() < 5) break;
    const std::size_t size = static_cast<unsigned char>(header[3]) * std::size_t{256} +
                             static_cast<unsigned char>(header[4]);
    is_bad = size == 0 || size > 16'384;
    if (!is_bad) message += input.substr(at + 5, size);
    at += 5 + size;
  }
  const Told unfinished =
      state_alone(is_bad ? front::HelloState::kNotTls : front::HelloState::kMore);
  if (!message.empty() && message[0] != 1) return state_alone(front::HelloState::kNotTls);
  if (message.size() < 4) return unfinished;
  const std::size_t size = PlainReader(message.substr(1)).number(3);
  if (size + 4 > front::kHelloBytesMax) return state_alone(front::HelloState::kTooLong);
  if (message.size() < 4 + size) return unfinished;
  try {
    return plain_message(message.substr(4, size));
  } catch (const std::out_of_range&) {
    return state_alone(front::HelloState::kNotTls);
  }
}

// Every piece in memory of its own, so that a read beyond its end is seen.
inline Told read_in_pieces(std::string_view input, std::size_t first, std::size_t then) {
  front::ClientHello hello;
  std::size_t size = first;
  for (std::size_t at = 0; at < input.size(); at += size, size = then) {
    if (at > 0) size = then;
    const std::string_view piece = input.substr(at, size);
    const std::vector<char> own(piece.begin(), piece.end());
    hello.read({own.data(), own.size()});
  }
  return told_by(hello);
}

// Its raw form, where it has one: its parts, and what stands in them.
inline bool is_ja4_text(const std::string& text, const Told& told) {
  if (text.size() < 12 || text.size() > front::kJa4TextBytesMax) return false;
  const auto parts = std::count(text.begin(), text.end(), '_');
  const auto rest = text.substr(10);
  return text[0] == 't' && text[10] == '_' && parts == (told.signatures.empty() ? 2 : 3) &&
         rest.find_first_not_of("0123456789abcdef,_") == std::string::npos;
}

// @returns what does not hold; empty: nothing
inline std::string complaint(std::string_view input) {
  const std::size_t all = std::max<std::size_t>(input.size(), 1);
  const Told whole = read_in_pieces(input, all, all);
  if (whole != plain_reading(input)) return "the second reader says otherwise";
  if (read_in_pieces(input, 1, 1) != whole) return "a byte at a time is another";
  const std::size_t step = 1 + input.size() / 64;
  for (std::size_t cut = 1; cut < input.size(); cut += step) {
    if (read_in_pieces(input, cut, all) != whole) return "the cut matters";
  }
  if (whole.state == front::HelloState::kMore && input.size() > 6 * front::kHelloBytesMax) {
    return "waits for more than there may be";
  }
  if (whole.state != front::HelloState::kDone) return "";
  front::ClientHello hello;
  hello.read(input);
  const std::string text = front::ja4_text(hello);
  const std::size_t values =
      whole.suites.size() + whole.extensions.size() + whole.signatures.size();
  if (text.empty() ? values < 800 : !is_ja4_text(text, whole)) return "no JA4";
  return "";
}

}  // namespace weir::test
