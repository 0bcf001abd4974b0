// Proves what JS is given of a request: what is plain, in which order its lines stand and where its
// parts are, and that everything else comes line by line with the authority that counts.
#include "front/request_text.h"

#include <cstddef>
#include <string>
#include <string_view>

#include "check.h"

namespace {

using weir::front::Event;
using weir::front::ReaderBounds;
using weir::front::Refusal;
using weir::front::RequestReader;
using weir::front::RequestText;
using weir::front::TextKind;

constexpr ReaderBounds kBounds{.head_bytes = 65536, .target_bytes = 65536, .lines = 100};

RequestText text_of(std::string_view request) {
  RequestReader reader(kBounds);
  std::size_t used = 0;
  RequestText text;
  text.text = "what was there before";
  CHECK(reader.read(request, used) == Event::head);
  weir::front::write_request(reader, text);
  return text;
}

void writes_plain_requests() {
  const RequestText text = text_of(
      "POST /a?b=c HTTP/1.1\r\nX-One: 1\r\nConnection: keep-alive\r\nHOST: h:1\r\n"
      "Content-Length:3\r\ntwo:  a b \t\r\n\r\nabc");
  CHECK(text.kind == TextKind::kPlain);
  const std::string_view all = text.text;
  CHECK(all ==
        "x-one: 1\r\nhost: h:1\r\ntwo: a b\r\nconnection: keep-alive\r\ncontent-length: 3\r\n"
        "/a?b=cPOST");
  CHECK(all.substr(0, text.forwarded) == "x-one: 1\r\nhost: h:1\r\ntwo: a b\r\n");
  CHECK(all.substr(text.host_at, text.host_bytes) == "h:1");
  CHECK(all.substr(text.lines, text.target_bytes) == "/a?b=c");
  CHECK(text.query_at == 2);
  CHECK(text_of("GET /none HTTP/1.1\r\nhost: h\r\n\r\n").query_at == 5);
}

void leaves_the_rest_to_thought() {
  for (const std::string_view line :
       {"via: 1.1 x", "x_y: 1", "x.y: 1", "te: trailers", "transfer-encoding: chunked",
        "expect: 100-continue", "connection: close, x", "connection: Close", "x: t\xc3\xa9",
        "x-forwarded-for: 1", "forwarded: for=1", "upgrade: h2c", "keep-alive: 1",
        "proxy-connection: x", "connection: close\r\nconnection: close"}) {
    const std::string request =
        "GET /x HTTP/1.1\r\nHost: h\r\n" + std::string(line) + "\r\nlast: 1\r\n\r\n";
    const RequestText text = text_of(request);
    CHECK(text.kind == TextKind::kLines);
    CHECK(text.text.starts_with("GET\r\n/x\r\nhost: h\r\n"));
    CHECK(text.text.ends_with("\r\nlast: 1\r\n"));
  }
}

void says_which_host_counts() {
  CHECK(text_of("GET http://other:2/x HTTP/1.1\r\nA: 1\r\nHost: h\r\n\r\n").text ==
        "GET\r\n/x\r\na: 1\r\nhost: other:2\r\n");
  CHECK(text_of("GET http://h/x HTTP/1.1\r\nHost: h\r\n\r\n").kind == TextKind::kPlain);
  CHECK(text_of("GET http://other/x HTTP/1.0\r\n\r\n").text == "GET\r\n/x\r\nhost: other\r\n");
  CHECK(text_of("GET /x HTTP/1.0\r\n\r\n").text == "GET\r\n/x\r\n");
}

void writes_refusals() {
  RequestText text;
  weir::front::write_refusal(Refusal{431, "ERR_X", "too much"}, text);
  CHECK(text.kind == TextKind::kRefusal);
  CHECK(text.text == "431\r\nERR_X\r\ntoo much");
}

}  // namespace

int main() {
  writes_plain_requests();
  leaves_the_rest_to_thought();
  says_which_host_counts();
  writes_refusals();
  return weir::test::finish();
}
