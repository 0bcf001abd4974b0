// Datagrams between processes of one machine, with descriptors that go along: a supervisor gives
// its listening sockets to the one that takes over from it, and tells the service manager how it
// is. Node has sockets of this kind for nobody. Called by binding/datagrams.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace weir {

// descriptors that one datagram may carry; the kernel's bound is 253
inline constexpr std::size_t kDescriptorsPerDatagram = 200;

// Without waiting. @param address a path, or a name of the kernel's own that begins with `@`
// @param text not empty @returns 0 or an errno
int send_datagram(const std::string& address, const std::string& text,
                  std::span<const int> descriptors);

// A socket for datagrams, at a path that nothing is at, for this user alone. @returns its
// descriptor, or a negative errno
int open_inbox(const std::string& path);

// Takes one datagram that has come, without waiting, and adds its descriptors, which are the
// caller's then. Its text is thrown away. @returns 0 or an errno: EAGAIN where none has come
int receive_descriptors(int inbox, std::vector<int>& descriptors);

// Of a stream socket that was bound to an address of IPv4 or IPv6: `127.0.0.1 8080`, and
// ` listening` behind it where it listens. From now on it does not block, and no process that is
// started has it. Empty: it is none such.
std::string stream_socket_address(int socket);

}  // namespace weir
