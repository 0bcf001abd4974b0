// Address ranges that a standing refusal asks about, as JS has made them ready
// (../src/http/address-segments.ts): segments that lie side by side, each with whether a range
// covers it. Pure; used by guard_program.cc.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weir::front {

class AddressTable {
 public:
  // What says of a segment that no range covers it; else the length of a prefix.
  static constexpr std::uint8_t kUncovered = 255;
  // Words of an IPv6 address.
  static constexpr std::size_t kWords = 4;
  using Ipv6 = std::array<std::uint32_t, kWords>;

  // Each begins where the one before ends. Their order is JS's to keep; without it the answer is
  // wrong, and nothing else. Of starts and lengths that don't come in pairs the rest is left out.
  // @param v6 all first words, then all second words, and so on
  AddressTable(std::span<const std::uint32_t> v4, std::span<const std::uint8_t> v4_lengths,
               std::span<const std::uint32_t> v6, std::span<const std::uint8_t> v6_lengths);

  // Hot. IPv4 in IPv6 form counts as IPv4. @param address in network order, 4 or 16 bytes
  bool holds(std::span<const std::uint8_t> address) const;

 private:
  bool holds_v4(std::uint32_t address) const;
  bool holds_v6(const Ipv6& address) const;

  std::vector<std::uint32_t> v4_;
  std::vector<bool> v4_covered_;
  std::vector<Ipv6> v6_;
  std::vector<bool> v6_covered_;
  // how many segments begin before the addresses of each 16 bits; empty: they are few
  std::vector<std::uint32_t> index_;
};

}  // namespace weir::front
