#include "front/proxy_frame.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "front/byte_at.h"

namespace weir::front {

namespace {

using std::string_view_literals::operator""sv;

constexpr std::string_view kLineBegin = "PROXY ";
constexpr std::string_view kSignature = "\r\n\r\n\0\r\nQUIT\n"sv;
// signature, version and command, family and protocol, length of the rest
constexpr std::size_t kFixedBytes = 16;
constexpr std::uint8_t kChecksumType = 3;
constexpr std::size_t kChecksumBytes = 4;
constexpr std::size_t kTlvBytes = 3;

constexpr ProxyFrame kMore;

ProxyFrame refused(const char* problem) {
  return {.state = FrameState::kRefused, .bytes = 0, .peer = {}, .problem = problem};
}

ProxyFrame whole(std::size_t bytes, const ProxiedPeer& peer) {
  return {.state = FrameState::kWhole, .bytes = bytes, .peer = peer, .problem = ""};
}

std::uint16_t number_at(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint16_t>(byte_at(bytes, at) << 8 | byte_at(bytes, at + 1));
}

bool may_begin_with(std::string_view received, std::string_view expected) {
  const std::size_t size = std::min(received.size(), expected.size());
  return received.substr(0, size) == expected.substr(0, size);
}

// Takes what is before the next space off `rest`, and the space.
std::string_view next_word(std::string_view& rest) {
  const std::size_t end = std::min(rest.find(' '), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return word;
}

bool read_address(std::string_view text, int family, std::array<std::uint8_t, 16>& out) {
  if (text.find('\0') != std::string_view::npos) return false;
  return inet_pton(family, std::string(text).c_str(), out.data()) == 1;
}

bool read_port(std::string_view text, std::uint16_t& out) {
  if (text.empty() || text.size() > 5 || (text.size() > 1 && text[0] == '0')) return false;
  unsigned port = 0;
  for (const char digit : text) {
    if (digit < '0' || digit > '9') return false;
    port = port * 10 + static_cast<unsigned>(digit - '0');
  }
  out = static_cast<std::uint16_t>(port);
  return port <= UINT16_MAX;
}

// @param line behind `PROXY `, without CRLF
ProxyFrame read_line(std::string_view line, std::size_t bytes) {
  std::string_view rest = line;
  const std::string_view protocol = next_word(rest);
  if (protocol == "UNKNOWN") return whole(bytes, {});
  if (protocol != "TCP4" && protocol != "TCP6") return refused("unknown protocol");
  if (std::count(line.begin(), line.end(), ' ') != 4) return refused("not four parts");
  const int family = protocol == "TCP4" ? AF_INET : AF_INET6;
  ProxiedPeer peer;
  peer.address_bytes = family == AF_INET ? 4 : 16;
  std::array<std::uint8_t, 16> own_address{};
  std::uint16_t own_port = 0;
  if (!read_address(next_word(rest), family, peer.address) ||
      !read_address(next_word(rest), family, own_address)) {
    return refused("bad address");
  }
  if (!read_port(next_word(rest), peer.port) || !read_port(next_word(rest), own_port)) {
    return refused("bad port");
  }
  return whole(bytes, peer);
}

ProxyFrame read_first_version(std::string_view received) {
  const std::string_view line = received.substr(0, kFrameLineBytesMax);
  const std::size_t end = line.find('\n');
  if (end == std::string_view::npos) {
    return line.size() < kFrameLineBytesMax ? kMore : refused("no end of line in 107 bytes");
  }
  if (line[end - 1] != '\r') return refused("LF without CR");
  const std::size_t begin = kLineBegin.size();
  return read_line(line.substr(begin, end - 1 - begin), end + 1);
}

// CRC-32C with the checksum itself taken as zero.
std::uint32_t checksum(std::string_view frame, std::size_t checksum_at) {
  std::uint32_t sum = ~std::uint32_t{0};
  for (std::size_t at = 0; at < frame.size(); ++at) {
    if (at < checksum_at || at >= checksum_at + kChecksumBytes) sum ^= byte_at(frame, at);
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ ((sum & 1) != 0 ? 0x82f63b78 : 0);
  }
  return ~sum;
}

// @returns what is wrong, or nullptr
const char* tlv_problem(std::string_view frame, std::size_t at) {
  while (at < frame.size()) {
    if (frame.size() - at < kTlvBytes) return "incomplete TLV";
    const std::uint8_t type = byte_at(frame, at);
    const std::size_t size = number_at(frame, at + 1);
    at += kTlvBytes;
    if (size > frame.size() - at) return "TLV longer than the frame";
    if (type == kChecksumType) {
      if (size != kChecksumBytes) return "bad length of the checksum";
      const std::uint32_t said =
          std::uint32_t{number_at(frame, at)} << 16 | number_at(frame, at + 2);
      if (said != checksum(frame, at)) return "wrong checksum";
    }
    at += size;
  }
  return nullptr;
}

ProxyFrame read_second_version(std::string_view received) {
  if (received.size() < kFixedBytes) return kMore;
  const std::uint8_t command = byte_at(received, 12);
  if (command >> 4 != 2) return refused("unknown version");
  if (command != 0x20 && command != 0x21) return refused("unknown command");
  const std::size_t size = kFixedBytes + number_at(received, 14);
  if (size > kFrameBytesMax) return refused("longer than 536 bytes");
  const bool is_local = command == 0x20;
  const std::uint8_t family = byte_at(received, 13);
  if (!is_local && family != 0x11 && family != 0x21) return refused("not TCP over IPv4 or IPv6");
  ProxiedPeer peer;
  peer.address_bytes = family == 0x11 ? 4 : 16;
  // Both addresses, then both ports.
  const std::size_t ports_at = kFixedBytes + 2 * std::size_t{peer.address_bytes};
  if (!is_local && size < ports_at + 4) return refused("too short for its addresses");
  if (received.size() < size) return kMore;
  if (is_local) return whole(size, {});
  const char* const problem = tlv_problem(received.substr(0, size), ports_at + 4);
  if (problem != nullptr) return refused(problem);
  std::memcpy(peer.address.data(), received.data() + kFixedBytes, peer.address_bytes);
  peer.port = number_at(received, ports_at);
  return whole(size, peer);
}

}  // namespace

ProxyFrame read_proxy_frame(std::string_view received) {
  if (received.empty()) return kMore;
  const bool is_second = received[0] == kSignature[0];
  const std::string_view begin = is_second ? kSignature : kLineBegin;
  if (!may_begin_with(received, begin)) return refused("no PROXY protocol");
  if (received.size() < begin.size()) return kMore;
  return is_second ? read_second_version(received) : read_first_version(received);
}

ProxyFrame FrameReader::take(std::string_view data, std::size_t& taken) {
  const std::size_t size = std::min(data.size(), bytes_.size() - size_);
  std::memcpy(bytes_.data() + size_, data.data(), size);
  const ProxyFrame frame = read_proxy_frame({bytes_.data(), size_ + size});
  // Never fewer than before: without them it was not whole.
  if (frame.state == FrameState::kWhole) taken = frame.bytes - size_;
  size_ += size;
  return frame;
}

}  // namespace weir::front
