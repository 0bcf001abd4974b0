// ModelWord stands in for std::atomic<std::uint64_t> in the counters' headers. It holds nothing:
// each operation is a request to whoever runs the code (Runner), which answers from what it
// recorded or stops the code there. So the explorer decides when an operation happens and what a
// load reads.
//
// A thread's code is a function of the answers it got. The explorer therefore keeps no stacks: to
// learn what a thread does next it runs the operation again from its beginning with the answers so
// far and leaves it by longjmp at the first request without one. No fibers, nothing that a
// sanitizer would not understand; but the code must own nothing that a destructor has to free.
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
  // Runs `code` with these answers. True if it came to its end, whose value is in outcome(); false
  // if it stopped at request().
  bool replay(const std::function<std::uint64_t()>& code,
              const std::vector<std::uint64_t>& answers) {
    answers_ = &answers;
    values_ = nullptr;
    next_ = 0;
    current = this;
    if (setjmp(stop_) != 0) return false;  // NOLINT: the point of this class
    outcome_ = code();
    return true;
  }

  // Runs `code` alone on these values. False if it takes more than `steps_max` steps.
  bool run_alone(const std::function<std::uint64_t()>& code, std::vector<std::uint64_t>& values,
                 std::size_t steps_max) {
    values_ = &values;
    next_ = 0;
    steps_max_ = steps_max;
    current = this;
    if (setjmp(stop_) != 0) return false;  // NOLINT
    outcome_ = code();
    return true;
  }

  const Request& request() const noexcept { return request_; }
  std::uint64_t outcome() const noexcept { return outcome_; }

  // What was there before: of a compare-exchange that took place, the expected value.
  std::uint64_t answer(const Request& request) noexcept {
    if (values_ != nullptr) return perform(request);
    if (next_ < answers_->size()) return (*answers_)[next_++];
    request_ = request;
    std::longjmp(stop_, 1);  // NOLINT
  }

  static inline Runner* current = nullptr;

 private:
  std::uint64_t perform(const Request& request) noexcept {
    if (++next_ > steps_max_) std::longjmp(stop_, 1);  // NOLINT
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
  std::size_t steps_max_ = 0;
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
