// The backend's end of a tunnel as the tunnel sees it: a socket (backend_socket.h), or JS, which
// carries backends with TLS (port.h). What it hears of its backend it tells the tunnel.
#pragma once

#include <string_view>

namespace weir::tunnel {

class BackendEnd {
 public:
  virtual ~BackendEnd() = default;
  // All of it is taken. @returns false: wait for Tunnel::backend_has_room
  virtual bool send(std::string_view bytes) = 0;
  // There will be no more: the backend is told so behind what was sent.
  virtual void finish() = 0;
  // Something that was sent has yet to leave.
  virtual bool is_sending() const = 0;
  // Whether the backend is read; what was read already comes all the same.
  virtual void pause(bool paused) = 0;
  // The connection is closed. @param broken the other side's has broken, and nobody is to take this
  //   for an end in good order
  virtual void drop(bool broken) = 0;
};

}  // namespace weir::tunnel
