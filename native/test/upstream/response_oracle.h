// What the parser must make of some bytes, written as plainly as it can be: one byte after another
// of the whole input, strings, and no thought of speed. Shares nothing with the parser but its
// types.
#pragma once

#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "response_reading.h"

namespace weir::test {

class ResponseOracle {
 public:
  ResponseOracle(std::string_view input, bool head_request, const upstream::ParserLimits& limits)
      : input_(input), head_request_(head_request), limits_(limits) {
    try {
      while (!read_head()) ++reading_.interims;
      reading_.has_head = true;
      read_body();
      reading_.end = Reading::End::kComplete;
      reading_.consumed = at_;
    } catch (Refused) {
      reading_.end = Reading::End::kRefused;
      reading_.body.clear();
    } catch (Incomplete) {
      const bool closes = reading_.has_head && reading_.framing == upstream::Framing::kClose;
      reading_.end = closes ? Reading::End::kClosable : Reading::End::kMore;
    }
  }

  // Without `reason`.
  const Reading& reading() const { return reading_; }

 private:
  struct Refused {};
  struct Incomplete {};
  using Fields = std::vector<std::pair<std::string, std::string>>;

  static void demand(bool holds) {
    if (!holds) throw Refused();
  }

  char next() {
    if (at_ - section_ >= section_max_) throw Refused();
    if (at_ >= input_.size()) throw Incomplete();
    return input_[at_++];
  }

  // From here on no more than so many bytes, until the next call.
  void section(std::size_t bytes) {
    section_ = at_;
    section_max_ = bytes;
  }

  static bool in_name(char byte) {
    return std::isalnum(static_cast<unsigned char>(byte)) != 0 ||
           (byte != '\0' &&
            std::string_view("!#$%&'*+-.^_`|~").find(byte) != std::string_view::npos);
  }

  static bool in_value(char byte) {
    return byte == '\t' || (std::iscntrl(static_cast<unsigned char>(byte)) == 0);
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

  static bool all_digits(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  }

  // Up to the line's end, which is read too.
  std::string rest_of_line(bool lf_alone) {
    std::string text;
    for (;;) {
      const char byte = next();
      if (byte == '\n' && lf_alone) return text;
      if (byte == '\r') {
        demand(next() == '\n');
        return text;
      }
      demand(in_value(byte));
      text += byte;
    }
  }

  // @returns false for an interim response
  bool read_head() {
    section(limits_.head_bytes);
    for (const char byte : std::string_view("HTTP/1.")) demand(next() == byte);
    const char minor = next();
    demand(minor == '0' || minor == '1');
    demand(next() == ' ');
    int status = 0;
    for (int digit = 0; digit < 3; ++digit) {
      const char byte = next();
      demand(std::isdigit(byte) != 0 && (digit > 0 || byte != '0'));
      status = 10 * status + (byte - '0');
    }
    const bool interim = status < 200;
    read_reason(status, interim);
    const std::size_t lines_from = at_;
    const Fields fields = read_fields(interim);
    const Fields::size_type lengths = count(fields, "content-length");
    const bool chunked = count(fields, "transfer-encoding") > 0;
    demand(!chunked || (lengths == 0 && minor == '1'));
    const std::int64_t length = lengths == 0 ? -1 : std::stoll(values(fields, "content-length")[0]);
    if (interim) {
      demand(!chunked && length <= 0);
      demand(reading_.interims < limits_.interim_responses);
      return false;
    }
    reading_.status = status;
    reading_.length = length;
    reading_.declares_body = chunked || length > 0;
    reading_.lines = input_.substr(lines_from, at_ - 2 - lines_from);
    if (head_request_ || status == 204 || status == 304) {
      reading_.framing = upstream::Framing::kNone;
    } else if (chunked) {
      reading_.framing = upstream::Framing::kChunked;
    } else {
      reading_.framing = length >= 0 ? upstream::Framing::kLength : upstream::Framing::kClose;
    }
    std::multiset<std::string> options;
    for (const std::string& value : values(fields, "connection")) {
      for (const std::string& each : elements(value)) options.insert(each);
    }
    reading_.keep_alive = reading_.framing != upstream::Framing::kClose &&
                          options.count("close") == 0 &&
                          (minor == '1' || options.count("keep-alive") > 0);
    note_hint(fields);
    note_passed(fields, options);
    return true;
  }

  void read_reason(int status, bool interim) {
    // 101 is refused before what follows it is seen, but for the byte that ends the number.
    const char byte = next();
    demand(byte == ' ' || byte == '\r' || (byte == '\n' && interim));
    demand(status != 101);
    if (byte == '\r') demand(next() == '\n');
    if (byte == ' ') rest_of_line(interim);
  }

  Fields read_fields(bool interim) {
    Fields fields;
    for (;;) {
      std::string name;
      char byte = next();
      if (byte == '\n' && interim) return fields;
      if (byte == '\r') {
        demand(next() == '\n');
        return fields;
      }
      for (; byte != ':'; byte = next()) {
        demand(in_name(byte));
        name += byte;
      }
      demand(!name.empty());
      fields.emplace_back(name, trim(rest_of_line(interim)));
      demand(fields.size() <= limits_.header_lines);
      check_field(fields);
    }
  }

  static std::vector<std::string> values(const Fields& fields, const std::string& name) {
    std::vector<std::string> found;
    for (const auto& [each, value] : fields) {
      if (lower(each) == name) found.push_back(value);
    }
    return found;
  }

  static std::size_t count(const Fields& fields, const std::string& name) {
    return values(fields, name).size();
  }

  // The last one, which has just come.
  static void check_field(const Fields& fields) {
    const std::string name = lower(fields.back().first);
    const std::string& value = fields.back().second;
    if (name == "content-length") {
      demand(count(fields, name) == 1);
      demand(all_digits(value) && value.size() <= 16 && std::stoll(value) < 9007199254740992);
    } else if (name == "transfer-encoding") {
      demand(count(fields, name) == 1 && lower(value) == "chunked");
    } else if (name == "connection") {
      std::size_t options = 0;
      for (const std::string& each : values(fields, name)) options += elements(each).size();
      demand(options <= upstream::kConnectionOptionsMax);
    }
  }

  void note_hint(const Fields& fields) {
    for (const std::string& value : values(fields, "keep-alive")) {
      for (const std::string& element : elements(value)) {
        if (element.rfind("timeout=", 0) != 0 || !all_digits(element.substr(8))) continue;
        std::string digits = element.substr(8);
        digits.erase(0, digits.find_first_not_of('0'));
        const bool large = digits.size() > 10 || (digits.size() == 10 && digits > "2147483647");
        reading_.keep_alive_seconds =
            large ? 2147483647 : static_cast<std::int32_t>(std::stoll("0" + digits));
      }
    }
  }

  void note_passed(const Fields& fields, const std::multiset<std::string>& options) {
    static const std::set<std::string> kDropped = {"connection",
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
    for (const auto& [name, value] : fields) {
      const std::string each = lower(name);
      if (kDropped.count(each) > 0 || (options.count(each) > 0 && each != "host")) continue;
      if (!reading_.passed.empty()) reading_.passed += "\r\n";
      reading_.passed += name + ": " + value;
    }
    for (const char byte : reading_.passed) {
      if (static_cast<unsigned char>(byte) > 127) reading_.passed_ascii = false;
    }
  }

  void read_body() {
    section(std::string::npos);
    switch (reading_.framing) {
      case upstream::Framing::kNone:
        return;
      case upstream::Framing::kLength:
        read_bytes(static_cast<std::uint64_t>(reading_.length));
        return;
      case upstream::Framing::kClose:
        for (;;) reading_.body += next();
      case upstream::Framing::kChunked:
        while (read_chunk()) continue;
        read_trailers();
    }
  }

  void read_bytes(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) reading_.body += next();
  }

  // @returns false for the last one
  bool read_chunk() {
    std::string digits;
    char byte = next();
    for (; std::isxdigit(static_cast<unsigned char>(byte)) != 0; byte = next()) {
      digits += byte;
      demand(digits.size() <= 15);
    }
    demand(!digits.empty() && (byte == '\r' || byte == ';'));
    if (byte == ';') {
      for (byte = next(); byte != '\r'; byte = next()) {
        demand(in_value(byte) && ++extensions_ <= limits_.head_bytes + reading_.body.size());
      }
    }
    demand(next() == '\n');
    const std::uint64_t size = std::stoull(digits, nullptr, 16);
    if (size == 0) return false;
    read_bytes(size);
    demand(next() == '\r');
    demand(next() == '\n');
    return true;
  }

  void read_trailers() {
    section(limits_.head_bytes);
    for (std::size_t lines = 0;; ++lines) {
      char byte = next();
      if (byte == '\r') {
        demand(next() == '\n');
        return;
      }
      demand(in_name(byte) && lines < limits_.header_lines);
      while (byte != ':') {
        byte = next();
        demand(byte == ':' || in_name(byte));
      }
      rest_of_line(false);
    }
  }

  std::string_view input_;
  bool head_request_;
  upstream::ParserLimits limits_;
  Reading reading_;
  std::size_t at_ = 0;
  // bytes of extensions of all chunks
  std::size_t extensions_ = 0;
  std::size_t section_ = 0;
  std::size_t section_max_ = 0;
};

}  // namespace weir::test
