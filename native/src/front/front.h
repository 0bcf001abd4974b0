// The front: every byte that a client sends is read here before the server library reads any
// (native/README.md, "The front"). Handlers of ours stand before the library's own. What they hand
// on is, for each request that the strict reader lets pass, a head of our own making and the bytes
// of its body; JS takes the request's head from here. Called by binding/front_connections.cc and,
// as handlers, by the library; all of it in the thread of one event loop.
//
// The rules of memory. A socket may be closed by whatever the library's handlers do, JS included;
// our handler for closing then marks the connection, and whoever works with it (`Hold`) looks
// before going on. The library frees the socket itself when its loop's turn is over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "front/connection.h"
#include "front/request_reader.h"
#include "front/socket_api.h"

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
  Front(const ConnectionApi& api, std::span<std::uint8_t> turns);
  ~Front();
  Front(const Front&) = delete;
  Front& operator=(const Front&) = delete;

  // Has to come before the listener's first connection.
  // @returns false, and nothing was done, where the library's handlers can't be learnt
  bool hook(Socket* listening, bool tls, const FrontBounds& bounds);

  // The connection whose request is being handed on; nullptr outside of that.
  Connection* current() const { return current_; }
  // @returns nullptr once it is closed
  Connection* find(std::uint64_t handle) const;

  // The answer of the pending request is complete. @param last the connection ends with it
  // @returns true if `run` is to be called, soon and not from within a handler
  bool answered(Connection& connection, bool last);
  void run();
  // Whether the client's socket is read; what was read already comes all the same.
  void pause(Connection& connection, bool paused);
  // Reads the socket or doesn't, as it should be. To be called after a write that the socket did
  // not take, for with that the library reads it again, whoever had it not read.
  void look_at_reading(Connection& connection);
  // Past the library, which must have written everything of its own. @returns bytes taken; the
  // library's handler for writable sockets is called when there is room for more
  int write(Connection& connection, std::string_view bytes);
  // For a short text. Closes the connection if it isn't taken.
  void write_whole(Connection& connection, std::string_view text);

  // To be called some ten times a second; time in which it was not doesn't count.
  void tick();

  std::size_t connections() const { return sockets_.size(); }
  // Of those, the clients of which no whole header has come yet.
  std::size_t beginning() const;
  const FrontCounts& counts() const { return counts_; }

  // The handlers.
  Socket* opened(Socket* socket, int is_client, char* ip, int ip_length);
  Socket* received(Socket* socket, char* data, int length);
  Socket* writable(Socket* socket);
  Socket* closed(Socket* socket, int code, void* reason);

 private:
  // What the clock has to know of a connection, side by side for all.
  struct Place {
    Phase phase = Phase::kFree;
    std::uint32_t generation = 0;
    // when the phase has lasted too long; of no meaning while it is JS that waits
    std::uint64_t until_ms = 0;
    Connection* connection = nullptr;
  };

  const Listener* listener_of(Socket* socket) const;
  Connection* connection_of(Socket* socket) const;
  std::unique_ptr<Connection> make(Socket* socket, const Listener& listener);
  Phase phase_of(const Connection& connection) const { return places_[connection.slot].phase; }
  void enter(const Connection& connection, Phase phase);
  // The phase lasts for its whole time from now on.
  void went_on(const Connection& connection);
  bool is_pending(const Connection& connection) const;
  bool is_full(const Connection& connection) const;

  // Reads until the bytes are used up or have to wait. @returns how many need not wait
  std::size_t feed(Connection& connection, char* bytes, std::size_t size);
  void take(Connection& connection, Event event);
  // Something may have become possible: the next request, or the end.
  void settle(Connection& connection);
  void look_behind_write(Connection& connection);
  void keep(Connection& connection, const char* bytes, std::size_t size);

  void hand_on_head(Connection& connection);
  void hand_on_data(Connection& connection);
  void hand_on_end(Connection& connection);
  void hand_on_refusal(Connection& connection);
  void spoil_body(Connection& connection);
  // A request of ours to the library, which JS hears of.
  void announce(Connection& connection, std::string_view framing);
  void hand_on(Connection& connection, const char* bytes, std::size_t size);

  void finish(Connection& connection);
  void close(Connection& connection);
  // JS has taken the turn away without a call, at some time since the last look.
  void begin_idling(Connection& connection);
  void give_up(Connection& connection);
  void give_up_header(Connection& connection);

  ConnectionApi api_;
  std::span<std::uint8_t> turns_;
  std::deque<Listener> listeners_;
  std::unordered_map<Socket*, std::unique_ptr<Connection>> sockets_;
  // by slot
  std::vector<Place> places_;
  // of those, used before and free again, the longest free first
  std::deque<std::uint32_t> free_slots_;
  // handles of connections that `run` settles
  std::vector<std::uint64_t> ready_;
  Connection* current_ = nullptr;
  // when the clock was last looked at
  std::uint64_t ticked_ms_;
  FrontCounts counts_;
};

}  // namespace weir::front
