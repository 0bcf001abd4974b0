#include "front/usual_request.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace weir::front {

namespace {

// What the normal form of a path leaves as it is, wherever it stands (../src/http/path.ts), but for
// a dot that begins a segment.
constexpr std::array<bool, 256> kPathBytes = [] {
  std::array<bool, 256> table{};
  for (std::size_t byte = '0'; byte <= '9'; ++byte) table[byte] = true;
  for (std::size_t byte = 'a'; byte <= 'z'; ++byte) table[byte] = table[byte - 0x20] = true;
  for (const char byte : std::string_view("-_~!$&'()*+,=:@/.")) {
    table[static_cast<unsigned char>(byte)] = true;
  }
  return table;
}();

bool is_normal_path(std::string_view path) {
  if (path.empty() || path.front() != '/') return false;
  char before = 0;
  for (const char byte : path) {
    if (!kPathBytes[static_cast<unsigned char>(byte)] || (before == '/' && byte == '.')) {
      return false;
    }
    before = byte;
  }
  return true;
}

// As `isPlainQuery` of ../src/http/target.ts.
bool is_plain_query(std::string_view query) {
  return std::all_of(query.begin(), query.end(),
                     [](char byte) { return byte > ' ' && byte <= '~' && byte != '#'; });
}

// HEAD is answered without content, CONNECT, TRACE and spellings of methods are JS's to judge.
bool is_usual_method(std::string_view method) {
  return method == "GET" || method == "POST" || method == "PUT" || method == "DELETE" ||
         method == "PATCH" || method == "OPTIONS";
}

bool has_no_body(const RequestReader& reader) {
  return reader.body() == BodyKind::none ||
         (reader.body() == BodyKind::sized && reader.body_bytes() == 0);
}

}  // namespace

bool is_usual(const RequestReader& reader, std::string_view path, std::string_view query) {
  return is_usual_method(reader.method()) && is_normal_path(path) && is_plain_query(query) &&
         has_no_body(reader) && is_plain(reader);
}

}  // namespace weir::front
