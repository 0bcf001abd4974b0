// Whom the front tells of requests: JS, by way of binding/front_owner.h; in tests, the test. Each
// of these may answer, pause and close the connection, or any other, before it returns; the front
// looks at what has become of it before it goes on.
#pragma once

#include <string_view>

#include "front/connection.h"

namespace weir::front {

class Owner {
 public:
  virtual ~Owner() = default;
  // A request's head is in `connection.reader`, or `connection.refusal` says why there is none. It
  // is pending from here on. Its text is valid until this returns.
  virtual void requested(Connection& connection) = 0;
  // A piece of the pending request's body, valid until this returns; empty where it is the last one
  // and brings nothing, or the body is malformed (`kBadBody`). Not for bodies of length 0.
  virtual void received(Connection& connection, std::string_view data, bool last) = 0;
  // The socket was full while the pending request was answered, and has taken all of that.
  virtual void writable(Connection& connection) = 0;
  // The connection is closed, and was before the pending request was answered.
  virtual void gone(Connection& connection) = 0;
};

}  // namespace weir::front
