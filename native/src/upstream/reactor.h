// What the upstream client needs of its event loop: readiness of sockets, the time, one timer, and
// to be called once before the loop waits. `uv_reactor.cc` implements it on libuv, the tests on
// poll(2).
#pragma once

#include <cstdint>

namespace weir::upstream {

inline constexpr unsigned kReadable = 1;
inline constexpr unsigned kWritable = 2;

class Watched {
 public:
  // @param events kReadable and kWritable, of those asked for; errors and hang-ups show as both
  virtual void on_ready(unsigned events) = 0;

 protected:
  ~Watched() = default;
};

class Reactor {
 public:
  // Opaque; belongs to the reactor.
  struct Watch;

  virtual ~Reactor() = default;

  // Level-triggered. The socket is non-blocking. @returns nullptr where the system refuses
  virtual Watch* watch(int socket, unsigned events, Watched& watched) = 0;
  // Another one hears of the socket from now on.
  virtual void hand_over(Watch* watch, Watched& watched) = 0;
  // @param events may be 0
  virtual void change(Watch* watch, unsigned events) = 0;
  // `on_ready` is not called any more; the caller closes the socket afterwards.
  virtual void unwatch(Watch* watch) = 0;

  // Milliseconds of a clock that never goes back; stands still within one turn of the loop.
  virtual std::uint64_t now_ms() const = 0;
  // Calls Client::on_timer at or soon after `at_ms`; replaces what was set before.
  virtual void set_timer(std::uint64_t at_ms) = 0;
  virtual void clear_timer() = 0;
  // Calls Client::end_turn once, after the sockets that are ready now have been heard and before
  // the loop waits again.
  virtual void ask_end_turn() = 0;
};

}  // namespace weir::upstream
