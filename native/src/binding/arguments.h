// The arguments of one call, each read as the type that its function expects. JS validates what it
// passes (src/native-addon.ts has the types); what is checked here again is what would make C++
// read or write memory that is not its own. Every reading function throws a TypeError for a value
// of another kind. Used by the files of this folder that have functions of the addon.
#pragma once

#include <napi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "binding/errors.h"

namespace weir::binding {

// the largest number that JS counts to by ones
inline constexpr std::uint64_t kNumberMax = (std::uint64_t{1} << 53) - 1;

// A handle, which numbers one of `size` things; throws a TypeError for any other value. Hot.
inline std::uint32_t read_index(Napi::Env env, napi_value value, std::size_t size) {
  std::uint32_t index = 0;
  if (napi_get_value_uint32(env, value, &index) != napi_ok || index >= size) {
    refuse(env, "a number is that of nothing open");
  }
  return index;
}

class Arguments {
 public:
  explicit Arguments(const Napi::CallbackInfo& info) : info_(info) {}

  Napi::Env env() const { return info_.Env(); }
  std::size_t count() const { return info_.Length(); }
  // undefined where the call has fewer
  Napi::Value operator[](std::size_t at) const { return info_[at]; }
  bool has(std::size_t at) const { return !info_[at].IsUndefined(); }

  std::uint32_t index(std::size_t at, std::size_t size) const {
    return read_index(env(), info_[at], size);
  }
  // 0 to `most`; a fraction is cut off.
  std::uint64_t number(std::size_t at, std::uint64_t most = kNumberMax) const;
  bool boolean(std::size_t at) const;
  // As UTF-8.
  std::string text(std::size_t at) const;
  // The bytes of a Uint8Array, valid as long as JS keeps it. Hot.
  std::span<std::uint8_t> bytes(std::size_t at) const;
  // Of exactly so many bytes.
  template <std::size_t size>
  std::span<std::uint8_t, size> bytes(std::size_t at) const {
    const std::span<std::uint8_t> all = bytes(at);
    if (all.size() != size) refuse(at, "has another length");
    return all.template first<size>();
  }

  // Throws a TypeError about this argument, counted from 0.
  [[noreturn]] void refuse(std::size_t at, const char* problem) const;

 private:
  const Napi::CallbackInfo& info_;
};

// The properties of an object that JS passes, read by name.
class Options {
 public:
  Options(const Napi::Env& env, const Napi::Value& value, const char* name);

  // 0 to `most`, and at least `least`; a fraction is cut off.
  std::uint64_t number(const char* name, std::uint64_t most = kNumberMax,
                       std::uint64_t least = 0) const;
  std::uint32_t number32(const char* name, std::uint32_t least = 0) const;
  std::string text(const char* name) const;

 private:
  Napi::Object object_;
};

}  // namespace weir::binding
