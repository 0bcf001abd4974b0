// What random requests and random responses have in common: how names, white space, values and
// chunks may be written, changes that make something else of a message, places to cut it at. Used
// by test/front/request_generator.h and test/upstream/response_generator.h.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../counters/random.h"

namespace weir::test {

class MessageGenerator {
 public:
  // One to four changes: bytes, slices, words of the protocol.
  std::string changed(std::string text) {
    for (std::uint64_t left = random_.between(1, 4); left > 0; --left) change(text);
    return text;
  }

  std::vector<std::size_t> cuts(std::size_t size) {
    std::vector<std::size_t> found;
    // Often byte by byte, which comes by all states.
    if (random_.one_in(4)) {
      for (std::size_t at = 1; at < size; ++at) found.push_back(at);
    } else {
      for (std::uint64_t left = random_.below(6); left > 0; --left) {
        found.push_back(random_.below(size + 1));
      }
    }
    std::sort(found.begin(), found.end());
    return found;
  }

 protected:
  // @param bytes, words what changes put into a message
  // @param value_bytes more than a field's value may have
  MessageGenerator(Random& random, std::span<const char> bytes,
                   std::span<const std::string_view> words, std::uint64_t value_bytes)
      : random_(random), bytes_(bytes), words_(words), value_bytes_(value_bytes) {}
  ~MessageGenerator() = default;

  template <typename Choices>
  auto one_of(const Choices& choices) {
    return choices[random_.below(std::size(choices))];
  }

  std::string bytes(std::uint64_t count) {
    std::string text;
    for (; count > 0; --count) text += static_cast<char>(random_.below(256));
    return text;
  }

  std::string number(std::size_t value) {
    return std::string(random_.one_in(8) ? random_.below(5) : 0, '0') + std::to_string(value);
  }

  // In some other case.
  std::string name(std::string_view text) {
    std::string spelled;
    for (const char byte : text) {
      const bool letter = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
      spelled += letter && random_.one_in(4) ? static_cast<char>(byte ^ 0x20) : byte;
    }
    return spelled;
  }

  std::string white() {
    static constexpr std::string_view kWhite[] = {"", "", "", "", " ", "\t", " \t "};
    return std::string(one_of(kWhite));
  }

  std::string colon() { return random_.one_in(3) ? ":" + white() : ": "; }

  std::string value() {
    std::string text;
    for (std::uint64_t left = random_.below(value_bytes_); left > 0; --left) {
      text += random_.one_in(12)   ? '\t'
              : random_.one_in(12) ? static_cast<char>(random_.between(0x80, 0xff))
                                   : static_cast<char>(random_.between(0x20, 0x7e));
    }
    return text;
  }

  // @param field makes the line of a trailer
  template <typename Field>
  std::string chunks(std::string_view body, Field field) {
    static constexpr std::string_view kExtensions[] = {"", "", "", ";a", ";a=\"b;\xff\"", "; \t"};
    static constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    while (!body.empty()) {
      const std::size_t size = random_.between(1, body.size());
      const std::string digits = size > 15 ? std::string{kDigits[size / 16], kDigits[size % 16]}
                                           : std::string{kDigits[size]};
      text += std::string(random_.one_in(8) ? 3 : 0, '0') + name(digits);
      text += one_of(kExtensions);
      text += "\r\n";
      text += body.substr(0, size);
      text += "\r\n";
      body.remove_prefix(size);
    }
    text += random_.one_in(8) ? "0000" : "0";
    text += one_of(kExtensions);
    text += "\r\n";
    for (std::uint64_t left = random_.one_in(3) ? random_.between(1, 3) : 0; left > 0; --left) {
      text += field() + "\r\n";
    }
    return text + "\r\n";
  }

  Random& random_;

 private:
  void change(std::string& text) {
    const std::size_t at = random_.below(text.size() + 1);
    switch (random_.below(6)) {
      case 0:
        if (at < text.size()) text[at] = one_of(bytes_);
        break;
      case 1:
        text.insert(at, 1, one_of(bytes_));
        break;
      case 2:
        text.insert(at, one_of(words_));
        break;
      case 3:
        text.erase(at, random_.between(1, 8));
        break;
      case 4:
        text.insert(random_.below(text.size() + 1), text.substr(at, random_.below(40)));
        break;
      default:
        if (random_.one_in(4)) text.resize(at);
    }
  }

  std::span<const char> bytes_;
  std::span<const std::string_view> words_;
  std::uint64_t value_bytes_;
};

}  // namespace weir::test
