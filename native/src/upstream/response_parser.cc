#include "upstream/response_parser.h"

#include <algorithm>
#include <cstring>

#include "upstream/failure_texts.h"
#include "upstream/field_bytes.h"

namespace weir::upstream {

namespace {

// `HTTP/1.x nnn`
constexpr std::string_view kVersion = "HTTP/1.";
constexpr std::size_t kMinorAt = 7;
constexpr std::size_t kSpaceAt = 8;
constexpr std::size_t kStatusAt = 9;
constexpr std::size_t kReasonAt = 12;

bool fits_status(char byte, std::size_t at) {
  if (at < kMinorAt) return byte == kVersion[at];
  if (at == kMinorAt) return byte == '0' || byte == '1';
  if (at == kSpaceAt) return byte == ' ';
  return is_digit(byte) && (at > kStatusAt || byte != '0');
}

}  // namespace

void ResponseParser::begin(bool head_request, bool upgrade) {
  reading_ = HeadState();
  interims_ = 0;
  remaining_ = -1;
  framing_ = Framing::kNone;
  head_request_ = head_request;
  upgrade_ = upgrade;
  untouched_ = true;
  reason_ = "";
}

Verdict ResponseParser::refuse(const char* reason) {
  reason_ = reason;
  return Verdict::kRefused;
}

// Whatever comes first of the bytes is looked at first, and no more of them than the bound, so that
// the verdict does not depend on how they were cut.
Verdict ResponseParser::read_head(std::span<const char> bytes, std::size_t& consumed, Head& head) {
  consumed = 0;
  if (*reason_ != '\0') return Verdict::kRefused;
  if (bytes.empty()) return Verdict::kMore;
  untouched_ = false;
  const auto view = bytes.first(std::min(bytes.size(), limits_.head_bytes));
  HeadState& now = reading_;
  bool going_on = now.status != 0 || read_status(view);
  while (going_on) {
    if (now.value == 0 && now.at == now.line && now.at < view.size() &&
        !is_token_byte(view[now.at])) {
      const std::size_t end = line_end(view);
      if (end == 0) break;
      now.at += end;
      return complete(view, consumed, head);
    }
    going_on = (now.value != 0 || read_name(view)) && read_value(view);
  }
  if (*reason_ != '\0') return Verdict::kRefused;
  if (view.size() == limits_.head_bytes) return refuse("the header is larger than the bound");
  return Verdict::kMore;
}

bool ResponseParser::read_status(std::span<const char> bytes) {
  HeadState& now = reading_;
  const std::size_t end = std::min(bytes.size(), kReasonAt);
  for (; now.at < end; ++now.at) {
    if (fits_status(bytes[now.at], now.at)) continue;
    refuse(now.at < kStatusAt ? "the response is not HTTP/1.0 or HTTP/1.1"
                              : "the status is not a number from 100 to 999");
    return false;
  }
  if (bytes.size() <= kReasonAt) return false;
  const char next = bytes[kReasonAt];
  if (next != ' ' && next != '\r' && next != '\n') {
    refuse("the status is not a number from 100 to 999");
    return false;
  }
  now.old_version = bytes[kMinorAt] == '0';
  for (std::size_t at = kStatusAt; at < kReasonAt; ++at) {
    now.status = now.status * 10 + (bytes[at] - '0');
  }
  now.interim = now.status < 200 && now.status != 101;
  if (now.status == 101 && (!upgrade_ || now.old_version)) {
    refuse(failure_text::kUpgraded);
    return false;
  }
  // The reason is read as a value that belongs to no name.
  now.value = kReasonAt;
  return true;
}

bool ResponseParser::read_name(std::span<const char> bytes) {
  HeadState& now = reading_;
  const char* const end = bytes.data() + bytes.size();
  const char* const stop = skip_token(bytes.data() + now.at, end);
  now.at = static_cast<std::size_t>(stop - bytes.data());
  if (stop == end) return false;
  if (*stop != ':') {
    refuse("a header's name holds a byte that none may hold");
    return false;
  }
  now.value = ++now.at;
  return true;
}

bool ResponseParser::read_value(std::span<const char> bytes) {
  HeadState& now = reading_;
  const char* const end = bytes.data() + bytes.size();
  const char* const stop = skip_value(bytes.data() + now.at, end, now.seen);
  now.at = static_cast<std::size_t>(stop - bytes.data());
  if (stop == end) return false;
  const std::size_t ending = line_end(bytes);
  if (ending == 0) return false;
  const std::string_view text(bytes.data(), now.at);
  now.at += ending;
  if (now.lines == 0) {
    now.lines = now.at;
    now.seen = 0;
  } else {
    const char* const mistake =
        now.fields.note(text.substr(now.line, now.value - 1 - now.line),
                        trimmed(text.substr(now.value)), now.line - now.lines, now.at - now.lines);
    if (mistake != nullptr) {
      refuse(mistake);
      return false;
    }
    if (now.fields.line_count > limits_.header_lines) {
      refuse("the header has more lines than the bound");
      return false;
    }
  }
  now.line = now.at;
  now.value = 0;
  return true;
}

std::size_t ResponseParser::line_end(std::span<const char> bytes) {
  const HeadState& now = reading_;
  if (bytes[now.at] == '\n' && now.interim) return 1;
  if (bytes[now.at] != '\r') {
    refuse(now.value == 0 ? "a header line does not begin with a name"
                          : "a control character in the header");
    return 0;
  }
  if (now.at + 1 == bytes.size()) return 0;
  if (bytes[now.at + 1] == '\n') return 2;
  refuse("CR without LF in the header");
  return 0;
}

Verdict ResponseParser::complete(std::span<const char> bytes, std::size_t& consumed, Head& head) {
  const HeadState& now = reading_;
  const HeadFields& fields = now.fields;
  if (fields.chunked && fields.length != -1)
    return refuse("content-length beside transfer-encoding");
  if (fields.chunked && now.old_version) return refuse("a transfer coding in HTTP/1.0");
  const bool declares_body = fields.chunked || fields.length > 0;
  if (now.interim) {
    if (declares_body) return refuse("an interim response that announces a body");
    if (++interims_ > limits_.interim_responses) return refuse("too many interim responses");
    consumed = now.at;
    head.status = now.status;
    reading_ = HeadState();
    return Verdict::kInterim;
  }
  if (now.status == 101 && declares_body) return refuse("a 101 that announces a body");
  begin_body();
  const bool lasting = now.old_version ? fields.says_keep_alive : true;
  head.status = now.status;
  head.framing = framing_;
  head.length = fields.length;
  head.keep_alive = lasting && !fields.says_close && framing_ != Framing::kClose;
  head.keep_alive_seconds = fields.keep_alive_seconds;
  head.declares_body = declares_body;
  head.ascii = !saw_high(now.seen);
  head.names_fields = fields.names_fields;
  head.in_pieces = fields.in_pieces;
  head.piece_count = fields.piece_count;
  head.pieces = fields.pieces;
  head.line_count = fields.line_count;
  head.lines = std::string_view(bytes.data() + now.lines, now.line - now.lines);
  consumed = now.at;
  return Verdict::kHead;
}

void ResponseParser::begin_body() {
  const int status = reading_.status;
  if (head_request_ || status == 101 || status == 204 || status == 304) {
    framing_ = Framing::kNone;
    remaining_ = 0;
  } else if (reading_.fields.chunked) {
    framing_ = Framing::kChunked;
    chunked_.begin(limits_.head_bytes, limits_.header_lines);
  } else if (reading_.fields.length != -1) {
    framing_ = Framing::kLength;
    remaining_ = reading_.fields.length;
  } else {
    framing_ = Framing::kClose;
  }
}

Verdict ResponseParser::read_body(std::span<char> bytes, std::size_t& consumed,
                                  std::span<char>& body) {
  consumed = 0;
  body = {};
  if (*reason_ != '\0') return Verdict::kRefused;
  if (framing_ == Framing::kChunked) return read_chunks(bytes, consumed, body);
  if (framing_ == Framing::kClose) {
    consumed = bytes.size();
    body = bytes;
    return Verdict::kBody;
  }
  consumed = static_cast<std::size_t>(
      std::min<std::uint64_t>(bytes.size(), static_cast<std::uint64_t>(remaining_)));
  body = bytes.first(consumed);
  remaining_ -= static_cast<std::int64_t>(consumed);
  return remaining_ > 0 ? Verdict::kBody : Verdict::kEnd;
}

Verdict ResponseParser::read_chunks(std::span<char> bytes, std::size_t& consumed,
                                    std::span<char>& body) {
  using Result = http::ChunkedDecoder::Result;
  std::size_t at = 0;
  std::size_t first = 0;
  std::size_t length = 0;
  for (;;) {
    std::size_t taken = 0;
    std::string_view piece;
    const Result result = chunked_.read({bytes.data() + at, bytes.size() - at}, taken, piece);
    if (result == Result::kRefused) return refuse(chunked_.reason());
    at += taken;
    if (result == Result::kPiece) {
      if (length == 0) first = at - piece.size();
      char* const to = bytes.data() + first + length;
      if (to != piece.data()) std::memmove(to, piece.data(), piece.size());
      length += piece.size();
      continue;
    }
    consumed = at;
    body = bytes.subspan(first, length);
    return result == Result::kEnd ? Verdict::kEnd : Verdict::kBody;
  }
}

bool ResponseParser::finish() const { return framing_ == Framing::kClose && *reason_ == '\0'; }

std::int64_t ResponseParser::remaining() const { return remaining_; }

}  // namespace weir::upstream
