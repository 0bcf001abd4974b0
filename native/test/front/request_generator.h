// Random requests as RFC 9112 allows them, one after another, with what a reader must find in them;
// and changes that make something else of them.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "../counters/random.h"
#include "front/request_reader.h"

namespace weir::test {

inline constexpr front::ReaderBounds kUsualReader{
    .head_bytes = 65536, .target_bytes = 65536, .lines = 100};
inline constexpr front::ReaderBounds kTightReader{
    .head_bytes = 150, .target_bytes = 20, .lines = 5};

struct GeneratedRequest {
  std::string text;
  std::string method;
  std::string target;
  std::string authority;
  std::string body;
  bool chunked = false;
  bool keep_alive = true;
};

class RequestGenerator {
 public:
  explicit RequestGenerator(Random& random) : random_(random) {}

  GeneratedRequest request() {
    GeneratedRequest made;
    for (std::uint64_t left = random_.one_in(8) ? random_.between(1, 3) : 0; left > 0; --left) {
      made.text += "\r\n";
    }
    const std::uint64_t framing = random_.below(4);
    const bool old = framing != 1 && random_.one_in(6);
    const bool has_host = !old || random_.one_in(2);
    if (framing < 2) made.body = random_.one_in(5) ? "" : bytes(random_.below(60));
    made.chunked = framing == 1;
    made.text += start(made, has_host) + (old ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n");
    std::vector<std::string> lines;
    if (has_host) lines.push_back(name("Host") + colon() + host_ + white());
    if (framing == 0) {
      lines.push_back(name("Content-Length") + colon() + number(made.body.size()) + white());
    }
    if (framing == 1) lines.push_back(name("Transfer-Encoding") + colon() + name("chunked"));
    made.keep_alive = !old;
    if (random_.one_in(5)) {
      made.keep_alive = random_.one_in(2);
      lines.push_back(name("connection") + colon() +
                      (made.keep_alive ? "x,, Keep-Alive" : "CLOSE"));
    }
    for (std::uint64_t left = random_.below(6); left > 0; --left) lines.push_back(field());
    while (!lines.empty()) {
      const auto next = lines.begin() + static_cast<std::ptrdiff_t>(random_.below(lines.size()));
      made.text += *next + "\r\n";
      lines.erase(next);
    }
    made.text += "\r\n";
    made.text += made.chunked ? chunks(made.body) : made.body;
    return made;
  }

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

 private:
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
    for (std::uint64_t left = random_.below(40); left > 0; --left) {
      text += random_.one_in(12)   ? '\t'
              : random_.one_in(12) ? static_cast<char>(random_.between(0x80, 0xff))
                                   : static_cast<char>(random_.between(0x20, 0x7e));
    }
    return text;
  }

  std::string field() {
    static constexpr std::string_view kNames[] = {
        "Accept", "Cookie", "x",   "via",           "User-Agent",      "content-type", "Hosts",
        "expec",  "te",     "Via", "content_lengt", "!#$%&'*+-.^_`|~", "Upgrade",      "Date"};
    if (random_.one_in(8)) return name("expect") + colon() + name("100-continue") + white();
    return name(one_of(kNames)) + colon() + value() + white();
  }

  // Method and target.
  std::string start(GeneratedRequest& made, bool has_host) {
    static constexpr std::string_view kMethods[] = {"GET", "GET", "POST", "HEAD", "PATCH", "x-y!"};
    static constexpr std::string_view kTargets[] = {
        "/",     "/a?b=c",      "/%2F//..;?", "/\xc3\xa9?\xff",
        "//x/y", "/?http://z/", "/*",         "/a\"<>\\^`{|}"};
    static constexpr std::string_view kHosts[] = {"a.test", "[::1]:80", "\xff x", "x@y:z", "h:"};
    made.method = one_of(kMethods);
    made.target = one_of(kTargets);
    host_ = one_of(kHosts);
    if (has_host) made.authority = host_;
    if (random_.one_in(8)) {
      made.method = "OPTIONS";
      made.target = "*";
      return "OPTIONS *";
    }
    if (!random_.one_in(5)) return made.method + " " + made.target;
    static constexpr std::string_view kAuthorities[] = {"b.test", "b:8080", "[::2]", "\xff;,"};
    made.authority = one_of(kAuthorities);
    const std::string text =
        made.method + " " + name(random_.one_in(2) ? "http://" : "https://") + made.authority;
    static constexpr std::string_view kRests[] = {"", "?", "?a=/b", "/", "/c?d", "//e"};
    made.target = one_of(kRests);
    const std::string sent = made.target;
    if (sent.empty() || sent[0] == '?') made.target.insert(0, "/");
    return text + sent;
  }

  std::string chunks(std::string_view body) {
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

  void change(std::string& text) {
    static constexpr char kBytes[] = {'\r', '\n', '\0', ':', ' ', '\t',   ';',    ',',    '0',
                                      '1',  'a',  'g',  '-', '+', '\x7f', '\x80', '\x1f', '\x16'};
    static constexpr std::string_view kWords[] = {"\r\n",
                                                  "\r\n\r\n",
                                                  "\n",
                                                  "\r",
                                                  "content-length: 5\r\n",
                                                  "Content-Length: 0\r\n",
                                                  "transfer-encoding: chunked\r\n",
                                                  "transfer-encoding: gzip\r\n",
                                                  "connection: close\r\n",
                                                  "host: x\r\n",
                                                  "host:\r\n",
                                                  "expect: 200-ok\r\n",
                                                  "expect: , 100-Continue,\r\n",
                                                  "0\r\n\r\n",
                                                  "0x5",
                                                  "gzip, chunked",
                                                  "fffffffffffffff",
                                                  "9999999999999999",
                                                  " x: y\r\n",
                                                  "GET / HTTP/1.1\r\n",
                                                  "GET / HTTP/2.0\r\n\r\n",
                                                  "CONNECT a:1 HTTP/1.1\r\n\r\n",
                                                  "http://",
                                                  "@",
                                                  "#",
                                                  "*",
                                                  ": "};
    const std::size_t at = random_.below(text.size() + 1);
    switch (random_.below(6)) {
      case 0:
        if (at < text.size()) text[at] = one_of(kBytes);
        break;
      case 1:
        text.insert(at, 1, one_of(kBytes));
        break;
      case 2:
        text.insert(at, one_of(kWords));
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

  Random& random_;
  std::string host_;
};

}  // namespace weir::test
