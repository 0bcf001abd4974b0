// Random requests as RFC 9112 allows them, one after another, with what a reader must find in them;
// and changes that make something else of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "../http/message_generator.h"
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

class RequestGenerator : public MessageGenerator {
 public:
  explicit RequestGenerator(Random& random) : MessageGenerator(random, kBytes, kWords, 40) {}

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
    made.text += made.chunked ? chunks(made.body, [this] { return field(); }) : made.body;
    return made;
  }

 private:
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

  std::string host_;
};

}  // namespace weir::test
