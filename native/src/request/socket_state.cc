#include "request/socket_state.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstddef>
#include <cstring>

#ifdef __linux__
#include <netinet/tcp.h>
#include <sys/ioctl.h>

#include <array>
#endif

namespace weir::request {

#ifdef __linux__

namespace {

// Of the kernel's `struct tcp_info`, whose beginning never changes; the C library's may end before
// it.
constexpr std::size_t kStateOffset = 0;
constexpr std::size_t kAcknowledgedOffset = 120;
constexpr std::size_t kInfoBytes = kAcknowledgedOffset + sizeof(std::uint64_t);
using TcpInfo = std::array<unsigned char, kInfoBytes>;

bool read_info(int descriptor, TcpInfo& info) {
  socklen_t length = kInfoBytes;
  return getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, info.data(), &length) == 0 &&
         length == kInfoBytes;
}

}  // namespace

std::int64_t acknowledged_bytes(int descriptor) {
  TcpInfo info{};
  if (!read_info(descriptor, info)) return -1;
  std::int64_t bytes = 0;
  std::memcpy(&bytes, info.data() + kAcknowledgedOffset, sizeof bytes);
  return bytes;
}

std::int64_t bytes_before_end(int descriptor) {
  TcpInfo info{};
  int unread = 0;
  if (!read_info(descriptor, info)) return -1;
  const unsigned state = info[kStateOffset];
  if (state != TCP_CLOSE_WAIT && state != TCP_CLOSE && state != TCP_LAST_ACK) return -1;
  return ioctl(descriptor, FIONREAD, &unread) == 0 ? unread : -1;
}

#else

std::int64_t acknowledged_bytes(int) { return -1; }
std::int64_t bytes_before_end(int) { return -1; }

#endif

void bound_reads(int descriptor, int bytes) {
  if (descriptor >= 0) setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}

}  // namespace weir::request
