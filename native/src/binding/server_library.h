// The way to the server library's own functions: its shared object exports the public C API that it
// is built on (libusockets.h). Used by front.cc, peer.cc and tickets.cc.
#pragma once

#include <napi.h>

#include <string>

namespace weir::binding {

// The library as it is loaded; it stays so, since Node holds it.
class ServerLibrary {
 public:
  explicit ServerLibrary(const std::string& file);
  ~ServerLibrary();
  ServerLibrary(const ServerLibrary&) = delete;
  ServerLibrary& operator=(const ServerLibrary&) = delete;

  // @returns false where there is no function of this name
  template <typename Function>
  bool find(const char* name, Function& out) const {
    out = reinterpret_cast<Function>(symbol(name));
    return out != nullptr;
  }

 private:
  void* symbol(const char* name) const;

  void* handle_;
};

// The us_socket_t of a listener. @param token what `listen` hands to its callback
// @returns nullptr if it is something else, or this Node has no way to it
void* listening_socket(Napi::Value token);

}  // namespace weir::binding
