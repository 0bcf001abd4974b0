// The way to plain HTTP/1.1 backends (contract 6): connections, their pools, waiting requests,
// deadlines and retries of one worker, on its event loop and in its one thread. README.md, "The
// upstream client", is the paper. Called by binding/upstream.cc, which turns it into functions of
// numbers and strings.
//
// A call is one request and what becomes of it. Its number is free again once the batch that ended
// it, or that followed its abort, has been delivered; so a record never meets another call of that
// number. Everything here may be called from within Owner::deliver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "upstream/reactor.h"
#include "upstream/record.h"
#include "upstream/response_parser.h"

namespace weir::upstream {

// Bounds and times that are the same for all backends. They have no values here: JS gives them,
// from src/limits/upstream.ts, which has their reasons.
struct ClientOptions {
  ParserLimits parser;
  // milliseconds that an idle connection is kept, where the server says nothing; at most, where it
  // says `keep-alive: timeout=`; and how much earlier than that it is closed
  std::uint32_t idle_ms = 0;
  std::uint32_t idle_hinted_ms = 0;
  std::uint32_t idle_margin_ms = 0;
  // milliseconds for which an idle connection may carry a request that can't be repeated
  std::uint32_t reuse_ms = 0;
  // bytes of a request body that are kept while the socket takes no more
  std::size_t body_buffer_bytes = 0;
  // milliseconds that an address is set aside after its first failure, and at most
  std::uint32_t set_aside_first_ms = 0;
  std::uint32_t set_aside_last_ms = 0;
  // requests in flight on one connection, at most: what one read may answer finds room in a batch
  std::uint32_t pipelining_max = 1;
  std::uint64_t random_seed = 1;
};

// As ClientOptions: the values are those of the config file and of a backend's document.
struct BackendOptions {
  std::uint32_t connect_timeout_ms = 0;
  std::uint32_t response_timeout_ms = 0;
  std::uint32_t idle_timeout_ms = 0;
  // to each address, at most
  std::uint32_t connections = 0;
  // calls that wait for a connection, at most
  std::uint32_t queue = 0;
  // idempotent requests without body in flight on one connection, at most; 1: off. More than
  // `ClientOptions::pipelining_max` counts as that.
  std::uint32_t pipelining = 1;
};

struct Address {
  // the owner's number, told again in records
  std::int32_t id = 0;
  // IPv4 or IPv6, as text
  std::string_view ip;
  std::uint16_t port = 0;
};

// How an address of a backend stands.
struct AddressState {
  // the owner's number
  std::int32_t id = 0;
  // given to its connections since somebody asked
  std::uint32_t requests = 0;
  std::size_t connections = 0;
  // of these, without a request
  std::size_t idle = 0;
  // milliseconds for which it is left alone
  std::uint64_t set_aside_ms = 0;
};

struct Request {
  // Request line and header lines, each ending with CRLF; without framing and the empty line.
  std::string_view head;
  bool head_method = false;
  bool idempotent = false;
  // The head asks the backend to change the protocol: 101 is an answer. Only without body.
  bool upgrade = false;
  // The head has `expect: 100-continue`: a backend that answers without a 100 may believe that no
  // body follows, so its connection carries no further request.
  bool expects = false;
  // bytes; 0: no body, -1: chunked
  std::int64_t body_length = 0;
};

// The connection of a call that was answered with 101: nobody's, until somebody takes it.
struct Upgraded {
  // -1: there is none
  int socket = -1;
  // of the client's reactor, looking at nothing
  Reactor::Watch* watch = nullptr;
  // what came behind the 101's head
  std::string early;
};

struct Core;

class Owner {
 public:
  // Reads `count` records, of the memory given to the client.
  virtual void deliver(std::size_t count) = 0;

 protected:
  ~Owner() = default;
};

class Client {
 public:
  // `records` and `arena` are the owner's memory and outlive the client. At least as much as
  // `Batch::records_min` and `Batch::kArenaBytesMin` say.
  Client(const ClientOptions& options, Reactor& reactor, Owner& owner, std::span<Record> records,
         std::span<char> arena);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // A backend has no address yet: calls wait until set_addresses or fail_waiting.
  std::int32_t open_backend(const BackendOptions& options);
  // Replaces the addresses; those that stay keep their connections and what is known of their
  // health. Connections to the others close when they are idle. @returns false if one is none
  // (nothing changed)
  bool set_addresses(std::int32_t backend, std::span<const Address> addresses);
  // While a backend has no address: calls that wait fail with kConnect and `text`, later ones too,
  // until set_addresses.
  void fail_waiting(std::int32_t backend, std::string_view text);
  // Idle connections close at once, busy ones when they are done; then kBackendClosed follows, and
  // the number is free. Calls sent meanwhile are served on connections of their own.
  void close_backend(std::int32_t backend);

  // Begins a call. Nothing is told of it before the next deliver. `body_wanted` is set if the body
  // may begin at once; else kBodyWanted may follow.
  std::int32_t send(std::int32_t backend, const Request& request, bool& body_wanted);
  // A piece of the request body, after the body was wanted and before finish. @returns false to
  // wait for kDrained, or because the call takes no more
  bool write(std::int32_t call, std::span<const char> bytes);
  void finish(std::int32_t call);
  // The owner pushes back: no further kData, kEnd for this call until resume, but for what the
  // current batch holds.
  void pause(std::int32_t call);
  void resume(std::int32_t call);
  void abort(std::int32_t call);
  // Of a call that kUpgraded was told of, with the serial number that was told with it: there is
  // none once the call is over, whatever else has its number. The connection is the caller's from
  // now on, has left its backend, and the call is over.
  Upgraded take_upgraded(std::int32_t call, std::int32_t serial);
  bool is_upgraded(std::int32_t call, std::int32_t serial) const;

  // How a backend stands: bytes of memory that request bodies have here; calls that wait while
  // every place for a connection is taken; and what is taken or waited for, of all places (0 to 1,
  // above it while many wait).
  std::size_t body_bytes(std::int32_t backend) const;
  std::size_t pressed(std::int32_t backend) const;
  double occupancy(std::int32_t backend) const;
  // Each request is told of once. @returns calls that wait
  std::size_t take_states(std::int32_t backend, std::vector<AddressState>& states);

  // Numbers that may be used in the functions above.
  bool has_backend(std::int32_t backend) const;
  bool has_call(std::int32_t call) const;

  // Of the reactor.
  void on_timer();
  void end_turn();

  // for tests
  std::size_t open_connections() const;
  // bytes of memory that requests, bodies and incomplete response headers have
  std::size_t kept_bytes() const;

 private:
  std::unique_ptr<Core> core_;
};

}  // namespace weir::upstream
