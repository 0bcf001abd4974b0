// A request's head as one text for JS, which takes it in one call: most of the text goes upstream
// as it is. What needs thought (a coding, fields of a proxy in front, bytes beyond ASCII) is
// written line by line, for src/edge/request/header-reader.ts to think about. Pure; called by
// binding/front_connections.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "front/request_reader.h"

namespace weir::front {

enum class TextKind : std::uint8_t {
  // `kLines` bytes of lines, each `name: value\r\n`, names in lower case, the first `kForwarded` of
  // them those that go upstream; then the target, then the method
  kPlain,
  // method, target, and each line, divided by CRLF
  kLines,
  // status, code, sentence, and method and target as far as they are known, divided by CRLF
  kRefusal,
};

struct RequestText {
  TextKind kind = TextKind::kPlain;
  std::string text;
  // of kPlain, in bytes, which are characters
  std::size_t lines = 0;
  std::size_t forwarded = 0;
  std::size_t host_at = 0;
  std::size_t host_bytes = 0;
  std::size_t target_bytes = 0;
  // in the target; its length if there is no `?`
  std::size_t query_at = 0;
};

// Plain is: HTTP/1.1, names of letters, digits and hyphens, ASCII alone, a `connection` that says
// keep-alive or close if there is one, an authority that is `host`, and no field of the connection,
// of framing but content-length, or about the client, and no `via` or `expect`.
// @returns whether it is plain
bool is_plain(const RequestReader& reader);

// @param out overwritten
void write_request(const RequestReader& reader, RequestText& out);

// @param line `RequestReader::refused_line`
void write_refusal(const Refusal& refusal, std::string_view line, RequestText& out);

}  // namespace weir::front
