// Puts the key of a bucket together from the parts of one decision, so that different parts make
// different keys: a text is 1, its length, its units; a part that is absent 0; a list 2, its
// length, its texts. In UTF-16, because UTF-8 would turn every lone surrogate into the same
// replacement character. Used by counters.cc. Hot, so that what happens
// in each decision is in this header; with Node-API's own functions where those of node-addon-api
// would copy a text into a string first.
#pragma once

#include <napi.h>

#include <cstddef>
#include <span>
#include <vector>

namespace weir::binding {

class KeyWriter {
 public:
  // @param key where the key is put together; grows as keys do
  KeyWriter(Napi::Env env, std::vector<char16_t>& key) : env_(env), key_(key) {}

  // Throws a TypeError if it is neither a string nor undefined nor an array of strings.
  void part(napi_value value) {
    if (text(value)) return;
    napi_valuetype type{};
    if (napi_typeof(env_, value, &type) == napi_ok && type == napi_undefined) {
      head(0, 0);
    } else {
      list(value);
    }
  }

  // Until the next key.
  std::span<const unsigned char> bytes() const {
    return {reinterpret_cast<const unsigned char*>(key_.data()), end_ * sizeof(char16_t)};
  }

 private:
  static constexpr std::size_t kHeadUnits = 3;
  // One unit is for the NUL that Node-API adds.
  static constexpr std::size_t kRoomMin = kHeadUnits + 256;

  void head(char16_t kind, std::size_t length) {
    key_[end_] = kind;
    key_[end_ + 1] = static_cast<char16_t>(length);
    key_[end_ + 2] = static_cast<char16_t>(length >> 16);
    end_ += kHeadUnits;
  }

  // False if it is no string; there is room for a head then.
  bool text(napi_value value) {
    if (key_.size() < end_ + kRoomMin) make_room(kRoomMin);
    const std::size_t begin = end_ + kHeadUnits;
    const std::size_t room = key_.size() - begin;
    std::size_t length = 0;
    if (napi_get_value_string_utf16(env_, value, &key_[begin], room, &length) != napi_ok) {
      return false;
    }
    // A full buffer may mean that there is more.
    if (length + 1 >= room) length = read_long(value);
    head(1, length);
    end_ += length;
    return true;
  }

  // The rare ways, in key_writer.cc.
  void make_room(std::size_t units);
  std::size_t read_long(napi_value value);
  void list(napi_value value);

  Napi::Env env_;
  std::vector<char16_t>& key_;
  std::size_t end_ = 0;
};

}  // namespace weir::binding
