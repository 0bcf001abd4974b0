// Listening sockets that outlive the process that accepts from them: the supervisor binds them, its
// workers inherit them, and what the kernel has queued for a worker that leaves waits for the next
// one. Called by binding/listening.cc. Linux; elsewhere the server library binds by itself.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace weir {

// A socket that is bound and doesn't listen yet, for others of this user to be bound beside it.
// @param address of IPv4 or IPv6, as numbers @param port 0: any @returns its descriptor, or a
// negative errno
int bind_shared(const std::string& address, int port);

// @returns the port that it is bound to, or a negative errno
int bound_port(int socket);

// From now on the kernel takes connections for it. @returns 0 or an errno
int listen_shared(int socket, int backlog);

// Which sockets of one address new connections go to, all alike. @param socket one of them
// @param places theirs, in the order in which they began to listen; where one of them was closed,
// the last took its place. Empty: as the kernel does by itself @returns 0 or an errno
int steer(int socket, std::span<const std::uint8_t> places);

// Makes `listener`, a descriptor, another one of `socket`; what it was is closed. @returns 0 or an
// errno
int become(int listener, int socket);

}  // namespace weir
