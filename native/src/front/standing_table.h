// Which standing refusals there are of a hash: pairs of a hash and a number in one array, open
// addressing, so that a request that is looked for costs one line of memory. Several may have the
// same hash. Used by standing_refusals.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weir::front {

class StandingTable {
 public:
  StandingTable() : entries_(kEntriesMin) {}

  // Hot. @param visit called with each number of this hash until it returns true
  template <typename Visit>
  void any(std::uint64_t hash, Visit visit) const {
    for (std::size_t at = home(hash); entries_[at].taken; at = next(at)) {
      if (entries_[at].hash == hash && visit(entries_[at].number)) return;
    }
  }

  void put(std::uint64_t hash, std::uint32_t number) {
    if (2 * (size_ + 1) > entries_.size()) resize(2 * entries_.size());
    place({hash, number, true});
    ++size_;
  }

  // One that is not there is left where it isn't.
  void take(std::uint64_t hash, std::uint32_t number) {
    std::size_t gap = home(hash);
    while (entries_[gap].hash != hash || entries_[gap].number != number || !entries_[gap].taken) {
      if (!entries_[gap].taken) return;
      gap = next(gap);
    }
    // What lies behind it and could lie here moves up, so that no search stops too early.
    for (std::size_t at = next(gap); entries_[at].taken; at = next(at)) {
      const std::size_t wanted = home(entries_[at].hash);
      const std::size_t mask = entries_.size() - 1;
      if (((at - wanted) & mask) < ((at - gap) & mask)) continue;
      entries_[gap] = entries_[at];
      gap = at;
    }
    entries_[gap] = {};
    --size_;
  }

  void clear() { *this = {}; }
  std::size_t size() const { return size_; }

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::uint32_t number = 0;
    bool taken = false;
  };

  // a power of two, as all sizes
  static constexpr std::size_t kEntriesMin = 64;

  std::size_t home(std::uint64_t hash) const {
    return static_cast<std::size_t>(hash) & (entries_.size() - 1);
  }
  std::size_t next(std::size_t at) const { return (at + 1) & (entries_.size() - 1); }

  void place(const Entry& entry) {
    std::size_t at = home(entry.hash);
    while (entries_[at].taken) at = next(at);
    entries_[at] = entry;
  }

  void resize(std::size_t size) {
    std::vector<Entry> old(size);
    old.swap(entries_);
    for (const Entry& entry : old) {
      if (entry.taken) place(entry);
    }
  }

  std::vector<Entry> entries_;
  std::size_t size_ = 0;
};

}  // namespace weir::front
