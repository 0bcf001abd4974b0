// How many connections there may be, in all and of one address (contract 6), and whom that doesn't
// concern. Called by the front, for listeners of the data path.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "front/client_counts.h"

namespace weir::front {

// IPv4 as mapped into IPv6.
struct Network {
  std::array<std::uint8_t, 16> address{};
  // leading bits that count
  std::uint8_t bits = 0;
};

struct ClientBounds {
  // 0: any number
  std::uint64_t total = 0;
  std::uint64_t per_address = 0;
  // proxies, whose connections are many clients'
  std::vector<Network> exempt;
  // what a client of a plain listener is told: a whole response
  std::string refusal;
  // connections that are told so at a time; further ones are closed
  std::size_t refusals = 0;
  ClientCounts counts;

  // @param address in network order, 4 or 16 bytes
  bool is_exempt(std::string_view address) const;
  // IPv6 by its first half, for so much of it is one client's to choose from.
  std::uint64_t key_of(std::string_view address) const;
};

}  // namespace weir::front
