// The front: reads every byte that a client sends, hands good requests to JS, one of a connection
// at a time, and writes what JS answers (native/README.md, "The front"). The server library
// listens, accepts, speaks TLS and polls; handlers of ours stand before its own, which hear of
// sockets that open and close and of nothing else. Called by binding/front_connections.cc and
// front_answers.cc and, as handlers, by the library; all of it in the thread of one event loop.
//
// The rules of memory. A socket may be closed by whatever JS does; our handler for closing then
// marks the connection, and whoever works with it (`Hold`) looks before going on. The library frees
// the socket itself when its loop's turn is over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "front/client_bounds.h"
#include "front/connection.h"
#include "front/hold.h"
#include "front/owner.h"
#include "front/request_reader.h"
#include "front/socket_api.h"
#include "front/socket_table.h"
#include "front/standing_refusals.h"

namespace weir::front {

// Since the front began.
struct FrontCounts {
  // connections closed because nothing came in time
  std::uint64_t silent = 0;
  // ... because the client did not read a complete answer
  std::uint64_t unread = 0;
};

class Front {
 public:
  // @param turns a byte for each connection (`Turn`); there are never more connections than bytes
  Front(const ConnectionApi& api, Owner& owner, std::span<std::uint8_t> turns);
  ~Front();
  Front(const Front&) = delete;
  Front& operator=(const Front&) = delete;

  // Has to come before the listener's first connection.
  // @param proxied each begins with a PROXY protocol header, of which a `ProxyListener` tells
  // @returns the listener's number; -1, and nothing was done, where the library's handlers can't be
  //   learnt
  int hook(Socket* listening, bool tls, bool proxied, const FrontBounds& bounds);

  // Holds for connections that begin from now on.
  void bound(std::unique_ptr<ClientBounds> bounds) { bounds_ = std::move(bounds); }
  // @param number of the listener; nullptr: there is none
  const Refused* refused(std::size_t number) const {
    return number < listeners_.size() ? &listeners_[number].refused : nullptr;
  }

  // What is answered without JS.
  StandingRefusals& standing() { return standing_; }

  // @returns nullptr once it is closed
  Connection* find(std::uint64_t handle) const;

  // The answer of the pending request is complete. @param last the connection ends with it
  // @returns true if `run` is to be called, soon and not from within a handler
  bool answered(Connection& connection, bool last);
  // The client of the pending request is told to send its body, for which it may have waited: from
  // now on the connection goes on behind the answer if it may. @returns whether it does
  bool continues(Connection& connection);
  void run();
  // Whether the client's socket is read; what was read already comes all the same.
  void pause(Connection& connection, bool paused);
  void close(Connection& connection);
  // Until the front ends the connection, behind all that was written, the client is told by a reset
  // and not by an end that it is closed, whoever closes it, and if the process dies.
  void reset_on_close(Connection& connection);

  // Tunnels (front_tunnels.cc). The connection is no HTTP any more: what comes goes to the passage,
  // first what has come already. Its pending request is over.
  // @param idle_ms without a byte in either direction; 0: any time
  void enter_tunnel(Connection& connection, Passage& passage, std::uint32_t idle_ms);
  // The passage hears nothing any more, and the connection is closed. @param broken not in order
  void leave_tunnel(Connection& connection, bool broken);
  // A byte has gone by.
  void moved(const Connection& connection) {
    places_[connection.slot].until_ms = tunnel_until_ms(connection);
  }
  // Hot. Writes; what the socket does not take is kept. @returns false if some was
  bool pass(Connection& connection, std::string_view bytes);
  // The client is told that there will be no more. One with TLS is read no more after that, and its
  // connection ends with its own end, or soon.
  void shut(Connection& connection);
  // Has the kernel keep little of what the client sends.
  void bound_reads(const Connection& connection, std::size_t bytes);

  // What is written to the connection while one of these lives goes out as one, or in large pieces.
  class Gathering {
   public:
    Gathering(Front& front, Connection& connection);
    ~Gathering();
    Gathering(const Gathering&) = delete;
    Gathering& operator=(const Gathering&) = delete;

   private:
    Hold hold_;
    Front& front_;
    Connection& connection_;
    // Somebody gathers for this connection already.
    bool is_inner_;
    // For whom was gathered before, and what.
    Connection* outer_ = nullptr;
    std::string outer_bytes_;
  };
  // Short texts may be appended to it. Each of these three is of the connection that is gathered
  // for.
  std::string& gathered() { return gathered_; }
  // What the socket doesn't take is kept.
  void put(Connection& connection, std::string_view bytes);
  // @returns bytes that were taken, by the socket or because they are few; the others are not kept
  std::size_t offer(Connection& connection, std::string_view bytes);
  // Sends what was gathered, and keeps what the socket does not take. @param more follows at once
  void flush(Connection& connection, bool more = false);

  // To be called some ten times a second; time in which it was not doesn't count.
  void tick();

  std::size_t connections() const { return sockets_.size(); }
  // Of those, the clients of which no whole header has come yet.
  std::size_t beginning() const;
  const FrontCounts& counts() const { return counts_; }

  // The handlers.
  Socket* opened(Socket* socket, int is_client, char* ip, int ip_length);
  Socket* received(Socket* socket, char* data, int length);
  Socket* received_below(Socket* socket, char* data, int length);
  Socket* writable(Socket* socket);
  Socket* ended(Socket* socket);
  Socket* closed(Socket* socket, int code, void* reason);

 private:
  // between two ticks, about
  static constexpr std::uint64_t kTickMs = 100;

  // What the clock has to know of a connection, side by side for all.
  struct Place {
    Phase phase = Phase::kFree;
    std::uint32_t generation = 0;
    // when the phase has lasted too long; of no meaning while it is JS that waits
    std::uint64_t until_ms = 0;
    Connection* connection = nullptr;
  };

  const Listener* listener_of(Socket* socket) const;
  std::unique_ptr<Connection> make(Socket* socket, const Listener& listener);
  Phase phase_of(const Connection& connection) const { return places_[connection.slot].phase; }
  void enter(const Connection& connection, Phase phase);
  // The phase lasts for its whole time from now on.
  void went_on(const Connection& connection);
  // A tunnel looks at no clock for each piece: it takes the time of the last tick.
  std::uint64_t tunnel_until_ms(const Connection& connection) const {
    const std::uint32_t idle_ms = connection.tunnel_idle_ms;
    return idle_ms == 0 ? UINT64_MAX : ticked_ms_ + kTickMs + idle_ms;
  }
  bool is_pending(const Connection& connection) const {
    return (turns_[connection.slot] & kPending) != 0;
  }

  bool count(Connection& connection);
  bool count_named(Connection& connection);
  bool count_address(Connection& connection, std::span<const std::uint8_t> address);
  void uncount(Connection& connection);
  void refuse(Connection& connection);
  void read_hello(Connection& connection, std::string_view bytes);
  void forget_hello(Connection& connection);

  // Reads until the bytes are used up or have to wait. @returns how many need not wait
  std::size_t feed(Connection& connection, std::span<char> bytes);
  void take(Connection& connection, Event event);
  // Something may have become possible: the next request, or the end.
  void settle(Connection& connection);
  // Of those that wait. @returns false if it was closed
  bool feed_waiting(Connection& connection);
  void keep(Connection& connection, std::string_view bytes);
  void linger(Connection& connection, std::size_t size);
  // Reads the socket or doesn't, as it should be. To be called after a write that the socket did
  // not take, for with that the library reads it again, whoever had it not read.
  void look_at_reading(Connection& connection);

  // @returns whether the request at hand was answered without JS
  bool refuse_at_once(Connection& connection);
  void hand_on_refusal(Connection& connection);
  void announce(Connection& connection);
  void spoil_body(Connection& connection);

  // @returns bytes that the socket took
  std::size_t push(Connection& connection, std::string_view bytes, bool more);
  void keep_unsent(Connection& connection, std::string_view bytes);
  void send_backlog(Connection& connection);
  void look_behind_write(Connection& connection);

  void finish(Connection& connection);
  // Closes it if its client has broken it. For sockets that are not read, where nothing else tells.
  void look_for_break(Connection& connection);
  // Closes it if its client has gone, or has ended its side, behind so many requests that it is not
  // read, where nothing else tells.
  void look_behind_waiting(Connection& connection);
  void set_reset(Connection& connection, bool resets);
  // Of the layer below TLS. The connection must not be closed.
  int descriptor_of(const Connection& connection) const;
  // JS has taken the turn away without a call, at some time since the last look.
  void begin_idling(Connection& connection);
  void give_up(Connection& connection);
  void give_up_header(Connection& connection);

  ConnectionApi api_;
  Owner& owner_;
  std::span<std::uint8_t> turns_;
  std::deque<Listener> listeners_;
  // It owns the connections.
  SocketTable sockets_;
  // by slot
  std::vector<Place> places_;
  // of those, used before and free again, the longest free first
  std::deque<std::uint32_t> free_slots_;
  // handles of connections that `run` settles
  std::vector<std::uint64_t> ready_;
  // for whom is gathered, and what
  Connection* gathering_ = nullptr;
  std::string gathered_;
  // nullptr: any number of connections
  std::unique_ptr<ClientBounds> bounds_;
  // connections that are being told that there are too many
  std::size_t told_ = 0;
  // connections whose ClientHello isn't whole
  std::size_t hellos_ = 0;
  // when the clock was last looked at
  std::uint64_t ticked_ms_;
  std::size_t ticks_ = 0;
  FrontCounts counts_;
  StandingRefusals standing_;
};

}  // namespace weir::front
