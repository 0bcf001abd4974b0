#include "binding/errors.h"

namespace weir::binding {

namespace {

[[noreturn]] void throw_coded(Napi::Error error, const char* code) {
  error.Set("code", code);
  throw error;
}

}  // namespace

void refuse(Napi::Env env, const std::string& what) {
  throw_coded(Napi::TypeError::New(env, what), "ERR_INVALID_ARG_VALUE");
}

void fail(Napi::Env env, const char* code, const std::string& message) {
  throw_coded(Napi::Error::New(env, message), code);
}

}  // namespace weir::binding
