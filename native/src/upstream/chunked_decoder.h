// Takes a chunked body apart (RFC 9112 7.1), in place and at whatever bytes it is cut. Strict:
// sizes are one to fifteen hexadecimal digits and nothing else, every line ends with CRLF.
// Extensions and trailers are read over, but no more of them than a bound. Used by
// response_parser.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace weir::upstream {

class ChunkedDecoder {
 public:
  enum class Result : std::uint8_t { kMore, kEnd, kRefused };

  // @param bytes of the extensions of one chunk, and of all trailers with the empty line, at most
  // @param lines of trailers, at most
  void begin(std::size_t bytes, std::size_t lines) { *this = ChunkedDecoder(bytes, lines); }

  // Moves what is body together to where the first of it lies.
  // @param consumed all of `bytes` unless the body ended
  // @param body a part of `bytes`; empty if refused
  Result read(std::span<char> bytes, std::size_t& consumed, std::span<char>& body);

  // static text
  const char* reason() const { return reason_; }

  ChunkedDecoder() = default;

 private:
  enum class State : std::uint8_t {
    kSize,
    kExtension,
    kSizeEnd,  // LF is due
    kData,
    kDataReturn,  // CR is due
    kDataEnd,     // LF is due
    kTrailerStart,
    kTrailerName,
    kTrailerValue,
    kTrailerEnd,  // LF is due
    kLastEnd,     // LF is due, and then all is over
  };

  ChunkedDecoder(std::size_t bytes, std::size_t lines) : bytes_max_(bytes), lines_left_(lines) {}

  Result refuse(const char* reason);
  // Each reads on at `at`. @returns nullptr if refused
  const char* read_size(const char* at, const char* end);
  const char* read_extension(const char* at, const char* end);
  const char* read_trailers(const char* at, const char* end);
  const char* read_trailer(const char* at, const char* end);
  const char* expect(char byte, State next, const char* at, const char* reason);
  std::size_t bytes_max_ = 0;
  std::size_t lines_left_ = 0;
  // bytes of this chunk's extensions, or of the trailers
  std::size_t counted_ = 0;
  // bytes of this chunk that are still to come; while its size is read: that
  std::uint64_t left_ = 0;
  unsigned digits_ = 0;
  State state_ = State::kSize;
  bool ended_ = false;
  const char* reason_ = "";
};

}  // namespace weir::upstream
