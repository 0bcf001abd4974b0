// The bits that say something in a number which crosses between the upstream client and JS. Used by
// upstream.cc, and by upstream_layout.cc, which tells JS of them.
#pragma once

#include <cstdint>

namespace weir::binding {

// Beside a call's number, in what send() returns: the body may begin.
inline constexpr std::int32_t kBodyWanted = 1 << 30;

// What send() is told of a request.
inline constexpr std::uint32_t kHeadMethod = 1;
inline constexpr std::uint32_t kIdempotent = 2;
// A method that usually has a body: that it has none is said (RFC 9110 8.6).
inline constexpr std::uint32_t kSaysEmpty = 4;
// 101 is an answer.
inline constexpr std::uint32_t kUpgrade = 8;
// Its lines hold `expect: 100-continue`.
inline constexpr std::uint32_t kExpects = 16;

}  // namespace weir::binding
