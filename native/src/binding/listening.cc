// Listening sockets that processes share, as functions of the addon. Called by
// src/process/supervisor/listening-group.ts and src/http/inherited-listener.ts.
#include "listening.h"

#include <climits>
#include <cstdint>
#include <memory>
#include <string>

#include "binding/functions.h"
#include "binding/parts.h"
#include "binding/server_library.h"

namespace weir::binding {

namespace {

// us_socket_get_native_handle(int ssl, us_socket_t*); of a listener, too
using NativeHandle = void* (*)(int ssl, void* socket);

int descriptor_of(const Arguments& arguments, std::size_t at) {
  return static_cast<int>(arguments.number(at, INT_MAX));
}

class ListeningFunctions {
 public:
  // bindShared(address, port): a descriptor, or a negative errno
  std::int32_t bind(const Arguments& arguments) {
    return bind_shared(arguments.text(0), static_cast<int>(arguments.number(1, 65'535)));
  }

  // boundPort(socket): or a negative errno
  std::int32_t port(const Arguments& arguments) { return bound_port(descriptor_of(arguments, 0)); }

  // listenShared(socket, backlog): 0 or an errno
  std::int32_t listen(const Arguments& arguments) {
    return listen_shared(descriptor_of(arguments, 0), descriptor_of(arguments, 1));
  }

  // steerConnections(socket, places: Uint8Array): 0 or an errno
  std::int32_t steer_connections(const Arguments& arguments) {
    return steer(descriptor_of(arguments, 0), arguments.bytes(1));
  }

  // canAdoptListeners(file): whether this library has what `adoptListener` takes
  bool can_adopt(const Arguments& arguments) {
    const ServerLibrary library(arguments.text(0));
    NativeHandle handle = nullptr;
    return library.find("us_socket_get_native_handle", handle);
  }

  // adoptListener(file, token, socket): 0 or an errno; -1: no way to the listener
  std::int32_t adopt(const Arguments& arguments) {
    const int own = listener_descriptor(arguments);
    return own < 0 ? -1 : become(own, descriptor_of(arguments, 2));
  }

  // listenerDescriptor(file, token): -1: no way to it
  std::int32_t listener_descriptor(const Arguments& arguments) {
    const ServerLibrary library(arguments.text(0));
    NativeHandle handle = nullptr;
    void* const socket = listening_socket(arguments[1]);
    if (socket == nullptr || !library.find("us_socket_get_native_handle", handle)) return -1;
    return static_cast<std::int32_t>(reinterpret_cast<std::intptr_t>(handle(0, socket)));
  }
};

}  // namespace

void export_listening(Napi::Env env, Napi::Object exports) {
  using Own = ListeningFunctions;
  Functions<Own>(exports, keep(env, std::make_unique<Own>()))
      .add<&Own::bind>("bindShared")
      .add<&Own::port>("boundPort")
      .add<&Own::listen>("listenShared")
      .add<&Own::steer_connections>("steerConnections")
      .add<&Own::can_adopt>("canAdoptListeners")
      .add<&Own::adopt>("adoptListener")
      .add<&Own::listener_descriptor>("listenerDescriptor");
}

}  // namespace weir::binding
