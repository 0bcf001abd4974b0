// What must hold of the reader of PROXY protocol frames for any input at all. Called by the fuzzer
// and, with every file of the corpus, by a test. An input is what a connection begins with.
#pragma once

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>

#include "front/proxy_frame.h"

namespace weir::test {

inline bool same_frame(const front::ProxyFrame& one, const front::ProxyFrame& other) {
  return one.state == other.state && one.bytes == other.bytes &&
         std::strcmp(one.problem, other.problem) == 0 &&
         one.peer.address_bytes == other.peer.address_bytes && one.peer.port == other.peer.port &&
         one.peer.address == other.peer.address;
}

// What the frame of this peer would have to look like: its address and port as they must stand in
// it.
inline bool says(std::string_view frame, const front::ProxiedPeer& peer) {
  const bool is_v4 = peer.address_bytes == 4;
  const auto* const address = reinterpret_cast<const char*>(peer.address.data());
  if (frame[0] != 'P') {
    if (frame[12] == '\x20') return peer.address_bytes == 0;
    const std::size_t port_at = is_v4 ? 24 : 48;
    const int port = static_cast<unsigned char>(frame[port_at]) * 256 +
                     static_cast<unsigned char>(frame[port_at + 1]);
    return frame[12] == '\x21' && frame[13] == (is_v4 ? '\x11' : '\x21') &&
           frame.substr(16, peer.address_bytes) == std::string_view(address, peer.address_bytes) &&
           peer.port == port;
  }
  if (peer.address_bytes == 0) return frame.substr(0, 13) == "PROXY UNKNOWN";
  if (!is_v4) return frame.substr(0, 11) == "PROXY TCP6 ";
  // There is one way to write an IPv4 address and a port.
  std::array<char, INET_ADDRSTRLEN> text{};
  if (inet_ntop(AF_INET, address, text.data(), text.size()) == nullptr) return false;
  const std::string begin = std::string("PROXY TCP4 ") + text.data() + " ";
  const std::string port = " " + std::to_string(peer.port) + " ";
  return frame.substr(0, begin.size()) == begin && frame.find(port, begin.size()) != frame.npos;
}

// @returns what does not hold; empty: nothing
inline std::string complaint(std::string_view input) {
  using front::FrameState;
  const front::ProxyFrame whole = front::read_proxy_frame(input);
  if (whole.state == FrameState::kMore && input.size() >= front::kFrameBytesMax) {
    return "waits for more than a frame may have";
  }
  if (whole.state == FrameState::kRefused && std::strlen(whole.problem) == 0) return "no reason";
  if (whole.state == FrameState::kWhole) {
    if (whole.bytes > std::min(input.size(), front::kFrameBytesMax)) return "too long";
    if (input[0] == 'P' && whole.bytes > front::kFrameLineBytesMax) return "a line too long";
    const std::string_view frame = input.substr(0, whole.bytes);
    if (!says(frame, whole.peer)) return "the frame says otherwise";
    if (!same_frame(front::read_proxy_frame(frame), whole)) return "what follows matters";
  }
  // A byte at a time, and cut once anywhere.
  front::FrameReader dripping;
  front::ProxyFrame last;
  for (std::size_t at = 0; at < input.size() && last.state == FrameState::kMore; ++at) {
    std::size_t taken = 0;
    last = dripping.take(input.substr(at, 1), taken);
    if (last.state == FrameState::kWhole && taken != 1) return "the last byte is not the frame's";
  }
  if (last.state != whole.state || last.bytes != whole.bytes) return "the pieces matter";
  if (last.state == FrameState::kWhole && !same_frame(last, whole)) return "the pieces matter";
  for (std::size_t cut = 1; cut < std::min<std::size_t>(input.size(), 64); ++cut) {
    front::FrameReader reader;
    std::size_t taken = 0;
    const front::ProxyFrame first = reader.take(input.substr(0, cut), taken);
    if (first.state != FrameState::kMore) continue;
    const front::ProxyFrame rest = reader.take(input.substr(cut), taken);
    if (rest.state != whole.state || rest.bytes != whole.bytes) return "the cut matters";
    if (rest.state == FrameState::kWhole && cut + taken != whole.bytes) return "bytes are lost";
  }
  return "";
}

}  // namespace weir::test
