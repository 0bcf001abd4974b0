// Proves what the reader makes of requests that it takes: a table, each case read whole, cut at
// every place, byte by byte and by the oracle; and that no beginning of any of them is refused.
#include <string>
#include <vector>

#include "check.h"
#include "front/request_checks.h"
#include "front/request_generator.h"

namespace {

using std::string_literals::operator""s;
using weir::front::BodyKind;
using weir::front::Name;
using weir::test::Conversation;
using weir::test::kUsualReader;
using weir::test::report_bytes;
using weir::test::SeenRequest;
using weir::test::Transcript;

const std::string kHost = "host: a\r\n";

// All requests that are in it, in every way.
std::vector<SeenRequest> read_all(const std::string& text) {
  const Conversation whole(text, {}, kUsualReader, false);
  const std::string found = weir::test::every_way_complaint(whole, text, kUsualReader);
  const Transcript& seen = whole.transcript();
  const bool holds = seen.status == 0 && found.empty();
  CHECK(holds);
  if (!holds) report_bytes(text, seen.sentence + " / " + found);
  for (std::size_t size = 0; size < text.size(); ++size) {
    CHECK(Conversation(text.substr(0, size), {}, kUsualReader, false).transcript().status == 0);
  }
  return seen.requests;
}

// The only one that is in it.
SeenRequest read_begun(const std::string& text) {
  const std::vector<SeenRequest> seen = read_all(text);
  CHECK(seen.size() == 1);
  return seen.empty() ? SeenRequest() : seen[0];
}

SeenRequest read(const std::string& text) {
  const SeenRequest seen = read_begun(text);
  CHECK(seen.ended);
  return seen;
}

SeenRequest get(const std::string& lines) {
  return read("GET / HTTP/1.1\r\n" + kHost + lines + "\r\n");
}

void lines_as_they_came() {
  const SeenRequest seen = read(
      "GET /a%2Fb/../c?d=e&f HTTP/1.1\r\nHost:\ta.test:8080 \r\nX:y\r\nx:\r\nEMPTY: \t\r\n"
      "cookie: a=b; c=\"d\"\r\nX-Long:  \tz  z\t \r\nUPGRADE: websocket\r\nVia: 1.1 x\r\n\r\n");
  CHECK(seen.method == "GET" && seen.target == "/a%2Fb/../c?d=e&f");
  CHECK(seen.authority == "a.test:8080" && seen.has_host && seen.minor_version == 1);
  CHECK(seen.kind == BodyKind::none && seen.body_bytes == 0 && seen.keep_alive && seen.ascii);
  const std::vector<weir::test::SeenField> expected = {
      {.name = "Host", .value = "a.test:8080", .known = Name::host},
      {.name = "X", .value = "y", .known = Name::other},
      {.name = "x", .value = "", .known = Name::other},
      {.name = "EMPTY", .value = "", .known = Name::other},
      {.name = "cookie", .value = "a=b; c=\"d\"", .known = Name::other},
      {.name = "X-Long", .value = "z  z", .known = Name::other},
      {.name = "UPGRADE", .value = "websocket", .known = Name::upgrade},
      {.name = "Via", .value = "1.1 x", .known = Name::via}};
  CHECK(seen.fields == expected);
  const SeenRequest odd =
      read("!#$%&'*+-.^_`|~09 / HTTP/1.1\r\n" + kHost + "!#$%&'*+-.^_`|~:\r\n\r\n");
  CHECK(odd.method == "!#$%&'*+-.^_`|~09" && odd.fields.size() == 2 &&
        odd.fields.back().name == "!#$%&'*+-.^_`|~");
  CHECK(read("get / HTTP/1.1\r\n" + kHost + "\r\n").method == "get");
}

// Only these, in any case of ASCII letters; names with one byte more, less or other are others'.
void names_known() {
  const std::pair<std::string, Name> known[] = {{"connection", Name::connection},
                                                {"expect", Name::expect},
                                                {"upgrade", Name::upgrade},
                                                {"via", Name::via},
                                                {"host", Name::host},
                                                {"content-length", Name::content_length},
                                                {"transfer-encoding", Name::transfer_encoding}};
  const auto known_as = [](const std::string& name) {
    // A value that none of them minds, in a request that needs no other.
    const std::string value = name.size() == 17 ? "chunked" : name.size() == 14 ? "0" : "";
    const std::string text = "GET / HTTP/1.1\r\n" + name + ": " + (name.size() == 4 ? "a" : value) +
                             "\r\n" + (name.size() == 4 ? "" : kHost) + "\r\n";
    const Conversation whole(text, {}, kUsualReader, false);
    CHECK(weir::test::oracle_complaint(whole, text, kUsualReader).empty());
    const auto& requests = whole.transcript().requests;
    return requests.empty() ? Name::other : requests[0].fields[0].known;
  };
  for (const auto& [name, expected] : known) {
    CHECK(known_as(name) == expected);
    for (std::size_t at = 0; at < name.size(); ++at) {
      std::string other = name;
      for (int code = 0x21; code < 0x7f; ++code) {
        other[at] = static_cast<char>(code);
        const bool same = (code | 0x20) == name[at] && (code >= 'A' || code == name[at]);
        CHECK((known_as(other) == expected) ==
              (same && std::string("@[]\\^_`{|}~").find(other[at]) == std::string::npos));
      }
    }
    CHECK(known_as(name + "s") != expected && known_as(name.substr(1)) != expected);
  }
}

void high_bytes() {
  const SeenRequest value = get("x: \x80 \xff\xc3\xa9\xef\xbf\xbd\xa0\r\ny: \x85z\r\n");
  const bool has_all = value.fields.size() == 3 && !value.ascii;
  CHECK(has_all && value.fields[1].value == "\x80 \xff\xc3\xa9\xef\xbf\xbd\xa0");
  CHECK(has_all && value.fields[2].value == "\x85z");
  CHECK(!read("GET /\xc3\xa9 HTTP/1.1\r\n" + kHost + "\r\n").ascii);
  CHECK(read("GET /\xff?\x80 HTTP/1.1\r\n" + kHost + "\r\n").target == "/\xff?\x80");
  CHECK(get("x: 0123456789~~~~~~\t|\r\n").ascii);
  // Letters that other foldings take for ASCII ones.
  CHECK(get("connection: clo\xc5\xbf"
            "e\r\n")
            .keep_alive);
  CHECK(!get("connection: close\r\nexpect:\r\n").keep_alive);
}

void targets() {
  struct Case {
    std::string line;
    std::string target;
    std::string authority;
  };
  const Case cases[] = {
      {"GET /", "/", "a"},
      {"GET //b/c", "//b/c", "a"},
      {"GET /http://b/", "/http://b/", "a"},
      {"GET /*", "/*", "a"},
      {"GET /#", "/#", "a"},
      {"OPTIONS *", "*", "a"},
      {"OPTIONS /", "/", "a"},
      {"GET http://b/", "/", "b"},
      {"GET http://b", "/", "b"},
      {"GET HTTP://B:80/c?d", "/c?d", "B:80"},
      {"GET hTtPs://b?c/d", "/?c/d", "b"},
      {"GET http://b?", "/?", "b"},
      {"GET http://b/?", "/?", "b"},
      {"GET http://[::1]:8/x", "/x", "[::1]:8"},
      {"GET http://b//c/../d", "//c/../d", "b"},
      {"GET http://b/c@d", "/c@d", "b"},
      {"GET http://b:/", "/", "b:"},
      {"GET http://b\\c/", "/", "b\\c"},
      {"GET http://\xc3\xa9/", "/", "\xc3\xa9"},
      {"OPTIONS http://b", "*", "b"},
      {"OPTIONS http://b/", "/", "b"},
      {"OPTIONS http://b?c", "/?c", "b"},
  };
  for (const Case& each : cases) {
    const SeenRequest seen = read(each.line + " HTTP/1.1\r\n" + kHost + "\r\n");
    const bool holds = seen.target == each.target && seen.authority == each.authority;
    CHECK(holds);
    if (!holds) report_bytes(each.line, seen.target + " " + seen.authority);
  }
  const SeenRequest old = read("GET http://b HTTP/1.0\r\n\r\n");
  CHECK(old.authority == "b" && old.target == "/" && !old.has_host);
}

void connections() {
  CHECK(get("").keep_alive && get("connection:\r\n").keep_alive);
  CHECK(get("connection: keep-alive\r\n").keep_alive && get("connection: x, y\r\n").keep_alive);
  for (const std::string value : {"close", "CLOSE", "\tClose ,x", "keep-alive, close", ",,close"}) {
    CHECK(!get("connection: " + value + "\r\n").keep_alive);
  }
  CHECK(!get("connection: x\r\nConnection: close\r\nconnection: keep-alive\r\n").keep_alive);
  CHECK(get("connection: closed\r\nx-connection: close\r\n").keep_alive);
  const auto old = [](const std::string& lines) {
    return read("GET / HTTP/1.0\r\n" + lines + "\r\n");
  };
  CHECK(!old("").keep_alive && !old(kHost).keep_alive && old("").minor_version == 0);
  CHECK(old("Connection: Keep-Alive\r\n").keep_alive &&
        old("connection: x,keep-alive\r\n").keep_alive);
  CHECK(!old("connection: keep-alive\r\nconnection: close\r\n").keep_alive);
  CHECK(!old("").has_host && old("").authority.empty() && old(kHost).authority == "a");
}

void expectations() {
  const std::string expect = "Expect: 100-Continue\r\n";
  const auto post = [](const std::string& version, const std::string& lines) {
    return read("POST / HTTP/" + version + "\r\n" + kHost + lines + "\r\na");
  };
  CHECK(post("1.1", expect + "content-length: 1\r\n").expects_continue);
  CHECK(
      post("1.1", "expect: 100-continue, 100-continue\r\ncontent-length: 1\r\n").expects_continue);
  CHECK(read("POST / HTTP/1.1\r\n" + kHost + expect + "transfer-encoding: chunked\r\n\r\n0\r\n\r\n")
            .expects_continue);
  CHECK(!post("1.0", expect + "content-length: 1\r\n").expects_continue);
  CHECK(!post("1.1", "expect:,\r\ncontent-length: 1\r\n").expects_continue);
  CHECK(!get(expect).expects_continue && !get(expect + "content-length: 0\r\n").expects_continue);
}

void bodies() {
  const auto post = [](const std::string& lines, const std::string& body) {
    return read("POST / HTTP/1.1\r\n" + kHost + lines + "\r\n" + body);
  };
  CHECK(post("content-length: 5\r\n", "ab\r\nc").body == "ab\r\nc");
  CHECK(post("Content-Length:\t000000000000005 \r\n", "\0\xff\n\n\n"s).body == "\0\xff\n\n\n"s);
  const SeenRequest empty = post("content-length: 0\r\n", "");
  CHECK(empty.kind == BodyKind::sized && empty.body_bytes == 0 && empty.body.empty());
  const auto chunks = [&](const std::string& body) {
    const SeenRequest seen = post("Transfer-Encoding: Chunked\r\n", body);
    CHECK(seen.kind == BodyKind::chunked && seen.fields.size() == 2);
    return seen.body;
  };
  CHECK(chunks("0\r\n\r\n").empty() && chunks("000\r\n\r\n").empty());
  CHECK(chunks("3\r\nabc\r\n00000000000000A\r\n0123456789\r\n0\r\n\r\n") == "abc0123456789");
  CHECK(chunks("3;\r\n\r\n\r\r\n1;a=\"\t\xff;\\\"\r\nz\r\n0;b\r\n\r\n") == "\r\n\rz");
  CHECK(chunks("1\r\na\r\n0\r\nContent-Length: 5\r\nTransfer-Encoding: x\r\nHost: b\r\n\r\n") ==
        "a");
  CHECK(chunks("0\r\nx:\r\ny: \t\xff\r\n\r\n").empty());
  std::string many;
  for (int i = 0; i < 64; ++i) many += "1\r\na\r\n";
  CHECK(chunks(many + "0\r\n\r\n") == std::string(64, 'a'));
  CHECK(read("GET / HTTP/1.0\r\ncontent-length: 2\r\n\r\nab").body == "ab");
  // What has begun and not ended is no mistake.
  const SeenRequest begun =
      read_begun("POST / HTTP/1.1\r\n" + kHost + "content-length: 999999999999999\r\n\r\nabc");
  CHECK(begun.body_bytes == 999'999'999'999'999 && begun.body == "abc" && !begun.ended);
  CHECK(read_begun("POST / HTTP/1.1\r\n" + kHost +
                   "transfer-encoding: chunked\r\n\r\nfffffffffffffff\r\nabc")
            .body == "abc");
}

// One after another, each whole before the next begins; what looks like a request within a body is
// none.
void pipelines() {
  const std::string hidden = "GET /hidden HTTP/1.1\r\n" + kHost + "\r\n";
  const std::string text = "\r\n\r\nGET /1 HTTP/1.1\r\n" + kHost + "\r\n" + "POST /2 HTTP/1.1\r\n" +
                           kHost + "content-length: " + std::to_string(hidden.size()) + "\r\n\r\n" +
                           hidden + "\r\n" + "PUT /3 HTTP/1.1\r\n" + kHost +
                           "transfer-encoding: chunked\r\n\r\n1;GET /hidden\r\nx\r\n" +
                           "0\r\nx: GET /hidden HTTP/1.1\r\n\r\n" + "GET /4 HTTP/1.0\r\n\r\n" +
                           "OPTIONS * HTTP/1.1\r\n" + kHost + "\r\n\r\n";
  std::string targets;
  for (const SeenRequest& each : read_all(text)) {
    targets += each.target + " ";
    CHECK(each.ended);
  }
  CHECK(targets == "/1 /2 /3 /4 * ");
  CHECK(read_all("").empty() && read_all("\r\n").empty() && read_all("\r\n\r").empty());
  // Of the empty lines nothing is left.
  const Conversation empty("\r\n\r\n\r", {1}, kUsualReader, true);
  CHECK(!empty.transcript().mid_message && empty.broken_promise().empty());
  CHECK(Conversation("G", {}, kUsualReader, true).transcript().mid_message);
}

}  // namespace

int main() {
  lines_as_they_came();
  names_known();
  high_bytes();
  targets();
  connections();
  expectations();
  bodies();
  pipelines();
  return weir::test::finish();
}
