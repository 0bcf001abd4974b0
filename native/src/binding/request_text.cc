#include "binding/request_text.h"

#include <algorithm>
#include <cstring>

#include "binding/errors.h"
#include "http/field_bytes.h"

namespace weir::binding {

namespace {

constexpr std::size_t kRoomMin = 256;

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), http::is_token_byte);
}

// Looks at every byte, so that the compiler can take many at once.
bool is_target(std::string_view text) {
  bool is_good = !text.empty();
  for (const char c : text) is_good &= static_cast<unsigned char>(c) > ' ' && c != 127;
  return is_good;
}

}  // namespace

bool RequestText::read(Napi::Env env, napi_value method, napi_value target, napi_value lines,
                       napi_value more) {
  end_ = 0;
  take(env, method);
  const std::size_t method_end = end_;
  append(" ");
  take(env, target);
  const std::size_t target_end = end_;
  append(" HTTP/1.1\r\n");
  take(env, lines);
  take(env, more);
  const std::string_view whole = head();
  return is_token(whole.substr(0, method_end)) &&
         is_target(whole.substr(method_end + 1, target_end - method_end - 1));
}

void RequestText::append(std::string_view text) {
  if (bytes_.size() < end_ + text.size()) bytes_.resize(2 * (end_ + text.size()));
  std::memcpy(bytes_.data() + end_, text.data(), text.size());
  end_ += text.size();
}

// Napi::String would copy the text into a string of its own, as UTF-8.
void RequestText::take(Napi::Env env, napi_value value) {
  // One is for the NUL that Node-API adds; a full buffer may mean that there is more.
  if (bytes_.size() < end_ + kRoomMin) bytes_.resize(2 * (end_ + kRoomMin));
  std::size_t room = bytes_.size() - end_;
  std::size_t length = 0;
  if (napi_get_value_string_latin1(env, value, &bytes_[end_], room, &length) != napi_ok) {
    refuse(env, "a request's method, target, lines and more are strings");
  }
  if (length + 1 >= room) {
    napi_get_value_string_latin1(env, value, nullptr, 0, &length);
    room = length + 1;
    bytes_.resize(2 * (end_ + room));
    napi_get_value_string_latin1(env, value, &bytes_[end_], room, &length);
  }
  end_ += length;
}

}  // namespace weir::binding
