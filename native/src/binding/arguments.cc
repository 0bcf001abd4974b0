#include "binding/arguments.h"

#include <limits>

namespace weir::binding {

namespace {

// False for what is no number from 0 to `most`.
bool read_number(napi_env env, napi_value value, std::uint64_t most, std::uint64_t& out) {
  double given = 0;
  if (napi_get_value_double(env, value, &given) != napi_ok) return false;
  if (!(given >= 0 && given <= static_cast<double>(most))) return false;
  out = static_cast<std::uint64_t>(given);
  return true;
}

}  // namespace

std::uint64_t Arguments::number(std::size_t at, std::uint64_t most) const {
  std::uint64_t number = 0;
  if (!read_number(env(), info_[at], most, number)) refuse(at, "is no number within its bounds");
  return number;
}

bool Arguments::boolean(std::size_t at) const {
  if (!info_[at].IsBoolean()) refuse(at, "is no boolean");
  return info_[at].As<Napi::Boolean>();
}

std::string Arguments::text(std::size_t at) const {
  if (!info_[at].IsString()) refuse(at, "is no string");
  return info_[at].As<Napi::String>();
}

std::span<std::uint8_t> Arguments::bytes(std::size_t at) const {
  napi_typedarray_type type{};
  std::size_t length = 0;
  void* data = nullptr;
  if (napi_get_typedarray_info(env(), info_[at], &type, &length, &data, nullptr, nullptr) !=
          napi_ok ||
      type != napi_uint8_array) {
    refuse(at, "is no Uint8Array");
  }
  return {static_cast<std::uint8_t*>(data), length};
}

void Arguments::refuse(std::size_t at, const char* problem) const {
  binding::refuse(env(), "argument " + std::to_string(at) + " " + problem);
}

Options::Options(const Napi::Env& env, const Napi::Value& value, const char* name) {
  if (!value.IsObject()) refuse(env, std::string(name) + " is no object");
  object_ = value.As<Napi::Object>();
}

std::uint64_t Options::number(const char* name, std::uint64_t most, std::uint64_t least) const {
  std::uint64_t number = 0;
  if (!read_number(object_.Env(), object_.Get(name), most, number) || number < least) {
    refuse(object_.Env(), std::string(name) + " is no number within its bounds");
  }
  return number;
}

std::uint32_t Options::number32(const char* name, std::uint32_t least) const {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::uint32_t>(number(name, kMost, least));
}

std::string Options::text(const char* name) const {
  const Napi::Value value = object_.Get(name);
  if (!value.IsString()) refuse(object_.Env(), std::string(name) + " is no string");
  return value.As<Napi::String>();
}

}  // namespace weir::binding
