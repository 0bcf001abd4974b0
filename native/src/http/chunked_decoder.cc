#include "http/chunked_decoder.h"

#include <algorithm>

#include "http/field_bytes.h"

namespace weir::http {

namespace {

// 2^60 - 1 bytes at most, so that no sum of sizes leaves 64 bits soon.
constexpr unsigned kDigitsMax = 15;

// @returns -1 for what is none
constexpr int hexadecimal(char byte) {
  if (byte >= '0' && byte <= '9') return byte - '0';
  const char letter = lower(byte);
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

}  // namespace

ChunkedDecoder::Result ChunkedDecoder::refuse(const char* reason) {
  reason_ = reason;
  return Result::kRefused;
}

ChunkedDecoder::Result ChunkedDecoder::read(std::string_view bytes, std::size_t& consumed,
                                            std::string_view& piece) {
  const char* const begin = bytes.data();
  const char* const end = begin + bytes.size();
  const char* at = begin;
  consumed = 0;
  piece = {};
  while (at != end && !ended_) {
    switch (state_) {
      case State::kSize:
        at = read_size(at, end);
        break;
      case State::kExtension:
        at = read_extension(at, end);
        break;
      case State::kSizeEnd:
        at = expect('\n', left_ == 0 ? State::kTrailerStart : State::kData, at,
                    "CR without LF behind a chunk's size");
        break;
      case State::kData: {
        const auto taken = static_cast<std::size_t>(
            std::min<std::uint64_t>(left_, static_cast<std::uint64_t>(end - at)));
        piece = {at, taken};
        consumed = static_cast<std::size_t>(at - begin) + taken;
        extension_bytes_left_ += taken;
        left_ -= taken;
        if (left_ == 0) state_ = State::kDataReturn;
        return Result::kPiece;
      }
      case State::kDataReturn:
        at = expect('\r', State::kDataEnd, at, "a chunk is longer than its size");
        break;
      case State::kDataEnd:
        at = expect('\n', State::kSize, at, "CR without LF behind a chunk");
        break;
      default:
        at = read_trailers(at, end);
    }
    if (at == nullptr) return Result::kRefused;
  }
  consumed = static_cast<std::size_t>(at - begin);
  return ended_ ? Result::kEnd : Result::kMore;
}

const char* ChunkedDecoder::expect(char byte, State next, const char* at, const char* reason) {
  if (*at != byte) {
    refuse(reason);
    return nullptr;
  }
  state_ = next;
  return at + 1;
}

const char* ChunkedDecoder::read_size(const char* at, const char* end) {
  for (; at < end; ++at) {
    const int digit = hexadecimal(*at);
    if (digit < 0) break;
    if (++digits_ > kDigitsMax) {
      refuse("a chunk's size has too many digits");
      return nullptr;
    }
    left_ = left_ * 16 + static_cast<std::uint64_t>(digit);
  }
  if (at == end) return at;
  if (digits_ == 0 || (*at != '\r' && *at != ';')) {
    refuse("a chunk's size is no hexadecimal number");
    return nullptr;
  }
  digits_ = 0;
  state_ = *at == ';' ? State::kExtension : State::kSizeEnd;
  return at + 1;
}

const char* ChunkedDecoder::read_extension(const char* at, const char* end) {
  std::uint64_t seen = 0;
  const char* const stop = skip_value(at, end, seen);
  const auto bytes = static_cast<std::uint64_t>(stop - at);
  if (bytes > extension_bytes_left_) {
    refuse("a chunk's extensions are larger than the bound");
    return nullptr;
  }
  extension_bytes_left_ -= bytes;
  if (stop == end) return stop;
  return expect('\r', State::kSizeEnd, stop, "a control character in a chunk's extensions");
}

// Looks at no more bytes than may come, so that the bound is met at the same byte however they
// come.
const char* ChunkedDecoder::read_trailers(const char* at, const char* end) {
  const std::size_t size = std::min(trailer_bytes_left_, static_cast<std::size_t>(end - at));
  const char* const next = read_trailer(at, at + size);
  if (next == nullptr) return nullptr;
  trailer_bytes_left_ -= static_cast<std::size_t>(next - at);
  if (trailer_bytes_left_ > 0 || ended_) return next;
  refuse("the trailers are larger than the bound");
  return nullptr;
}

const char* ChunkedDecoder::read_trailer(const char* at, const char* end) {
  std::uint64_t seen = 0;
  switch (state_) {
    case State::kTrailerStart:
      if (*at == '\r') {
        state_ = State::kLastEnd;
        return at + 1;
      }
      if (!is_token_byte(*at)) {
        refuse("a trailer does not begin with a name");
        return nullptr;
      }
      if (lines_left_-- == 0) {
        refuse("the trailers have more lines than the bound");
        return nullptr;
      }
      state_ = State::kTrailerName;
      return at;
    case State::kTrailerName:
      at = skip_token(at, end);
      if (at == end) return at;
      return expect(':', State::kTrailerValue, at,
                    "a trailer's name holds a byte that none may hold");
    case State::kTrailerValue:
      at = skip_value(at, end, seen);
      if (at == end) return at;
      return expect('\r', State::kTrailerEnd, at, "a control character in the trailers");
    case State::kTrailerEnd:
      return expect('\n', State::kTrailerStart, at, "CR without LF in the trailers");
    default:
      at = expect('\n', State::kLastEnd, at, "CR without LF in the trailers");
      ended_ = at != nullptr;
      return at;
  }
}

}  // namespace weir::http
