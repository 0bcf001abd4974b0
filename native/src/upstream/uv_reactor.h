// The event loop of the upstream client where it lives in Node: libuv's, the same that JS runs on.
// Made by binding/upstream_owner.cc, one for each client.
//
// A turn of libuv's loop: timers, what was put off, idle, prepare, waiting for sockets and hearing
// them, check (where setImmediate is, too), closing. `end_turn` is called in check, after the
// sockets, and in prepare, for what timers, immediates and their microtasks asked for after check.
// What JS asks for while it is told of that comes before the loop waits as well: an idle handle
// then keeps it from waiting, and the next check hears it. So nobody can keep a turn from ending.
//
// No handle keeps the process alive by being there; `hold` does while something is under way.
#pragma once

#include <cstddef>
#include <cstdint>

#include "upstream/reactor.h"
#include "uv_abi.h"

namespace weir::upstream {

class Client;

class UvReactor final : public Reactor {
 public:
  // @returns nullptr, and in `reason` why (static text), if the loop is none of those known here
  static UvReactor* open(uv_loop_s* loop, const char*& reason);

  // Whom to call; at once after opening.
  void serve(Client& client) { client_ = &client; }
  // The loop lives on while this is true.
  void hold(bool busy);
  // Once, when all that was watched is unwatched. When libuv has let go of the last handle, calls
  // `closed` and deletes itself; the loop must run until then.
  void close(void (*closed)(void* data), void* data);

  Watch* watch(int socket, unsigned events, Watched& watched) override;
  void hand_over(Watch* watch, Watched& watched) override;
  void change(Watch* watch, unsigned events) override;
  void unwatch(Watch* watch) override;
  std::uint64_t now_ms() const override { return uv_now(loop_); }
  void set_timer(std::uint64_t at_ms) override;
  void clear_timer() override;
  void ask_end_turn() override { asked_ = true; }

 private:
  explicit UvReactor(uv_loop_s* loop) : loop_(loop) {}
  ~UvReactor() override = default;

  static void on_poll(uv_poll_s* handle, int status, int events);
  static void start(Watch& watch);
  void end_turn();
  void close_handle(uv_handle_s* handle);
  void handle_closed();

  uv_loop_s* const loop_;
  Client* client_ = nullptr;
  uv_prepare_s* prepare_ = nullptr;
  uv_check_s* check_ = nullptr;
  uv_idle_s* idle_ = nullptr;
  uv_timer_s* timer_ = nullptr;
  bool asked_ = false;
  bool idling_ = false;
  // Given to libuv and not yet let go by it.
  std::size_t handles_ = 0;
  void (*closed_)(void*) = nullptr;
  void* closed_data_ = nullptr;
};

}  // namespace weir::upstream
