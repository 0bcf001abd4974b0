#include "upstream/head_fields.h"

#include <algorithm>
#include <limits>

#include "upstream/field_bytes.h"

namespace weir::upstream {

namespace {

// What JavaScript counts exactly.
constexpr std::int64_t kLengthMax = (std::int64_t{1} << 53) - 1;
constexpr std::size_t kLengthDigitsMax = 16;

constexpr std::string_view kTimeout = "timeout=";
constexpr std::int64_t kSecondsMax = std::numeric_limits<std::int32_t>::max();

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

}  // namespace

const char* HeadFields::note(std::string_view name, std::string_view value, std::size_t from,
                             std::size_t to) {
  ++line_count;
  switch (field_named(name)) {
    case Field::kPassed:
      note_passed(name, value, from, to);
      return nullptr;
    case Field::kContentLength:
      return note_length(value);
    case Field::kTransferEncoding:
      return note_coding(value);
    case Field::kConnection:
      return note_connection(value);
    case Field::kKeepAlive:
      note_hint(value);
      return nullptr;
    case Field::kDropped:
      return nullptr;
  }
  return nullptr;
}

// It becomes a piece, or makes the one longer that ends where it begins, if writing it anew would
// change nothing.
void HeadFields::note_passed(std::string_view name, std::string_view value, std::size_t from,
                             std::size_t to) {
  constexpr std::size_t kAround = std::string_view(": \r\n").size();
  const bool as_written =
      name.data()[name.size() + 1] == ' ' && name.size() + value.size() + kAround == to - from;
  if (!as_written || !in_pieces) {
    in_pieces = false;
  } else if (piece_count > 0 && pieces[piece_count - 1].to == from) {
    pieces[piece_count - 1].to = static_cast<std::uint32_t>(to);
  } else if (piece_count < pieces.size()) {
    pieces[piece_count++] = {static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)};
  } else {
    in_pieces = false;
  }
}

const char* HeadFields::note_length(std::string_view value) {
  if (length != -1) return "several content-length fields";
  if (!is_number(value) || value.size() > kLengthDigitsMax) {
    return "the content-length is no number of bytes";
  }
  std::int64_t bytes = 0;
  for (const char digit : value) bytes = bytes * 10 + (digit - '0');
  if (bytes > kLengthMax) return "the content-length is no number of bytes";
  length = bytes;
  return nullptr;
}

const char* HeadFields::note_coding(std::string_view value) {
  if (chunked || !equal_ignoring_case(value, "chunked")) {
    return "a transfer coding other than `chunked`";
  }
  chunked = true;
  return nullptr;
}

const char* HeadFields::note_connection(std::string_view value) {
  each_element(value, [this](std::string_view option) {
    ++connection_options_;
    if (equal_ignoring_case(option, "close")) {
      says_close = true;
    } else if (equal_ignoring_case(option, "keep-alive")) {
      says_keep_alive = true;
    } else {
      names_fields = true;
    }
  });
  return connection_options_ <= kConnectionOptionsMax ? nullptr
                                                      : "`connection` names more than the bound";
}

// What is no hint counts as nothing said.
void HeadFields::note_hint(std::string_view value) {
  each_element(value, [this](std::string_view element) {
    if (!equal_ignoring_case(element.substr(0, kTimeout.size()), kTimeout)) return;
    element.remove_prefix(kTimeout.size());
    if (!is_number(element)) return;
    std::int64_t seconds = 0;
    for (const char digit : element) seconds = std::min(seconds * 10 + (digit - '0'), kSecondsMax);
    keep_alive_seconds = static_cast<std::int32_t>(seconds);
  });
}

}  // namespace weir::upstream
