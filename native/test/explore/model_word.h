// ModelWord stands in for std::atomic<std::uint64_t> in the counters' headers. It holds nothing:
// each operation is a request to whoever runs the code (Runner), which answers from what it
// recorded or stops the code there. So the explorer decides when an operation happens and what a
// load reads.
//
// A thread's code is a function of the answers it got. The explorer therefore keeps no stacks: to
// learn what a thread does next it runs the operation again from its beginning with the answers so
// far and leaves it by longjmp at the first request without one. No fibers, nothing that a
// sanitizer would not understand; but the code must own nothing that a destructor has to free.
//
// Code that goes round may say that all it knows is a number (again()): it is then run from that
// number on, and whatever it did before makes no difference any more.
#pragma once

#include <atomic>
#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace weir::explore {

struct Request {
  enum Kind : std::uint8_t { kLoad, kStore, kCompareExchange, kAdd } kind = kLoad;
  std::uint16_t word = 0;
  std::memory_order order = std::memory_order_relaxed;
  std::memory_order failure_order = std::memory_order_relaxed;
  std::uint64_t operand = 0;   // stored, put in place, or added
  std::uint64_t expected = 0;  // kCompareExchange
};

class Runner {
 public:
  enum Ended { kStopped, kOver, kAgain };

  // Runs `code` with these answers: to its end, whose value is in outcome(); or to an again(),
  // whose number is in known(); or until it stops at request().
  Ended replay(const std::function<std::uint64_t()>& code, std::uint64_t known,
               const std::vector<std::uint64_t>& answers) {
    begin(known, answers, nullptr);
    switch (setjmp(stop_)) {  // NOLINT: the point of this class
      case 0:
        outcome_ = code();
        return kOver;
      case 1:
        return kStopped;
      default:
        return kAgain;
    }
  }

  // Runs `code` with these answers and on from there alone, on these values. False if that takes
  // more than `steps_max` steps.
  bool run_alone(const std::function<std::uint64_t()>& code, std::uint64_t known,
                 const std::vector<std::uint64_t>& answers, std::vector<std::uint64_t>& values,
                 std::size_t steps_max) {
    begin(known, answers, &values);
    steps_max_ = steps_max;
    if (setjmp(stop_) != 0) return false;  // NOLINT
    outcome_ = code();
    return true;
  }

  const Request& request() const noexcept { return request_; }
  std::uint64_t outcome() const noexcept { return outcome_; }
  // That the last run took alone.
  std::size_t steps() const noexcept { return steps_; }

  // What the code knew when it began: 0, or what it said in again().
  std::uint64_t known() const noexcept { return known_; }

  void again(std::uint64_t known) noexcept {
    if (values_ != nullptr) return;
    known_ = known;
    std::longjmp(stop_, 2);  // NOLINT
  }

  // Whether the last request was to change a word.
  bool was_at_change() const noexcept { return was_at_change_; }

  // What was there before: of a compare-exchange that took place, the expected value.
  std::uint64_t answer(const Request& request) noexcept {
    was_at_change_ = request.kind != Request::kLoad;
    if (next_ < answers_->size()) return (*answers_)[next_++];
    if (values_ != nullptr) return perform(request);
    request_ = request;
    std::longjmp(stop_, 1);  // NOLINT
  }

  static inline Runner* current = nullptr;

 private:
  void begin(std::uint64_t known, const std::vector<std::uint64_t>& answers,
             std::vector<std::uint64_t>* values) {
    known_ = known;
    answers_ = &answers;
    values_ = values;
    next_ = 0;
    steps_ = 0;
    was_at_change_ = false;
    current = this;
  }

  std::uint64_t perform(const Request& request) noexcept {
    if (++steps_ > steps_max_) std::longjmp(stop_, 1);  // NOLINT
    std::uint64_t& value = (*values_)[request.word];
    const std::uint64_t was = value;
    if (request.kind == Request::kStore) value = request.operand;
    if (request.kind == Request::kAdd) value += request.operand;
    if (request.kind == Request::kCompareExchange && was == request.expected) {
      value = request.operand;
    }
    return was;
  }

  std::jmp_buf stop_{};
  const std::vector<std::uint64_t>* answers_ = nullptr;
  std::vector<std::uint64_t>* values_ = nullptr;
  std::size_t next_ = 0;
  std::size_t steps_ = 0;
  std::size_t steps_max_ = 0;
  bool was_at_change_ = false;
  std::uint64_t known_ = 0;
  Request request_;
  std::uint64_t outcome_ = 0;
};

class ModelWord {
 public:
  using Order = std::memory_order;

  // Which word of the program's memory this is.
  void place(std::uint16_t word) noexcept { word_ = word; }
  // A word that nobody changes in this program; reading it is no step.
  void fix(std::uint64_t value) noexcept {
    is_fixed_ = true;
    fixed_ = value;
  }

  std::uint64_t load(Order order = Order::seq_cst) const noexcept {
    if (is_fixed_) return fixed_;
    return Runner::current->answer({Request::kLoad, word_, order, order, 0, 0});
  }

  void store(std::uint64_t value, Order order = Order::seq_cst) noexcept {
    Runner::current->answer({Request::kStore, word_, order, order, value, 0});
  }

  bool compare_exchange_strong(std::uint64_t& expected, std::uint64_t desired, Order success,
                               Order failure) noexcept {
    const std::uint64_t was = Runner::current->answer(
        {Request::kCompareExchange, word_, success, failure, desired, expected});
    const bool exchanged = was == expected;
    expected = was;
    return exchanged;
  }
  bool compare_exchange_strong(std::uint64_t& expected, std::uint64_t desired,
                               Order order = Order::seq_cst) noexcept {
    return compare_exchange_strong(expected, desired, order, failure_of(order));
  }

  // Does not fail without a reason.
  bool compare_exchange_weak(std::uint64_t& expected, std::uint64_t desired, Order success,
                             Order failure) noexcept {
    return compare_exchange_strong(expected, desired, success, failure);
  }

  std::uint64_t fetch_add(std::uint64_t by, Order order = Order::seq_cst) noexcept {
    return Runner::current->answer({Request::kAdd, word_, order, order, by, 0});
  }
  std::uint64_t fetch_sub(std::uint64_t by, Order order = Order::seq_cst) noexcept {
    return fetch_add(std::uint64_t{0} - by, order);
  }

 private:
  static Order failure_of(Order order) noexcept {
    if (order == Order::acq_rel) return Order::acquire;
    return order == Order::release ? Order::relaxed : order;
  }

  std::uint64_t fixed_ = 0;
  std::uint16_t word_ = 0;
  bool is_fixed_ = false;
};

}  // namespace weir::explore
