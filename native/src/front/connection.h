// One connection of a client as the front keeps it: what was read of it, what waits, and whose turn
// it is. Plain data; front.h works with it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "front/proxy_frame.h"
#include "front/request_reader.h"
#include "front/socket_api.h"

namespace weir::front {

// No values here: JS gives them.
struct FrontBounds {
  ReaderBounds reader;
  // milliseconds: a header from its first byte, no byte of a body or between requests, and the end
  // of a client that was told that there will be no more
  std::uint32_t header_ms = 0;
  std::uint32_t idle_ms = 0;
  std::uint32_t linger_ms = 0;
  // bytes that may wait behind a pending request before the socket is read no more
  std::size_t waiting_bytes = 0;
  // bytes that are read and thrown away of a client that was told that there will be no more
  std::size_t linger_bytes = 0;
};

// One context of the library, and its own handlers, which ours call.
struct Listener {
  // 1: its connections speak TLS
  int ssl = 0;
  SocketContext* context = nullptr;
  FrontBounds bounds;
  OnOpen on_open = nullptr;
  OnData on_data = nullptr;
  OnEvent on_writable = nullptr;
  OnEvent on_timeout = nullptr;
  OnClose on_close = nullptr;
};

// What a connection waits for; each has a time after which it is given up.
enum class Phase : std::uint8_t {
  // no connection
  kFree,
  // the first byte of the first request
  kOpened,
  // the rest of a header
  kHeader,
  // an answer, or the rest of a body that JS reads
  kBusy,
  // the rest of a body whose request was answered before its end
  kRest,
  // the next request
  kIdle,
  // the client, who is to read what was answered before anything else happens
  kDraining,
  // the end of a client that was told that there will be no more
  kLingering,
};

// Flags of the byte that JS and C++ share for each connection. Without any, the next request may be
// handed on.
enum Turn : std::uint8_t {
  // A request was handed on and its answer isn't complete. JS takes it away...
  kPending = 1,
  // ...but by a call if this is set: something waits for it.
  kTell = 2,
  // The body of the pending request is malformed.
  kBadBody = 4,
};

struct Connection {
  Connection(Socket* its_socket, const Listener& its_listener)
      : socket(its_socket), listener(&its_listener), reader(its_listener.bounds.reader) {}

  Socket* socket;
  const Listener* listener;
  RequestReader reader;
  // What was read beyond the pending request, with room before and behind it (`kReadPadding`).
  std::vector<char> waiting;
  // Bytes of it that were used since, and lie before the others.
  std::size_t waiting_from = 0;
  std::size_t waiting_bytes = 0;
  // what connected, in network order: 4 or 16 bytes; or whom a proxy named
  std::array<std::uint8_t, 16> address{};
  std::uint64_t handle = 0;
  std::uint64_t bytes_in = 0;
  // milliseconds since 1970
  double opened_ms = 0;
  // bytes that may still come from a client that was told that there will be no more
  std::size_t linger_bytes = 0;
  std::uint32_t slot = 0;
  // frames of ours that work with it; it is deleted when there are none
  std::uint32_t holds = 0;
  std::uint16_t port = 0;
  std::uint8_t address_bytes = 0;
  // what the library was told of the pending request's body
  BodyKind body = BodyKind::none;
  bool closed = false;
  // a proxy named address and port
  bool proxied = false;
  // JS has not had a request of it yet
  bool fresh = true;
  // The kernel keeps little of what the client sends, since much was waiting once.
  bool bounded = false;
  // JS reads no more of a body for now
  bool paused = false;
  // The connection ends when the pending request is answered.
  bool last = false;
  // Nothing it sends is read any more.
  bool deaf = false;
  // The head of a request was handed on, and its end was not read.
  bool in_body = false;
  // What is handed on is no request but why there is none: `refusal`.
  bool refused = false;
  Refusal refusal{};
};

}  // namespace weir::front
