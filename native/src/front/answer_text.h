// The parts of an answer that are the same for all: version, date, and how the body is framed. Pure
// but for the clock; used by binding/front_answers.cc.
//
// A head comes from JS as one text: status code and reason, and lines, divided by CRLF, without one
// at its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>

namespace weir::front {

// How a body is framed, as the head says; a length is one that JS counts exactly.
enum Framing : std::int64_t {
  // by nothing that is said here: there is no body, or the head says it
  kUnframed = -2,
  kInChunks = -1,
};

// `date: Sun, 06 Nov 1994 08:49:37 GMT` and CRLF, made once a second.
class DateLine {
 public:
  std::string_view at(std::time_t now);

 private:
  std::time_t made_for_ = -1;
  std::string text_;
};

inline constexpr std::string_view kVersion = "HTTP/1.1 ";
inline constexpr std::string_view kLineEnd = "\r\n";
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

// Ends a head that was appended. @param framing or the body's length
void end_head(std::string& out, std::int64_t framing, std::string_view date);

// Puts the date behind the first line of a whole message that begins at `from`.
void insert_date(std::string& out, std::size_t from, std::string_view date);

void append_chunk_size(std::string& out, std::size_t size);

}  // namespace weir::front
