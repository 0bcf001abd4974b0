// Names of a response's header lines that say something of its framing or its connection, for the
// two who read them: head_fields.cc, and passed_lines.cc, which writes those that pass.
#pragma once

#include <cstdint>
#include <string_view>

#include "http/field_bytes.h"

namespace weir::upstream {

using http::each_element;
using http::equal_ignoring_case;
using http::is_digit;
using http::is_token_byte;
using http::kTokenBytes;
using http::lower;
using http::saw_high;
using http::skip_token;
using http::skip_value;
using http::trimmed;

enum class Field : std::uint8_t {
  kPassed,
  kConnection,
  kKeepAlive,
  kContentLength,
  kTransferEncoding,
  // of the connection like the above, but says nothing about it; or `date`, which the edge writes
  kDropped,
};

// Hot. Length first: it decides nearly always.
inline Field field_named(std::string_view name) {
  const auto is = [name](std::string_view known, Field field) {
    return equal_ignoring_case(name, known) ? field : Field::kPassed;
  };
  switch (name.size()) {
    case 2:
      return is("te", Field::kDropped);
    case 4:
      return is("date", Field::kDropped);
    case 7:
      return lower(name[0]) == 't' ? is("trailer", Field::kDropped)
                                   : is("upgrade", Field::kDropped);
    case 10:
      return lower(name[0]) == 'c' ? is("connection", Field::kConnection)
                                   : is("keep-alive", Field::kKeepAlive);
    case 14:
      return is("content-length", Field::kContentLength);
    case 16:
      return is("proxy-connection", Field::kDropped);
    case 17:
      return is("transfer-encoding", Field::kTransferEncoding);
    case 18:
      return is("proxy-authenticate", Field::kDropped);
    case 19:
      return is("proxy-authorization", Field::kDropped);
    default:
      return Field::kPassed;
  }
}

}  // namespace weir::upstream
