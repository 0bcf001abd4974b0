// What the functions of the addon share: arguments in, numbers out. Only the files of this folder
// know Node-API. Their callers are typed and check what they pass; what is checked here again are
// the things that would read or write outside of what is ours.
#pragma once

#include <node_api.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace weir::binding {

// The arguments of one call, and the state that its function was made with.
template <std::size_t count, typename State>
struct Arguments {
  std::size_t given = count;
  napi_value values[count > 0 ? count : 1];
  State* state = nullptr;

  Arguments(napi_env env, napi_callback_info info) {
    void* data = nullptr;
    if (napi_get_cb_info(env, info, &given, values, nullptr, &data) != napi_ok) given = 0;
    state = static_cast<State*>(data);
  }
};

// Throws a TypeError. @returns nullptr, to be returned
napi_value refuse(napi_env env, const char* what);

napi_value number(napi_env env, double value);
napi_value integer(napi_env env, std::int32_t value);
napi_value boolean(napi_env env, bool value);

// These are false where the value is none of the kind; nothing is thrown.
bool read_index(napi_env env, napi_value value, std::size_t size, std::uint32_t& index);
// 0 to 2^53 - 1; a fraction is cut off.
bool read_number(napi_env env, napi_value value, std::uint64_t& out);
// A Uint8Array of exactly so many bytes; valid as long as JS has it.
bool read_bytes(napi_env env, napi_value value, std::size_t size, std::uint8_t*& out);
// As UTF-8.
bool read_text(napi_env env, napi_value value, std::string& out);

struct Function {
  const char* name;
  napi_callback callback;
};

// Puts functions that share `state` into `exports`. @returns false after throwing
bool export_functions(napi_env env, napi_value exports, std::span<const Function> functions,
                      void* state);

}  // namespace weir::binding
