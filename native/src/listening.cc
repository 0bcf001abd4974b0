#include "listening.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>
#if defined(__linux__)
#include <linux/filter.h>
#endif

namespace weir {

namespace {

union Address {
  sockaddr any;
  sockaddr_in v4;
  sockaddr_in6 v6;
};

// @returns its length, 0 if the text is no address
socklen_t read_address(const std::string& text, int port, Address& out) {
  std::memset(&out, 0, sizeof out);
  const auto network_port = htons(static_cast<std::uint16_t>(port));
  if (inet_pton(AF_INET, text.c_str(), &out.v4.sin_addr) == 1) {
    out.v4.sin_family = AF_INET;
    out.v4.sin_port = network_port;
    return sizeof out.v4;
  }
  if (inet_pton(AF_INET6, text.c_str(), &out.v6.sin6_addr) == 1) {
    out.v6.sin6_family = AF_INET6;
    out.v6.sin6_port = network_port;
    return sizeof out.v6;
  }
  return 0;
}

bool set(int socket, int level, int option, int value) {
  return setsockopt(socket, level, option, &value, sizeof value) == 0;
}

int closed_after(int socket, int error) {
  close(socket);
  return -error;
}

}  // namespace

int bind_shared(const std::string& address, int port) {
  Address to{};
  const socklen_t length = read_address(address, port, to);
  if (length == 0) return -EINVAL;
  const int made = socket(to.any.sa_family, SOCK_STREAM, 0);
  if (made < 0) return -errno;
  if (fcntl(made, F_SETFD, FD_CLOEXEC) != 0 || fcntl(made, F_SETFL, O_NONBLOCK) != 0 ||
      !set(made, SOL_SOCKET, SO_REUSEADDR, 1) || !set(made, SOL_SOCKET, SO_REUSEPORT, 1)) {
    return closed_after(made, errno);
  }
  // As the server library does: `[::]` is every IPv4 address as well.
  if (to.any.sa_family == AF_INET6 && !set(made, IPPROTO_IPV6, IPV6_V6ONLY, 0)) {
    return closed_after(made, errno);
  }
  if (bind(made, &to.any, length) != 0) return closed_after(made, errno);
  return made;
}

int bound_port(int socket) {
  Address of{};
  socklen_t length = sizeof of;
  if (getsockname(socket, &of.any, &length) != 0) return -errno;
  return ntohs(of.any.sa_family == AF_INET6 ? of.v6.sin6_port : of.v4.sin_port);
}

int listen_shared(int socket, int backlog) { return listen(socket, backlog) == 0 ? 0 : errno; }

#if defined(__linux__) && defined(SO_ATTACH_REUSEPORT_CBPF)

int steer(int socket, std::span<const std::uint8_t> places) {
  if (places.empty()) {
#if defined(SO_DETACH_REUSEPORT_BPF)
    const int none = 0;
    if (setsockopt(socket, SOL_SOCKET, SO_DETACH_REUSEPORT_BPF, &none, sizeof none) == 0) return 0;
    // There was none.
    return errno == ENOENT ? 0 : errno;
#else
    return ENOSYS;
#endif
  }
  const auto load = static_cast<std::uint32_t>(SKF_AD_OFF + SKF_AD_RANDOM);
  const auto count = static_cast<std::uint32_t>(places.size());
  std::vector<sock_filter> program{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, load),
      BPF_STMT(BPF_ALU | BPF_MOD | BPF_K, count),
  };
  for (std::uint32_t turn = 0; turn + 1 < count; ++turn) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, turn, 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, places[turn]));
  }
  program.push_back(BPF_STMT(BPF_RET | BPF_K, places.back()));
  const sock_fprog whole{static_cast<unsigned short>(program.size()), program.data()};
  const int result = setsockopt(socket, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, &whole, sizeof whole);
  return result == 0 ? 0 : errno;
}

#else

int steer(int, std::span<const std::uint8_t>) { return ENOSYS; }

#endif

int become(int listener, int socket) {
  // Threads don't see a moment without it. Both stand for one socket, so both don't block.
  if (dup2(socket, listener) < 0) return errno;
  return fcntl(listener, F_SETFD, FD_CLOEXEC) == 0 ? 0 : errno;
}

}  // namespace weir
