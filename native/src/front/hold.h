// Keeps a connection's memory while somebody works with it, however it is closed meanwhile. Used by
// front.cc and its parts, around everything that may call the library.
#pragma once

#include "front/connection.h"

namespace weir::front {

class Hold {
 public:
  explicit Hold(Connection& connection) : connection_(connection) { ++connection_.holds; }
  ~Hold() {
    if (--connection_.holds == 0 && connection_.closed) delete &connection_;
  }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  Connection& connection_;
};

}  // namespace weir::front
