// Where the bytes of a client go once its connection is a tunnel and no HTTP any more. The front
// tells it what becomes of the client; implemented by tunnel/tunnel.h.
#pragma once

#include <string_view>

namespace weir::front {

class Passage {
 public:
  // Valid until this returns.
  virtual void client_sent(std::string_view bytes) = 0;
  // It sends no more, and reads on. Not told of clients with TLS, which are gone then.
  virtual void client_ended() = 0;
  // Everything is sent of which `Front::pass` said that it was kept.
  virtual void client_has_room() = 0;
  // Nothing has gone in either direction for as long as may be.
  virtual void client_idles() = 0;
  // The connection is closed, by whomever; it must not be touched any more.
  virtual void client_gone() = 0;

 protected:
  ~Passage() = default;
};

}  // namespace weir::front
