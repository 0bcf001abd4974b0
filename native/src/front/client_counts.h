// How many connections clients have open, in all and by address, over all workers: a file that they
// map. Each worker writes to a part of its own and reads everybody's, so nothing waits for anybody.
// A part is a worker's for as long as it holds a lock on one byte of the file, which the system
// takes away when the worker ends, however it ends; what stands in it then counts no more. Called
// by the front.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sip_hash.h"

namespace weir::front {

class ClientCounts {
 public:
  ClientCounts() = default;
  ~ClientCounts();
  ClientCounts(const ClientCounts&) = delete;
  ClientCounts& operator=(const ClientCounts&) = delete;

  // One of both, once. @returns 0 or an errno; after one the other may be tried
  int open_file(const std::string& path);
  int open_memory();

  // One connection more, unless there would be more than `most`. Two that come at the same moment
  // to two workers may both be refused where there was room for one; never are there more than
  // `most`.
  bool enter(std::uint64_t most);
  void leave();

  // Of one address. @param key what `key_of` gives
  // @returns kFull: not counted, for this worker knows too many addresses that are alike
  enum class Entry : std::uint8_t { kCounted, kTooMany, kFull };
  Entry enter_address(std::uint64_t key, std::uint64_t most);
  void leave_address(std::uint64_t key);
  std::uint64_t key_of(std::string_view address) const;

 private:
  using Word = std::atomic<std::uint64_t>;
  static_assert(Word::is_always_lock_free && sizeof(Word) == 8, "shared between processes");

  int map(std::size_t bytes, int flags);
  int begin(std::size_t bytes);
  int claim();
  void reset(std::size_t part);
  bool is_held(std::size_t part) const;
  // Those of workers that have ended count no more. @returns whether there were any
  bool drop_ended();
  std::size_t parts() const;
  Word& head(std::size_t part, std::size_t word) const;
  Word* bucket(std::size_t part, std::uint64_t key) const;
  std::uint64_t open_in_all() const;
  std::uint64_t open_of(std::uint64_t key) const;

  Word* words_ = nullptr;
  std::size_t bytes_ = 0;
  int file_ = -1;
  std::size_t own_ = 0;
  HashSeed seed_{};
};

}  // namespace weir::front
