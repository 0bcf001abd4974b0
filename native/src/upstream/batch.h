// What is told to the owner, gathered in its memory until it is delivered (record.h). What comes of
// reading sockets is written into the memory at once; what commands of the owner lead to waits in
// `later_`, because the owner may just be reading the memory. Used by core.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "upstream/record.h"

namespace weir::upstream {

class Batch {
 public:
  static constexpr std::size_t kArenaBytesMin = std::size_t{512} * 1024;
  static constexpr std::size_t records_min(std::uint32_t pipelining_max) {
    return 2 * records_per_event(pipelining_max);
  }

  // @param pipelining_max requests in flight on one connection, at most
  Batch(std::span<Record> records, std::span<char> arena, std::uint32_t pipelining_max)
      : records_per_event_(records_per_event(pipelining_max)), records_(records), arena_(arena) {}

  // True if one event of a connection surely finds room: a full pipeline's responses and failures,
  // a 100 before one that is alone, and two reads' worth of bytes.
  bool has_room() const {
    return records_.size() - count_ >= records_per_event_ &&
           arena_.size() - used_ >= kBytesPerEvent;
  }
  // So much that it should be passed on while it is in the processor's cache.
  bool holds_much() const { return used_ >= kMuchBytes; }
  bool empty() const { return count_ == 0 && later_.empty(); }
  // records to be delivered
  std::size_t count() const { return count_; }
  // records that wait to be moved in
  std::size_t waiting() const { return later_.size(); }

  // Where a socket may be read into; what was read is kept by `keep`.
  std::span<char> free_bytes() const { return arena_.subspan(used_); }
  void keep(std::size_t bytes) { used_ += bytes; }
  std::int32_t offset_of(const char* at) const {
    return static_cast<std::int32_t>(at - arena_.data());
  }

  // Only with room.
  Record& add(RecordKind kind, std::int32_t call) {
    Record& record = records_[count_++];
    record = Record{};
    record.kind = static_cast<std::int32_t>(kind);
    record.call = call;
    return record;
  }

  void add_later(const Record& record, std::string_view text) {
    later_.push_back({record, std::string(text.substr(0, kTextBytes))});
  }

  // Moves in what waited, the oldest `most` of it, as far as there is room. Not while the owner
  // reads. @returns how many
  std::size_t settle(std::size_t most) {
    if (most == 0) return 0;
    std::size_t moved = 0;
    while (moved < most && count_ < records_.size() && arena_.size() - used_ >= kTextBytes) {
      const Later& one = later_[moved];
      Record& record = records_[count_++];
      record = one.record;
      record.text_offset = static_cast<std::int32_t>(used_);
      record.text_length = static_cast<std::int32_t>(one.text.size());
      std::memcpy(arena_.data() + used_, one.text.data(), one.text.size());
      used_ += one.text.size();
      ++moved;
    }
    later_.erase(later_.begin(), later_.begin() + static_cast<std::ptrdiff_t>(moved));
    return moved;
  }

  void clear() { count_ = used_ = 0; }

 private:
  struct Later {
    Record record;
    std::string text;
  };
  static constexpr std::size_t records_per_event(std::uint32_t pipelining_max) {
    return std::size_t{2} * pipelining_max + 1;
  }
  static constexpr std::size_t kBytesPerEvent = std::size_t{384} * 1024;
  static constexpr std::size_t kMuchBytes = std::size_t{48} * 1024;
  static constexpr std::size_t kTextBytes = 512;

  const std::size_t records_per_event_;
  std::span<Record> records_;
  std::span<char> arena_;
  std::size_t count_ = 0;
  std::size_t used_ = 0;
  std::vector<Later> later_;
};

}  // namespace weir::upstream
