// Random responses as RFC 9112 allows them, with what a reader must find in them; and changes that
// make something else of one.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "../counters/random.h"

namespace weir::test {

struct GeneratedResponse {
  std::string text;
  bool head_request = false;
  int status = 0;
  std::size_t interims = 0;
  std::string body;
  // complete only when the peer ends its side
  bool until_close = false;
};

class ResponseGenerator {
 public:
  explicit ResponseGenerator(Random& random) : random_(random) {}

  GeneratedResponse response() {
    GeneratedResponse made;
    made.head_request = random_.one_in(6);
    made.interims = random_.one_in(4) ? random_.between(1, 3) : 0;
    for (std::size_t i = 0; i < made.interims; ++i) made.text += interim();
    made.status = status();
    const bool bodiless = made.head_request || made.status == 204 || made.status == 304;
    const std::string body = random_.one_in(5) ? "" : bytes(random_.below(60));
    const std::uint64_t framing = random_.below(3);
    const bool old = framing != 1 && random_.one_in(4);
    std::string frame;
    if (framing == 0) frame = name("Content-Length") + colon() + number(body.size()) + white();
    if (framing == 1) frame = name("Transfer-Encoding") + colon() + name("chunked") + white();
    made.text +=
        (old ? "HTTP/1.0 " : "HTTP/1.1 ") + std::to_string(made.status) + reason() + fields(frame);
    made.until_close = !bodiless && framing == 2;
    if (bodiless) return made;
    made.body = body;
    made.text += framing == 1 ? chunks(body) : body;
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

  int status() {
    static constexpr int kUsual[] = {200, 200, 200, 201, 204, 206, 301, 304, 404, 500, 999};
    return random_.one_in(4) ? static_cast<int>(random_.between(200, 999)) : one_of(kUsual);
  }

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
    for (std::uint64_t left = random_.below(30); left > 0; --left) {
      text += random_.one_in(12)   ? '\t'
              : random_.one_in(12) ? static_cast<char>(random_.between(0x80, 0xff))
                                   : static_cast<char>(random_.between(0x20, 0x7e));
    }
    return text;
  }

  std::string field() {
    static constexpr std::string_view kNames[] = {
        "Server",  "Date",       "x",       "Set-Cookie",      "ETag", "content-type",      "host",
        "Trailer", "Keep-Alive", "Upgrade", "!#$%&'*+-.^_`|~", "te",   "Proxy-Authenticate"};
    static constexpr std::string_view kOptions[] = {
        "close", "keep-alive", "Keep-Alive, x", "x, etag,,", "Host", "CLOSE ,\tx", ""};
    static constexpr std::string_view kHints[] = {"timeout=5", "Timeout=60, max=100",
                                                  "max=3",     "timeout=99999999999",
                                                  "timeout=",  "timeout=x"};
    if (random_.one_in(6)) return name("connection") + colon() + std::string(one_of(kOptions));
    if (random_.one_in(10)) return name("keep-alive") + colon() + std::string(one_of(kHints));
    return name(one_of(kNames)) + colon() + value() + white();
  }

  // With the line `frame` among them if it is not empty, and the empty line.
  std::string fields(const std::string& frame) {
    const std::uint64_t count = random_.below(6);
    const std::uint64_t place = random_.below(count + 1);
    std::string text = "\r\n";
    for (std::uint64_t i = 0; i <= count; ++i) {
      if (i == place && !frame.empty()) text += frame + "\r\n";
      if (i < count) text += field() + "\r\n";
    }
    return text + "\r\n";
  }

  std::string reason() {
    static constexpr std::string_view kReasons[] = {" OK", " ", "", " Not Found", " \xc3\xa9\t!"};
    return std::string(one_of(kReasons));
  }

  std::string interim() {
    static constexpr std::string_view kInterims[] = {
        "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\nx: y\r\n\r\n",
        "HTTP/1.0 199\r\n\r\n", "HTTP/1.1 102 \n\n", "HTTP/1.1 100\na: b\r\n\n"};
    return std::string(one_of(kInterims));
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
    static constexpr char kBytes[] = {'\r', '\n', '\0', ':', ' ', '\t',   ';',    ',',   '0',
                                      '1',  'a',  'g',  '-', '+', '\x7f', '\x80', '\x1f'};
    static constexpr std::string_view kWords[] = {"\r\n",
                                                  "\r\n\r\n",
                                                  "\n",
                                                  "\r",
                                                  "content-length: 5\r\n",
                                                  "HTTP/1.1 100 \r\n\r\n",
                                                  "HTTP/1.1 101 \r\n\r\n",
                                                  "0\r\n\r\n",
                                                  "0x5",
                                                  "gzip, chunked",
                                                  "transfer-encoding: chunked\r\n",
                                                  "connection: close\r\n",
                                                  "fffffffffffffff",
                                                  " x: y\r\n",
                                                  "Content-Length: 0\r\n",
                                                  "18446744073709551616",
                                                  "HTTP/1.1 200 OK\r\n",
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
};

}  // namespace weir::test
