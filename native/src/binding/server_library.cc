#include "binding/server_library.h"

#include <dlfcn.h>

namespace weir::binding {

namespace {

// v8::External::Value() const; a napi_value is a v8::Local
using ExternalValue = void* (*)(napi_value external);

}  // namespace

ServerLibrary::ServerLibrary(const std::string& file)
    : handle_(dlopen(file.c_str(), RTLD_NOW | RTLD_NOLOAD)) {}

ServerLibrary::~ServerLibrary() {
  if (handle_ != nullptr) dlclose(handle_);
}

void* ServerLibrary::symbol(const char* name) const {
  return handle_ == nullptr ? nullptr : dlsym(handle_, name);
}

// The token is a v8::External, which Node-API reads only if it made it itself; V8's own function
// does.
void* listening_socket(Napi::Value token) {
  if (!token.IsExternal()) return nullptr;
  const auto value =
      reinterpret_cast<ExternalValue>(dlsym(RTLD_DEFAULT, "_ZNK2v88External5ValueEv"));
  return value == nullptr ? nullptr : value(token);
}

}  // namespace weir::binding
