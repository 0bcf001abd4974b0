#include "front/proxy_listener.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "front/replace_handler.h"
#include "tls/readable_memory.h"

namespace weir::front {

namespace {

thread_local ProxyListeners* listeners_of_thread = nullptr;
thread_local const ProxiedPeer* current_peer = nullptr;

ProxyListener* listener_of(Socket* socket) {
  return listeners_of_thread == nullptr ? nullptr : listeners_of_thread->of(socket);
}

// When a thread ends, its listeners may go before its sockets.
Socket* proxy_opened(Socket* socket, int is_client, char* ip, int ip_length) {
  ProxyListener* const listener = listener_of(socket);
  return listener == nullptr ? socket : listener->opened(socket, is_client, ip, ip_length);
}

Socket* proxy_received(Socket* socket, char* data, int length) {
  ProxyListener* const listener = listener_of(socket);
  return listener == nullptr ? socket : listener->received(socket, data, length);
}

Socket* proxy_closed(Socket* socket, int code, void* reason) {
  ProxyListener* const listener = listener_of(socket);
  return listener == nullptr ? socket : listener->closed(socket, code, reason);
}

std::string text_of(const std::array<std::uint8_t, 16>& address, std::size_t bytes) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const int family = bytes == 4 ? AF_INET : AF_INET6;
  if (bytes == 0 || inet_ntop(family, address.data(), text.data(), text.size()) == nullptr) {
    return "unknown";
  }
  return text.data();
}

}  // namespace

const ProxiedPeer* ProxyListener::current() { return current_peer; }

Socket* ProxyListener::opened(Socket* socket, int is_client, char* ip, int ip_length) {
  // Anew, whatever was known of a socket at this address.
  Connection& connection = connections_[socket] = Connection();
  if (ip != nullptr && (ip_length == 4 || ip_length == 16)) {
    connection.address_bytes = static_cast<std::uint8_t>(ip_length);
    std::memcpy(connection.address.data(), ip, connection.address_bytes);
  }
  return library_.on_open(socket, is_client, ip, ip_length);
}

Socket* ProxyListener::received(Socket* socket, char* data, int length) {
  const auto found = connections_.find(socket);
  if (found == connections_.end()) return refuse(socket, Connection(), "never seen to open");
  Connection& connection = found->second;
  if (!connection.admitted) {
    // Nothing to go on with: the library calls so when a socket becomes writable.
    if (length <= 0) return socket;
    std::size_t taken = 0;
    const ProxyFrame frame =
        read_frame(connection, {data, static_cast<std::size_t>(length)}, taken);
    if (frame.state == FrameState::kMore) return socket;
    if (frame.state == FrameState::kRefused) return refuse(socket, connection, frame.problem);
    connection.admitted = true;
    connection.peer = frame.peer;
    connection.reader.reset();
    data += taken;
    length -= static_cast<int>(taken);
    if (length == 0) return socket;
  }
  // A copy: handlers of requests may run when the connection is closed already.
  const ProxiedPeer peer = connection.peer;
  const ProxiedPeer* const outer = std::exchange(current_peer, &peer);
  Socket* const result = library_.on_data(socket, data, length);
  current_peer = outer;
  return result;
}

Socket* ProxyListener::closed(Socket* socket, int code, void* reason) {
  connections_.erase(socket);
  return library_.on_close(socket, code, reason);
}

ProxyFrame ProxyListener::read_frame(Connection& connection, std::string_view data,
                                     std::size_t& taken) {
  if (connection.reader != nullptr) return connection.reader->take(data, taken);
  const ProxyFrame frame = read_proxy_frame(data);
  taken = frame.bytes;
  if (frame.state == FrameState::kMore) {
    connection.reader = std::make_unique<FrameReader>();
    connection.reader->take(data, taken);
  }
  return frame;
}

Socket* ProxyListener::refuse(Socket* socket, const Connection& connection, const char* problem) {
  ++refused_;
  last_refusal_ = text_of(connection.address, connection.address_bytes) + ": " + problem;
  // Comes back to `closed`.
  return api_.close(0, socket, 0, nullptr);
}

ProxyListeners::ProxyListeners() { listeners_of_thread = this; }

ProxyListeners::~ProxyListeners() {
  if (listeners_of_thread == this) listeners_of_thread = nullptr;
}

int ProxyListeners::hook(const SocketApi& api, Socket* listening) {
  SocketContext* const context = api.context(0, listening);
  if (context == nullptr) return -1;
  const tls::ReadableMemory memory;
  const OnOpen opens = replace_handler<OnOpen>(memory, context, api.on_open, proxy_opened);
  if (opens == nullptr) return -1;
  const OnData reads = replace_handler<OnData>(memory, context, api.on_data, proxy_received);
  const OnClose closes =
      reads == nullptr ? nullptr
                       : replace_handler<OnClose>(memory, context, api.on_close, proxy_closed);
  if (closes == nullptr) {
    api.on_open(0, context, opens);
    if (reads != nullptr) api.on_data(0, context, reads);
    return -1;
  }
  for (const auto& listener : listeners_) {
    if (listener->context() == context) listener->forget_context();
  }
  api_ = api;
  const Handlers library{.on_open = opens, .on_data = reads, .on_close = closes};
  listeners_.push_back(std::make_unique<ProxyListener>(api, context, library));
  return static_cast<int>(listeners_.size()) - 1;
}

ProxyListener* ProxyListeners::of(Socket* socket) const {
  const SocketContext* const context = api_.context(0, socket);
  for (const auto& listener : listeners_) {
    if (listener->context() == context) return listener.get();
  }
  return nullptr;
}

}  // namespace weir::front
