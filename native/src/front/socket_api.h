// The functions of the server library's public C API, µSockets (libusockets.h), that the front
// uses. Its shared object exports them; the binding looks them up, tests give their own.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weir::front {

// Sockets, their contexts and the loop are the library's own: nobody looks into them.
using Socket = void;
using SocketContext = void;
using Loop = void;

// Each returns the socket, which may be closed by then.
using OnOpen = Socket* (*)(Socket* socket, int is_client, char* ip, int ip_length);
using OnData = Socket* (*)(Socket* socket, char* data, int length);
using OnClose = Socket* (*)(Socket* socket, int code, void* reason);
// Of a socket that can be written to, whose time is over, or whose peer sends no more.
using OnEvent = Socket* (*)(Socket* socket);

// What a socket is polled for (LIBUS_SOCKET_READABLE, LIBUS_SOCKET_WRITABLE on libuv).
inline constexpr int kPollReadable = 1;
inline constexpr int kPollWritable = 2;

// The first argument is 0 for the layer below TLS, which is all there is on plain listeners.
struct SocketApi {
  SocketContext* (*context)(int ssl, Socket* socket) = nullptr;
  void (*on_open)(int ssl, SocketContext* context, OnOpen handler) = nullptr;
  void (*on_data)(int ssl, SocketContext* context, OnData handler) = nullptr;
  void (*on_close)(int ssl, SocketContext* context, OnClose handler) = nullptr;
  Socket* (*close)(int ssl, Socket* socket, int code, void* reason) = nullptr;
};

// What the connections of the front take besides.
struct ConnectionApi {
  SocketApi sockets;
  void (*on_writable)(int ssl, SocketContext* context, OnEvent handler) = nullptr;
  void (*on_timeout)(int ssl, SocketContext* context, OnEvent handler) = nullptr;
  // nullptr: half-closed clients are the library's to close, also those of tunnels
  void (*on_end)(int ssl, SocketContext* context, OnEvent handler) = nullptr;
  int (*write)(int ssl, Socket* socket, const char* data, int length, int more) = nullptr;
  void (*shutdown)(int ssl, Socket* socket) = nullptr;
  int (*remote_port)(int ssl, Socket* socket) = nullptr;
  void* (*native_handle)(int ssl, Socket* socket) = nullptr;
  Loop* (*loop)(int ssl, SocketContext* context) = nullptr;
  int (*poll_events)(Socket* socket) = nullptr;
  void (*poll_change)(Socket* socket, Loop* loop, int events) = nullptr;
  // Not the library's: milliseconds on a clock that is never set back.
  std::uint64_t (*now_ms)() = nullptr;
};

}  // namespace weir::front
