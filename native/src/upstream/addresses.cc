#include "upstream/addresses.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cstring>

namespace weir::upstream {

bool parse_address(std::string_view ip, std::uint16_t port, Target& target) {
  const std::string text(ip);
  sockaddr_in v4{};
  if (inet_pton(AF_INET, text.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    std::memcpy(&target.socket_address, &v4, sizeof v4);
    target.socket_address_length = sizeof v4;
    return true;
  }
  sockaddr_in6 v6{};
  if (inet_pton(AF_INET6, text.c_str(), &v6.sin6_addr) == 1) {
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(port);
    std::memcpy(&target.socket_address, &v6, sizeof v6);
    target.socket_address_length = sizeof v6;
    return true;
  }
  return false;
}

void AddressRing::failed(Target& target, std::uint64_t now_ms) {
  target.failed_at_ms = now_ms;
  if (target.failures > 0 && now_ms < target.set_aside_until_ms && !target.probing) return;
  ++target.failures;
  target.probing = false;
  target.set_aside_until_ms = now_ms + delay_ms(target.failures);
}

// Half of the delay is random, so that many workers do not come back in step.
std::uint64_t AddressRing::delay_ms(std::uint32_t failures) {
  const std::uint32_t doublings = std::min(failures - 1, 10U);
  const std::uint64_t full = std::min(set_aside_.first_ms << doublings, set_aside_.last_ms);
  // xorshift64
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  return full / 2 + random_ % (full / 2 + 1);
}

}  // namespace weir::upstream
