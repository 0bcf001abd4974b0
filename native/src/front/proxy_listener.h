// Listeners whose connections begin with a PROXY protocol frame. Handlers of ours stand before the
// library's own, below TLS: they take the frame away, remember whom it names, and hand on what
// comes after it as it came (native/README.md, "The front"). Called by binding/front.cc and, as
// handlers, by the library; all of it in the thread of one event loop.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "front/proxy_frame.h"
#include "front/socket_api.h"

namespace weir::front {

struct Handlers {
  OnOpen on_open = nullptr;
  OnData on_data = nullptr;
  OnClose on_close = nullptr;
};

// One context of the library. Nobody touches a connection's state after calling the library: it may
// have closed the connection, and with it have called `closed`.
class ProxyListener {
 public:
  ProxyListener(const SocketApi& api, SocketContext* context, const Handlers& library)
      : api_(api), context_(context), library_(library) {}

  Socket* opened(Socket* socket, int is_client, char* ip, int ip_length);
  Socket* received(Socket* socket, char* data, int length);
  Socket* closed(Socket* socket, int code, void* reason);

  SocketContext* context() const { return context_; }
  // Its memory has become another context's.
  void forget_context() { context_ = nullptr; }

  std::size_t connections() const { return connections_.size(); }
  // closed because of their frame, since the listener began
  std::uint64_t refused() const { return refused_; }
  // address and reason of the last one
  const std::string& last_refusal() const { return last_refusal_; }
  // of the connection whose bytes the library is reading right now; nullptr outside of that
  static const ProxiedPeer* current();

 private:
  struct Connection {
    bool admitted = false;
    ProxiedPeer peer;
    // what connected, in network order: 4 or 16 bytes
    std::array<std::uint8_t, 16> address{};
    std::uint8_t address_bytes = 0;
    // while a frame has begun and is not whole
    std::unique_ptr<FrameReader> reader;
  };

  // @returns the frame's bytes in `data` if it is whole
  ProxyFrame read_frame(Connection& connection, std::string_view data, std::size_t& taken);
  Socket* refuse(Socket* socket, const Connection& connection, const char* problem);

  SocketApi api_;
  SocketContext* context_;
  Handlers library_;
  std::unordered_map<Socket*, Connection> connections_;
  std::uint64_t refused_ = 0;
  std::string last_refusal_;
};

// All of one thread, whose handlers find them through it: there is no way to hand them anything.
class ProxyListeners {
 public:
  ProxyListeners();
  ~ProxyListeners();
  ProxyListeners(const ProxyListeners&) = delete;
  ProxyListeners& operator=(const ProxyListeners&) = delete;

  // Has to come before the listener's first connection.
  // @returns the listener's number; -1, and nothing was done, where the library's handlers can't be
  //   learnt
  int hook(const SocketApi& api, Socket* listening);
  std::size_t size() const { return listeners_.size(); }
  ProxyListener& at(std::size_t number) { return *listeners_[number]; }

  // Of a socket that is open. @returns nullptr for others' sockets
  ProxyListener* of(Socket* socket) const;

 private:
  SocketApi api_;
  std::vector<std::unique_ptr<ProxyListener>> listeners_;
};

}  // namespace weir::front
