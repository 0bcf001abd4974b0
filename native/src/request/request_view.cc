#include "request/request_view.h"

#include <algorithm>
#include <array>

#include "upstream/field_bytes.h"

namespace weir::request {

namespace {

constexpr std::size_t kLengthDigits = 15;

enum class Field : std::uint8_t { kPassed, kHost, kConnection, kContentLength, kNeedsThought };

// Length first: it decides nearly always. Fields that need thought are those of the connection and
// of framing, and those that tell of the client, with which src/edge/proxying/upstream-header.ts
// deals.
Field field_named(std::string_view name) {
  const auto is = [name](std::string_view known, Field field = Field::kNeedsThought) {
    return name == known ? field : Field::kPassed;
  };
  switch (name.size()) {
    case 2:
      return is("te");
    case 4:
      return is("host", Field::kHost);
    case 6:
      return is("expect");
    case 7:
      return name[0] == 't' ? is("trailer") : is("upgrade");
    case 9:
      return is("forwarded");
    case 10:
      return name[0] == 'c' ? is("connection", Field::kConnection) : is("keep-alive");
    case 14:
      return name[0] == 'c' ? is("content-length", Field::kContentLength) : is("http2-settings");
    case 15:
      return is("x-forwarded-for");
    case 16:
      return name[0] == 'x' ? is("x-forwarded-host") : is("proxy-connection");
    case 17:
      return name[0] == 'x' ? is("x-forwarded-proto") : is("transfer-encoding");
    case 18:
      return is("proxy-authenticate");
    case 19:
      return is("proxy-authorization");
    default:
      return Field::kPassed;
  }
}

bool read_length(std::string_view digits, std::uint64_t& length) {
  if (digits.empty() || digits.size() > kLengthDigits) return false;
  length = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return false;
    length = length * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  return true;
}

void append(std::string& lines, std::string_view name, std::string_view value) {
  lines.append(name).append(": ").append(value).append("\r\n");
}

// Letters, digits and hyphens. About all other tokens src/edge/request/header-reader.ts decides.
constexpr std::array<bool, 256> kNameBytes = [] {
  std::array<bool, 256> table = upstream::kTokenBytes;
  for (const char byte : std::string_view("!#$%&'*+.^_`|~")) {
    table[static_cast<unsigned char>(byte)] = false;
  }
  return table;
}();

bool is_plain_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char byte) {
    return kNameBytes[static_cast<unsigned char>(byte)];
  });
}

bool is_plain(const HeaderLine& line) {
  if (!is_plain_name(line.name())) return false;
  std::uint64_t seen = 0;
  const char* const value_end = line.value_data + line.value_size;
  if (upstream::skip_value(line.value_data, value_end, seen) != value_end) return false;
  return !upstream::saw_high(seen);
}

}  // namespace

ViewKind view_request(std::span<const HeaderLine> headers, RequestView& view) {
  view.lines.clear();
  std::string_view connection;
  std::string_view length;
  view.host_length = 0;
  view.body_length = 0;
  for (const HeaderLine& line : headers) {
    if (!is_plain(line)) return ViewKind::kOther;
    switch (field_named(line.name())) {
      case Field::kNeedsThought:
        return ViewKind::kOther;
      case Field::kConnection:
        if (!connection.empty() || (line.value() != "keep-alive" && line.value() != "close")) {
          return ViewKind::kOther;
        }
        connection = line.value();
        continue;
      case Field::kContentLength:
        if (!length.empty() || !read_length(line.value(), view.body_length)) {
          return ViewKind::kOther;
        }
        length = line.value();
        continue;
      case Field::kHost:
        if (view.host_length > 0 || line.value_size == 0) return ViewKind::kOther;
        view.host_offset = view.lines.size() + line.name_size + 2;
        view.host_length = line.value_size;
        break;
      case Field::kPassed:
        break;
    }
    append(view.lines, line.name(), line.value());
  }
  view.forwarded_length = view.lines.size();
  if (!connection.empty()) append(view.lines, "connection", connection);
  if (!length.empty()) append(view.lines, "content-length", length);
  return view.host_length > 0 ? ViewKind::kPlain : ViewKind::kOther;
}

}  // namespace weir::request
