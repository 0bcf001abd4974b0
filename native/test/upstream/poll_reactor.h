// The event loop of the upstream client's tests: poll(2), a clock that is set by hand, and turns
// that are taken one by one, all in one thread, so that a run depends on its seed alone.
#pragma once

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "upstream/client.h"
#include "upstream/reactor.h"

struct weir::upstream::Reactor::Watch {
  int socket;
  unsigned events;
  weir::upstream::Watched* watched;
};

namespace weir::test {

class PollReactor final : public upstream::Reactor {
 public:
  void serve(upstream::Client* client) { client_ = client; }
  // Sockets that are ready at the same time are heard in an order of its choosing.
  void shuffle_by(std::mt19937_64* random) { random_ = random; }

  // What sockets that are watched from now on take at a time, about; 0: as the system likes.
  int send_buffer_bytes = 0;

  Watch* watch(int socket, unsigned events, upstream::Watched& watched) override {
    if (send_buffer_bytes > 0) {
      setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &send_buffer_bytes, sizeof send_buffer_bytes);
    }
    watches_.push_back(std::make_unique<Watch>(Watch{socket, events, &watched}));
    return watches_.back().get();
  }
  void hand_over(Watch* watch, upstream::Watched& watched) override { watch->watched = &watched; }
  void change(Watch* watch, unsigned events) override { watch->events = events; }
  void unwatch(Watch* watch) override { watch->watched = nullptr; }

  std::uint64_t now_ms() const override { return now_ms_; }
  void set_timer(std::uint64_t at_ms) override { timer_ms_ = at_ms; }
  void clear_timer() override { timer_ms_ = kNever; }
  void ask_end_turn() override { asked_ = true; }

  // Lets time pass, a timer that comes due within it at its time.
  void advance(std::uint64_t milliseconds) {
    const std::uint64_t end = now_ms_ + milliseconds;
    while (timer_ms_ <= end) {
      now_ms_ = timer_ms_ > now_ms_ ? timer_ms_ : now_ms_;
      timer_ms_ = kNever;
      client_->on_timer();
      end_turn();
    }
    now_ms_ = end;
  }

  // One turn of the loop, without waiting. @returns whether anything was to be done
  bool turn() {
    const bool heard = hear();
    const bool asked = asked_;
    end_turn();
    sweep();
    return heard || asked;
  }

  void end_turn() {
    if (!asked_) return;
    asked_ = false;
    client_->end_turn();
  }

  bool asked() const { return asked_; }
  std::size_t watched() const {
    std::size_t count = 0;
    for (const auto& watch : watches_) count += watch->watched != nullptr ? 1 : 0;
    return count;
  }

 private:
  static constexpr std::uint64_t kNever = UINT64_MAX;

  bool hear() {
    std::vector<pollfd> polled;
    std::vector<Watch*> watches;
    for (const auto& watch : watches_) {
      if (watch->watched == nullptr || watch->events == 0) continue;
      const bool reads = (watch->events & upstream::kReadable) != 0;
      const bool writes = (watch->events & upstream::kWritable) != 0;
      polled.push_back(
          {watch->socket, static_cast<short>((reads ? POLLIN : 0) | (writes ? POLLOUT : 0)), 0});
      watches.push_back(watch.get());
    }
    if (polled.empty() || ::poll(polled.data(), polled.size(), 0) <= 0) return false;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < polled.size(); ++i) {
      if (polled[i].revents != 0) order.push_back(i);
    }
    if (random_ != nullptr) std::shuffle(order.begin(), order.end(), *random_);
    for (const std::size_t i : order) {
      if (watches[i]->watched == nullptr) continue;
      const auto ready = static_cast<unsigned>(polled[i].revents);
      unsigned events = 0;
      if ((ready & POLLIN) != 0) events |= upstream::kReadable;
      if ((ready & POLLOUT) != 0) events |= upstream::kWritable;
      if ((ready & (POLLERR | POLLHUP)) != 0) events = upstream::kReadable | upstream::kWritable;
      watches[i]->watched->on_ready(events & watches[i]->events);
    }
    return true;
  }

  void sweep() {
    std::erase_if(watches_, [](const auto& watch) { return watch->watched == nullptr; });
  }

  upstream::Client* client_ = nullptr;
  std::mt19937_64* random_ = nullptr;
  std::vector<std::unique_ptr<Watch>> watches_;
  std::uint64_t now_ms_ = 1'000'000;
  std::uint64_t timer_ms_ = kNever;
  bool asked_ = false;
};

}  // namespace weir::test
