#include "datagrams.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

namespace weir {

namespace {

constexpr std::size_t kControlBytes = CMSG_SPACE(sizeof(int) * kDescriptorsPerDatagram);

struct LocalAddress {
  sockaddr_un address{};
  socklen_t length = 0;
};

// @returns false if the kernel takes no address of this length
bool read_local(const std::string& text, LocalAddress& out) {
  if (text.empty() || text.size() >= sizeof out.address.sun_path) return false;
  out.address.sun_family = AF_UNIX;
  std::copy(text.begin(), text.end(), out.address.sun_path);
  const bool is_abstract = text.front() == '@';
  if (is_abstract) out.address.sun_path[0] = '\0';
  out.length =
      static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + text.size() + (is_abstract ? 0 : 1));
  return true;
}

int local_socket() {
  const int made = socket(AF_UNIX, SOCK_DGRAM, 0);
  if (made < 0) return -errno;
  if (fcntl(made, F_SETFD, FD_CLOEXEC) == 0 && fcntl(made, F_SETFL, O_NONBLOCK) == 0) return made;
  const int error = errno;
  close(made);
  return -error;
}

void keep_to_ourselves(int descriptor) {
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  const int flags = fcntl(descriptor, F_GETFL);
  if (flags >= 0) fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
}

// Copies the descriptors of a message.
void add_descriptors(msghdr& message, std::vector<int>& descriptors) {
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr;
       part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t at = 0; at < count; ++at) {
      int descriptor = -1;
      std::memcpy(&descriptor, CMSG_DATA(part) + at * sizeof descriptor, sizeof descriptor);
      fcntl(descriptor, F_SETFD, FD_CLOEXEC);
      descriptors.push_back(descriptor);
    }
  }
}

}  // namespace

int send_datagram(const std::string& address, const std::string& text,
                  std::span<const int> descriptors) {
  LocalAddress to;
  if (!read_local(address, to)) return ENAMETOOLONG;
  if (descriptors.size() > kDescriptorsPerDatagram) return E2BIG;
  std::string copy = text;
  iovec content{copy.data(), copy.size()};
  msghdr message{};
  message.msg_name = &to.address;
  message.msg_namelen = to.length;
  message.msg_iov = &content;
  message.msg_iovlen = 1;
  alignas(cmsghdr) std::array<unsigned char, kControlBytes> control{};
  if (!descriptors.empty()) {
    const std::size_t bytes = descriptors.size_bytes();
    message.msg_control = control.data();
    message.msg_controllen = static_cast<decltype(message.msg_controllen)>(CMSG_SPACE(bytes));
    cmsghdr* const part = CMSG_FIRSTHDR(&message);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = static_cast<decltype(part->cmsg_len)>(CMSG_LEN(bytes));
    std::memcpy(CMSG_DATA(part), descriptors.data(), bytes);
  }
  const int from = local_socket();
  if (from < 0) return -from;
  ssize_t sent = 0;
  do {
    sent = sendmsg(from, &message, 0);
  } while (sent < 0 && errno == EINTR);
  const int error = sent < 0 ? errno : 0;
  close(from);
  return error;
}

int open_inbox(const std::string& path) {
  LocalAddress at;
  if (!read_local(path, at)) return -ENAMETOOLONG;
  const int made = local_socket();
  if (made < 0) return made;
  // Where the system takes rights over from the socket there is no moment with others.
  fchmod(made, S_IRUSR | S_IWUSR);
  if (bind(made, reinterpret_cast<const sockaddr*>(&at.address), at.length) == 0 &&
      (path.front() == '@' || chmod(path.c_str(), S_IRUSR | S_IWUSR) == 0)) {
    return made;
  }
  const int error = errno;
  close(made);
  return -error;
}

int receive_descriptors(int inbox, std::vector<int>& descriptors) {
  std::array<char, 64> text{};
  iovec content{text.data(), text.size()};
  alignas(cmsghdr) std::array<unsigned char, kControlBytes> control{};
  msghdr message{};
  message.msg_iov = &content;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t got = 0;
  do {
    got = recvmsg(inbox, &message, 0);
  } while (got < 0 && errno == EINTR);
  if (got < 0) return errno;
  add_descriptors(message, descriptors);
  // Some were lost: too many for this process.
  return (message.msg_flags & MSG_CTRUNC) != 0 ? EMFILE : 0;
}

std::string stream_socket_address(int socket) {
  int type = 0;
  socklen_t length = sizeof type;
  if (getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &length) != 0 || type != SOCK_STREAM)
    return "";
  sockaddr_storage bound{};
  length = sizeof bound;
  if (getsockname(socket, reinterpret_cast<sockaddr*>(&bound), &length) != 0) return "";
  std::array<char, INET6_ADDRSTRLEN> text{};
  in_port_t port = 0;
  const void* address = nullptr;
  if (bound.ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(bound);
    address = &v4.sin_addr;
    port = v4.sin_port;
  } else if (bound.ss_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(bound);
    address = &v6.sin6_addr;
    port = v6.sin6_port;
  }
  if (address == nullptr ||
      inet_ntop(bound.ss_family, address, text.data(), text.size()) == nullptr) {
    return "";
  }
  keep_to_ourselves(socket);
  int listens = 0;
  length = sizeof listens;
  const bool is_listening =
      getsockopt(socket, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0 && listens != 0;
  return std::string(text.data()) + ' ' + std::to_string(ntohs(port)) +
         (is_listening ? " listening" : "");
}

}  // namespace weir
