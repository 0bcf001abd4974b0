// Which connection belongs to a socket. Looked at with every read, so it is one array of pairs,
// open addressing: nothing is followed but the index. Used by front.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weir::front {

struct Connection;

class SocketTable {
 public:
  SocketTable() : entries_(kEntriesMin) {}

  // Hot. @returns nullptr if there is none
  Connection* find(const void* socket) const {
    const std::size_t mask = entries_.size() - 1;
    for (std::size_t at = home(socket);; at = (at + 1) & mask) {
      const Entry& entry = entries_[at];
      if (entry.socket == socket) return entry.connection;
      if (entry.socket == nullptr) return nullptr;
    }
  }

  // In place of what was there for this socket, which is returned.
  Connection* put(const void* socket, Connection* connection) {
    Connection* const before = take(socket);
    if (2 * (size_ + 1) > entries_.size()) resize(2 * entries_.size());
    place({socket, connection});
    ++size_;
    return before;
  }

  // @returns nullptr if there was none
  Connection* take(const void* socket) {
    const std::size_t mask = entries_.size() - 1;
    std::size_t gap = home(socket);
    while (entries_[gap].socket != socket) {
      if (entries_[gap].socket == nullptr) return nullptr;
      gap = (gap + 1) & mask;
    }
    Connection* const taken = entries_[gap].connection;
    // What lies behind it and could lie here moves up, so that no search stops too early.
    for (std::size_t at = (gap + 1) & mask; entries_[at].socket != nullptr; at = (at + 1) & mask) {
      const std::size_t wanted = home(entries_[at].socket);
      if (((at - wanted) & mask) < ((at - gap) & mask)) continue;
      entries_[gap] = entries_[at];
      gap = at;
    }
    entries_[gap] = {};
    --size_;
    // A crowd that has left leaves no memory behind.
    if (entries_.size() > kEntriesMin && 8 * size_ < entries_.size()) resize(entries_.size() / 2);
    return taken;
  }

  std::size_t size() const { return size_; }

  // @param what called with each connection; the table must not change meanwhile
  template <typename What>
  void each(What what) const {
    for (const Entry& entry : entries_) {
      if (entry.socket != nullptr) what(entry.connection);
    }
  }

 private:
  struct Entry {
    const void* socket = nullptr;
    Connection* connection = nullptr;
  };

  // a power of two, as all sizes
  static constexpr std::size_t kEntriesMin = 64;

  // Addresses of the same kind differ in their middle bits; the product carries them upwards.
  std::size_t home(const void* socket) const {
    const std::uint64_t mixed =
        static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(socket)) * 0x9e3779b97f4a7c15U;
    return static_cast<std::size_t>(mixed >> 32) & (entries_.size() - 1);
  }

  void place(const Entry& entry) {
    std::size_t at = home(entry.socket);
    while (entries_[at].socket != nullptr) at = (at + 1) & (entries_.size() - 1);
    entries_[at] = entry;
  }

  void resize(std::size_t size) {
    std::vector<Entry> old(size);
    old.swap(entries_);
    for (const Entry& entry : old) {
      if (entry.socket != nullptr) place(entry);
    }
  }

  std::vector<Entry> entries_;
  std::size_t size_ = 0;
};

}  // namespace weir::front
