// Proves that the parser reads responses as RFC 9112 has them and refuses those that two readers
// could understand differently: tables of both, each whole, byte by byte and by the oracle; bounds;
// what a connection relies on. response_parser_random_test.cc goes on where these end.
#include "upstream/response_parser.h"

#include <cstdio>
#include <string>

#include "check.h"
#include "upstream/response_oracle.h"
#include "upstream/response_reading.h"
#include "upstream/usual_options.h"

namespace {

using weir::test::Reader;
using weir::test::Reading;
using weir::test::report;
using weir::test::ResponseOracle;
using weir::upstream::Framing;
using weir::upstream::ParserLimits;
using End = weir::test::Reading::End;

constexpr ParserLimits kLimits = weir::test::kUsualLimits;

// Whole, byte by byte, and by the oracle: all the same.
Reading read(std::string_view text, bool head_request = false) {
  std::vector<std::size_t> cuts;
  for (std::size_t at = 0; at < text.size(); ++at) cuts.push_back(at);
  const Reader whole(text, {}, head_request, kLimits);
  const Reader dripping(text, cuts, head_request, kLimits);
  Reading plain = whole.reading();
  CHECK(whole.broken_promise() == "" && dripping.broken_promise() == "");
  CHECK(plain == dripping.reading());
  plain.reason.clear();
  CHECK(plain == ResponseOracle(text, head_request, kLimits).reading());
  return whole.reading();
}

const std::string kHead = "HTTP/1.1 200 OK\r\n";
const std::string kChunked = kHead + "transfer-encoding: chunked\r\n\r\n";

void refused() {
  struct Case {
    std::string text;
    std::string_view reason;
  };
  constexpr std::string_view kStart = "the response is not HTTP/1.0 or HTTP/1.1";
  constexpr std::string_view kStatus = "the status is not a number from 100 to 999";
  constexpr std::string_view kLineStart = "a header line does not begin with a name";
  constexpr std::string_view kName = "a header's name holds a byte that none may hold";
  constexpr std::string_view kControl = "a control character in the header";
  constexpr std::string_view kReturn = "CR without LF in the header";
  constexpr std::string_view kCoding = "a transfer coding other than `chunked`";
  constexpr std::string_view kLength = "the content-length is no number of bytes";
  constexpr std::string_view kSize = "a chunk's size is no hexadecimal number";
  const std::string nul(1, '\0');
  const Case cases[] = {
      {"SSH-2.0-OpenSSH_9.2p1 Debian\r\n", kStart},
      {"<html>hello</html>", kStart},
      {nul + "\x01\x02\xff\xfe", kStart},
      {"\r\nHTTP/1.1 200 OK\r\n", kStart},
      {" HTTP/1.1 200 OK\r\n", kStart},
      {"http/1.1 200 OK\r\n", kStart},
      {"HTTP/1.2 200 OK\r\n", kStart},
      {"HTTP/2.0 200 OK\r\n", kStart},
      {"HTTP/1.1\t200 OK\r\n", kStart},
      {"HTTP/1.1\r\n\r\n", kStart},
      {"HTTP/1.1  200 OK\r\n", kStatus},
      {"HTTP/1.1 099 OK\r\n", kStatus},
      {"HTTP/1.1 20 OK\r\n", kStatus},
      {"HTTP/1.1 2000 OK\r\n", kStatus},
      {"HTTP/1.1 200OK\r\n", kStatus},
      {"HTTP/1.1 200\tOK\r\n", kStatus},
      {"HTTP/1.1 -20 OK\r\n", kStatus},
      {"HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n",
       "the response is 101, for which nobody had asked"},
      {"HTTP/1.1 200 O" + nul + "K\r\n", kControl},
      {"HTTP/1.1 200 O\x7fK\r\n", kControl},
      {"HTTP/1.1 200 OK\n\n", kControl},
      {"HTTP/1.1 200\n\n", kControl},
      {"HTTP/1.1 200 OK\rx: y\r\n\r\n", kReturn},
      {kHead + "x: y\n\r\n", kControl},
      {kHead + "x: y\r\n\n", kLineStart},
      {kHead + "x: y\r\r\n", kReturn},
      {kHead + "a: b\rc\r\n\r\n", kReturn},
      {kHead + "a: b" + nul + "c\r\n\r\n", kControl},
      {kHead + "a: b\x01" + "c\r\n\r\n", kControl},
      {kHead + "a: \x7f\r\n\r\n", kControl},
      {kHead + "a" + nul + ": b\r\n\r\n", kName},
      {kHead + "a b: c\r\n\r\n", kName},
      {kHead + "a : b\r\n\r\n", kName},
      {kHead + "content-length : 5\r\n\r\nabcde", kName},
      {kHead + "content-length\t: 5\r\n\r\nabcde", kName},
      {kHead + "\xc3\xa9: b\r\n\r\n", kLineStart},
      {kHead + "a\x80: b\r\n\r\n", kName},
      {kHead + "no colon\r\n\r\n", kName},
      {kHead + "nocolon\r\n\r\n", kName},
      {kHead + ": b\r\n\r\n", kLineStart},
      {kHead + "a: b\r\n c\r\n\r\n", kLineStart},
      {kHead + "a: b\r\n\tc\r\n\r\n", kLineStart},
      {kHead + " a: b\r\n\r\n", kLineStart},
      {kHead + "content-length: 5\r\ncontent-length: 6\r\n\r\nabcdef",
       "several content-length fields"},
      {kHead + "content-length: 5\r\nContent-Length: 5\r\n\r\nabcde",
       "several content-length fields"},
      {kHead + "content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
       "content-length beside transfer-encoding"},
      {kHead + "transfer-encoding: chunked\r\ncontent-length: 0\r\n\r\n0\r\n\r\n",
       "content-length beside transfer-encoding"},
      {kHead + "content-length: 5, 5\r\n\r\nabcde", kLength},
      {kHead + "content-length: -5\r\n\r\nabcde", kLength},
      {kHead + "content-length: +5\r\n\r\nabcde", kLength},
      {kHead + "content-length: 0x5\r\n\r\nabcde", kLength},
      {kHead + "content-length: 5 5\r\n\r\nabcde", kLength},
      {kHead + "content-length:\r\n\r\nabcde", kLength},
      {kHead + "content-length: \t \r\n\r\nabcde", kLength},
      {kHead + "content-length: 9007199254740992\r\n\r\n", kLength},
      {kHead + "content-length: 99999999999999999999\r\n\r\n", kLength},
      {kHead + "content-length: 18446744073709551617\r\n\r\n", kLength},
      {kHead + "content-length: 00000000000000005\r\n\r\nabcde", kLength},
      {kHead + "transfer-encoding: gzip\r\n\r\nabcde", kCoding},
      {kHead + "transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n", kCoding},
      {kHead + "transfer-encoding: chunked, gzip\r\n\r\n0\r\n\r\n", kCoding},
      {kHead + "transfer-encoding: chunked, \r\n\r\n0\r\n\r\n", kCoding},
      {kHead + "transfer-encoding: xchunked\r\n\r\n0\r\n\r\n", kCoding},
      {kHead + "transfer-encoding:\r\n\r\n", kCoding},
      {kHead + "transfer-encoding: identity\r\n\r\n", kCoding},
      {kHead + "transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
       kCoding},
      {"HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
       "a transfer coding in HTTP/1.0"},
      {"HTTP/1.1 103 Early\r\ncontent-length: 5\r\n\r\n",
       "an interim response that announces a body"},
      {"HTTP/1.1 100 \r\ntransfer-encoding: chunked\r\n\r\n",
       "an interim response that announces a body"},
      {"HTTP/1.1 100 \r\n x\r\n\r\n", kLineStart},
      {"HTTP/1.1 100 \r\nx: \x01\r\n\r\n", kControl},
      {"HTTP/1.1 100 \r\n\r\nHTTP/1.1 101 \r\n\r\n",
       "the response is 101, for which nobody had asked"},
      {"HTTP/1.1 100 \r\n\r\nx", kStart},
      {kChunked + "\r\nabc\r\n0\r\n\r\n", kSize},
      {kChunked + "xyz\r\nabc\r\n0\r\n\r\n", kSize},
      {kChunked + "-1\r\nabc\r\n0\r\n\r\n", kSize},
      {kChunked + "+3\r\nabc\r\n0\r\n\r\n", kSize},
      {kChunked + "0x3\r\nabc\r\n0\r\n\r\n", kSize},
      {kChunked + " 3\r\nabc\r\n0\r\n\r\n", kSize},
      {kChunked + "3 \r\nabc\r\n0\r\n\r\n", kSize},
      {kChunked + "3 3\r\nabc\r\n0\r\n\r\n", kSize},
      {kChunked + "3\nabc\r\n0\r\n\r\n", kSize},
      {kChunked + "3" + nul + "\r\nabc\r\n0\r\n\r\n", kSize},
      {kChunked + ";a\r\n\r\n", kSize},
      {kChunked + "ffffffffffffffff\r\nabc", "a chunk's size has too many digits"},
      {kChunked + "0000000000000003\r\nabc\r\n0\r\n\r\n", "a chunk's size has too many digits"},
      {kChunked + "3\rabc\r\n0\r\n\r\n", "CR without LF behind a chunk's size"},
      {kChunked + "3;a\nabc\r\n0\r\n\r\n", "a control character in a chunk's extensions"},
      {kChunked + "3;a" + nul + "\r\nabc", "a control character in a chunk's extensions"},
      {kChunked + "3;a\rb\r\nabc\r\n0\r\n\r\n", "CR without LF behind a chunk's size"},
      {kChunked + "2\r\nabc\r\n0\r\n\r\n", "a chunk is longer than its size"},
      {kChunked + "3\r\nabc\n0\r\n\r\n", "a chunk is longer than its size"},
      {kChunked + "3\r\nabc\r0\r\n\r\n", "CR without LF behind a chunk"},
      {kChunked + "4\r\nabc\r\n0\r\n\r\n", "a chunk is longer than its size"},
      {kChunked + "0\r\nx\r\n\r\n", "a trailer's name holds a byte that none may hold"},
      {kChunked + "0\r\n: y\r\n\r\n", "a trailer does not begin with a name"},
      {kChunked + "0\r\n x: y\r\n\r\n", "a trailer does not begin with a name"},
      {kChunked + "0\r\nx: y\r\n z\r\n\r\n", "a trailer does not begin with a name"},
      {kChunked + "0\r\nx: y\n\r\n", "a control character in the trailers"},
      {kChunked + "0\r\nx: " + nul + "\r\n\r\n", "a control character in the trailers"},
      {kChunked + "0\r\nx: y\r\r\n\r\n", "CR without LF in the trailers"},
      {kChunked + "0\r\n\rx", "CR without LF in the trailers"},
      {kChunked + "0\r\n\n", "a trailer does not begin with a name"},
  };
  for (const Case& each : cases) {
    const Reading reading = read(each.text);
    const bool holds = reading.end == End::kRefused && reading.reason == each.reason;
    CHECK(holds);
    if (!holds) report(each.text, reading.reason);
  }
}

void accepted() {
  struct Case {
    std::string text;
    End end;
    int status;
    std::int64_t length;
    std::string body;
    bool keep_alive;
  };
  const Case cases[] = {
      {kHead + "content-length: 5\r\n\r\nabcde", End::kComplete, 200, 5, "abcde", true},
      {kHead + "content-length:5\r\n\r\nabcde", End::kComplete, 200, 5, "abcde", true},
      {kHead + "content-length: \t5 \t\r\n\r\nabcde", End::kComplete, 200, 5, "abcde", true},
      {kHead + "CONTENT-Length: 005\r\n\r\nabcde", End::kComplete, 200, 5, "abcde", true},
      {kHead + "content-length: 0\r\n\r\nHTTP", End::kComplete, 200, 0, "", true},
      {kHead + "content-length: 9007199254740991\r\n\r\nabc", End::kMore, 200, 9007199254740991,
       "abc", true},
      {kHead + "content-length: 5\r\nconnection: x,, CLOSE\r\n\r\nabcde", End::kComplete, 200, 5,
       "abcde", false},
      {kHead + "content-length: 5\r\nconnection: keep-alive\r\nconnection: close\r\n\r\nabcde",
       End::kComplete, 200, 5, "abcde", false},
      {"HTTP/1.0 200 OK\r\ncontent-length: 1\r\n\r\na", End::kComplete, 200, 1, "a", false},
      {"HTTP/1.0 200 OK\r\ncontent-length: 1\r\nConnection: Keep-Alive\r\n\r\na", End::kComplete,
       200, 1, "a", true},
      {"HTTP/1.1 200\r\ncontent-length: 1\r\n\r\na", End::kComplete, 200, 1, "a", true},
      {"HTTP/1.1 999 \r\ncontent-length: 1\r\n\r\na", End::kComplete, 999, 1, "a", true},
      {"HTTP/1.1 200 \xff \t!\r\n\r\nabc", End::kClosable, 200, -1, "abc", false},
      {kHead + "x: y\r\n\r\n", End::kClosable, 200, -1, "", false},
      {kHead + "x:\r\ny: \r\nz:\t\x80\xff\r\n\r\n", End::kClosable, 200, -1, "", false},
      {"HTTP/1.1 204 No Content\r\ncontent-length: 7\r\n\r\n", End::kComplete, 204, 7, "", true},
      {"HTTP/1.1 204 No Content\r\ntransfer-encoding: chunked\r\n\r\n", End::kComplete, 204, -1, "",
       true},
      {"HTTP/1.1 304 Not Modified\r\ncontent-length: 7\r\n\r\n", End::kComplete, 304, 7, "", true},
      {"HTTP/1.1 304 Not Modified\r\n\r\n", End::kComplete, 304, -1, "", true},
      {"HTTP/1.1 205 Reset\r\n\r\n", End::kClosable, 205, -1, "", false},
      {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103\r\nlink: </a>\r\n\r\nHTTP/1.1 199 \n\n"
       "HTTP/1.1 102 \na: b\n\r\nHTTP/1.1 200\r\ncontent-length: 2\r\n\r\nok",
       End::kComplete, 200, 2, "ok", true},
      {"HTTP/1.1 100 \r\ncontent-length: 0\r\n\r\n" + kHead + "content-length: 0\r\n\r\n",
       End::kComplete, 200, 0, "", true},
      {kChunked + "0\r\n\r\n", End::kComplete, 200, -1, "", true},
      {kHead + "Transfer-Encoding:\tChunked \r\n\r\n3\r\nabc\r\n2;ext=1\r\nde\r\n0\r\n\r\n",
       End::kComplete, 200, -1, "abcde", true},
      {kChunked + "00A;\r\n0123456789\r\n00000\r\nx-t: 1\r\ny:\r\n\r\nHTTP", End::kComplete, 200,
       -1, "0123456789", true},
      {kChunked + "3\r\n\r\n\r\r\n3;\t\"\xff\"\r\n0\r\n\r\n0;a\r\n\r\n", End::kComplete, 200, -1,
       "\r\n\r0\r\n", true},
      {kChunked + "fffffffffffffff\r\nabc", End::kMore, 200, -1, "abc", true},
      {"", End::kMore, 0, -1, "", false},
  };
  for (const Case& each : cases) {
    const Reading reading = read(each.text);
    const bool holds = reading.end == each.end && reading.status == each.status &&
                       reading.length == each.length && reading.body == each.body &&
                       reading.keep_alive == each.keep_alive;
    CHECK(holds);
    if (!holds) report(each.text, reading.reason);
    for (std::size_t size = 0; size < each.text.size(); ++size) {
      const End end = read(std::string_view(each.text).substr(0, size)).end;
      CHECK(end == End::kMore || end == each.end ||
            (end == End::kClosable && reading.end == End::kClosable));
    }
  }
}

void answers_to_head() {
  for (const std::string text :
       {"content-length: 1000\r\n", "transfer-encoding: chunked\r\n", "x: y\r\n", ""}) {
    const Reading reading = read(kHead + text + "\r\nHTTP/1.1 200", true);
    CHECK(reading.end == End::kComplete && reading.framing == Framing::kNone);
    CHECK(reading.body.empty() && reading.keep_alive);
    CHECK(reading.consumed == kHead.size() + text.size() + 2);
    CHECK(reading.declares_body == (text.size() > 10));
  }
  CHECK(read(kHead + "content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n", true).end ==
        End::kRefused);
}

void hints() {
  const auto seconds = [](const std::string& lines) {
    return read(kHead + lines + "\r\n").keep_alive_seconds;
  };
  CHECK(seconds("") == -1 && seconds("keep-alive: max=5\r\n") == -1);
  CHECK(seconds("Keep-Alive: timeout=5\r\n") == 5);
  CHECK(seconds("keep-alive: max=100, TIMEOUT=0\r\n") == 0);
  CHECK(seconds("keep-alive: timeout=2147483646\r\n") == 2147483646);
  CHECK(seconds("keep-alive: timeout=99999999999999999999999\r\n") == 2147483647);
  CHECK(seconds("keep-alive: timeout=\r\nkeep-alive: timeout=-1, timeout=5x, timeout\r\n") == -1);
}

void passed_lines() {
  const auto passed = [](const std::string& lines) { return read(kHead + lines + "\r\n"); };
  CHECK(passed("").passed.empty());
  CHECK(passed("x:y\r\nX-Long:  z \r\nz:\r\n").passed == "x: y\r\nX-Long: z\r\nz: ");
  CHECK(passed("Date: now\r\nX-Long: z\r\n").passed == "X-Long: z");
  const Reading none = passed(
      "Connection: close\r\nKeep-Alive: timeout=5\r\nProxy-Authenticate: x\r\nTE: x\r\n"
      "proxy-authorization: x\r\nPROXY-CONNECTION: x\r\nTrailer: x\r\nUpgrade: x\r\ndate: x\r\n"
      "content-length: 0\r\n");
  CHECK(none.passed.empty());
  CHECK(passed("transfer-encoding: chunked\r\nx: y\r\n").passed == "x: y");
  CHECK(passed("a: 1\r\nconnection: A, b\r\nb: 2\r\nHOST: h\r\nc: 3\r\nConnection:C,host\r\n")
            .passed == "HOST: h");
  CHECK(passed("connection: keep-alive, \"a\"\r\na: 1\r\n").passed == "a: 1");
  CHECK(!passed("x: \xc3\xa9\r\n").passed_ascii);
  // As many pieces as a head has room for, one more, and one that is not as written among them.
  std::string lines;
  std::string expected;
  for (std::size_t i = 0; i < 12; ++i) {
    lines += "date: x\r\nab: c \td\r\ne: \r\n";
    expected += (i == 0 ? "ab: c \td\r\ne: " : "\r\nab: c \td\r\ne: ");
    CHECK(passed(lines).passed == expected);
    CHECK(passed(lines + "f:g\r\n").passed == expected + "\r\nf: g");
    CHECK(passed(lines + "f: g \r\nh: i\r\n").passed == expected + "\r\nf: g\r\nh: i");
  }
  CHECK(passed("connection: x\r\nx: \xc3\xa9\r\ny: z\r\n").passed_ascii);
}

void bounds() {
  const auto filled = [](std::string text, std::size_t size, std::string_view end) {
    return text + std::string(size - text.size() - end.size(), 'y') + std::string(end);
  };
  const std::size_t most = kLimits.head_bytes;
  const std::string lines = kHead + "content-length: 0\r\n";
  CHECK(read(filled(lines + "x: ", 300, "\r\n\r\n")).end == End::kComplete);
  // Plainly: the oracle takes its time with 64 KiB.
  const auto whole = [](const std::string& text) {
    const Reader reader(text, {}, false, kLimits);
    CHECK(reader.broken_promise() == "");
    return reader.reading();
  };
  constexpr std::string_view kLarge = "the header is larger than the bound";
  CHECK(whole(filled(lines + "x: ", most, "\r\n\r\n")).end == End::kComplete);
  CHECK(whole(filled(lines + "x: ", most + 1, "\r\n\r\n")).reason == kLarge);
  CHECK(whole(filled(lines + "x: ", most - 1, "")).end == End::kMore);
  CHECK(whole(filled(lines + "x: ", most, "")).reason == kLarge);
  CHECK(whole(filled("HTTP/1.1 200 ", most, "")).reason == kLarge);
  CHECK(whole(filled("HTTP/1.1 100 ", most, "")).reason == kLarge);
  CHECK(whole(filled(kHead, most, "")).reason == kLarge);
  const std::string interim = filled("HTTP/1.1 100 ", most, "\r\n\r\n");
  CHECK(whole(interim + interim + lines + "\r\n").end == End::kComplete);

  std::string many;
  for (std::size_t i = 0; i < kLimits.header_lines; ++i) many += "x:\r\n";
  CHECK(read(kHead + many + "\r\n").end == End::kClosable);
  CHECK(read(kHead + many + "y:\r\n\r\n").reason == "the header has more lines than the bound");
  CHECK(read(kChunked + "0\r\n" + many + "\r\n").end == End::kComplete);
  CHECK(read(kChunked + "0\r\n" + many + "y:\r\n\r\n").reason ==
        "the trailers have more lines than the bound");

  constexpr std::string_view kTrailers = "the trailers are larger than the bound";
  CHECK(whole(kChunked + "0\r\n" + filled("x: ", most, "\r\n\r\n")).end == End::kComplete);
  CHECK(whole(kChunked + "0\r\n" + filled("x: ", most + 1, "\r\n\r\n")).reason == kTrailers);
  CHECK(whole(kChunked + "0\r\n" + std::string(most - 1, 'x')).end == End::kMore);
  CHECK(whole(kChunked + "0\r\n" + std::string(most, 'x')).reason == kTrailers);
  constexpr std::string_view kExtensions = "a chunk's extensions are larger than the bound";
  const std::string extension = "1;" + std::string(most, 'x');
  const std::string chunk = extension + "\r\na\r\n";
  CHECK(whole(kChunked + extension + "x").reason == kExtensions);
  // A byte more for each byte of body.
  const std::string more = "7;x\r\nbcdefgh\r\n";
  CHECK(whole(kChunked + chunk + more + "1;1234567\r\ni\r\n0\r\n\r\n").body == "abcdefghi");
  CHECK(whole(kChunked + chunk + more + "1;12345678").reason == kExtensions);
  CHECK(whole(kChunked + chunk + "1;xx").reason == kExtensions);

  const std::string waiting = "HTTP/1.1 102 \r\n\r\n";
  std::string patience;
  for (std::size_t i = 0; i < kLimits.interim_responses; ++i) patience += waiting;
  CHECK(read(patience + lines + "\r\n").interims == kLimits.interim_responses);
  CHECK(read(patience + waiting).reason == "too many interim responses");

  std::string options = "connection: a";
  for (std::size_t i = 1; i < weir::upstream::kConnectionOptionsMax; ++i) options += ",a";
  CHECK(read(kHead + options + "\r\na: 1\r\n\r\n").passed.empty());
  CHECK(read(kHead + options + "\r\nconnection: a\r\n\r\n").reason ==
        "`connection` names more than the bound");
}

// A control byte at any place of a response without body: refused, or a line's end where it was
// one.
void control_bytes_anywhere() {
  const std::string text = "HTTP/1.1 100 \r\n\r\n" + kHead + "ab: cd\r\ncontent-length: 0\r\n\r\n";
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (int code = 0; code <= 0x7f; code = code == 0x1f ? 0x7f : code + 1) {
      std::string changed = text;
      changed[at] = static_cast<char>(code);
      const Reading reading = read(changed);
      if (code == 0) CHECK(reading.end == End::kRefused);
    }
  }
}

// A parser serves one response after another, also after one that was refused.
void one_after_another() {
  weir::upstream::ResponseParser parser(kLimits);
  std::string text = "HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\naHTTP/1.1 304 \r\n\r\nHTTP/1.1 9";
  weir::upstream::Head head;
  std::size_t consumed = 0;
  std::span<char> bytes(text);
  std::span<char> body;
  using weir::upstream::Verdict;
  for (const int status : {200, 304}) {
    parser.begin(false);
    CHECK(parser.untouched() && parser.remaining() == -1);
    CHECK(parser.read_head(bytes, consumed, head) == Verdict::kHead && head.status == status);
    bytes = bytes.subspan(consumed);
    CHECK(parser.remaining() == (status == 200 ? 1 : 0));
    CHECK(parser.read_body(bytes, consumed, body) == Verdict::kEnd);
    CHECK(body.size() == (status == 200 ? 1u : 0u));
    bytes = bytes.subspan(consumed);
  }
  parser.begin(false);
  CHECK(parser.read_head(bytes, consumed, head) == Verdict::kMore && !parser.untouched());
  parser.begin(false);
  CHECK(parser.read_head(bytes.first(0), consumed, head) == Verdict::kMore && parser.untouched());
  CHECK(parser.read_head(bytes.last(1), consumed, head) == Verdict::kRefused);
  CHECK(parser.read_head(bytes, consumed, head) == Verdict::kRefused && consumed == 0);
  CHECK(parser.read_body(bytes, consumed, body) == Verdict::kRefused && consumed == 0);
  parser.begin(false);
  CHECK(*parser.reason() == '\0' && parser.read_head(bytes, consumed, head) == Verdict::kMore);
}

// Bytes of a body are moved together, but not if they lie so.
void chunks_in_place() {
  weir::upstream::ResponseParser parser(kLimits);
  weir::upstream::Head head;
  std::size_t consumed = 0;
  std::span<char> body;
  parser.begin(false);
  CHECK(parser.read_head(kChunked, consumed, head) == weir::upstream::Verdict::kHead);
  CHECK(parser.remaining() == -1);
  std::string text = "3\r\nabc\r\n2;x\r\nde\r\n";
  CHECK(parser.read_body(text, consumed, body) == weir::upstream::Verdict::kBody);
  CHECK(body.data() == text.data() + 3 && std::string_view(body.data(), body.size()) == "abcde");
}

// To a request that asked for it, 101 is the end of HTTP: what follows is nobody's response.
void upgrades() {
  using weir::upstream::Head;
  using weir::upstream::ResponseParser;
  using weir::upstream::Verdict;
  const auto verdict_of = [](std::string_view bytes, std::size_t& consumed, Head& head) {
    ResponseParser parser(kLimits);
    parser.begin(false, true);
    return parser.read_head(bytes, consumed, head);
  };
  std::size_t consumed = 0;
  Head head;
  const std::string switches = "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n";
  const std::string with_more = switches + "HTTP/1.1 200";
  CHECK(verdict_of(with_more, consumed, head) == Verdict::kHead);
  CHECK(consumed == switches.size() && head.status == 101 && head.lines == "upgrade: x\r\n");
  for (std::size_t size = 0; size < switches.size(); ++size) {
    CHECK(verdict_of(std::string_view(switches).substr(0, size), consumed, head) == Verdict::kMore);
  }
  for (const char* const bytes :
       {"HTTP/1.0 101 \r\n\r\n", "HTTP/1.1 101 \r\ncontent-length: 5\r\n\r\n",
        "HTTP/1.1 101 \r\ntransfer-encoding: chunked\r\n\r\n", "HTTP/1.1 101 \n\n"}) {
    CHECK(verdict_of(bytes, consumed, head) == Verdict::kRefused);
  }
  CHECK(verdict_of("HTTP/1.1 101 \r\ncontent-length: 0\r\n\r\n", consumed, head) == Verdict::kHead);
}

}  // namespace

int main() {
  upgrades();
  refused();
  accepted();
  answers_to_head();
  hints();
  passed_lines();
  bounds();
  control_bytes_anywhere();
  one_after_another();
  chunks_in_place();
  return weir::test::finish();
}
