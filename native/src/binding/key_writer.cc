#include "binding/key_writer.h"

#include <cstdint>

#include "binding/errors.h"

namespace weir::binding {

void KeyWriter::make_room(std::size_t units) { key_.resize(2 * (end_ + units)); }

// A text behind its head that the buffer had no room for. @returns its length
std::size_t KeyWriter::read_long(napi_value value) {
  std::size_t length = 0;
  napi_get_value_string_utf16(env_, value, nullptr, 0, &length);
  make_room(kHeadUnits + length + 1);
  napi_get_value_string_utf16(env_, value, &key_[end_ + kHeadUnits], length + 1, &length);
  return length;
}

void KeyWriter::list(napi_value value) {
  std::uint32_t length = 0;
  if (napi_get_array_length(env_, value, &length) != napi_ok) {
    refuse(env_, "a part is a text, texts or undefined");
  }
  head(2, length);
  for (std::uint32_t i = 0; i < length; ++i) {
    napi_value element = nullptr;
    // It may be a getter, which may throw.
    if (napi_get_element(env_, value, i, &element) != napi_ok) throw Napi::Error::New(env_);
    if (!text(element)) refuse(env_, "a part's list has texts only");
  }
}

}  // namespace weir::binding
