// The two ways in which a function of the addon fails: a TypeError for what it was passed, which is
// a bug of the caller, and an Error with a code for what may happen to a caller without bugs. Used
// by all files of this folder. Thrown as C++ exceptions, which node-addon-api turns into those of
// JS where the function was called.
#pragma once

#include <napi.h>

#include <string>

namespace weir::binding {

// Throws a TypeError with the code ERR_INVALID_ARG_VALUE.
[[noreturn]] void refuse(Napi::Env env, const std::string& what);

// Throws an Error with this code.
[[noreturn]] void fail(Napi::Env env, const char* code, const std::string& message);

}  // namespace weir::binding
