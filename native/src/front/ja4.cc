#include "front/ja4.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace weir::front {

namespace {

constexpr std::string_view kDigits = "0123456789abcdef";
constexpr std::size_t kCountMax = 99;
// Four digits and a comma or the like.
constexpr std::size_t kValueBytes = 5;
constexpr std::size_t kPrefixBytes = 10;

std::string_view version_text(const ClientHello& hello) {
  const auto& offered = hello.versions();
  const std::uint16_t version =
      offered.empty() ? hello.legacy_version() : *std::max_element(offered.begin(), offered.end());
  switch (version) {
    case 0x0304:
      return "13";
    case 0x0303:
      return "12";
    case 0x0302:
      return "11";
    case 0x0301:
      return "10";
    case 0x0300:
      return "s3";
    case 0x0002:
      return "s2";
    // DTLS, though over TCP nobody speaks it.
    case 0xfeff:
      return "d1";
    case 0xfefd:
      return "d2";
    case 0xfefc:
      return "d3";
    default:
      return "00";
  }
}

void append_count(std::string& out, std::size_t count) {
  const std::size_t shown = std::min(count, kCountMax);
  out += kDigits[shown / 10];
  out += kDigits[shown % 10];
}

bool is_alphanumeric(char byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= 'a' && byte <= 'z');
}

// The first and the last character, of its hexadecimal form if one of the two says nothing.
void append_protocol(std::string& out, const std::vector<std::string_view>& protocols) {
  if (protocols.empty()) {
    out += "00";
    return;
  }
  const char first = protocols.front().front();
  const char last = protocols.front().back();
  const bool as_is = is_alphanumeric(first) && is_alphanumeric(last);
  out += as_is ? first : kDigits[static_cast<std::uint8_t>(first) >> 4];
  out += as_is ? last : kDigits[static_cast<std::uint8_t>(last) & 0xf];
}

void append_list(std::string& out, const std::vector<std::uint16_t>& values) {
  char separator = '_';
  for (const std::uint16_t value : values) {
    out += separator;
    for (int shift = 12; shift >= 0; shift -= 4) out += kDigits[value >> shift & 0xf];
    separator = ',';
  }
  if (values.empty()) out += separator;
}

bool has(const std::vector<std::uint16_t>& values, std::uint16_t value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

}  // namespace

std::string ja4_text(const ClientHello& hello) {
  const std::size_t values = hello.cipher_suites().size() + hello.extensions().size() +
                             hello.signature_algorithms().size();
  if (kPrefixBytes + values * kValueBytes > kJa4TextBytesMax) return "";
  std::string out = "t";
  out.reserve(kPrefixBytes + values * kValueBytes);
  out += version_text(hello);
  out += has(hello.extensions(), kServerNameExtension) ? 'd' : 'i';
  append_count(out, hello.cipher_suites().size());
  append_count(out, hello.extensions().size());
  append_protocol(out, hello.protocols());
  std::vector<std::uint16_t> suites = hello.cipher_suites();
  std::sort(suites.begin(), suites.end());
  append_list(out, suites);
  std::vector<std::uint16_t> extensions = hello.extensions();
  std::erase_if(extensions, [](auto type) {
    return type == kServerNameExtension || type == kProtocolsExtension;
  });
  std::sort(extensions.begin(), extensions.end());
  append_list(out, extensions);
  if (!hello.signature_algorithms().empty()) append_list(out, hello.signature_algorithms());
  return out;
}

}  // namespace weir::front
