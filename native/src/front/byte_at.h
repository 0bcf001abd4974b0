// Bytes of a text as numbers. Used by client_hello.cc and proxy_frame.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace weir::front {

inline std::uint8_t byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint8_t>(bytes[at]);
}

}  // namespace weir::front
