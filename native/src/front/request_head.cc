#include "front/request_head.h"

#include <algorithm>
#include <cstring>

#include "http/field_bytes.h"

namespace weir::front {

namespace {

using http::equal_ignoring_case;
using http::is_digit;

// `HTTP/1.1`
constexpr std::string_view kVersionBegin = "HTTP/";
constexpr std::size_t kMajorAt = 5;
constexpr std::size_t kDotAt = 6;
constexpr std::size_t kMinorAt = 7;
constexpr std::size_t kVersionBytes = 8;

// 15 digits stay below 2^53, what JavaScript counts exactly.
constexpr std::size_t kLengthDigitsMax = 15;

constexpr char kHandshake = '\x16';

bool fits_version(char byte, std::size_t at) {
  if (at < kMajorAt) return byte == kVersionBegin[at];
  return at == kDotAt ? byte == '.' : is_digit(byte);
}

bool is_white(char byte) { return byte == ' ' || byte == '\t'; }

// Of as many bytes, all of which may be in a name: then setting this bit makes no other byte of a
// letter or a hyphen.
// @param known in lower case
template <std::size_t Size>
bool is_named(const char* name, const char (&known)[Size]) {
  constexpr std::size_t kBytes = Size - 1;
  if constexpr (kBytes < 8) {
    for (std::size_t at = 0; at < kBytes; ++at) {
      if ((name[at] | 0x20) != known[at]) return false;
    }
    return true;
  } else {
    const auto differs = [&](std::size_t at) {
      std::uint64_t one;
      std::uint64_t other;
      std::memcpy(&one, name + at, 8);
      std::memcpy(&other, known + at, 8);
      return (one | 0x2020202020202020) != other;
    };
    for (std::size_t at = 0; at + 8 < kBytes; at += 8) {
      if (differs(at)) return false;
    }
    return !differs(kBytes - 8);
  }
}

// Hot. Length first: it decides nearly always.
Name name_of(std::string_view name) {
  const char* const at = name.data();
  switch (name.size()) {
    case 3:
      return is_named(at, "via") ? Name::via : Name::other;
    case 4:
      return is_named(at, "host") ? Name::host : Name::other;
    case 6:
      return is_named(at, "expect") ? Name::expect : Name::other;
    case 7:
      return is_named(at, "upgrade") ? Name::upgrade : Name::other;
    case 10:
      return is_named(at, "connection") ? Name::connection : Name::other;
    case 14:
      return is_named(at, "content-length") ? Name::content_length : Name::other;
    case 17:
      return is_named(at, "transfer-encoding") ? Name::transfer_encoding : Name::other;
    default:
      return Name::other;
  }
}

const Refusal& first_byte_refusal(char byte) {
  if (byte == kHandshake) return refusals::kTls;
  // Version 2 begins with empty lines, and then this.
  return byte == '\0' ? refusals::kProxyFrame : refusals::kNoMethod;
}

const Refusal& name_refusal(char byte, bool first) {
  if (byte == '\n') return refusals::kBareLf;
  if (is_white(byte)) return first ? refusals::kFold : refusals::kSpaceBeforeColon;
  if (byte == ':') return refusals::kNameless;
  return byte == '\r' ? refusals::kNoColon : refusals::kNameByte;
}

}  // namespace

void RequestHead::begin() {
  fields_.clear();
  rewritten_.clear();
  refusal_ = nullptr;
  seen_ = 0;
  body_bytes_ = 0;
  at_ = 0;
  authority_bytes_ = 0;
  names_ = 0;
  repeated_ = 0;
  part_ = Part::method;
  body_ = BodyKind::none;
  says_close_ = false;
  says_keep_alive_ = false;
  says_expect_ = false;
  expects_other_ = false;
  absolute_ = false;
}

void RequestHead::release() {
  begin();
  fields_.shrink_to_fit();
  rewritten_.shrink_to_fit();
}

bool RequestHead::refuse(const Refusal& refusal) {
  refusal_ = &refusal;
  return false;
}

RequestHead::Progress RequestHead::read(std::string_view text, const ReaderBounds& bounds) {
  const std::string_view view = text.substr(0, bounds.head_bytes);
  Progress progress = Progress::more;
  if (part_ >= Part::name || read_line(view, bounds)) progress = read_fields(view, bounds);
  if (refusal_ != nullptr) return Progress::refused;
  if (progress == Progress::more && view.size() == bounds.head_bytes) {
    refuse(refusals::kHeadLarge);
    return Progress::refused;
  }
  return progress;
}

bool RequestHead::read_line(std::string_view text, const ReaderBounds& bounds) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  if (part_ == Part::method) {
    const char* const stop = http::skip_token(begin + at_, end);
    at_ = static_cast<std::uint32_t>(stop - begin);
    if (stop == end) return false;
    if (at_ == 0) return refuse(first_byte_refusal(*stop));
    if (*stop != ' ') return refuse(refusals::kMethod);
    method_bytes_ = at_;
    target_at_ = ++at_;
    part_ = Part::target;
  }
  if (part_ == Part::target) {
    const char* const stop = http::skip_visible(begin + at_, end, seen_);
    at_ = static_cast<std::uint32_t>(stop - begin);
    target_bytes_ = at_ - target_at_;
    if (target_bytes_ > bounds.target_bytes) return refuse(refusals::kTargetLong);
    if (stop == end) return false;
    if (*stop != ' ') return refuse_line(text, refusals::kTargetByte);
    if (target_bytes_ == 0) return refuse(refusals::kNoTarget);
    line_at_ = ++at_;
    part_ = Part::version;
  }
  return read_version(text);
}

bool RequestHead::read_version(std::string_view text) {
  constexpr std::string_view kUsual = "HTTP/1.1\r\n";
  if (at_ == line_at_ && text.substr(at_, kUsual.size()) == kUsual) {
    minor_version_ = 1;
    return end_line(text, at_ + kUsual.size());
  }
  for (; at_ < line_at_ + kVersionBytes; ++at_) {
    if (at_ == text.size()) return false;
    if (fits_version(text[at_], at_ - line_at_)) continue;
    return refuse_line(text, refusals::kLine);
  }
  if (at_ == text.size()) return false;
  if (text[at_] == '\n') return refuse(refusals::kBareLf);
  if (text[at_] != '\r') return refuse(refusals::kLine);
  if (at_ + 1 == text.size()) return false;
  if (text[at_ + 1] != '\n') return refuse(refusals::kBareCr);
  const std::string_view version = text.substr(line_at_, kVersionBytes);
  if (version.substr(0, kMinorAt) != "HTTP/1." || version[kMinorAt] > '1') {
    return refuse(method(text) == "PRI" ? refusals::kHttp2 : refusals::kVersion);
  }
  minor_version_ = static_cast<std::uint8_t>(version[kMinorAt] - '0');
  return end_line(text, at_ + 2);
}

bool RequestHead::refuse_line(std::string_view text, const Refusal& refusal) {
  return refuse(method(text) == "PROXY" ? refusals::kProxyFrame : refusal);
}

bool RequestHead::end_line(std::string_view text, std::size_t at) {
  at_ = line_at_ = static_cast<std::uint32_t>(at);
  part_ = Part::name;
  return judge_line(text);
}

bool RequestHead::judge_line(std::string_view text) {
  const std::string_view method = this->method(text);
  if (method == "CONNECT") return refuse(refusals::kConnect);
  if (text[target_at_] == '/') return true;
  if (target(text) == "*") return method == "OPTIONS" || refuse(refusals::kAsterisk);
  return split_target(text);
}

// Absolute form (RFC 9112 3.2.2). Who judges paths, queries and authorities does so later; here
// only the parts are told apart, where RFC 3986 ends them. Browsers end an authority at `\` as
// well: it stays in, and no authority may hold one.
bool RequestHead::split_target(std::string_view text) {
  const std::string_view whole = target(text);
  std::size_t from = 0;
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (equal_ignoring_case(whole.substr(0, scheme.size()), scheme)) from = scheme.size();
  }
  if (from == 0) return refuse(refusals::kTargetForm);
  const std::size_t to = std::min(whole.find_first_of("/?#", from), whole.size());
  const std::string_view authority = whole.substr(from, to - from);
  if (authority.find('@') != std::string_view::npos) return refuse(refusals::kUserinfo);
  if (authority.empty() || authority.front() == ':') return refuse(refusals::kNoAuthority);
  const std::string_view rest = whole.substr(to);
  if (!rest.empty() && rest.front() == '#') return refuse(refusals::kFragment);
  absolute_ = true;
  authority_at_ = static_cast<std::uint32_t>(target_at_ + from);
  authority_bytes_ = static_cast<std::uint32_t>(authority.size());
  if (rest.empty()) {
    // RFC 9112 3.2.4
    rewritten_.push_back(method(text) == "OPTIONS" ? '*' : '/');
  } else if (rest.front() == '?') {
    rewritten_.push_back('/');
    rewritten_.append(rest);
  }
  target_at_ += static_cast<std::uint32_t>(to);
  target_bytes_ = rewritten_.empty() ? static_cast<std::uint32_t>(rest.size()) : 0;
  return true;
}

// Hot.
RequestHead::Progress RequestHead::read_fields(std::string_view text, const ReaderBounds& bounds) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const char* at = begin + at_;
  const auto more = [&](const char* stop, Part part) {
    at_ = static_cast<std::uint32_t>(stop - begin);
    part_ = part;
    return Progress::more;
  };
  const auto refused = [this](const Refusal& refusal) {
    refuse(refusal);
    return Progress::refused;
  };
  bool in_value = part_ == Part::value;
  for (;;) {
    if (!in_value) {
      const char* const stop = http::skip_token(at, end);
      if (stop == end) return more(stop, Part::name);
      const bool first = stop == begin + line_at_;
      if (*stop != ':' || first) {
        if (*stop != '\r' || !first) return refused(name_refusal(*stop, first));
        if (stop + 1 == end) return more(stop, Part::name);
        if (stop[1] != '\n') return refused(refusals::kBareCr);
        at_ = static_cast<std::uint32_t>(stop + 2 - begin);
        return judge(text);
      }
      colon_at_ = static_cast<std::uint32_t>(stop - begin);
      at = stop + 1;
    }
    in_value = false;
    const char* const stop = http::skip_value(at, end, seen_);
    if (stop == end) return more(stop, Part::value);
    if (*stop != '\r') {
      return refused(*stop == '\n' ? refusals::kBareLf : refusals::kValueByte);
    }
    if (stop + 1 == end) return more(stop, Part::value);
    if (stop[1] != '\n') return refused(refusals::kBareCr);
    if (fields_.size() == bounds.lines) return refused(refusals::kManyLines);
    note(text, colon_at_, static_cast<std::size_t>(stop - begin));
    at = stop + 2;
    line_at_ = static_cast<std::uint32_t>(at - begin);
  }
}

void RequestHead::note(std::string_view text, std::size_t colon, std::size_t end) {
  std::size_t from = colon + 1;
  while (from < end && is_white(text[from])) ++from;
  while (end > from && is_white(text[end - 1])) --end;
  const Name name = name_of(text.substr(line_at_, colon - line_at_));
  if (name != Name::other) note_known(name, text.substr(from, end - from));
  fields_.push_back({.name_at = line_at_,
                     .name_bytes = static_cast<std::uint32_t>(colon - line_at_),
                     .value_at = static_cast<std::uint32_t>(from),
                     .value_bytes = static_cast<std::uint32_t>(end - from),
                     .name = name});
}

void RequestHead::note_known(Name name, std::string_view value) {
  if (has(name)) {
    repeated_ |= bit(name);
  } else {
    const auto place = static_cast<std::uint32_t>(fields_.size());
    if (name == Name::host) host_at_ = place;
    if (name == Name::content_length) length_at_ = place;
    if (name == Name::transfer_encoding) coding_at_ = place;
  }
  names_ |= bit(name);
  if (name == Name::connection) {
    http::each_element(value, [this](std::string_view option) {
      says_close_ = says_close_ || equal_ignoring_case(option, "close");
      says_keep_alive_ = says_keep_alive_ || equal_ignoring_case(option, "keep-alive");
    });
  } else if (name == Name::expect) {
    http::each_element(value, [this](std::string_view expectation) {
      const bool is_continue = equal_ignoring_case(expectation, "100-continue");
      says_expect_ = says_expect_ || is_continue;
      expects_other_ = expects_other_ || !is_continue;
    });
  }
}

RequestHead::Progress RequestHead::judge(std::string_view text) {
  const Refusal* const found = mistake(text);
  if (found == nullptr) return Progress::whole;
  refuse(*found);
  return Progress::refused;
}

// What only the whole head tells. @returns nullptr if all is well
const Refusal* RequestHead::mistake(std::string_view text) {
  const auto value_of = [&](std::uint32_t place) {
    return text.substr(fields_[place].value_at, fields_[place].value_bytes);
  };
  const auto repeats = [this](Name name) { return (repeated_ & bit(name)) != 0; };
  const bool has_length = has(Name::content_length);
  const bool has_coding = has(Name::transfer_encoding);
  if (has_length && has_coding) return &refusals::kBothFramings;
  if (repeats(Name::content_length)) return &refusals::kLengths;
  if (repeats(Name::host)) return &refusals::kHosts;
  if (!has(Name::host)) {
    if (minor_version_ == 1) return &refusals::kNoHost;
  } else {
    const Field& host = fields_[host_at_];
    if (host.value_bytes == 0) return &refusals::kEmptyHost;
    if (!absolute_) {
      authority_at_ = host.value_at;
      authority_bytes_ = host.value_bytes;
    }
  }
  if (has_length) {
    const std::string_view length = value_of(length_at_);
    if (length.empty() || length.size() > kLengthDigitsMax ||
        !std::all_of(length.begin(), length.end(), is_digit)) {
      return &refusals::kLength;
    }
    for (const char digit : length) {
      body_bytes_ = body_bytes_ * 10 + static_cast<std::uint64_t>(digit - '0');
    }
    body_ = BodyKind::sized;
  }
  if (has_coding) {
    if (minor_version_ == 0) return &refusals::kOldCoding;
    if (repeats(Name::transfer_encoding) || !equal_ignoring_case(value_of(coding_at_), "chunked")) {
      return &refusals::kCoding;
    }
    body_ = BodyKind::chunked;
  }
  return expects_other_ ? &refusals::kExpectation : nullptr;
}

}  // namespace weir::front
