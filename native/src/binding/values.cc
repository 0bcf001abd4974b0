#include "binding/values.h"

namespace weir::binding {

napi_value refuse(napi_env env, const char* what) {
  napi_throw_type_error(env, "ERR_INVALID_ARG_VALUE", what);
  return nullptr;
}

napi_value number(napi_env env, double value) {
  napi_value result = nullptr;
  napi_create_double(env, value, &result);
  return result;
}

napi_value integer(napi_env env, std::int32_t value) {
  napi_value result = nullptr;
  napi_create_int32(env, value, &result);
  return result;
}

napi_value boolean(napi_env env, bool value) {
  napi_value result = nullptr;
  napi_get_boolean(env, value, &result);
  return result;
}

bool read_index(napi_env env, napi_value value, std::size_t size, std::uint32_t& index) {
  return napi_get_value_uint32(env, value, &index) == napi_ok && index < size;
}

bool read_number(napi_env env, napi_value value, std::uint64_t& out) {
  double given = 0;
  if (napi_get_value_double(env, value, &given) != napi_ok) return false;
  if (!(given >= 0 && given <= 9007199254740991.0)) return false;
  out = static_cast<std::uint64_t>(given);
  return true;
}

bool read_bytes(napi_env env, napi_value value, std::size_t size, std::uint8_t*& out) {
  napi_typedarray_type type = napi_int8_array;
  std::size_t length = 0;
  void* data = nullptr;
  if (napi_get_typedarray_info(env, value, &type, &length, &data, nullptr, nullptr) != napi_ok ||
      type != napi_uint8_array || length != size) {
    return false;
  }
  out = static_cast<std::uint8_t*>(data);
  return true;
}

bool read_text(napi_env env, napi_value value, std::string& out) {
  std::size_t length = 0;
  if (napi_get_value_string_utf8(env, value, nullptr, 0, &length) != napi_ok) return false;
  out.resize(length);
  return napi_get_value_string_utf8(env, value, out.data(), length + 1, &length) == napi_ok;
}

bool export_functions(napi_env env, napi_value exports, std::span<const Function> functions,
                      void* state) {
  for (const auto& [name, callback] : functions) {
    napi_value function = nullptr;
    if (napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, state, &function) != napi_ok ||
        napi_set_named_property(env, exports, name, function) != napi_ok) {
      refuse(env, name);
      return false;
    }
  }
  return true;
}

}  // namespace weir::binding
