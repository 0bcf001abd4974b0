#include "front/address_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

#include "front/address_bytes.h"

namespace weir::front {

namespace {

constexpr std::size_t kWords = 8;
constexpr unsigned kWordBits = 16;
constexpr unsigned kIpv6Bits = 128;
constexpr std::array<std::uint8_t, 12> kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

void append_number(std::string& out, unsigned number, int base) {
  std::array<char, 12> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, base).ptr;
  out.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

void append_ipv4(std::string& out, std::span<const std::uint8_t> bytes) {
  for (std::size_t i = 0; i < kIpv4Bytes; ++i) {
    if (i > 0) out.push_back('.');
    append_number(out, bytes[i], 10);
  }
}

using Segments = std::array<unsigned, kWords>;

Segments network_of(std::span<const std::uint8_t> bytes, unsigned prefix) {
  Segments words{};
  for (unsigned i = 0; i < kWords; ++i) {
    const unsigned from = i * kWordBits;
    const unsigned bits = prefix <= from ? 0 : std::min(prefix - from, kWordBits);
    const unsigned word = (unsigned{bytes[2 * i]} << 8) | bytes[2 * i + 1];
    words[i] = word & (0xffffU << (kWordBits - bits)) & 0xffffU;
  }
  return words;
}

// The longest run of zeros, the first of several, becomes `::` if there are two or more.
void append_ipv6(std::string& out, const Segments& words) {
  std::size_t start = 0;
  std::size_t longest = 1;
  std::size_t length = 0;
  for (std::size_t i = 0; i < kWords; ++i) {
    length = words[i] == 0 ? length + 1 : 0;
    if (length > longest) {
      longest = length;
      start = i + 1 - length;
    }
  }
  for (std::size_t i = 0; i < kWords; ++i) {
    if (longest > 1 && i == start) {
      out.append("::");
      i += longest - 1;
      continue;
    }
    if (i > 0 && !(longest > 1 && i == start + longest)) out.push_back(':');
    append_number(out, words[i], 16);
  }
}

}  // namespace

bool append_counted_address(std::string& out, std::span<const std::uint8_t> address,
                            unsigned prefix) {
  if (address.size() == kIpv4Bytes) {
    append_ipv4(out, address);
    return true;
  }
  if (address.size() != kIpv6Bytes) return false;
  if (std::equal(kMapped.begin(), kMapped.end(), address.begin())) {
    append_ipv4(out, address.subspan(kMapped.size()));
    return true;
  }
  append_ipv6(out, network_of(address, prefix));
  if (prefix < kIpv6Bits) {
    out.push_back('/');
    append_number(out, prefix, 10);
  }
  return true;
}

}  // namespace weir::front
