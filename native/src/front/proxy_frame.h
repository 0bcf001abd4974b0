// The frame that a proxy puts before all else on a connection, to say for whom it opened it: PROXY
// protocol, versions 1 and 2. Read strictly: what a sender should not have sent is refused, since
// what was meant can only be guessed and the address is one that rate-limits count by. Pure.
//
// Accepted are TCP over IPv4 and IPv6, and what the specification calls connections of the proxy's
// own: LOCAL in version 2, whose addresses must be ignored, and UNKNOWN in version 1, which should
// be accepted likewise. Their peer is the peer itself. Refused: UNSPEC under the command PROXY
// (a receiver is free to), datagrams, UNIX sockets, other versions and commands, addresses that are
// incomplete, TLVs that don't end where the frame does, a checksum that is wrong.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace weir::front {

// What fits in the first segment on every path (an MTU of 576 bytes), so that senders keep to it.
inline constexpr std::size_t kFrameBytesMax = 536;
// Of version 1, its CRLF included; the specification's number.
inline constexpr std::size_t kFrameLineBytesMax = 107;

struct ProxiedPeer {
  // in network order
  std::array<std::uint8_t, 16> address{};
  // 4 or 16 bytes; 0: the peer itself
  std::uint8_t address_bytes = 0;
  std::uint16_t port = 0;
};

enum class FrameState : std::uint8_t { kMore, kWhole, kRefused };

struct ProxyFrame {
  FrameState state = FrameState::kMore;
  // of the frame, once it is whole
  std::size_t bytes = 0;
  ProxiedPeer peer;
  // why it is refused, for the log
  const char* problem = "";
};

// @param received a connection's bytes from the first on; those behind the frame are not looked at
ProxyFrame read_proxy_frame(std::string_view received);

// A frame that comes in pieces.
class FrameReader {
 public:
  // @param data what came behind what was taken before; to be called until the frame is whole or
  //   refused
  // @param taken how many bytes of `data` are the frame's, once it is whole
  ProxyFrame take(std::string_view data, std::size_t& taken);

 private:
  std::array<char, kFrameBytesMax> bytes_{};
  std::size_t size_ = 0;
};

}  // namespace weir::front
