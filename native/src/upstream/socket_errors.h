// What errors of sockets mean. Used by connection.cc and the files that belong to it.
#pragma once

#include <cerrno>

namespace weir::upstream {

// Of this process or machine, not of the address.
inline bool is_own_fault(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM ||
         error == EADDRNOTAVAIL;
}

inline bool would_block(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

}  // namespace weir::upstream
