// Reads a request's head: the request line, the header lines, and what they say of the body and the
// connection. Whose rules these are, and why, stands at the top of request_reader.h, which owns one
// of these and feeds it.
//
// What has come is looked at from front to back, each byte once, and the first byte that is wrong
// decides; what only the whole head can tell comes last. So it makes no difference in what pieces
// it comes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "front/refusals.h"

namespace weir::front {

// No values here: JS gives them.
struct ReaderBounds {
  // of a head, from its first byte to its empty line; of trailers likewise
  std::uint32_t head_bytes = 0;
  std::uint32_t target_bytes = 0;
  // of a head, of trailers, and of empty lines before a request
  std::uint32_t lines = 0;
};

enum class BodyKind : std::uint8_t { none, sized, chunked };

// Fields that the reader knows, for those who write the request anew.
enum class Name : std::uint8_t {
  other,
  connection,
  content_length,
  expect,
  host,
  transfer_encoding,
  upgrade,
  via,
};

// Offsets into the head; the value is without white space around it.
struct Field {
  std::uint32_t name_at;
  std::uint32_t name_bytes;
  std::uint32_t value_at;
  std::uint32_t value_bytes;
  Name name;
};

class RequestHead {
 public:
  enum class Progress : std::uint8_t { more, whole, refused };

  void begin();

  // @param text the head from its first byte on; the next call has the same bytes and more behind
  //   them, though maybe elsewhere
  Progress read(std::string_view text, const ReaderBounds& bounds);

  // Of what refused.
  const Refusal& refusal() const { return *refusal_; }

  // The rest once it is whole; `text` is what it was last read from, or nothing.
  std::size_t bytes() const { return at_; }
  std::string_view method(std::string_view text) const { return text.substr(0, method_bytes_); }
  std::string_view target(std::string_view text) const {
    return target_bytes_ == 0 ? rewritten_ : part(text, target_at_, target_bytes_);
  }
  std::string_view authority(std::string_view text) const {
    return part(text, authority_at_, authority_bytes_);
  }
  const std::vector<Field>& fields() const { return fields_; }
  bool has(Name name) const { return (names_ & bit(name)) != 0; }
  bool ascii() const { return (seen_ & 0x8080808080808080) == 0; }
  int minor_version() const { return minor_version_; }
  BodyKind body() const { return body_; }
  std::uint64_t body_bytes() const { return body_bytes_; }
  bool keep_alive() const { return !says_close_ && (minor_version_ == 1 || says_keep_alive_); }
  bool expects_continue() const {
    return says_expect_ && minor_version_ == 1 && (body_ == BodyKind::chunked || body_bytes_ > 0);
  }

  // Gives memory back; nothing may be under way.
  void release();

 private:
  enum class Part : std::uint8_t { method, target, version, name, value };

  static constexpr std::uint32_t bit(Name name) { return 1U << static_cast<unsigned>(name); }

  static std::string_view part(std::string_view text, std::size_t at, std::size_t bytes) {
    return at < text.size() ? text.substr(at, bytes) : std::string_view();
  }

  // Each @returns false if refused or for want of bytes
  bool read_line(std::string_view text, const ReaderBounds& bounds);
  bool read_version(std::string_view text);
  // @returns false
  bool refuse_line(std::string_view text, const Refusal& refusal);
  // @param at where the first header line begins
  // @returns false if refused
  bool end_line(std::string_view text, std::size_t at);
  bool judge_line(std::string_view text);
  bool split_target(std::string_view text);

  Progress read_fields(std::string_view text, const ReaderBounds& bounds);
  // From `colon` to `end`, white space included; its name begins at `line_at_`.
  void note(std::string_view text, std::size_t colon, std::size_t end);
  void note_known(Name name, std::string_view value);
  Progress judge(std::string_view text);
  const Refusal* mistake(std::string_view text);

  // @returns false
  bool refuse(const Refusal& refusal);

  std::vector<Field> fields_;
  // the target where it doesn't stand in the head as it has to be
  std::string rewritten_;
  const Refusal* refusal_ = nullptr;
  // bytes of target and values, or-ed
  std::uint64_t seen_ = 0;
  std::uint64_t body_bytes_ = 0;
  // the next byte to look at
  std::uint32_t at_ = 0;
  std::uint32_t method_bytes_ = 0;
  std::uint32_t target_at_ = 0;
  // 0: `rewritten_`
  std::uint32_t target_bytes_ = 0;
  std::uint32_t authority_at_ = 0;
  std::uint32_t authority_bytes_ = 0;
  // where the version, and then each line, begins
  std::uint32_t line_at_ = 0;
  std::uint32_t colon_at_ = 0;
  // places in `fields_`
  std::uint32_t length_at_ = 0;
  std::uint32_t coding_at_ = 0;
  std::uint32_t host_at_ = 0;
  // which fields there are, and which there are twice
  std::uint32_t names_ = 0;
  std::uint32_t repeated_ = 0;
  std::uint8_t minor_version_ = 1;
  Part part_ = Part::method;
  BodyKind body_ = BodyKind::none;
  bool says_close_ = false;
  bool says_keep_alive_ = false;
  bool says_expect_ = false;
  bool expects_other_ = false;
  bool absolute_ = false;
};

}  // namespace weir::front
