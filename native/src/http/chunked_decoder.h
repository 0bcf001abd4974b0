// Takes a chunked body apart (RFC 9112 7.1), at whatever bytes it is cut. Strict: sizes are one to
// fifteen hexadecimal digits and nothing else, every line ends with CRLF. Extensions and trailers
// are read over and dropped, but checked: no control characters, so that a line ends where every
// reader sees it end, whatever quotes are about; trailers have names and colons. And they are
// bounded: trailers like a head, extensions by as many bytes and one more for each byte of body, so
// that a body of tiny chunks with long extensions ends soon, and a long one with a signature in
// each chunk doesn't. Used by upstream/response_parser.cc and front/request_reader.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace weir::http {

class ChunkedDecoder {
 public:
  enum class Result : std::uint8_t { kMore, kPiece, kEnd, kRefused };

  // @param bytes of all trailers with the empty line, at most; see above for extensions
  // @param lines of trailers, at most
  void begin(std::size_t bytes, std::size_t lines) { *this = ChunkedDecoder(bytes, lines); }

  // Reads to the end of the next bytes that are body, to the end of the body or to that of `bytes`.
  // @param consumed all of `bytes` if kMore
  // @param piece a part of `bytes`, not empty; only if kPiece
  Result read(std::string_view bytes, std::size_t& consumed, std::string_view& piece);

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

  ChunkedDecoder(std::size_t bytes, std::size_t lines)
      : trailer_bytes_left_(bytes), lines_left_(lines), extension_bytes_left_(bytes) {}

  Result refuse(const char* reason);
  // Each reads on at `at`. @returns nullptr if refused
  const char* read_size(const char* at, const char* end);
  const char* read_extension(const char* at, const char* end);
  const char* read_trailers(const char* at, const char* end);
  const char* read_trailer(const char* at, const char* end);
  const char* expect(char byte, State next, const char* at, const char* reason);

  std::size_t trailer_bytes_left_ = 0;
  std::size_t lines_left_ = 0;
  std::uint64_t extension_bytes_left_ = 0;
  // bytes of this chunk that are still to come; while its size is read: that
  std::uint64_t left_ = 0;
  unsigned digits_ = 0;
  State state_ = State::kSize;
  bool ended_ = false;
  const char* reason_ = "";
};

}  // namespace weir::http
