// What the header lines of one response say of its framing and its connection, and which of them
// pass to the client. Told line by line by response_parser.cc, which has checked their bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace weir::upstream {

// Elements of all `connection` lines of one response. Each is compared with each line's name, so
// that their number must not be the sender's to choose.
inline constexpr std::size_t kConnectionOptionsMax = 32;

// Neighbouring lines that pass to the client as they are spelled; offsets from the first line of
// all.
struct Piece {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};
using Pieces = std::array<Piece, 8>;

class HeadFields {
 public:
  // @param value without white space around it
  // @param from, to where the whole line is, its end included, from the first line on
  // @returns why the response is refused, static text; nullptr: it is not
  const char* note(std::string_view name, std::string_view value, std::size_t from, std::size_t to);

  // content-length, or -1
  std::int64_t length = -1;
  // of `keep-alive`, or -1
  std::int32_t keep_alive_seconds = -1;
  bool chunked = false;
  bool says_close = false;
  bool says_keep_alive = false;
  // `connection` names more than these two
  bool names_fields = false;
  // `pieces` are all lines that pass, but for what `connection` names
  bool in_pieces = true;
  std::uint32_t line_count = 0;
  std::size_t piece_count = 0;
  Pieces pieces;

 private:
  const char* note_length(std::string_view value);
  const char* note_coding(std::string_view value);
  const char* note_connection(std::string_view value);
  void note_hint(std::string_view value);
  void note_passed(std::string_view name, std::string_view value, std::size_t from, std::size_t to);

  std::size_t connection_options_ = 0;
};

}  // namespace weir::upstream
