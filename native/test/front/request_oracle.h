// What the reader must make of a connection's bytes, written as plainly as it can be: one byte
// after another of the whole input, strings, and no thought of speed. Shares nothing with the
// reader but its types.
#pragma once

#include <cctype>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "request_transcript.h"

namespace weir::test {

class RequestOracle {
 public:
  RequestOracle(std::string_view input, const front::ReaderBounds& bounds)
      : input_(input), bounds_(bounds) {
    try {
      for (;;) read_request();
    } catch (const Refused& refused) {
      transcript_.status = refused.status;
      transcript_.mid_message = true;
    } catch (Incomplete) {
    }
  }

  // Without code and sentence.
  const Transcript& transcript() const { return transcript_; }

 private:
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
  void section(std::size_t bytes, int status) {
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

  void read_request() {
    transcript_.mid_message = false;
    section(std::string::npos, 0);
    for (std::size_t empty = 0;; ++empty) {
      const char byte = next();
      demand(byte != '\n');
      if (byte != '\r') break;
      demand(next() == '\n');
      demand(empty < bounds_.lines);
    }
    --at_;
    transcript_.mid_message = true;
    const std::size_t from = at_;
    section(bounds_.head_bytes, 431);
    SeenRequest request;
    read_line(request);
    while (read_field(request)) continue;
    request.head = input_.substr(from, at_ - from);
    judge(request);
    transcript_.requests.push_back(request);
    section(std::string::npos, 0);
    if (request.kind == front::BodyKind::sized) read_bytes(request.body_bytes);
    if (request.kind == front::BodyKind::chunked) read_chunks();
    transcript_.requests.back().ended = true;
  }

  void read_line(SeenRequest& request) {
    char byte = next();
    for (; byte != ' ' || request.method.empty(); byte = next()) {
      demand(in_name(byte));
      request.method += byte;
    }
    for (byte = next(); byte != ' '; byte = next()) {
      request.target += byte;
      const bool fits = code(byte) > 0x20 && code(byte) != 0x7f;
      if (fits) demand(request.target.size() <= bounds_.target_bytes, 414);
      demand(fits);
      if (code(byte) > 0x7f) request.ascii = false;
    }
    demand(!request.target.empty());
    std::string version;
    while (version.size() < 8) {
      byte = next();
      const std::size_t place = version.size();
      demand(place == 5 || place == 7 ? std::isdigit(static_cast<int>(code(byte))) != 0
                                      : byte == std::string("HTTP/ .")[place]);
      version += byte;
    }
    demand(next() == '\r');
    demand(next() == '\n');
    demand(version == "HTTP/1.1" || version == "HTTP/1.0", 505);
    request.minor_version = version.back() - '0';
    demand(request.method != "CONNECT", 405);
    split_target(request);
  }

  static void split_target(SeenRequest& request) {
    std::string& target = request.target;
    if (target[0] == '/') return;
    if (target == "*") {
      demand(request.method == "OPTIONS");
      return;
    }
    const std::size_t colon = target.find("://");
    demand(colon != std::string::npos);
    const std::string scheme = lower(target.substr(0, colon));
    demand(scheme == "http" || scheme == "https");
    std::string rest = target.substr(colon + 3);
    while (!rest.empty() && rest[0] != '/' && rest[0] != '?' && rest[0] != '#') {
      request.authority += rest[0];
      rest.erase(0, 1);
    }
    for (const char byte : request.authority) demand(byte != '@');
    demand(!request.authority.empty() && request.authority[0] != ':');
    demand(rest.empty() || rest[0] != '#');
    target = rest;
    if (rest.empty()) target = request.method == "OPTIONS" ? "*" : "/";
    if (target[0] == '?') target = "/" + rest;
  }

  // @returns false for the empty line
  bool read_field(SeenRequest& request) {
    SeenField field;
    char byte = next();
    if (byte == '\r') {
      demand(next() == '\n');
      return false;
    }
    for (; byte != ':' || field.name.empty(); byte = next()) {
      demand(in_name(byte));
      field.name += byte;
    }
    for (byte = next(); byte != '\r'; byte = next()) {
      demand(in_value(byte));
      if (code(byte) > 0x7f) request.ascii = false;
      field.value += byte;
    }
    demand(next() == '\n');
    field.value = trim(field.value);
    static const std::map<std::string, front::Name> kNames = {
        {"connection", front::Name::connection},
        {"content-length", front::Name::content_length},
        {"expect", front::Name::expect},
        {"host", front::Name::host},
        {"transfer-encoding", front::Name::transfer_encoding},
        {"upgrade", front::Name::upgrade},
        {"via", front::Name::via}};
    const auto known = kNames.find(lower(field.name));
    if (known != kNames.end()) field.known = known->second;
    request.fields.push_back(field);
    demand(request.fields.size() <= bounds_.lines, 431);
    return true;
  }

  static std::vector<std::string> values(const SeenRequest& request, const std::string& name) {
    std::vector<std::string> found;
    for (const SeenField& field : request.fields) {
      if (lower(field.name) == name) found.push_back(field.value);
    }
    return found;
  }

  static void judge(SeenRequest& request) {
    const auto lengths = values(request, "content-length");
    const auto codings = values(request, "transfer-encoding");
    const auto hosts = values(request, "host");
    demand(lengths.empty() || codings.empty());
    demand(lengths.size() <= 1 && hosts.size() <= 1);
    demand(!hosts.empty() || request.minor_version == 0);
    request.has_host = !hosts.empty();
    if (request.has_host) demand(!hosts[0].empty());
    if (request.has_host && request.authority.empty()) request.authority = hosts[0];
    if (!lengths.empty()) {
      demand(!lengths[0].empty() && lengths[0].size() <= 15);
      for (const char digit : lengths[0]) demand(digit >= '0' && digit <= '9');
      request.kind = front::BodyKind::sized;
      request.body_bytes = std::stoull(lengths[0]);
    }
    if (!codings.empty()) {
      demand(request.minor_version == 1);
      demand(codings.size() == 1 && lower(codings[0]) == "chunked", 501);
      request.kind = front::BodyKind::chunked;
    }
    const bool empty = request.kind != front::BodyKind::chunked && request.body_bytes == 0;
    for (const std::string& value : values(request, "expect")) {
      for (const std::string& each : elements(value)) {
        demand(each == "100-continue", 417);
        request.expects_continue = request.minor_version == 1 && !empty;
      }
    }
    bool close = false;
    bool stay = request.minor_version == 1;
    for (const std::string& value : values(request, "connection")) {
      for (const std::string& each : elements(value)) {
        close = close || each == "close";
        stay = stay || each == "keep-alive";
      }
    }
    request.keep_alive = stay && !close;
  }

  void read_bytes(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) transcript_.requests.back().body += next();
  }

  void read_chunks() {
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
          demand(extensions <= bounds_.head_bytes + transcript_.requests.back().body.size());
        }
      }
      demand(next() == '\n');
      const std::uint64_t size = std::stoull(digits, nullptr, 16);
      if (size == 0) break;
      read_bytes(size);
      demand(next() == '\r');
      demand(next() == '\n');
    }
    section(bounds_.head_bytes, 400);
    for (std::size_t lines = 0; read_trailer(lines); ++lines) continue;
  }

  bool read_trailer(std::size_t before) {
    char byte = next();
    if (byte == '\r') {
      demand(next() == '\n');
      return false;
    }
    demand(in_name(byte) && before < bounds_.lines);
    for (; byte != ':'; byte = next()) demand(in_name(byte));
    for (byte = next(); byte != '\r'; byte = next()) demand(in_value(byte));
    demand(next() == '\n');
    return true;
  }

  std::string_view input_;
  front::ReaderBounds bounds_;
  Transcript transcript_;
  std::size_t at_ = 0;
  std::size_t section_ = 0;
  std::size_t section_max_ = 0;
  int section_status_ = 0;
};

}  // namespace weir::test
