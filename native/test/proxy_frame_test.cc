// Proves which PROXY protocol frames are read, as whose, and which are refused for what: tables of
// both, each however it is cut, then random changes of good ones.
#include "front/proxy_frame.h"

#include <arpa/inet.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "../fuzz/proxy_frame_target.h"
#include "check.h"
#include "counters/random.h"

namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;
using weir::front::FrameState;
using weir::front::ProxyFrame;
using weir::front::read_proxy_frame;

const std::string kV4 = "\xcb\0\x71\x09\x7f\0\0\x01\x03\xe8\0\x50"s;
const std::string kV6 =
    "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x05"s + std::string(15, '\0') + "\x01\xff\xff\0\x50"s;

std::string second(const std::string& payload, char command = '\x21', char family = '\x11') {
  const std::size_t size = payload.size();
  return "\r\n\r\n\0\r\nQUIT\n"s + command + family + static_cast<char>(size >> 8) +
         static_cast<char>(size & 0xff) + payload;
}

std::string tlv(char type, const std::string& value) {
  return ""s + type + static_cast<char>(value.size() >> 8) +
         static_cast<char>(value.size() & 0xff) + value;
}

std::string peer_of(const ProxyFrame& frame) {
  if (frame.peer.address_bytes == 0) return "itself";
  std::array<char, INET6_ADDRSTRLEN> text{};
  inet_ntop(frame.peer.address_bytes == 4 ? AF_INET : AF_INET6, frame.peer.address.data(),
            text.data(), text.size());
  return text.data() + " "s + std::to_string(frame.peer.port);
}

std::vector<std::pair<std::string, std::string>> good() {
  // A checksum as another implementation makes it.
  const std::string checked = second(kV4 + "\x03\0\x04\x6c\x6a\x9e\xb7"s);
  return {
      {second(kV4), "203.0.113.9 1000"},
      {second(kV6, '\x21', '\x21'), "2001:db8::5 65535"},
      {second(kV4 + tlv(5, "unique") + tlv(4, "") + tlv('\xea', "vpce")), "203.0.113.9 1000"},
      {second(kV4 + tlv(4, std::string(505, 'x'))), "203.0.113.9 1000"},
      {checked, "203.0.113.9 1000"},
      {second("", '\x20', '\0'), "itself"},
      {second(kV4, '\x20'), "itself"},
      {second("no addresses at all", '\x20', '\x7f'), "itself"},
      {"PROXY TCP4 203.0.113.9 127.0.0.1 1000 80\r\n", "203.0.113.9 1000"},
      {"PROXY TCP4 255.255.255.255 0.0.0.0 0 65535\r\n", "255.255.255.255 0"},
      {"PROXY TCP6 2001:DB8::5 ::1 65535 80\r\n", "2001:db8::5 65535"},
      {"PROXY TCP6 ::ffff:203.0.113.9 ::1 1 80\r\n", "::ffff:203.0.113.9 1"},
      {"PROXY TCP6 " + "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff "s +
           "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535 65535\r\n",
       "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535"},
      {"PROXY UNKNOWN\r\n", "itself"},
      {"PROXY UNKNOWN " + std::string(91, 'x') + "\r\n", "itself"},
  };
}

std::vector<std::pair<std::string, std::string_view>> bad() {
  const std::string line = "PROXY TCP4 203.0.113.9 127.0.0.1 ";
  return {
      {"GET / HTTP/1.1\r\n", "no PROXY protocol"},
      {"\x16\x03\x01\x02", "no PROXY protocol"},
      {"\r\n\r\nGET / HTTP/1.1\r\n", "no PROXY protocol"},
      {"proxy TCP4 1.2.3.4 1.2.3.4 1 2\r\n", "no PROXY protocol"},
      {second(kV4, '\x11'), "unknown version"},
      {second(kV4, '\x31'), "unknown version"},
      {second(kV4, '\x22'), "unknown command"},
      {second("", '\x21', '\0'), "not TCP over IPv4 or IPv6"},
      {second(kV4, '\x21', '\0'), "not TCP over IPv4 or IPv6"},
      {second(kV4, '\x21', '\x10'), "not TCP over IPv4 or IPv6"},
      {second(kV4, '\x21', '\x12'), "not TCP over IPv4 or IPv6"},
      {second(kV6, '\x21', '\x22'), "not TCP over IPv4 or IPv6"},
      {second(std::string(216, '\0'), '\x21', '\x31'), "not TCP over IPv4 or IPv6"},
      {second(""), "too short for its addresses"},
      {second(kV4.substr(1)), "too short for its addresses"},
      {second(kV6.substr(1), '\x21', '\x21'), "too short for its addresses"},
      {second(kV4 + tlv(4, std::string(506, 'x'))), "longer than 536 bytes"},
      {second(std::string(521, '\0'), '\x20', '\0'), "longer than 536 bytes"},
      {second(kV4 + "\x04\0"s), "incomplete TLV"},
      {second(kV4 + "\x04\0\x05"s + "abc"), "TLV longer than the frame"},
      {second(kV4 + tlv(3, "abc")), "bad length of the checksum"},
      {second(kV4 + tlv(3, "abcd")), "wrong checksum"},
      {"PROXY UDP4 1.2.3.4 1.2.3.4 1 2\r\n", "unknown protocol"},
      {"PROXY UNKNOWNS\r\n", "unknown protocol"},
      {"PROXY \r\n", "unknown protocol"},
      {"PROXY UNKNOWN " + std::string(92, 'x') + "\r\n", "no end of line in 107 bytes"},
      {line + "1 2\n", "LF without CR"},
      {line + "1\r\n", "not four parts"},
      {line + "1 2 \r\n", "not four parts"},
      {line + "1 2 3\r\n", "not four parts"},
      {"PROXY TCP4  1.2.3.4 1.2.3.4 1\r\n", "bad address"},
      {"PROXY TCP4 203.0.113.09 127.0.0.1 1 2\r\n", "bad address"},
      {"PROXY TCP4 203.0.113 127.0.0.1 1 2\r\n", "bad address"},
      {"PROXY TCP4 256.0.0.1 127.0.0.1 1 2\r\n", "bad address"},
      {"PROXY TCP4 1.2.3.4\0 127.0.0.1 1 2\r\n"s, "bad address"},
      {"PROXY TCP4 1.2.3.4 ::1 1 2\r\n", "bad address"},
      {"PROXY TCP4 ::1 ::1 1 2\r\n", "bad address"},
      {"PROXY TCP6 fe80::1%eth0 ::1 1 2\r\n", "bad address"},
      {"PROXY TCP6 1.2.3.4 1.2.3.4 1 2\r\n", "bad address"},
      {line + "01 2\r\n", "bad port"},
      {line + "1 65536\r\n", "bad port"},
      {line + "-1 2\r\n", "bad port"},
      {line + "1 100000\r\n", "bad port"},
      {line + "1 2\r\r\n", "bad port"},
  };
}

void holds(const std::string& input) {
  const std::string found = weir::test::complaint(input);
  CHECK(found.empty());
  if (!found.empty()) std::fprintf(stderr, "  %s: %s\n", found.c_str(), input.c_str());
}

void good_frames() {
  for (const auto& [text, peer] : good()) {
    const ProxyFrame frame = read_proxy_frame(text + "GET / HTTP/1.1\r\n");
    CHECK(frame.state == FrameState::kWhole && frame.bytes == text.size());
    CHECK(peer_of(frame) == peer);
    if (peer_of(frame) != peer) std::fprintf(stderr, "  %s, not %s\n", frame.problem, peer.c_str());
    // A beginning is neither refused nor whole.
    for (std::size_t size = 0; size < text.size(); ++size) {
      CHECK(read_proxy_frame(std::string_view(text).substr(0, size)).state == FrameState::kMore);
    }
    holds(text);
    holds(text + text);
  }
}

void bad_frames() {
  for (const auto& [text, problem] : bad()) {
    const ProxyFrame frame = read_proxy_frame(text);
    CHECK(frame.state == FrameState::kRefused && frame.problem == problem);
    if (frame.problem != problem) {
      std::fprintf(stderr, "  \"%s\", not \"%s\"\n", frame.problem, problem.data());
    }
    holds(text);
  }
}

// Refused as soon as it is certain, not when all of it is there.
void refused_early() {
  for (const std::string_view text : {"P "sv, "\r\nX"sv, "PROXY_"sv}) {
    CHECK(read_proxy_frame(text).state == FrameState::kRefused);
  }
  const std::string too_long = second(std::string(521, '\0')).substr(0, 16);
  CHECK(read_proxy_frame(too_long).state == FrameState::kRefused);
  CHECK(read_proxy_frame(std::string(107, 'x').replace(0, 6, "PROXY ")).state ==
        FrameState::kRefused);
}

void random_changes() {
  const auto frames = good();
  for (std::uint64_t seed = 1; seed <= 20'000; ++seed) {
    weir::test::Random random(seed);
    std::string text = frames[random.below(frames.size())].first;
    for (std::size_t changes = 1 + random.below(3); changes > 0; --changes) {
      const std::size_t at = random.below(text.size());
      if (random.one_in(3)) {
        text.erase(at, 1);
      } else if (random.one_in(2)) {
        text.insert(at, 1, text[random.below(text.size())]);
      } else {
        text[at] = static_cast<char>(random.below(256));
      }
    }
    if (!text.empty()) holds(text);
  }
}

}  // namespace

int main() {
  good_frames();
  bad_frames();
  refused_early();
  random_changes();
  return weir::test::finish();
}
