#include "binding/key_writer.h"

#include <cstdint>

#include "binding/errors.h"

namespace weir::binding {

namespace {

constexpr std::size_t kHeadUnits = 3;
// One unit more than a usual text for the NUL that Node-API adds.
constexpr std::size_t kRoomMin = kHeadUnits + 256;

}  // namespace

void KeyWriter::head(char16_t kind, std::size_t length) {
  if (key_.size() < end_ + kHeadUnits) key_.resize(2 * (end_ + kHeadUnits));
  key_[end_] = kind;
  key_[end_ + 1] = static_cast<char16_t>(length);
  key_[end_ + 2] = static_cast<char16_t>(length >> 16);
  end_ += kHeadUnits;
}

// Napi::String would copy the text into a string of its own first.
bool KeyWriter::text(napi_value value) {
  if (key_.size() < end_ + kRoomMin) key_.resize(2 * (end_ + kRoomMin));
  const std::size_t begin = end_ + kHeadUnits;
  const std::size_t room = key_.size() - begin;
  std::size_t length = 0;
  if (napi_get_value_string_utf16(env_, value, &key_[begin], room, &length) != napi_ok) {
    return false;
  }
  // A full buffer may mean that there is more.
  if (length + 1 >= room) {
    napi_get_value_string_utf16(env_, value, nullptr, 0, &length);
    key_.resize(2 * (begin + length + 1));
    napi_get_value_string_utf16(env_, value, &key_[begin], length + 1, &length);
  }
  head(1, length);
  end_ += length;
  return true;
}

void KeyWriter::absent_or_list(napi_value value) {
  const Napi::Value part(env_, value);
  if (part.IsUndefined()) {
    head(0, 0);
    return;
  }
  if (!part.IsArray()) refuse(env_, "a part is a text, texts or undefined");
  const Napi::Array list = part.As<Napi::Array>();
  const std::uint32_t length = list.Length();
  head(2, length);
  for (std::uint32_t i = 0; i < length; ++i) {
    const Napi::Value element = list[i];
    if (!text(element)) refuse(env_, "a part's list has texts only");
  }
}

}  // namespace weir::binding
