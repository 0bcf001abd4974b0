// Proves JA4_r: the definition's own examples, what it says of versions, counts and protocols,
// clients' own ClientHellos by another reader, and the bound.
#include "front/ja4.h"

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check.h"
#include "client_hello_builder.h"
#include "client_hello_captures.h"

namespace {

using namespace std::string_literals;
using weir::front::ClientHello;
using weir::front::HelloState;
using weir::test::block;
using weir::test::HelloParts;
using weir::test::numbers;
using weir::test::Numbers;

std::string text_of(const std::string& input) {
  ClientHello hello;
  CHECK(hello.read(input) == HelloState::kDone);
  return weir::front::ja4_text(hello);
}

std::string text_of(const HelloParts& parts) {
  return text_of(weir::test::records_of(weir::test::message_of(parts)));
}

void is(const std::string& text, std::string_view expected) {
  CHECK(text == expected);
  if (text != expected) {
    std::fprintf(stderr, "  %s\n  instead of %s\n", text.c_str(), expected.data());
  }
}

// A hello with these extensions in this order; those that say something have what is given here.
HelloParts hello_of(const Numbers& suites, const Numbers& types, const Numbers& signatures,
                    const Numbers& versions) {
  HelloParts parts;
  parts.suites = suites;
  for (const std::uint16_t type : types) {
    std::string content;
    if (type == 0x0000) content = weir::test::server_name("example.com");
    if (type == 0x0010) content = weir::test::protocols({"h2", "http/1.1"});
    if (type == 0x000d) content = block(numbers(signatures), 2);
    if (type == 0x002b) content = block(numbers(versions), 1);
    parts.extensions.push_back({type, content});
  }
  return parts;
}

// Two that FoxIO publishes with both forms: the definition's example, and its capture of a client
// with GREASE among its signature algorithms. GREASE stands where Chrome puts it.
void published() {
  const Numbers suites = {0x5a5a, 0x1301, 0x1302, 0x1303, 0xc02b, 0xc02f, 0xc02c, 0xc030,
                          0xcca9, 0xcca8, 0xc013, 0xc014, 0x009c, 0x009d, 0x002f, 0x0035};
  const std::string sorted =
      "_002f,0035,009c,009d,1301,1302,1303,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_";
  is(text_of(hello_of(suites,
                      {0xfafa, 0x001b, 0x0000, 0x0033, 0x0010, 0x4469, 0x0017, 0x002d, 0x000d,
                       0x0005, 0x0023, 0x0012, 0x002b, 0xff01, 0x000b, 0x000a, 0x1a1a, 0x0015},
                      {0x0403, 0x0804, 0x0401, 0x0503, 0x0805, 0x0501, 0x0806, 0x0601},
                      {0x0a0a, 0x0304, 0x0303})),
     "t13d1516h2" + sorted +
         "0005,000a,000b,000d,0012,0015,0017,001b,0023,002b,002d,0033,4469,ff01_"
         "0403,0804,0401,0503,0805,0501,0806,0601");
  is(text_of(hello_of(suites,
                      {0xfe0d, 0x0010, 0x0017, 0x0033, 0x44cd, 0xff01, 0x000a, 0x000d, 0x0023,
                       0x002b, 0x000b, 0xca34, 0x002d, 0x0000, 0x0005, 0x001b, 0x0012},
                      {0x0904, 0x9a9a, 0x0905, 0x0906, 0x0403, 0x0804, 0x0401, 0x0503, 0x0805,
                       0x0501, 0x0806, 0x0601},
                      {0x0304, 0x0303})),
     "t13d1517h2" + sorted +
         "0005,000a,000b,000d,0012,0017,001b,0023,002b,002d,0033,44cd,ca34,fe0d,ff01_"
         "0904,0905,0906,0403,0804,0401,0503,0805,0501,0806,0601");
}

void captures() {
  for (const auto& capture : weir::test::kCaptures) {
    is(text_of(weir::test::from_hexadecimal(capture.bytes)), capture.ja4_text);
  }
}

void versions() {
  const std::vector<std::pair<std::uint16_t, std::string>> names = {
      {0x0304, "13"}, {0x0303, "12"}, {0x0302, "11"}, {0x0301, "10"},
      {0x0300, "s3"}, {0x0002, "s2"}, {0xfeff, "d1"}, {0xfefd, "d2"},
      {0xfefc, "d3"}, {0x0305, "00"}, {0x7f1c, "00"}, {0x0000, "00"}};
  for (const auto& [version, name] : names) {
    HelloParts parts;
    parts.version = version;
    is(text_of(parts).substr(1, 2), name);
    // The extension has the say, and GREASE none.
    parts.extensions = {{0x002b, block(numbers({0x8a8a, version}), 1)}};
    parts.version = 0x0303;
    is(text_of(parts).substr(1, 2), name);
  }
  HelloParts parts;
  parts.extensions = {{0x002b, block(numbers({0x0301, 0x0304, 0x0303}), 1)}};
  is(text_of(parts).substr(1, 2), "13");
  // Nothing but GREASE is no version.
  parts.extensions = {{0x002b, block(numbers({0x8a8a}), 1)}};
  is(text_of(parts).substr(1, 2), "12");
}

void counts() {
  for (const auto& [count, shown] :
       {std::pair{6, "06"}, {12, "12"}, {99, "99"}, {100, "99"}, {300, "99"}}) {
    HelloParts parts;
    parts.suites = {0x0a0a};
    parts.extensions = {{0x1a1a, ""}};
    for (int n = 0; n < count; ++n) {
      parts.suites.push_back(static_cast<std::uint16_t>(0x0100 + n));
      parts.extensions.push_back({static_cast<std::uint16_t>(0x0100 + n), ""});
    }
    is(text_of(parts).substr(4, 4), std::string(shown) + shown);
  }
}

void protocol() {
  const std::vector<std::pair<std::vector<std::string>, std::string>> names = {
      {{"h2"}, "h2"},
      {{"http/1.1", "h2"}, "h1"},
      {{"x"}, "xx"},
      {{"Az"}, "Az"},
      {{"\xab"}, "ab"},
      {{"\xab\xcd"}, "ad"},
      {{"0\xab"}, "3b"},
      {{"01\xab\xcd"}, "3d"},
      {{"0\xab\xcd"s + "1"}, "01"},
      {{" a"}, "21"},
      {{"-"}, "2d"},
      // GREASE is ignored here, too.
      {{"\x0a\x0a", "h2"}, "h2"},
      {{"\x0a\x0a"}, "00"}};
  for (const auto& [offered, shown] : names) {
    HelloParts parts;
    parts.extensions = {{0x0010, weir::test::protocols(offered)}};
    is(text_of(parts), "t12i0101" + shown + "_1301_");
  }
}

void absent() {
  HelloParts parts;
  parts.without_extensions = true;
  is(text_of(parts), "t12i010000_1301_");
  parts.suites = {0x0a0a};
  is(text_of(parts), "t12i000000__");
  parts = hello_of({0x1301}, {0x0000, 0x0010}, {}, {});
  is(text_of(parts), "t12d0102h2_1301_");
  // Without signature algorithms the text ends with the extensions.
  parts = hello_of({0x1301}, {0xff01, 0x0017}, {}, {});
  is(text_of(parts), "t12i010200_1301_0017,ff01");
}

void bounded() {
  const std::size_t values = (weir::front::kJa4TextBytesMax - 10) / 5;
  HelloParts parts;
  parts.without_extensions = true;
  for (const std::size_t count : {values, values + 1}) {
    parts.suites = Numbers(count, 0x1301);
    const std::string text = text_of(parts);
    CHECK(text.empty() == (count > values));
    CHECK(text.size() <= weir::front::kJa4TextBytesMax);
  }
}

}  // namespace

int main() {
  published();
  captures();
  versions();
  counts();
  protocol();
  absent();
  bounded();
  return weir::test::finish();
}
