// How many bytes addresses have. Used by address_table.cc, address_text.cc and front.cc.
#pragma once

#include <cstddef>

namespace weir::front {

inline constexpr std::size_t kIpv4Bytes = 4;
inline constexpr std::size_t kIpv6Bytes = 16;

}  // namespace weir::front
