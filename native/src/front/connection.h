// One connection of a client as the front keeps it: what was read of it, what waits, and whose turn
// it is. Plain data; front.h works with it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "front/client_hello.h"
#include "front/passage.h"
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

// Connections of a listener that were too many (client_bounds.h), since it began.
struct Refused {
  std::uint64_t total = 0;
  std::uint64_t address = 0;
  // the last of those whose address had too many, in network order
  std::string last;
};

// One context of the library, and its own handlers, which ours call where they concern the library:
// it makes and frees its own memory of a socket when that opens and closes.
struct Listener {
  // 1: its connections speak TLS
  int ssl = 0;
  SocketContext* context = nullptr;
  FrontBounds bounds;
  // A PROXY protocol header names the client.
  bool proxied = false;
  mutable Refused refused{};
  OnOpen on_open = nullptr;
  OnData on_data = nullptr;
  // of the layer below TLS; nullptr on plain listeners
  OnData on_data_below = nullptr;
  OnEvent on_writable = nullptr;
  OnEvent on_timeout = nullptr;
  OnClose on_close = nullptr;
  // of a client that has ended its side; nullptr on TLS listeners, and where it can't be learnt:
  // then it is the library's alone, which closes the socket
  OnEvent on_end = nullptr;
  // JS has this number for it
  std::uint32_t number = 0;
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
  // bytes of a tunnel, in either direction
  kTunnel,
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
  // What was read beyond the pending request; of it, the bytes that were used since lie first.
  std::vector<char> waiting;
  std::size_t waiting_from = 0;
  // What was written and the socket has not taken.
  std::string backlog;
  // what connected, in network order: 4 or 16 bytes; or whom a proxy named
  std::array<std::uint8_t, 16> address{};
  // on TLS listeners, until the client's first message is read or can't be
  std::unique_ptr<ClientHello> hello;
  // what it says (tls_client.h), until JS takes it; empty: there is none, or it was not understood
  std::string tls_client;
  std::uint64_t handle = 0;
  // Since it opened, within TLS.
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  std::uint64_t address_key = 0;
  // where its bytes go; nullptr: it speaks HTTP
  Passage* passage = nullptr;
  // milliseconds since 1970
  double opened_ms = 0;
  // bytes that may still come from a client that was told that there will be no more
  std::size_t linger_bytes = 0;
  std::uint32_t slot = 0;
  // of a tunnel, without a byte; 0: any time
  std::uint32_t tunnel_idle_ms = 0;
  // frames of ours that work with it; it is deleted when there are none
  std::uint32_t holds = 0;
  std::uint16_t port = 0;
  std::uint8_t address_bytes = 0;
  bool closed = false;
  // It counts among all, and among those of an address; whom a header names was looked at.
  bool counted = false;
  bool counted_address = false;
  bool named = false;
  // It is one of those that are being told that there are too many.
  bool told = false;
  // a proxy named address and port
  bool proxied = false;
  // JS has not had a request of it yet
  bool fresh = true;
  // The kernel keeps little of what the client sends, since much was waiting once.
  bool bounded = false;
  // of a tunnel: the client has ended its side
  bool ended = false;
  // Whatever closes it is a reset.
  bool resets = false;
  // JS reads no more of a body for now, or the backend takes no more of a tunnel
  bool paused = false;
  // The socket was full, and who writes the answer waits for room.
  bool awaited = false;
  // The connection ends when the pending request is answered.
  bool last = false;
  // Nothing it sends is read any more.
  bool deaf = false;
  // The head of a request was handed on, and its end was not read.
  bool in_body = false;
  // What is handed on is no request but why there is none: `refusal`.
  bool refused = false;
  Refusal refusal{};

  std::size_t waiting_bytes() const { return waiting.size() - waiting_from; }
};

}  // namespace weir::front
