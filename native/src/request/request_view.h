// A client's request header, read where the server library keeps it, in one go: uWebSockets.js
// hands headers over one call and two strings at a time, which costs more than all that is then
// done with them (README.md, "The request view"). Pure; binding/request.cc finds the header lines.
//
// Only plain requests are viewed: anything that needs thought (a coding, an upgrade, fields of a
// proxy in front, odd bytes) is left to src/edge/request/request-head.ts, which reads every request
// in the library's own way and decides alone what is refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace weir::request {

// As the library keeps it: in the layout of libstdc++'s string_view, whatever ours is.
struct HeaderLine {
  std::size_t name_size = 0;
  const char* name_data = nullptr;
  std::size_t value_size = 0;
  const char* value_data = nullptr;

  // in lower case
  std::string_view name() const { return {name_data, name_size}; }
  std::string_view value() const { return {value_data, value_size}; }
};
static_assert(sizeof(HeaderLine) == 4 * sizeof(void*));

enum class ViewKind : std::uint8_t {
  kPlain,
  // read it the other way
  kOther,
};

struct RequestView {
  // All lines, each `name: value\r\n`, in their order; but connection and content-length, which are
  // not forwarded, come last.
  std::string lines;
  // bytes of those that are forwarded
  std::size_t forwarded_length = 0;
  // of the only `host`, its value in `lines`
  std::size_t host_offset = 0;
  std::size_t host_length = 0;
  // content-length; 0 if there is none
  std::uint64_t body_length = 0;
};

// Plain is: one non-empty `host`; at most one `content-length`, of 1 to 15 digits; at most
// one `connection`, which says keep-alive or close; no other field of the connection, of framing,
// or about the client, and no `via`; names of letters, digits and hyphens, values of printable
// ASCII, space and tab. `view` is overwritten, and of no use if it is not kPlain.
ViewKind view_request(std::span<const HeaderLine> headers, RequestView& view);

}  // namespace weir::request
