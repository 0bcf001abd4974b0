#include "front/client_bounds.h"

#include <algorithm>
#include <cstring>

namespace weir::front {

namespace {

constexpr std::size_t kMappedAt = 10;
constexpr std::size_t kIpv4At = 12;
constexpr std::size_t kIpv6KeyBytes = 8;

using Address = std::array<std::uint8_t, 16>;

Address mapped(std::string_view address) {
  Address whole{};
  if (address.size() == whole.size() - kIpv4At) {
    whole[kMappedAt] = whole[kMappedAt + 1] = 0xff;
    std::memcpy(whole.data() + kIpv4At, address.data(), whole.size() - kIpv4At);
  } else if (address.size() == whole.size()) {
    std::memcpy(whole.data(), address.data(), whole.size());
  }
  return whole;
}

bool is_ipv4(const Address& address) {
  return address[kMappedAt] == 0xff && address[kMappedAt + 1] == 0xff &&
         std::all_of(address.begin(), address.begin() + kMappedAt,
                     [](std::uint8_t byte) { return byte == 0; });
}

bool is_in(const Address& address, const Network& network) {
  const std::size_t whole = network.bits / 8;
  if (!std::equal(address.begin(), address.begin() + static_cast<std::ptrdiff_t>(whole),
                  network.address.begin())) {
    return false;
  }
  const unsigned rest = network.bits % 8;
  return rest == 0 || (address[whole] ^ network.address[whole]) >> (8 - rest) == 0;
}

}  // namespace

bool ClientBounds::is_exempt(std::string_view address) const {
  const Address whole = mapped(address);
  return std::any_of(exempt.begin(), exempt.end(), [&](const Network& network) {
    // A short IPv6 range does not hold the addresses of IPv4.
    return is_in(whole, network) && is_ipv4(whole) == is_ipv4(network.address);
  });
}

std::uint64_t ClientBounds::key_of(std::string_view address) const {
  const Address whole = mapped(address);
  const auto* const bytes = reinterpret_cast<const char*>(whole.data());
  if (is_ipv4(whole)) return counts.key_of({bytes + kIpv4At, whole.size() - kIpv4At});
  return counts.key_of({bytes, kIpv6KeyBytes});
}

}  // namespace weir::front
