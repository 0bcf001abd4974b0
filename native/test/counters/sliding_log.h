// The oracle: a sliding log that keeps the time of every admission. What a window of blocks decides
// is compared with what this decides. Used by the tests only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

namespace weir::test {

class SlidingLog {
 public:
  SlidingLog(std::uint64_t capacity, std::uint64_t length_ms)
      : capacity_(capacity), length_ms_(length_ms) {}

  // How long until a request for so many admissions may be admitted, 0 if it may now. A clock that
  // is behind an admission knows no better than that the whole window is still to come.
  std::uint64_t wait_ms(std::uint64_t now, std::uint64_t cost = 1) const {
    if (times_.size() + cost <= capacity_) return 0;
    const std::uint64_t oldest = times_[times_.size() + cost - 1 - capacity_];
    if (now < oldest) return length_ms_;
    return now - oldest < length_ms_ ? length_ms_ - (now - oldest) : 0;
  }

  // An admission is never older than the one before it, however late its process comes.
  void admit(std::uint64_t now) {
    const bool late = !times_.empty() && times_.back() > now;
    times_.push_back(late ? times_.back() : now);
    while (times_.size() > capacity_) times_.pop_front();
  }

  void admit(std::uint64_t now, std::uint64_t cost) {
    for (std::uint64_t i = 0; i < cost; ++i) admit(now);
  }

  // How many more may be admitted now.
  std::uint64_t remaining(std::uint64_t now) const {
    std::uint64_t cost = 0;
    while (cost < capacity_ && wait_ms(now, cost + 1) == 0) ++cost;
    return cost;
  }

  // Admissions younger than the window, of the last `capacity`.
  std::uint64_t in_window(std::uint64_t now) const {
    std::uint64_t count = 0;
    for (auto time = times_.rbegin(); time != times_.rend(); ++time) {
      if (now >= *time && now - *time >= length_ms_) break;
      ++count;
    }
    return count;
  }

 private:
  std::uint64_t capacity_;
  std::uint64_t length_ms_;
  std::deque<std::uint64_t> times_;
};

}  // namespace weir::test
