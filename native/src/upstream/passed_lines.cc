// Which lines of a response pass to the client, and how they are written: `write_passed` of
// response_parser.h, which has checked them.
#include <array>
#include <cstring>

#include "upstream/field_bytes.h"
#include "upstream/response_parser.h"

namespace weir::upstream {

namespace {

struct Line {
  std::string_view name;
  std::string_view value;
};

// Takes the first of `lines`, which are well-formed.
Line take_line(std::string_view& lines) {
  const std::size_t colon = lines.find(':');
  const std::size_t end = lines.find('\r', colon);
  const Line line{lines.substr(0, colon), trimmed(lines.substr(colon + 1, end - colon - 1))};
  lines.remove_prefix(end + 2);
  return line;
}

// What `connection` names, but for `host`: a message without it would be nobody's.
class NamedFields {
 public:
  explicit NamedFields(std::string_view lines) {
    while (!lines.empty()) {
      const Line line = take_line(lines);
      if (field_named(line.name) != Field::kConnection) continue;
      each_element(line.value, [this](std::string_view option) {
        if (count_ < options_.size() && !equal_ignoring_case(option, "host")) {
          options_[count_++] = option;
        }
      });
    }
  }

  bool hold(std::string_view name) const {
    for (std::size_t i = 0; i < count_; ++i) {
      if (equal_ignoring_case(options_[i], name)) return true;
    }
    return false;
  }

 private:
  std::array<std::string_view, kConnectionOptionsMax> options_;
  std::size_t count_ = 0;
};

char* append(char* out, std::string_view text) {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

// @param names the fields named in `connection`; nullptr: none
std::size_t write(const Head& head, const NamedFields* names, char* out) {
  char* at = out;
  std::string_view lines = head.lines;
  while (!lines.empty()) {
    const Line line = take_line(lines);
    if (field_named(line.name) != Field::kPassed) continue;
    if (names != nullptr && names->hold(line.name)) continue;
    if (at != out) at = append(at, "\r\n");
    at = append(append(append(at, line.name), ": "), line.value);
  }
  return static_cast<std::size_t>(at - out);
}

// Hot: most heads are of few pieces, and `connection` names nothing.
std::size_t write_pieces(const Head& head, char* out) {
  if (head.piece_count == 0) return 0;
  char* at = out;
  for (std::size_t i = 0; i < head.piece_count; ++i) {
    const Piece& piece = head.pieces[i];
    at = append(at, head.lines.substr(piece.from, piece.to - piece.from));
  }
  // without the last CRLF
  return static_cast<std::size_t>(at - out) - 2;
}

}  // namespace

std::size_t write_passed(const Head& head, char* out, bool& ascii) {
  std::size_t written = 0;
  if (head.names_fields) {
    const NamedFields names(head.lines);
    written = write(head, &names, out);
  } else if (head.in_pieces) {
    written = write_pieces(head, out);
  } else {
    written = write(head, nullptr, out);
  }
  std::uint64_t seen = 0;
  if (!head.ascii) {
    for (std::size_t i = 0; i < written; ++i) seen |= static_cast<unsigned char>(out[i]);
  }
  ascii = !saw_high(seen);
  return written;
}

}  // namespace weir::upstream
