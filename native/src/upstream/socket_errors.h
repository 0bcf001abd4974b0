// What errors of sockets mean, and how to send without a signal. Used by connection.cc and the
// files that belong to it, and by tunnel/.
#pragma once

#include <sys/socket.h>

#include <cerrno>

namespace weir::upstream {

// A peer that has gone is an error of the call, not a signal.
#ifdef MSG_NOSIGNAL
constexpr int kSendFlags = MSG_NOSIGNAL;
#else
constexpr int kSendFlags = 0;
#endif

// Of this process or machine, not of the address.
inline bool is_own_fault(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM ||
         error == EADDRNOTAVAIL;
}

inline bool would_block(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

}  // namespace weir::upstream
