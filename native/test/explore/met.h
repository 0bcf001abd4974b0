// The states that were met, by their hash, with a number for each: open addressing, since there are
// millions of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weir::explore {

class Met {
 public:
  std::size_t size() const noexcept { return size_; }

  // The number of this state, new ones having `initial`; and whether it is new. Good until the next
  // call.
  std::pair<double&, bool> find(std::uint64_t hash, double initial) {
    if ((size_ + 1) * 2 > slots_.size()) grow();
    Slot& slot = slot_of(hash == 0 ? 1 : hash);
    if (slot.hash != 0) return {slot.number, false};
    slot = {hash == 0 ? 1 : hash, initial};
    ++size_;
    return {slot.number, true};
  }

 private:
  struct Slot {
    std::uint64_t hash = 0;  // 0: empty
    double number = 0;
  };

  Slot& slot_of(std::uint64_t hash) noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at].hash != 0 && slots_[at].hash != hash) at = (at + 1) & mask;
    return slots_[at];
  }

  void grow() {
    std::vector<Slot> before(slots_.empty() ? 1024 : slots_.size() * 2);
    before.swap(slots_);
    for (const Slot& slot : before) {
      if (slot.hash != 0) slot_of(slot.hash) = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace weir::explore
