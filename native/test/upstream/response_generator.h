// Random responses as RFC 9112 allows them, with what a reader must find in them; and changes that
// make something else of one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "../http/message_generator.h"

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

class ResponseGenerator : public MessageGenerator {
 public:
  explicit ResponseGenerator(Random& random) : MessageGenerator(random, kBytes, kWords, 30) {}

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
    made.text += framing == 1 ? chunks(body, [this] { return field(); }) : body;
    return made;
  }

 private:
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

  int status() {
    static constexpr int kUsual[] = {200, 200, 200, 201, 204, 206, 301, 304, 404, 500, 999};
    return random_.one_in(4) ? static_cast<int>(random_.between(200, 999)) : one_of(kUsual);
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
};

}  // namespace weir::test
