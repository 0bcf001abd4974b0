// Proves that the reader refuses whatever two readers of a request could understand differently,
// and with which status, code and sentence: a table, each case read whole, cut at every place, byte
// by byte and by the oracle. Behind each stands a request that must not be read.
#include <array>
#include <string>
#include <string_view>

#include "check.h"
#include "front/refusals.h"
#include "front/request_checks.h"
#include "front/request_generator.h"
#include "front/request_reader.h"

namespace {

namespace refusals = weir::front::refusals;
using std::string_literals::operator""s;
using weir::front::Refusal;
using weir::test::Conversation;
using weir::test::kUsualReader;
using weir::test::report_bytes;
using weir::test::Transcript;

const std::string kBehind = "GET /behind HTTP/1.1\r\nhost: b\r\n\r\n";
const std::string kHost = "host: a\r\n";
const std::string kLine = "POST / HTTP/1.1\r\n";
const std::string kHead = kLine + kHost;
const std::string kChunked = kHead + "transfer-encoding: chunked\r\n\r\n";

struct Case {
  std::string text;
  const Refusal& refusal;
};

// @param before requests that are read before it is refused, the one in progress included
void refused(const Case& each, std::size_t before) {
  const std::string text = each.text + kBehind;
  const Conversation whole(text, {}, kUsualReader, false);
  const std::string found = weir::test::every_way_complaint(whole, text, kUsualReader);
  const Transcript& seen = whole.transcript();
  const bool holds = seen.status == each.refusal.status && seen.code == each.refusal.code &&
                     seen.sentence == each.refusal.sentence && seen.requests.size() == before;
  CHECK(holds && found.empty());
  if (!holds || !found.empty()) report_bytes(each.text, seen.sentence + " / " + found);
}

std::string with(const std::string& lines) { return kHead + lines + "\r\n"; }

void request_lines() {
  const auto host = [](const std::string& line) { return line + "\r\n" + kHost + "\r\n"; };
  const Case cases[] = {
      {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"s, refusals::kTls},
      {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", refusals::kHttp2},
      {"PROXY TCP4 192.0.2.1 192.0.2.2 1234 80\r\n", refusals::kProxyFrame},
      {"PROXY UNKNOWN\r\n", refusals::kProxyFrame},
      {"\r\n\r\n\0\r\nQUIT\n\x21\x11\x00\x0c"s, refusals::kProxyFrame},
      {"\n" + kHead + "\r\n", refusals::kBareLf},
      {"\r\n\n" + kHead + "\r\n", refusals::kBareLf},
      {"\r" + kHead + "\r\n", refusals::kBareCr},
      {" " + kHead + "\r\n", refusals::kNoMethod},
      {"\t" + kHead + "\r\n", refusals::kNoMethod},
      {"\xef\xbb\xbf" + kHead + "\r\n", refusals::kNoMethod},
      {": /\r\n", refusals::kNoMethod},
      {"{\"a\": 1}", refusals::kNoMethod},
      {host("G\xc3\x89T / HTTP/1.1"), refusals::kMethod},
      {host("GE\0T / HTTP/1.1"s), refusals::kMethod},
      {host("GE(T / HTTP/1.1"), refusals::kMethod},
      {host("GET\t/ HTTP/1.1"), refusals::kMethod},
      {"GET\r\n\r\n", refusals::kMethod},
      {"HELP\n", refusals::kMethod},
      {"host: a\r\n\r\n", refusals::kMethod},
      {host("GET  / HTTP/1.1"), refusals::kNoTarget},
      {host("GET  HTTP/1.1"), refusals::kNoTarget},
      {"GET \r\n\r\n", refusals::kTargetByte},
      {"GET /\r\n\r\n", refusals::kTargetByte},
      {"GET /\n", refusals::kTargetByte},
      {host("GET /\tHTTP/1.1"), refusals::kTargetByte},
      {host("GET /a\tb HTTP/1.1"), refusals::kTargetByte},
      {host("GET /a\0b HTTP/1.1"s), refusals::kTargetByte},
      {host("GET /a\x1f HTTP/1.1"), refusals::kTargetByte},
      {host("GET /a\x7f HTTP/1.1"), refusals::kTargetByte},
      {host("GET /a\rb HTTP/1.1"), refusals::kTargetByte},
      {host("GET / "), refusals::kLine},
      {host("GET /  HTTP/1.1"), refusals::kLine},
      {host("GET /a b HTTP/1.1"), refusals::kLine},
      {host("GET / HTTP/1.1 "), refusals::kLine},
      {host("GET / HTTP/1.1\t"), refusals::kLine},
      {host("GET / HTTP/1.1 x"), refusals::kLine},
      {host("GET / http/1.1"), refusals::kLine},
      {host("GET / HTP/1.1"), refusals::kLine},
      {host("GET / HTTP 1.1"), refusals::kLine},
      {host("GET / HTTP/1"), refusals::kLine},
      {host("GET / HTTP/1."), refusals::kLine},
      {host("GET / HTTP/.1"), refusals::kLine},
      {host("GET / HTTP/1,1"), refusals::kLine},
      {host("GET / HTTP/11"), refusals::kLine},
      {host("GET / HTTP/1.10"), refusals::kLine},
      {host("GET / HTTP/01.1"), refusals::kLine},
      {host("GET / HTTP/1.x"), refusals::kLine},
      {host("GET / HTTP/1.\xc2\xb9"), refusals::kLine},
      {host("GET / HTTP/2"), refusals::kLine},
      {host("GET / HTTPS/1.1"), refusals::kLine},
      {host("GET / ICY/1.1"), refusals::kLine},
      {host("GET / HTTP/1.1\0"s), refusals::kLine},
      {"GET / HTTP/1.1\nhost: a\n\n", refusals::kBareLf},
      {"GET / HTTP/1.1\rhost: a\r\n\r\n", refusals::kBareCr},
      {"GET / HTTP/1.1\r\r\nhost: a\r\n\r\n", refusals::kBareCr},
      {host("GET / HTTP/0.9"), refusals::kVersion},
      {host("GET / HTTP/1.2"), refusals::kVersion},
      {host("GET / HTTP/1.9"), refusals::kVersion},
      {host("GET / HTTP/2.0"), refusals::kVersion},
      {host("GET / HTTP/2.1"), refusals::kVersion},
      {host("GET / HTTP/3.1"), refusals::kVersion},
      {host("GET / HTTP/0.1"), refusals::kVersion},
      {host("GET / HTTP/9.9"), refusals::kVersion},
      {host("CONNECT a:443 HTTP/1.1"), refusals::kConnect},
      {host("CONNECT / HTTP/1.1"), refusals::kConnect},
      {host("CONNECT http://a/ HTTP/1.1"), refusals::kConnect},
      {host("CONNECT a:443 HTTP/1.0"), refusals::kConnect},
      {host("GET * HTTP/1.1"), refusals::kAsterisk},
      {host("options * HTTP/1.1"), refusals::kAsterisk},
      {host("OPTIONS ** HTTP/1.1"), refusals::kTargetForm},
      {host("GET a HTTP/1.1"), refusals::kTargetForm},
      {host("GET a:443 HTTP/1.1"), refusals::kTargetForm},
      {host("GET ?a HTTP/1.1"), refusals::kTargetForm},
      {host("GET #a HTTP/1.1"), refusals::kTargetForm},
      {host("GET \\a HTTP/1.1"), refusals::kTargetForm},
      {host("GET \xc3\xa9 HTTP/1.1"), refusals::kTargetForm},
      {host("GET %2F HTTP/1.1"), refusals::kTargetForm},
      {host("GET ftp://a/ HTTP/1.1"), refusals::kTargetForm},
      {host("GET ws://a/ HTTP/1.1"), refusals::kTargetForm},
      {host("GET http:a/ HTTP/1.1"), refusals::kTargetForm},
      {host("GET http:/a/ HTTP/1.1"), refusals::kTargetForm},
      {host("GET http:\\\\a/ HTTP/1.1"), refusals::kTargetForm},
      {host("GET httpx://a/ HTTP/1.1"), refusals::kTargetForm},
      {host("GET xhttp://a/ HTTP/1.1"), refusals::kTargetForm},
      {host("GET http HTTP/1.1"), refusals::kTargetForm},
      // U+017F folds to `s` and U+212A to `k` in languages that fold more than ASCII.
      {host("GET http\xc5\xbf://a/ HTTP/1.1"), refusals::kTargetForm},
      {host("GET http:// HTTP/1.1"), refusals::kNoAuthority},
      {host("GET http:/// HTTP/1.1"), refusals::kNoAuthority},
      {host("GET http://?a HTTP/1.1"), refusals::kNoAuthority},
      {host("GET http://#a HTTP/1.1"), refusals::kNoAuthority},
      {host("GET http://:80/ HTTP/1.1"), refusals::kNoAuthority},
      {host("GET http://u@a/ HTTP/1.1"), refusals::kUserinfo},
      {host("GET http://u:p@a/ HTTP/1.1"), refusals::kUserinfo},
      {host("GET http://@a/ HTTP/1.1"), refusals::kUserinfo},
      {host("GET http://a\\@b/ HTTP/1.1"), refusals::kUserinfo},
      {host("GET http://a@ HTTP/1.1"), refusals::kUserinfo},
      {host("GET http://a#/b HTTP/1.1"), refusals::kFragment},
      {host("GET https://a# HTTP/1.1"), refusals::kFragment},
  };
  for (const Case& each : cases) refused(each, 0);
}

void header_lines() {
  const Case cases[] = {
      {kLine + " host: a\r\n\r\n", refusals::kFold},
      {kLine + "\r\n", refusals::kNoHost},
      {kLine + " \r\n\r\n", refusals::kFold},
      {with("x: a\r\n b\r\n"), refusals::kFold},
      {with("x: a\r\n\tb\r\n"), refusals::kFold},
      {with("x:\r\n chunked\r\n"), refusals::kFold},
      {with("transfer-encoding:\r\n chunked\r\n"), refusals::kFold},
      {with("x: a\r\n \r\n"), refusals::kFold},
      {with(": a\r\n"), refusals::kNameless},
      {with(":\r\n"), refusals::kNameless},
      {with(": a\r\ncontent-length: 5\r\n"), refusals::kNameless},
      {with("x : a\r\n"), refusals::kSpaceBeforeColon},
      {with("x\t: a\r\n"), refusals::kSpaceBeforeColon},
      {with("x y: a\r\n"), refusals::kSpaceBeforeColon},
      {with("transfer-encoding : chunked\r\n"), refusals::kSpaceBeforeColon},
      {with("content-length\t: 5\r\n"), refusals::kSpaceBeforeColon},
      {with("content-length 5\r\n"), refusals::kSpaceBeforeColon},
      {with("GET /smuggled HTTP/1.1\r\n"), refusals::kSpaceBeforeColon},
      {with("x\r\n"), refusals::kNoColon},
      {with("x\r\ny: z\r\n"), refusals::kNoColon},
      {with("x\n"), refusals::kBareLf},
      {with("x: a\n"), refusals::kBareLf},
      {with("x: a\ny: b\r\n"), refusals::kBareLf},
      {with("x:\n"), refusals::kBareLf},
      {kHead + "\n", refusals::kBareLf},
      {kHead + "x: a\r\n\n", refusals::kBareLf},
      {kHead + "x: a\n\n", refusals::kBareLf},
      {kHead + "\n\r\n", refusals::kBareLf},
      {with("x: a\rb\r\n"), refusals::kBareCr},
      {with("x: a\ry: b\r\n"), refusals::kBareCr},
      {with("x: \r\r\n"), refusals::kBareCr},
      {with("\rx: a\r\n"), refusals::kBareCr},
      {kHead + "\r\r\n", refusals::kBareCr},
      {kHead + "\rx", refusals::kBareCr},
      {with("x\xc3\xa9: a\r\n"), refusals::kNameByte},
      {with("\xc3\xa9: a\r\n"), refusals::kNameByte},
      {with("x\x80: a\r\n"), refusals::kNameByte},
      {with("x\0: a\r\n"s), refusals::kNameByte},
      {with("\0x: a\r\n"s), refusals::kNameByte},
      {with("x\x7f: a\r\n"), refusals::kNameByte},
      {with("x\x0b: a\r\n"), refusals::kNameByte},
      {with("(x): a\r\n"), refusals::kNameByte},
      {with("x[]: a\r\n"), refusals::kNameByte},
      {with("\"x\": a\r\n"), refusals::kNameByte},
      {with("x=y: a\r\n"), refusals::kNameByte},
      {with("/: a\r\n"), refusals::kNameByte},
      {with("transfer\xe2\x80\x90"
            "encoding: chunked\r\n"),
       refusals::kNameByte},
      {with("x: a\0b\r\n"s), refusals::kValueByte},
      {with("x: \0\r\n"s), refusals::kValueByte},
      {with("x: a\x01\r\n"), refusals::kValueByte},
      {with("x: a\x08\r\n"), refusals::kValueByte},
      {with("x: a\x0b\r\n"), refusals::kValueByte},
      {with("x: a\x0c\r\n"), refusals::kValueByte},
      {with("x: a\x1b[31m\r\n"), refusals::kValueByte},
      {with("x: a\x1f\r\n"), refusals::kValueByte},
      {with("x: a\x7f\r\n"), refusals::kValueByte},
      {with("x: 0123456789abcdef0123456789\x7f\r\n"), refusals::kValueByte},
      {with("transfer-encoding: \x0b"
            "chunked\r\n"),
       refusals::kValueByte},
      {with("transfer-encoding: chunked\x0c\r\n"), refusals::kValueByte},
      {with("content-length: \0"
            "5\r\n"s),
       refusals::kValueByte},
  };
  for (const Case& each : cases) refused(each, 0);
}

void framing() {
  const std::string length = "content-length: 5\r\n";
  const std::string coding = "transfer-encoding: chunked\r\n";
  const Case cases[] = {
      {with(length + coding) + "0\r\n\r\n", refusals::kBothFramings},
      {with(coding + length) + "0\r\n\r\n", refusals::kBothFramings},
      {with("content-length: 0\r\n" + coding), refusals::kBothFramings},
      {with("content-length: x\r\ntransfer-encoding: x\r\n"), refusals::kBothFramings},
      {with("Content-Length:\r\nTRANSFER-ENCODING:\r\n"), refusals::kBothFramings},
      {with(length + "content-length: 6\r\n"), refusals::kLengths},
      {with(length + length), refusals::kLengths},
      {with(length + "x: y\r\nCONTENT-LENGTH: 5\r\n"), refusals::kLengths},
      {with(length + "content-length:\r\n"), refusals::kLengths},
      {with("content-length: 5, 5\r\n"), refusals::kLength},
      {with("content-length: 5,5\r\n"), refusals::kLength},
      {with("content-length: 5 5\r\n"), refusals::kLength},
      {with("content-length:\r\n"), refusals::kLength},
      {with("content-length: \t\r\n"), refusals::kLength},
      {with("content-length: -5\r\n"), refusals::kLength},
      {with("content-length: -0\r\n"), refusals::kLength},
      {with("content-length: +5\r\n"), refusals::kLength},
      {with("content-length: 5.0\r\n"), refusals::kLength},
      {with("content-length: 5e1\r\n"), refusals::kLength},
      {with("content-length: 0x5\r\n"), refusals::kLength},
      {with("content-length: 5;\r\n"), refusals::kLength},
      {with("content-length: \"5\"\r\n"), refusals::kLength},
      {with("content-length: 5_0\r\n"), refusals::kLength},
      {with("content-length: five\r\n"), refusals::kLength},
      {with("content-length: \xd9\xa5\r\n"), refusals::kLength},
      {with("content-length: \xc2\xa0"
            "5\r\n"),
       refusals::kLength},
      {with("content-length: 1000000000000000\r\n"), refusals::kLength},
      {with("content-length: 0000000000000005\r\n"), refusals::kLength},
      {with("content-length: 18446744073709551621\r\n"), refusals::kLength},
      {with("content-length: 99999999999999999999999999999999\r\n"), refusals::kLength},
      {with("transfer-encoding:\r\n"), refusals::kCoding},
      {with("transfer-encoding: identity\r\n"), refusals::kCoding},
      {with("transfer-encoding: gzip\r\n"), refusals::kCoding},
      {with("transfer-encoding: gzip, chunked\r\n"), refusals::kCoding},
      {with("transfer-encoding: chunked, gzip\r\n"), refusals::kCoding},
      {with("transfer-encoding: chunked, chunked\r\n"), refusals::kCoding},
      {with("transfer-encoding: chunked,\r\n"), refusals::kCoding},
      {with("transfer-encoding: ,chunked\r\n"), refusals::kCoding},
      {with("transfer-encoding: chunked;x=y\r\n"), refusals::kCoding},
      {with("transfer-encoding: \"chunked\"\r\n"), refusals::kCoding},
      {with("transfer-encoding: 'chunked'\r\n"), refusals::kCoding},
      {with("transfer-encoding: xchunked\r\n"), refusals::kCoding},
      {with("transfer-encoding: chunkedx\r\n"), refusals::kCoding},
      {with("transfer-encoding: chunke\r\n"), refusals::kCoding},
      {with("transfer-encoding: chunked chunked\r\n"), refusals::kCoding},
      {with("transfer-encoding: chun\xe2\x84\xaa"
            "ed\r\n"),
       refusals::kCoding},
      {with("transfer-encoding: \xc2\xa0"
            "chunked\r\n"),
       refusals::kCoding},
      {with("transfer-encoding: \xa0"
            "chunked\r\n"),
       refusals::kCoding},
      {with(coding + coding), refusals::kCoding},
      {with(coding + "transfer-encoding: identity\r\n"), refusals::kCoding},
      {with("transfer-encoding: identity\r\n" + coding), refusals::kCoding},
      {with(coding + "transfer-encoding:\r\n"), refusals::kCoding},
      {"POST / HTTP/1.0\r\n" + coding + "\r\n0\r\n\r\n", refusals::kOldCoding},
      {"POST / HTTP/1.0\r\n" + kHost + "transfer-encoding: gzip\r\n\r\n", refusals::kOldCoding},
      {"POST / HTTP/1.0\r\n" + length + coding + "\r\n", refusals::kBothFramings},
      {kLine + "\r\n", refusals::kNoHost},
      {kLine + "hosts: a\r\nhos: a\r\nx-host: a\r\n\r\n", refusals::kNoHost},
      {"GET http://a/ HTTP/1.1\r\n\r\n", refusals::kNoHost},
      {kLine + "host:\r\n\r\n", refusals::kEmptyHost},
      {kLine + "host: \t \r\n\r\n", refusals::kEmptyHost},
      {"GET / HTTP/1.0\r\nhost:\r\n\r\n", refusals::kEmptyHost},
      {"GET http://a/ HTTP/1.1\r\nhost:\r\n\r\n", refusals::kEmptyHost},
      {with(kHost), refusals::kHosts},
      {with("Host: b\r\n"), refusals::kHosts},
      {with("HOST:\r\n"), refusals::kHosts},
      {"GET / HTTP/1.0\r\n" + kHost + kHost + "\r\n", refusals::kHosts},
      {"GET http://a/ HTTP/1.1\r\n" + kHost + kHost + "\r\n", refusals::kHosts},
      {with("expect: 200-ok\r\n"), refusals::kExpectation},
      {with("expect: 100-continue, x\r\n"), refusals::kExpectation},
      {with("expect: x\r\nexpect: 100-continue\r\n"), refusals::kExpectation},
      {with("expect: 100-continue;q=1\r\n"), refusals::kExpectation},
      {with("expect: 100-continued\r\n"), refusals::kExpectation},
      {with("Expect: 100 continue\r\n" + length), refusals::kExpectation},
      {"GET / HTTP/1.0\r\nexpect: x\r\n\r\n", refusals::kExpectation},
  };
  for (const Case& each : cases) refused(each, 0);
}

void chunks() {
  const auto bad = [](const std::string& body, std::string_view sentence) {
    const Refusal refusal = refusals::bad(sentence);
    refused({kChunked + body, refusal}, 1);
  };
  for (const std::string size :
       {"",   " ",   ";",    "g",  "x",   "-1", "+1",    "0x1", "\\x31", " 1",   "\t1",
        "1 ", "1\t", "1 ;a", "1h", "1,2", "1.", "\"1\"", "1\n", "\n",    "\n\n", "1\n\r"}) {
    bad(size + "\r\na\r\n0\r\n\r\n", "a chunk's size is no hexadecimal number");
  }
  bad("1\0\r\na\r\n0\r\n\r\n"s, "a chunk's size is no hexadecimal number");
  bad("\xd9\xa1\r\na\r\n0\r\n\r\n", "a chunk's size is no hexadecimal number");
  bad("1000000000000000\r\na\r\n", "a chunk's size has too many digits");
  bad("0000000000000001\r\na\r\n", "a chunk's size has too many digits");
  bad("10000000000000001\r\na\r\n", "a chunk's size has too many digits");
  bad("0000000000000000\r\n\r\n", "a chunk's size has too many digits");
  bad("1\ra\r\n0\r\n\r\n", "CR without LF behind a chunk's size");
  bad("1\r\r\na\r\n0\r\n\r\n", "CR without LF behind a chunk's size");
  bad("1;a\rb\r\na\r\n0\r\n\r\n", "CR without LF behind a chunk's size");
  bad("1;a=\"\r\n\"\r\na\r\n0\r\n\r\n", "a chunk is longer than its size");
  for (const std::string extension : {"a\n", "\n", "a\x01", "\x7f", "a=\"b\n\""}) {
    bad("1;" + extension + "\r\na\r\n0\r\n\r\n", "a control character in a chunk's extensions");
  }
  bad("1;a\0\r\na\r\n0\r\n\r\n"s, "a control character in a chunk's extensions");
  bad("0;a\nGET / HTTP/1.1\r\n\r\n", "a control character in a chunk's extensions");
  bad("1\r\nab\r\n0\r\n\r\n", "a chunk is longer than its size");
  bad("2\r\na\r\n0\r\n\r\n", "a chunk is longer than its size");
  bad("1\r\na\n0\r\n\r\n", "a chunk is longer than its size");
  bad("1\r\na0\r\n\r\n", "a chunk is longer than its size");
  bad("1\r\na\r0\r\n\r\n", "CR without LF behind a chunk");
  bad("0\r\nGET / HTTP/1.1\r\n\r\n", "a trailer's name holds a byte that none may hold");
  bad("0\r\nx\r\n\r\n", "a trailer's name holds a byte that none may hold");
  bad("0\r\nx : y\r\n\r\n", "a trailer's name holds a byte that none may hold");
  bad("0\r\nx\xc3\xa9: y\r\n\r\n", "a trailer's name holds a byte that none may hold");
  bad("0\r\n: y\r\n\r\n", "a trailer does not begin with a name");
  bad("0\r\n x: y\r\n\r\n", "a trailer does not begin with a name");
  bad("0\r\nx: y\r\n z\r\n\r\n", "a trailer does not begin with a name");
  bad("0\r\n\n", "a trailer does not begin with a name");
  bad("0\r\nx: y\r\n\n", "a trailer does not begin with a name");
  bad("0\r\nx: y\n\r\n", "a control character in the trailers");
  bad("0\r\nx: \0\r\n\r\n"s, "a control character in the trailers");
  bad("0\r\nx: y\rz\r\n\r\n", "CR without LF in the trailers");
  bad("0\r\n\rx", "CR without LF in the trailers");
}

// In whichever order they stand, the refusal is the same, and it says what cannot be repaired
// first.
void several_mistakes() {
  const std::string nothing = "GET / HTTP/1.1\r\n";
  refused({nothing + "content-length: x\r\n\r\n", refusals::kNoHost}, 0);
  refused({nothing + "expect: x\r\ntransfer-encoding: x\r\n\r\n", refusals::kNoHost}, 0);
  refused({with("expect: x\r\ntransfer-encoding: x\r\n"), refusals::kCoding}, 0);
  refused({with("transfer-encoding: x\r\ntransfer-encoding: y\r\n" + kHost), refusals::kHosts}, 0);
  // The first wrong byte decides before what the whole head would tell.
  refused({nothing + "content-length: 1\r\ncontent-length: 2\r\nx : y\r\n\r\n",
           refusals::kSpaceBeforeColon},
          0);
  refused({"CONNECT a:1 HTTP/2.0\r\n\r\n", refusals::kVersion}, 0);
}

// A byte that is no text, put in at any place of a request: refused, unless it is above 127 and in
// the target or a value.
void bytes_anywhere() {
  const std::string text = "POST /ab HTTP/1.1\r\nhost: a\r\nab: cd\r\ncontent-length: 0\r\n\r\n";
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view before = std::string_view(text).substr(0, at);
    const std::string_view line = before.substr(before.rfind('\n') + 1);
    const bool in_value = line.find(':') != std::string_view::npos;
    for (int code = 0; code <= 0xff; ++code) {
      if (code == '\t' || (code >= 0x20 && code < 0x7f)) continue;
      std::string changed = text;
      changed.insert(at, 1, static_cast<char>(code));
      const Conversation whole(changed, {}, kUsualReader, false);
      CHECK(weir::test::oracle_complaint(whole, changed, kUsualReader).empty());
      if (whole.transcript().status != 0) continue;
      const bool in_target = at > text.find('/') && at <= text.find(" HTTP");
      CHECK(code >= 0x80 && (in_target || in_value));
    }
  }
}

// Whole and byte by byte: the line of what was refused in its head, for logs, and of nothing else.
void tells_the_line() {
  const std::array<std::string, 2> cases[] = {
      {kHead + "content-length: x\r\n\r\n", "POST /"},
      {"HEAD /a?b HTTP/1.1\r\n: x\r\n", "HEAD /a?b"},
      {"GET http://other/x HTTP/1.1\r\nhost : a\r\n", "GET /x"},
      {"CONNECT a:1 HTTP/1.1\r\n", "CONNECT a:1"},
      {"GET /x HTTP/2.0\r\n", ""},
      {"GE(T /x HTTP/1.1\r\n", ""},
      {"\r\n\n", ""},
      {"GET / HTTP/1.1\r\n" + kHost + "\r\n\n", ""},
      {kChunked + "zz\r\n", ""},
  };
  for (const auto& [text, line] : cases) {
    for (const std::size_t step : {text.size(), std::size_t{1}}) {
      weir::front::RequestReader reader(kUsualReader);
      weir::front::Event event = weir::front::Event::more;
      for (std::size_t at = 0; at < text.size() && event != weir::front::Event::refused;) {
        CHECK(reader.refused_line().empty());
        const std::string_view piece = std::string_view(text).substr(at, step);
        std::size_t used = 0;
        event = reader.read(piece, used);
        at += used;
        // Who asks for more has taken everything; else this would go on for ever.
        const bool goes_on = event != weir::front::Event::more || used == piece.size();
        CHECK(goes_on);
        if (!goes_on) break;
      }
      CHECK(event == weir::front::Event::refused);
      CHECK(reader.refused_line() == line);
    }
  }
}

}  // namespace

int main() {
  request_lines();
  header_lines();
  framing();
  chunks();
  several_mistakes();
  bytes_anywhere();
  tells_the_line();
  return weir::test::finish();
}
