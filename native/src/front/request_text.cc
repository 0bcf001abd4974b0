#include "front/request_text.h"

#include <algorithm>
#include <array>

#include "http/field_bytes.h"

namespace weir::front {

namespace {

using std::string_view_literals::operator""sv;

enum class Use : std::uint8_t { kPassed, kHost, kConnection, kContentLength, kNeedsThought };

// Length first: it decides nearly always. Fields that need thought are those of the connection and
// of framing, those that tell of the client, with which src/edge/proxying/upstream-header.ts deals,
// `via`, whose hops src/edge/proxying/loops.ts counts, and the one that is for weir alone
// (src/edge/seen/explain-tokens.ts). @param name in lower case
Use use_of(std::string_view name) {
  const auto is = [name](std::string_view known, Use use = Use::kNeedsThought) {
    return name == known ? use : Use::kPassed;
  };
  switch (name.size()) {
    case 2:
      return is("te");
    case 3:
      return is("via");
    case 4:
      return is("host", Use::kHost);
    case 6:
      return is("expect");
    case 7:
      return name[0] == 't' ? is("trailer") : is("upgrade");
    case 9:
      return is("forwarded");
    case 10:
      return name[0] == 'c' ? is("connection", Use::kConnection) : is("keep-alive");
    case 14:
      if (name[0] == 'c') return is("content-length", Use::kContentLength);
      return name[0] == 'x' ? is("x-weir-explain") : is("http2-settings");
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
      return Use::kPassed;
  }
}

// Names in lower case; 0: what may be in a name but is no letter, digit or hyphen. About those
// src/edge/request/header-reader.ts decides.
constexpr std::array<char, 256> kPlainNameBytes = [] {
  std::array<char, 256> table{};
  for (std::size_t byte = '0'; byte <= '9'; ++byte) table[byte] = static_cast<char>(byte);
  for (std::size_t byte = 'a'; byte <= 'z'; ++byte) {
    table[byte] = table[byte - 0x20] = static_cast<char>(byte);
  }
  table['-'] = '-';
  return table;
}();

std::string_view name_of(const RequestReader& reader, const Field& field) {
  return reader.head().substr(field.name_at, field.name_bytes);
}

std::string_view value_of(const RequestReader& reader, const Field& field) {
  return reader.head().substr(field.value_at, field.value_bytes);
}

// @returns the name as it was appended, in lower case; empty if it isn't plain
std::string_view append_name(std::string& text, std::string_view name) {
  const std::size_t at = text.size();
  text.resize(at + name.size());
  char* to = text.data() + at;
  bool is_plain = true;
  for (const char byte : name) {
    *to = kPlainNameBytes[static_cast<unsigned char>(byte)];
    is_plain &= *to++ != 0;
  }
  return is_plain ? std::string_view(text).substr(at) : std::string_view();
}

bool says_whether_open(std::string_view value) { return value == "keep-alive" || value == "close"; }

bool write_plain(const RequestReader& reader, RequestText& out) {
  if (!reader.ascii() || reader.minor_version() == 0) return false;
  std::string& text = out.text;
  text.clear();
  std::string_view connection;
  std::string_view length;
  for (const Field& field : reader.fields()) {
    const std::size_t at = text.size();
    const std::string_view name = append_name(text, name_of(reader, field));
    const std::string_view value = value_of(reader, field);
    if (name.empty()) return false;
    switch (use_of(name)) {
      case Use::kNeedsThought:
        return false;
      case Use::kConnection:
        if (!connection.empty() || !says_whether_open(value)) return false;
        connection = value;
        text.resize(at);
        continue;
      case Use::kContentLength:
        length = value;
        text.resize(at);
        continue;
      case Use::kHost:
        if (value != reader.authority()) return false;
        out.host_at = text.size() + 2;
        out.host_bytes = value.size();
        break;
      case Use::kPassed:
        break;
    }
    text.append(": ").append(value).append("\r\n");
  }
  out.forwarded = text.size();
  if (!connection.empty()) text.append("connection: ").append(connection).append("\r\n");
  if (!length.empty()) text.append("content-length: ").append(length).append("\r\n");
  out.lines = text.size();
  const std::string_view target = reader.target();
  out.target_bytes = target.size();
  out.query_at = std::min(target.find('?'), target.size());
  text.append(target).append(reader.method());
  out.kind = TextKind::kPlain;
  return true;
}

void append_line(std::string& text, std::string_view name, std::string_view value) {
  for (const char byte : name) text.push_back(http::lower(byte));
  text.append(": ").append(value).append("\r\n");
}

// Enough for every name that needs thought.
constexpr std::size_t kKnownBytes = 24;

}  // namespace

bool is_plain(const RequestReader& reader) {
  if (!reader.ascii() || reader.minor_version() == 0) return false;
  bool has_connection = false;
  for (const Field& field : reader.fields()) {
    const std::string_view name = name_of(reader, field);
    std::array<char, kKnownBytes> lower;
    for (std::size_t i = 0; i < name.size(); ++i) {
      const char byte = kPlainNameBytes[static_cast<unsigned char>(name[i])];
      if (byte == 0) return false;
      if (i < lower.size()) lower[i] = byte;
    }
    if (name.size() > lower.size()) continue;
    switch (use_of({lower.data(), name.size()})) {
      case Use::kNeedsThought:
        return false;
      case Use::kConnection:
        if (has_connection || !says_whether_open(value_of(reader, field))) return false;
        has_connection = true;
        break;
      case Use::kHost:
        if (value_of(reader, field) != reader.authority()) return false;
        break;
      default:
        break;
    }
  }
  return true;
}

void write_request(const RequestReader& reader, RequestText& out) {
  if (write_plain(reader, out)) return;
  out.kind = TextKind::kLines;
  std::string& text = out.text;
  text.assign(reader.method()).append("\r\n").append(reader.target()).append("\r\n");
  bool has_host = false;
  for (const Field& field : reader.fields()) {
    // An absolute target says which host is meant, whatever the field says (RFC 9112 3.2.2).
    const bool is_host = field.name == Name::host;
    has_host |= is_host;
    append_line(text, name_of(reader, field),
                is_host ? reader.authority() : value_of(reader, field));
  }
  if (!has_host && !reader.authority().empty()) append_line(text, "host"sv, reader.authority());
}

void write_refusal(const Refusal& refusal, std::string_view line, RequestText& out) {
  out.kind = TextKind::kRefusal;
  out.text.assign(std::to_string(refusal.status)).append("\r\n");
  out.text.append(refusal.code).append("\r\n").append(refusal.sentence);
  out.text.append("\r\n").append(line);
}

}  // namespace weir::front
