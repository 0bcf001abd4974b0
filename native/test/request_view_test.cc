// Proves that a request is viewed only if it is plain, and then as it came: a table of what is
// plain and what is not, and random headers against a slow description of the same rules.
#include "request/request_view.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check.h"
#include "counters/random.h"

namespace {

using weir::request::HeaderLine;
using weir::request::RequestView;
using weir::request::view_request;
using weir::request::ViewKind;
using weir::test::Random;

using Lines = std::vector<std::pair<std::string, std::string>>;

bool view(const Lines& lines, RequestView& out) {
  std::vector<HeaderLine> headers;
  for (const auto& [name, value] : lines) {
    headers.push_back({name.size(), name.data(), value.size(), value.data()});
  }
  return view_request(headers, out) == ViewKind::kPlain;
}

bool is_plain(const Lines& lines) {
  RequestView out;
  return view(lines, out);
}

void sees_what_came() {
  RequestView out;
  CHECK(view({{"accept", "*/*"},
              {"host", "a.test:80"},
              {"connection", "keep-alive"},
              {"x", ""},
              {"content-length", "16384"},
              {"x", "a\tb"}},
             out));
  const std::string_view lines = out.lines;
  CHECK(lines.substr(0, out.forwarded_length) ==
        "accept: */*\r\nhost: a.test:80\r\nx: \r\nx: a\tb\r\n");
  CHECK(lines.substr(out.forwarded_length) ==
        "connection: keep-alive\r\ncontent-length: 16384\r\n");
  CHECK(out.lines.substr(out.host_offset, out.host_length) == "a.test:80");
  CHECK(out.body_length == 16384);
  // Nothing is left of the one before.
  CHECK(view({{"host", "b"}}, out));
  CHECK(out.lines == "host: b\r\n" && out.body_length == 0);
}

// Fields that a proxy has to think about.
constexpr std::array<std::string_view, 15> kThought = {
    "te",
    "via",
    "expect",
    "upgrade",
    "trailer",
    "keep-alive",
    "http2-settings",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "proxy-connection",
    "proxy-authenticate",
    "proxy-authorization",
    "transfer-encoding",
    "forwarded",
};

void leaves_the_rest_alone() {
  const Lines plain = {{"host", "a"}};
  CHECK(is_plain(plain));
  CHECK(!is_plain({}));
  CHECK(!is_plain({{"host", ""}}));
  CHECK(!is_plain({{"host", "a"}, {"host", "a"}}));
  for (const std::string_view name : kThought) {
    CHECK(!is_plain({{"host", "a"}, {std::string(name), "1"}}));
  }
  for (const std::string_view name : {"x_admin", "_", "x-forwarded_for", "x-forwarded.for",
                                      "x~admin", "a b", "a:", "", "caf\xc3\xa9"}) {
    CHECK(!is_plain({{"host", "a"}, {std::string(name), "1"}}));
  }
  for (const std::string_view name : {"tf", "expecu", "upgradf", "trailes", "x-forwarded-foo",
                                      "vib", "forwardee", "keep-alivf", "content-lengti"}) {
    CHECK(is_plain({{"host", "a"}, {std::string(name), "1"}}));
  }
  for (const std::string_view value : {"upgrade", "Keep-Alive", "close, x", ""}) {
    CHECK(!is_plain({{"host", "a"}, {"connection", std::string(value)}}));
  }
  for (const std::string_view length : {"", "+1", "-1", "0x1", "1 ", "1234567890123456"}) {
    CHECK(!is_plain({{"host", "a"}, {"content-length", std::string(length)}}));
  }
  CHECK(!is_plain({{"host", "a"}, {"content-length", "1"}, {"content-length", "1"}}));
  CHECK(!is_plain({{"host", "a"}, {"connection", "close"}, {"connection", "close"}}));
  for (int byte = 0; byte < 256; ++byte) {
    const bool allowed = byte == '\t' || (byte >= 0x20 && byte < 0x7f);
    for (std::size_t place = 0; place < 20; ++place) {
      std::string value(20, 'v');
      value[place] = static_cast<char>(byte);
      CHECK(is_plain({{"host", "a"}, {"x", value}}) == allowed);
    }
  }
}

// The rules once more, as slowly as they read.
bool expected(const Lines& lines, std::string& forwarded) {
  int hosts = 0;
  int lengths = 0;
  int connections = 0;
  for (const auto& [name, value] : lines) {
    for (const char byte : value) {
      if (byte != '\t' && (byte < 0x20 || byte > 0x7e)) return false;
    }
    if (name.find_first_of("_.") != std::string::npos) return false;
    if (std::find(kThought.begin(), kThought.end(), name) != kThought.end()) return false;
    if (name == "connection") {
      ++connections;
      if (value != "keep-alive" && value != "close") return false;
    } else if (name == "content-length") {
      ++lengths;
      if (value.empty() || value.size() > 15) return false;
      for (const char byte : value) {
        if (std::isdigit(static_cast<unsigned char>(byte)) == 0) return false;
      }
    } else {
      if (name == "host") ++hosts;
      if (name == "host" && value.empty()) return false;
      forwarded += name + ": " + value + "\r\n";
    }
  }
  return hosts == 1 && lengths <= 1 && connections <= 1;
}

void agrees_with_the_rules() {
  const std::vector<std::string> names = {"host",           "host",   "accept", "connection",
                                          "content-length", "cookie", "te",     "x-forwarded-for",
                                          "user-agent",     "x",      "x_a",    "x.a",
                                          "forwarded"};
  const std::vector<std::string> values = {
      "a", "keep-alive", "close", "12", "", "text/html;q=0.8, */*", "\x01", "\xc3\xa9", "1x"};
  int plain = 0;
  for (std::uint64_t seed = 1; seed <= 20000; ++seed) {
    Random random(seed);
    Lines lines;
    const std::uint64_t count = random.below(6);
    for (std::uint64_t i = 0; i < count; ++i) {
      lines.emplace_back(names[random.below(names.size())], values[random.below(values.size())]);
    }
    RequestView out;
    std::string forwarded;
    const bool wanted = expected(lines, forwarded);
    CHECK(view(lines, out) == wanted);
    if (!wanted) continue;
    ++plain;
    CHECK(out.lines.substr(0, out.forwarded_length) == forwarded);
  }
  CHECK(plain > 100);
}

}  // namespace

int main() {
  sees_what_came();
  leaves_the_rest_alone();
  agrees_with_the_rules();
  return weir::test::finish();
}
