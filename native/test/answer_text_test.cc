// Proves how the front begins and ends what it writes: the date of any second, how bodies are
// framed, and where a whole message gets its date.
#include "front/answer_text.h"

#include <string>

#include "check.h"

namespace {

using namespace weir::front;

void tells_the_date() {
  DateLine date;
  CHECK(date.at(784111777) == "date: Sun, 06 Nov 1994 08:49:37 GMT\r\n");
  CHECK(date.at(784111778) == "date: Sun, 06 Nov 1994 08:49:38 GMT\r\n");
  CHECK(date.at(0) == "date: Thu, 01 Jan 1970 00:00:00 GMT\r\n");
  CHECK(date.at(951782400) == "date: Tue, 29 Feb 2000 00:00:00 GMT\r\n");
  CHECK(date.at(4102444799) == "date: Thu, 31 Dec 2099 23:59:59 GMT\r\n");
}

std::string ended(std::int64_t framing) {
  std::string out = "before HTTP/1.1 200 OK\r\nx: 1";
  end_head(out, framing, "date: d\r\n");
  return out;
}

void frames_bodies() {
  CHECK(ended(kUnframed) == "before HTTP/1.1 200 OK\r\nx: 1\r\ndate: d\r\n\r\n");
  CHECK(ended(kInChunks) ==
        "before HTTP/1.1 200 OK\r\nx: 1\r\ndate: d\r\ntransfer-encoding: chunked\r\n\r\n");
  CHECK(ended(0) == "before HTTP/1.1 200 OK\r\nx: 1\r\ndate: d\r\ncontent-length: 0\r\n\r\n");
  CHECK(ended(9007199254740991).ends_with("content-length: 9007199254740991\r\n\r\n"));
  std::string size;
  append_chunk_size(size, 0x1f0a);
  CHECK(size == "1f0a\r\n");
}

void dates_whole_messages() {
  std::string out = "a\r\nb";
  const std::size_t from = out.size();
  out += "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n";
  insert_date(out, from, "date: d\r\n");
  CHECK(out == "a\r\nbHTTP/1.1 403 Forbidden\r\ndate: d\r\ncontent-length: 0\r\n\r\n");
}

}  // namespace

int main() {
  tells_the_date();
  frames_bodies();
  dates_whole_messages();
  return weir::test::finish();
}
