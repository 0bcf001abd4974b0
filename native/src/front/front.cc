#include "front/front.h"

#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "front/address_bytes.h"
#include "front/proxy_listener.h"
#include "front/replace_handler.h"
#include "tls/readable_memory.h"
#include "wall_clock.h"

namespace weir::front {

namespace {

// Handlers find it so: there is no way to hand them anything.
thread_local Front* front_of_thread = nullptr;

// When a thread ends, the front may go before its sockets.
Socket* on_open(Socket* socket, int is_client, char* ip, int ip_length) {
  if (front_of_thread == nullptr) return socket;
  return front_of_thread->opened(socket, is_client, ip, ip_length);
}

Socket* on_data(Socket* socket, char* data, int length) {
  return front_of_thread == nullptr ? socket : front_of_thread->received(socket, data, length);
}

Socket* on_data_below(Socket* socket, char* data, int length) {
  if (front_of_thread == nullptr) return socket;
  return front_of_thread->received_below(socket, data, length);
}

Socket* on_writable(Socket* socket) {
  return front_of_thread == nullptr ? socket : front_of_thread->writable(socket);
}

// The library's own times, in steps of 4 s, are of no meaning here.
Socket* on_timeout(Socket* socket) { return socket; }

Socket* on_end(Socket* socket) {
  return front_of_thread == nullptr ? socket : front_of_thread->ended(socket);
}

Socket* on_close(Socket* socket, int code, void* reason) {
  return front_of_thread == nullptr ? socket : front_of_thread->closed(socket, code, reason);
}

// A handle has a place in its lower bits, and how often that was used before above them.
constexpr unsigned kSlotBits = 20;
constexpr std::uint64_t kSlotMask = (std::uint64_t{1} << kSlotBits) - 1;

// Places that stay free before one is used again: nobody should soon meet the number of a
// connection that has gone. With more, the clock and JS would have places for all there ever were.
constexpr std::size_t kFreeSlots = 1024;

void take_address(Connection& connection, const char* bytes, std::size_t size) {
  if (size != kIpv4Bytes && size != kIpv6Bytes) return;
  connection.address_bytes = static_cast<std::uint8_t>(size);
  std::memcpy(connection.address.data(), bytes, size);
}

}  // namespace

Front::Front(const ConnectionApi& api, Owner& owner, std::span<std::uint8_t> turns)
    : api_(api),
      owner_(owner),
      turns_(turns.first(std::min<std::size_t>(turns.size(), kSlotMask + 1))),
      ticked_ms_(api.now_ms()) {
  front_of_thread = this;
}

Front::~Front() {
  if (front_of_thread == this) front_of_thread = nullptr;
  sockets_.each([](Connection* connection) { delete connection; });
}

int Front::hook(Socket* listening, bool tls, bool proxied, const FrontBounds& bounds) {
  const int ssl = tls ? 1 : 0;
  SocketContext* const context = api_.sockets.context(ssl, listening);
  if (context == nullptr) return -1;
  const tls::ReadableMemory memory;
  const SocketApi& set = api_.sockets;
  Listener found;
  found.ssl = ssl;
  found.context = context;
  found.bounds = bounds;
  found.proxied = proxied;
  // Each of them runs before the next is set; what was set is taken back if one can't be.
  found.on_open = replace_handler<OnOpen>(memory, context, set.on_open, on_open, ssl);
  if (found.on_open == nullptr) return -1;
  found.on_data = replace_handler<OnData>(memory, context, set.on_data, on_data, ssl);
  if (found.on_data != nullptr) {
    found.on_writable =
        replace_handler<OnEvent>(memory, context, api_.on_writable, on_writable, ssl);
  }
  if (found.on_writable != nullptr) {
    found.on_timeout = replace_handler<OnEvent>(memory, context, api_.on_timeout, on_timeout, ssl);
  }
  if (found.on_timeout != nullptr) {
    found.on_close = replace_handler<OnClose>(memory, context, set.on_close, on_close, ssl);
  }
  if (found.on_close != nullptr && tls) {
    found.on_data_below = replace_handler<OnData>(memory, context, set.on_data, on_data_below);
  }
  if (found.on_close == nullptr || (tls && found.on_data_below == nullptr)) {
    set.on_open(ssl, context, found.on_open);
    if (found.on_data != nullptr) set.on_data(ssl, context, found.on_data);
    if (found.on_writable != nullptr) api_.on_writable(ssl, context, found.on_writable);
    if (found.on_timeout != nullptr) api_.on_timeout(ssl, context, found.on_timeout);
    if (found.on_close != nullptr) set.on_close(ssl, context, found.on_close);
    return -1;
  }
  // Above TLS the library closes the socket itself.
  if (!tls && api_.on_end != nullptr) {
    found.on_end = replace_handler<OnEvent>(memory, context, api_.on_end, on_end);
  }
  // The memory of a listener that is gone has become this one's.
  for (Listener& listener : listeners_) {
    if (listener.context == context) listener.context = nullptr;
  }
  found.number = static_cast<std::uint32_t>(listeners_.size());
  listeners_.push_back(found);
  return static_cast<int>(found.number);
}

const Listener* Front::listener_of(Socket* socket) const {
  for (const Listener& listener : listeners_) {
    if (listener.context == api_.sockets.context(listener.ssl, socket)) return &listener;
  }
  return nullptr;
}

Connection* Front::find(std::uint64_t handle) const {
  const std::size_t slot = handle & kSlotMask;
  if (slot >= places_.size() || places_[slot].generation != handle >> kSlotBits) return nullptr;
  return places_[slot].connection;
}

std::unique_ptr<Connection> Front::make(Socket* socket, const Listener& listener) {
  std::uint32_t slot = 0;
  const bool can_grow = places_.size() < turns_.size();
  if (!free_slots_.empty() && (free_slots_.size() >= kFreeSlots || !can_grow)) {
    slot = free_slots_.front();
    free_slots_.pop_front();
  } else if (can_grow) {
    slot = static_cast<std::uint32_t>(places_.size());
    places_.emplace_back();
  } else {
    return nullptr;
  }
  auto made = std::make_unique<Connection>(socket, listener);
  Place& place = places_[slot];
  made->slot = slot;
  made->handle = std::uint64_t{++place.generation} << kSlotBits | slot;
  made->opened_ms = wall_ms();
  place.connection = made.get();
  turns_[slot] = 0;
  enter(*made, Phase::kOpened);
  return made;
}

Socket* Front::opened(Socket* socket, int is_client, char* ip, int ip_length) {
  const Listener* const listener = listener_of(socket);
  if (listener == nullptr) return socket;
  std::unique_ptr<Connection> made = make(socket, *listener);
  const bool has_room = made != nullptr;
  if (has_room) {
    if (ip != nullptr) take_address(*made, ip, static_cast<std::size_t>(std::max(ip_length, 0)));
    if (listener->on_data_below != nullptr) {
      made->hello = std::make_unique<ClientHello>();
      ++hellos_;
    }
    delete sockets_.put(socket, made.release());
  }
  // In any case, for its handler for closing expects that it was called.
  Socket* const result = listener->on_open(socket, is_client, ip, ip_length);
  if (!has_room) return api_.sockets.close(listener->ssl, socket, 0, nullptr);
  if (Connection* const opened = sockets_.find(socket)) count(*opened);
  return result;
}

Socket* Front::received(Socket* socket, char* data, int length) {
  Connection* const connection = sockets_.find(socket);
  if (connection == nullptr) {
    const Listener* const listener = listener_of(socket);
    return listener == nullptr ? socket : api_.sockets.close(listener->ssl, socket, 0, nullptr);
  }
  if (length <= 0) return socket;
  const auto size = static_cast<std::size_t>(length);
  if (connection->passage != nullptr && !connection->deaf) {
    connection->bytes_in += size;
    connection->passage->client_sent({data, size});
    return socket;
  }
  if (!count_named(*connection)) return socket;
  if (connection->bytes_in == 0) {
    const ProxiedPeer* const peer = ProxyListener::current();
    if (peer != nullptr && peer->address_bytes > 0) {
      connection->address = peer->address;
      connection->address_bytes = peer->address_bytes;
      connection->port = peer->port;
      connection->proxied = true;
    }
  }
  connection->bytes_in += size;
  const Gathering gathering(*this, *connection);
  if (connection->deaf) {
    linger(*connection, size);
    return socket;
  }
  std::size_t used = 0;
  if (connection->waiting_bytes() == 0) used = feed(*connection, {data, size});
  if (used < size && connection->passage != nullptr) {
    // It became a tunnel while it was read.
    connection->passage->client_sent({data + used, size - used});
  } else if (used < size) {
    keep(*connection, {data + used, size - used});
    look_at_reading(*connection);
  }
  settle(*connection);
  return socket;
}

void Front::linger(Connection& connection, std::size_t size) {
  if (phase_of(connection) != Phase::kLingering) return;
  if (size >= connection.linger_bytes) {
    close(connection);
  } else {
    connection.linger_bytes -= size;
  }
}

Socket* Front::closed(Socket* socket, int code, void* reason) {
  Connection* const connection = sockets_.take(socket);
  if (connection == nullptr) {
    const Listener* const listener = listener_of(socket);
    return listener == nullptr ? socket : listener->on_close(socket, code, reason);
  }
  const Listener& listener = *connection->listener;
  const bool was_pending = is_pending(*connection);
  Passage* const passage = std::exchange(connection->passage, nullptr);
  const Hold hold(*connection);
  connection->closed = true;
  forget_hello(*connection);
  uncount(*connection);
  turns_[connection->slot] = 0;
  Place& place = places_[connection->slot];
  place.phase = Phase::kFree;
  place.connection = nullptr;
  free_slots_.push_back(connection->slot);
  Socket* const result = listener.on_close(socket, code, reason);
  if (was_pending) owner_.gone(*connection);
  if (passage != nullptr) passage->client_gone();
  return result;
}

void Front::close(Connection& connection) {
  if (!connection.closed)
    api_.sockets.close(connection.listener->ssl, connection.socket, 0, nullptr);
}

void Front::reset_on_close(Connection& connection) {
  if (!connection.closed) set_reset(connection, true);
}

void Front::set_reset(Connection& connection, bool resets) {
  connection.resets = resets;
  const struct ::linger at_once { .l_onoff = resets ? 1 : 0, .l_linger = 0 };
  setsockopt(descriptor_of(connection), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

int Front::descriptor_of(const Connection& connection) const {
  void* const handle = api_.native_handle(0, connection.socket);
  return static_cast<int>(reinterpret_cast<std::intptr_t>(handle));
}

}  // namespace weir::front
