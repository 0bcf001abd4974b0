#include "front/address_table.h"

#include <algorithm>

#include "front/address_bytes.h"

namespace weir::front {

namespace {

constexpr unsigned kIndexedBits = 16;
// From so many segments on, an index (256 KiB) saves most of the halving.
constexpr std::size_t kIndexPaysFrom = 4096;
constexpr std::uint32_t kMappedWord = 0xffff;

std::uint32_t word_at(std::span<const std::uint8_t> bytes, std::size_t at) {
  return std::uint32_t{bytes[at]} << 24 | std::uint32_t{bytes[at + 1]} << 16 |
         std::uint32_t{bytes[at + 2]} << 8 | std::uint32_t{bytes[at + 3]};
}

}  // namespace

AddressTable::AddressTable(std::span<const std::uint32_t> v4,
                           std::span<const std::uint8_t> v4_lengths,
                           std::span<const std::uint32_t> v6,
                           std::span<const std::uint8_t> v6_lengths) {
  const std::size_t fours = std::min(v4.size(), v4_lengths.size());
  v4_.assign(v4.begin(), v4.begin() + static_cast<std::ptrdiff_t>(fours));
  for (std::size_t i = 0; i < fours; ++i) v4_covered_.push_back(v4_lengths[i] != kUncovered);
  const std::size_t sixes = std::min(v6.size() / kWords, v6_lengths.size());
  const std::size_t stride = v6.size() / kWords;
  for (std::size_t i = 0; i < sixes; ++i) {
    v6_.push_back({v6[i], v6[stride + i], v6[2 * stride + i], v6[3 * stride + i]});
    v6_covered_.push_back(v6_lengths[i] != kUncovered);
  }
  if (fours < kIndexPaysFrom) return;
  index_.reserve((std::size_t{1} << kIndexedBits) + 1);
  std::uint32_t segment = 0;
  for (std::uint64_t high = 0; high <= std::uint64_t{1} << kIndexedBits; ++high) {
    while (segment < fours && v4_[segment] < high << kIndexedBits) ++segment;
    index_.push_back(segment);
  }
}

bool AddressTable::holds(std::span<const std::uint8_t> address) const {
  if (address.size() == kIpv4Bytes) return holds_v4(word_at(address, 0));
  if (address.size() != kIpv6Bytes) return false;
  const Ipv6 words{word_at(address, 0), word_at(address, 4), word_at(address, 8),
                   word_at(address, 12)};
  const bool is_mapped = words[0] == 0 && words[1] == 0 && words[2] == kMappedWord;
  return is_mapped ? holds_v4(words[3]) : holds_v6(words);
}

// The last segment that begins at the address or before it.
bool AddressTable::holds_v4(std::uint32_t address) const {
  auto low = v4_.begin();
  auto high = v4_.end();
  if (!index_.empty()) {
    const std::size_t at = address >> kIndexedBits;
    high = v4_.begin() + static_cast<std::ptrdiff_t>(index_[at + 1]);
    low += static_cast<std::ptrdiff_t>(index_[at]);
  }
  const auto behind = std::upper_bound(low, high, address);
  if (behind == v4_.begin()) return false;
  return v4_covered_[static_cast<std::size_t>(behind - v4_.begin()) - 1];
}

bool AddressTable::holds_v6(const Ipv6& address) const {
  const auto behind = std::upper_bound(v6_.begin(), v6_.end(), address);
  if (behind == v6_.begin()) return false;
  return v6_covered_[static_cast<std::size_t>(behind - v6_.begin()) - 1];
}

}  // namespace weir::front
