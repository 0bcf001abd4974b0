// Puts the key of a bucket together from the parts of one decision, so that different parts make
// different keys: a text is 1, its length, its units; a part that is absent 0; a list 2, its
// length, its texts. In UTF-16, because UTF-8 would turn every lone surrogate into the same
// replacement character. Used by counters.cc. Hot.
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
    if (!text(value)) absent_or_list(value);
  }

  // Until the next key.
  std::span<const unsigned char> bytes() const {
    return {reinterpret_cast<const unsigned char*>(key_.data()), end_ * sizeof(char16_t)};
  }

 private:
  void head(char16_t kind, std::size_t length);
  // False if it is no string.
  bool text(napi_value value);
  void absent_or_list(napi_value value);

  Napi::Env env_;
  std::vector<char16_t>& key_;
  std::size_t end_ = 0;
};

}  // namespace weir::binding
