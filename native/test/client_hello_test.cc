// Proves what is read of a ClientHello and what isn't taken for one: clients' own, however they are
// cut, tables of good and bad ones, the bound, and random changes.
#include "front/client_hello.h"

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "../fuzz/client_hello_target.h"
#include "check.h"
#include "client_hello_builder.h"
#include "client_hello_captures.h"
#include "counters/random.h"

namespace {

using namespace std::string_literals;
using weir::front::ClientHello;
using weir::front::HelloState;
using weir::front::is_grease;
using weir::front::kHelloBytesMax;
using weir::test::block;
using weir::test::HelloParts;
using weir::test::message_of;
using weir::test::number;
using weir::test::numbers;
using weir::test::Numbers;
using weir::test::protocols;
using weir::test::records_of;
using weir::test::server_name;

void holds(std::string_view input) {
  const std::string found = weir::test::complaint(input);
  CHECK(found.empty());
  if (!found.empty()) std::fprintf(stderr, "  %s\n", found.c_str());
}

HelloState state_of(std::string_view input) {
  ClientHello hello;
  return hello.read(input);
}

std::string joined(const std::vector<std::string_view>& names) {
  std::string out;
  for (const std::string_view name : names) out += (out.empty() ? "" : " ") + std::string(name);
  return out;
}

HelloParts everything() {
  HelloParts parts;
  parts.suites = {0xfafa, 0x1302, 0x1301, 0x00ff};
  parts.extensions = {
      {0x0a0a, ""},
      {0x0000, server_name("www.example.com")},
      {0x0010, protocols({"\x1a\x1a", "h2", "http/1.1"})},
      {0x002b, block(numbers({0xbaba, 0x0304, 0x0303}), 1)},
      {0x000d, block(numbers({0x0403, 0x2a2a, 0x0804}), 2)},
      {0x0033, "anything"},
      {0xeaea, std::string(1, '\0')},
  };
  return parts;
}

void all_parts() {
  ClientHello hello;
  CHECK(hello.read(records_of(message_of(everything()))) == HelloState::kDone);
  CHECK(hello.server_name() == "www.example.com");
  CHECK(joined(hello.protocols()) == "h2 http/1.1");
  CHECK(hello.legacy_version() == 0x0303);
  CHECK((hello.versions() == Numbers{0x0304, 0x0303}));
  CHECK((hello.cipher_suites() == Numbers{0x1302, 0x1301, 0x00ff}));
  CHECK((hello.extensions() == Numbers{0x0000, 0x0010, 0x002b, 0x000d, 0x0033}));
  CHECK((hello.signature_algorithms() == Numbers{0x0403, 0x0804}));
}

// Sixteen values, and none that only look like them.
void grease() {
  int count = 0;
  for (unsigned value = 0; value <= 0xffff; ++value) {
    const bool is_one = is_grease(static_cast<std::uint16_t>(value));
    CHECK(is_one == weir::test::is_reserved(value));
    count += is_one ? 1 : 0;
  }
  CHECK(count == 16);
  CHECK(!is_grease(0x0a1a) && !is_grease(0xca34) && !is_grease(0xabab));
}

void captures() {
  for (const auto& capture : weir::test::kCaptures) {
    const std::string bytes = weir::test::from_hexadecimal(capture.bytes);
    // What follows is not looked at, whatever it is.
    for (const std::string& more : {""s, "GET / HTTP/1.1\r\n"s, "\x14\x03\x03\x00\x01\x01"s}) {
      ClientHello hello;
      CHECK(hello.read(bytes + more) == HelloState::kDone);
      CHECK(hello.server_name() == capture.server_name);
      CHECK(joined(hello.protocols()) == capture.protocols);
    }
    // Any beginning is one that may go on; any cut changes nothing.
    for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
      ClientHello hello;
      CHECK(hello.read(std::string_view(bytes).substr(0, cut)) == HelloState::kMore);
      CHECK(hello.read(std::string_view(bytes).substr(cut)) == HelloState::kDone);
      CHECK(hello.server_name() == capture.server_name);
    }
    holds(bytes);
    // In records of every size, down to a byte each.
    const std::string message = bytes.substr(5);
    for (std::size_t size = 1; size < message.size(); size += 1 + size / 3) {
      const std::string split = records_of(message, size);
      ClientHello hello;
      CHECK(hello.read(split) == HelloState::kDone);
      CHECK(hello.server_name() == capture.server_name);
      holds(split);
    }
  }
}

HelloParts with(std::uint16_t type, const std::string& content) {
  HelloParts parts;
  parts.extensions = {{type, content}};
  return parts;
}

void good() {
  std::vector<HelloParts> hellos(9);
  hellos[0].session_id = "";
  hellos[1].without_extensions = true;
  hellos[2].version = 0x0300;
  hellos[3].compression = "\x01\x00"s;
  hellos[4].suites = {0x0a0a};
  hellos[5] = with(0x0000, server_name(std::string(255, 'a')));
  hellos[6] = with(0x0010, protocols({std::string(255, 'p'), "x"}));
  hellos[7] = with(0x002b, block(numbers({0x0a0a}), 1));
  hellos[8] = with(0xffff, std::string(20'000, '\xff'));
  for (const HelloParts& parts : hellos) {
    const std::string input = records_of(message_of(parts));
    CHECK(state_of(input) == HelloState::kDone);
    holds(input);
  }
  // The records' versions are nobody's business but the first byte.
  std::string versions = records_of(message_of({}));
  versions[2] = '\x7f';
  CHECK(state_of(versions) == HelloState::kDone);
}

void bad() {
  std::vector<HelloParts> hellos;
  for (const std::string& name : {""s, std::string(256, 'a'), "a\0b"s}) {
    hellos.push_back(with(0x0000, server_name(name)));
  }
  const std::string one_name = "\0"s + block("a", 2);
  for (const std::string& content :
       {""s, block("", 2), block(one_name + one_name, 2), block("\x01"s + block("a", 2), 2),
        block(one_name, 2) + "x", number(5, 2) + one_name}) {
    hellos.push_back(with(0x0000, content));
  }
  for (const std::string& content :
       {""s, block("", 2), protocols({"h2", ""}), block("\x03h2", 2), protocols({"h2"}) + "x"}) {
    hellos.push_back(with(0x0010, content));
  }
  for (const std::string& content : {""s, block("", 1), block("\x03", 1), "\x03\x03\x04"s}) {
    hellos.push_back(with(0x002b, content));
    hellos.push_back(with(0x000d, "\0"s + content));
  }
  HelloParts parts;
  parts.session_id = std::string(33, 's');
  hellos.push_back(parts);
  parts = {};
  parts.suites = {};
  hellos.push_back(parts);
  parts = {};
  parts.compression = "";
  hellos.push_back(parts);
  for (const std::uint16_t type : Numbers{0x0000, 0x0a0a, 0x1234}) {
    const std::string content = type == 0 ? server_name("a") : "";
    parts = with(type, content);
    parts.extensions.push_back({0x0001, ""});
    parts.extensions.push_back({type, content});
    hellos.push_back(parts);
  }
  for (const HelloParts& each : hellos) {
    const std::string input = records_of(message_of(each));
    CHECK(state_of(input) == HelloState::kNotTls);
    holds(input);
  }
  std::string odd = message_of({});
  odd[4 + 2 + 32 + 1 + 32 + 1] = 1;
  CHECK(state_of(records_of(odd)) == HelloState::kNotTls);
}

// Nothing is told, and nothing kept, of what is not one.
void tells_nothing() {
  HelloParts parts = everything();
  parts.extensions.push_back({0x0000, server_name("b")});
  ClientHello hello;
  const std::string input = records_of(message_of(parts));
  CHECK(hello.read(input.substr(0, 60)) == HelloState::kMore);
  CHECK(hello.server_name().empty() && hello.cipher_suites().empty());
  CHECK(hello.read(input.substr(60)) == HelloState::kNotTls);
  CHECK(weir::test::told_by(hello) == weir::test::state_alone(HelloState::kNotTls));
  // That stays, whatever comes.
  CHECK(hello.read(records_of(message_of(everything()))) == HelloState::kNotTls);
}

// As soon as it is certain.
void refused_early() {
  for (const std::string& input :
       {"G"s, "\x15"s, "\x80"s, "\x16\x02"s, "\x16\x03\x01\x00\x00"s, "\x16\x03\x01\x40\x01"s,
        "\x16\x03\x01\x00\x01\x02"s, "\x16\x03\x01\x00\x04\x01\x00\x00\x00"s,
        "\x16\x03\x01\x00\x01\x01\x17"s}) {
    CHECK(state_of(input) == HelloState::kNotTls);
    CHECK(state_of(input.substr(0, input.size() - 1)) == HelloState::kMore);
    holds(input);
  }
  CHECK(state_of("") == HelloState::kMore);
}

void bounded() {
  HelloParts parts;
  const std::size_t others = message_of(with(0x1234, "")).size();
  const std::size_t room = kHelloBytesMax - others;
  // Two extensions, as one can't be so long.
  parts.extensions = {{0x1234, std::string(60'000, 'x')},
                      {0x1235, std::string(room - 60'000 - 4, 'x')}};
  const std::string largest = records_of(message_of(parts), 4000);
  CHECK(message_of(parts).size() == kHelloBytesMax);
  CHECK(state_of(largest) == HelloState::kDone);
  CHECK(weir::test::read_in_pieces(largest, 1000, 1000).state == HelloState::kDone);
  // Said by the length alone.
  const std::string header = "\x16\x03\x01\x00\x04\x01"s;
  CHECK(state_of(header + number(kHelloBytesMax - 4, 3)) == HelloState::kMore);
  CHECK(state_of(header + number(kHelloBytesMax - 3, 3)) == HelloState::kTooLong);
  CHECK(state_of(header + "\xff\xff\xff") == HelloState::kTooLong);
  holds(header + "\xff\xff\xff");
}

void random_changes() {
  std::vector<std::string> hellos;
  for (const auto& capture : weir::test::kCaptures) {
    hellos.push_back(weir::test::from_hexadecimal(capture.bytes));
  }
  hellos.push_back(records_of(message_of(everything())));
  hellos.push_back(records_of(message_of(everything()), 9));
  for (std::uint64_t seed = 1; seed <= 5'000; ++seed) {
    weir::test::Random random(seed);
    std::string text = hellos[random.below(hellos.size())];
    for (std::size_t changes = 1 + random.below(3); changes > 0; --changes) {
      const std::size_t at = random.below(text.size());
      if (random.one_in(4)) {
        text.erase(at, 1);
      } else if (random.one_in(3)) {
        text.insert(at, 1, text[random.below(text.size())]);
      } else {
        // Near what was there, as lengths are wrong by a little.
        text[at] = static_cast<char>(text[at] + static_cast<int>(random.below(5)) - 2);
      }
    }
    holds(text);
  }
}

}  // namespace

int main() {
  all_parts();
  grease();
  captures();
  good();
  bad();
  tells_nothing();
  refused_early();
  bounded();
  random_changes();
  return weir::test::finish();
}
