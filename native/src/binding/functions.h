// Makes functions of the addon out of methods: a method takes the arguments of a call, returns a
// value of C++ and throws what errors.h has. Used by the files of this folder that have functions
// of the addon. Each such file has one class with the state that its functions share in one
// environment (main thread, worker thread). What JS gets are numbers, not objects that wrap those
// of C++: finding the object behind a wrapper is a further call of Node-API each time.
#pragma once

#include <napi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include "binding/arguments.h"

namespace weir::binding {

inline Napi::Value to_js(Napi::Env, Napi::Value value) { return value; }
inline Napi::Value to_js(Napi::Env env, bool value) { return Napi::Boolean::New(env, value); }
inline Napi::Value to_js(Napi::Env env, double value) { return Napi::Number::New(env, value); }
// A small integer, for which V8 allocates nothing; Napi::Number takes doubles only.
inline Napi::Value to_js(Napi::Env env, std::int32_t value) {
  napi_value result = nullptr;
  napi_create_int32(env, value, &result);
  return {env, result};
}
inline Napi::Value to_js(Napi::Env env, std::uint32_t value) {
  napi_value result = nullptr;
  napi_create_uint32(env, value, &result);
  return {env, result};
}
inline Napi::Value to_js(Napi::Env env, const std::string& value) {
  return Napi::String::New(env, value);
}

// Gives an object to the environment, which deletes it at its end.
template <typename State>
State& keep(Napi::Env env, std::unique_ptr<State> state) {
  State* const kept = state.release();
  env.AddCleanupHook([](State* ended) { delete ended; }, kept);
  return *kept;
}

// Adds the functions of one state to the addon's exports.
template <typename State>
class Functions {
 public:
  Functions(Napi::Object exports, State& state) : exports_(exports), state_(state) {}

  template <auto method>
  Functions& add(const char* name) {
    exports_.Set(name, Napi::Function::New<call<method>>(exports_.Env(), name, &state_));
    return *this;
  }

  // A function that takes its arguments from Node-API itself; `data` is the state.
  Functions& add_plain(const char* name, napi_callback callback) {
    napi_value function = nullptr;
    const napi_env env = exports_.Env();
    if (napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, &state_, &function) !=
        napi_ok) {
      throw Napi::Error::New(env);
    }
    exports_.Set(name, function);
    return *this;
  }

 private:
  template <auto method>
  static Napi::Value call(const Napi::CallbackInfo& info) {
    State& state = *static_cast<State*>(info.Data());
    const Arguments arguments(info);
    if constexpr (std::is_void_v<decltype((state.*method)(arguments))>) {
      (state.*method)(arguments);
      return {};
    } else {
      return to_js(info.Env(), (state.*method)(arguments));
    }
  }

  Napi::Object exports_;
  State& state_;
};

}  // namespace weir::binding
