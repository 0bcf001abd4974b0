#include "binding/request_text.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace weir::binding {

namespace {

constexpr std::size_t kRoomMin = 256;

// RFC 9110 5.6.2
constexpr std::array<bool, 256> token_bytes() {
  std::array<bool, 256> is_token{};
  for (const char c : std::string_view("!#$%&'*+-.^_`|~")) {
    is_token[static_cast<unsigned char>(c)] = true;
  }
  for (char c = '0'; c <= '9'; ++c) is_token[static_cast<unsigned char>(c)] = true;
  for (char c = 'A'; c <= 'Z'; ++c) is_token[static_cast<unsigned char>(c)] = true;
  for (char c = 'a'; c <= 'z'; ++c) is_token[static_cast<unsigned char>(c)] = true;
  return is_token;
}
constexpr std::array<bool, 256> kIsToken = token_bytes();

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return kIsToken[static_cast<unsigned char>(c)];
  });
}

// Looks at every byte, so that the compiler can take many at once.
bool is_target(std::string_view text) {
  bool is_good = !text.empty();
  for (const char c : text) is_good &= static_cast<unsigned char>(c) > ' ' && c != 127;
  return is_good;
}

}  // namespace

HeadText RequestText::read(napi_env env, napi_value method, napi_value target, napi_value lines) {
  end_ = 0;
  if (!take(env, method)) return HeadText::kNoText;
  const std::size_t method_end = end_;
  append(" ");
  if (!take(env, target)) return HeadText::kNoText;
  const std::size_t target_end = end_;
  append(" HTTP/1.1\r\n");
  if (!take(env, lines)) return HeadText::kNoText;
  const std::string_view whole = head();
  const bool sendable = is_token(whole.substr(0, method_end)) &&
                        is_target(whole.substr(method_end + 1, target_end - method_end - 1));
  return sendable ? HeadText::kGood : HeadText::kUnsendable;
}

void RequestText::append(std::string_view text) {
  if (bytes_.size() < end_ + text.size()) bytes_.resize(2 * (end_ + text.size()));
  std::memcpy(bytes_.data() + end_, text.data(), text.size());
  end_ += text.size();
}

bool RequestText::take(napi_env env, napi_value value) {
  // One is for the NUL that Node-API adds; a full buffer may mean that there is more.
  if (bytes_.size() < end_ + kRoomMin) bytes_.resize(2 * (end_ + kRoomMin));
  std::size_t room = bytes_.size() - end_;
  std::size_t length = 0;
  if (napi_get_value_string_latin1(env, value, &bytes_[end_], room, &length) != napi_ok) {
    return false;
  }
  if (length + 1 >= room) {
    napi_get_value_string_latin1(env, value, nullptr, 0, &length);
    room = length + 1;
    bytes_.resize(2 * (end_ + room));
    napi_get_value_string_latin1(env, value, &bytes_[end_], room, &length);
  }
  end_ += length;
  return true;
}

}  // namespace weir::binding
