// Where the frames of one side of a WebSocket begin and end (RFC 6455 5.2), so that somebody can
// put one of his own between two. Looks at lengths and opcodes alone: what the frames hold, and
// whether they are any, is the peers' business. Pure; used by tunnel.cc.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace weir::tunnel {

class FrameTracker {
 public:
  // Nothing of a frame has gone by that isn't whole.
  bool between_frames() const { return left_ == 0 && header_bytes_ == 0; }
  // A frame that closes has begun: none may follow it.
  bool has_closed() const { return has_closed_; }

  // Hot.
  void follow(std::string_view bytes) {
    while (!bytes.empty()) bytes.remove_prefix(step(bytes));
  }

  // Follows the bytes to the end of the frame that is under way.
  // @returns how many that are; all of them also where it does not end within them
  std::size_t follow_frame(std::string_view bytes) {
    std::size_t at = 0;
    while (at < bytes.size() && !between_frames()) at += step(bytes.substr(at));
    return at;
  }

 private:
  static constexpr std::size_t kHeaderBytesMax = 14;
  static constexpr unsigned kLengthBits = 0x7f;
  static constexpr unsigned kMasked = 0x80;
  static constexpr unsigned kOpcodeBits = 0x0f;
  static constexpr unsigned kClose = 8;

  unsigned header(std::size_t at) const { return static_cast<unsigned char>(header_[at]); }

  std::size_t length_bytes() const {
    const unsigned length = header(1) & kLengthBits;
    return length == 127 ? 8 : length == 126 ? 2 : 0;
  }

  std::size_t header_wanted() const {
    return header_bytes_ < 2 ? 2 : 2 + length_bytes() + ((header(1) & kMasked) != 0 ? 4 : 0);
  }

  // @returns bytes that were followed, at least one
  std::size_t step(std::string_view bytes) {
    if (left_ > 0) {
      const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
      left_ -= size;
      return size;
    }
    const std::size_t size = std::min(header_wanted() - header_bytes_, bytes.size());
    bytes.copy(header_.data() + header_bytes_, size);
    header_bytes_ += size;
    if (header_bytes_ < 2 || header_bytes_ < header_wanted()) return size;
    left_ = header(1) & kLengthBits;
    if (const std::size_t more = length_bytes(); more > 0) {
      left_ = 0;
      for (std::size_t i = 0; i < more; ++i) left_ = left_ << 8 | header(2 + i);
    }
    has_closed_ = has_closed_ || (header(0) & kOpcodeBits) == kClose;
    header_bytes_ = 0;
    return size;
  }

  // of the payload, masked or not
  std::uint64_t left_ = 0;
  std::array<char, kHeaderBytesMax> header_{};
  std::size_t header_bytes_ = 0;
  bool has_closed_ = false;
};

}  // namespace weir::tunnel
