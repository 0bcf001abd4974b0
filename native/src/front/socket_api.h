// The functions of the server library's public C API, µSockets (libusockets.h), that the front
// uses. Its shared object exports them; the binding looks them up, tests give their own.
#pragma once

#include <cstddef>

namespace weir::front {

// Sockets and their contexts are the library's own: nobody looks into them.
using Socket = void;
using SocketContext = void;

// Each returns the socket, which may be closed by then.
using OnOpen = Socket* (*)(Socket* socket, int is_client, char* ip, int ip_length);
using OnData = Socket* (*)(Socket* socket, char* data, int length);
using OnClose = Socket* (*)(Socket* socket, int code, void* reason);

// The first argument is 0 for the layer below TLS, which is all there is on plain listeners.
struct SocketApi {
  SocketContext* (*context)(int ssl, Socket* socket) = nullptr;
  void (*on_open)(int ssl, SocketContext* context, OnOpen handler) = nullptr;
  void (*on_data)(int ssl, SocketContext* context, OnData handler) = nullptr;
  void (*on_close)(int ssl, SocketContext* context, OnClose handler) = nullptr;
  Socket* (*close)(int ssl, Socket* socket, int code, void* reason) = nullptr;
};

}  // namespace weir::front
