// Deadlines of calls and connections. Deadlines of one duration come due in the order in which they
// were armed, so a list per duration needs no sorting: arming and disarming are a few pointers, and
// the loop has one timer for all. Used by every file of this folder.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "upstream/reactor.h"

namespace weir::upstream {

class DeadlineList;

class Deadline {
 public:
  Deadline() = default;
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  // Called once, after it has left its list; it may arm itself again.
  virtual void expire() = 0;
  inline void disarm();
  bool armed() const { return list_ != nullptr; }

 protected:
  ~Deadline() { disarm(); }

 private:
  friend class DeadlineList;
  DeadlineList* list_ = nullptr;
  Deadline* previous_ = nullptr;
  Deadline* next_ = nullptr;
  std::uint64_t due_ms_ = 0;
};

class DeadlineList {
 public:
  explicit DeadlineList(std::uint32_t duration_ms) : duration_ms_(duration_ms) {}

  std::uint32_t duration_ms() const { return duration_ms_; }
  bool empty() const { return first_ == nullptr; }
  std::uint64_t first_due_ms() const { return first_->due_ms_; }

  void add(Deadline& deadline, std::uint64_t now_ms) {
    deadline.disarm();
    deadline.list_ = this;
    deadline.due_ms_ = now_ms + duration_ms_;
    deadline.previous_ = last_;
    deadline.next_ = nullptr;
    (last_ == nullptr ? first_ : last_->next_) = &deadline;
    last_ = &deadline;
  }

  void remove(Deadline& deadline) {
    (deadline.previous_ == nullptr ? first_ : deadline.previous_->next_) = deadline.next_;
    (deadline.next_ == nullptr ? last_ : deadline.next_->previous_) = deadline.previous_;
    deadline.list_ = nullptr;
  }

  // @returns the next one that is due, taken out of the list; nullptr: none is
  Deadline* take_due(std::uint64_t now_ms) {
    Deadline* const first = first_;
    if (first == nullptr || first->due_ms_ > now_ms) return nullptr;
    remove(*first);
    return first;
  }

 private:
  std::uint32_t duration_ms_;
  Deadline* first_ = nullptr;
  Deadline* last_ = nullptr;
};

inline void Deadline::disarm() {
  if (list_ != nullptr) list_->remove(*this);
}

// All lists of a client, and its timer. There are as many lists as different durations in use.
class Deadlines {
 public:
  explicit Deadlines(Reactor& reactor) : reactor_(reactor) {}

  // Starts the duration anew, whatever list the deadline was in. The timer is not moved for those
  // that are disarmed: it then fires for nothing, which is cheaper.
  void arm(Deadline& deadline, std::uint32_t duration_ms) {
    const std::uint64_t now_ms = reactor_.now_ms();
    list(duration_ms).add(deadline, now_ms);
    schedule(now_ms + duration_ms);
  }

  // @returns the next deadline that is due, or nullptr; then the timer is set for the one after it
  Deadline* take_due() {
    const std::uint64_t now_ms = reactor_.now_ms();
    for (const auto& list : lists_) {
      Deadline* const due = list->take_due(now_ms);
      if (due != nullptr) return due;
    }
    timer_ms_ = kNever;
    for (const auto& list : lists_) {
      if (!list->empty()) schedule(std::max(list->first_due_ms(), now_ms + 1));
    }
    return nullptr;
  }

 private:
  static constexpr std::uint64_t kNever = UINT64_MAX;

  DeadlineList& list(std::uint32_t duration_ms) {
    for (const auto& list : lists_) {
      if (list->duration_ms() == duration_ms) return *list;
    }
    lists_.push_back(std::make_unique<DeadlineList>(duration_ms));
    return *lists_.back();
  }

  void schedule(std::uint64_t at_ms) {
    if (at_ms >= timer_ms_) return;
    timer_ms_ = at_ms;
    reactor_.set_timer(at_ms);
  }

  Reactor& reactor_;
  std::vector<std::unique_ptr<DeadlineList>> lists_;
  std::uint64_t timer_ms_ = kNever;
};

}  // namespace weir::upstream
