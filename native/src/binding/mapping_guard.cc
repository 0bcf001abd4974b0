// The guard of mapped files as functions of numbers. Called by src/store/lmdb/mapping-guard.ts, which
// gives the memory of files that lmdb has mapped.
#include "mapping_guard.h"

#include <unistd.h>

#include "binding/exports.h"
#include "binding/values.h"

namespace weir::binding {

namespace {

struct Nothing {};

// guardMapping(begin, end, writable, headBytes): a number; -1 if it can't be guarded
napi_value guard(napi_env env, napi_callback_info info) {
  Arguments<4, Nothing> arguments(env, info);
  const auto& values = arguments.values;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t head = 0;
  bool writable = false;
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  if (arguments.given < 4 || !read_number(env, values[0], begin) ||
      !read_number(env, values[1], end) || begin == 0 || begin >= end || begin % page != 0 ||
      end % page != 0 || napi_get_value_bool(env, values[2], &writable) != napi_ok ||
      !read_number(env, values[3], head)) {
    return refuse(env, "guardMapping(begin, end, writable, headBytes)");
  }
  return integer(env, guard_mapping(begin, end, writable, head));
}

// unguardMapping(guard)
napi_value unguard(napi_env env, napi_callback_info info) {
  Arguments<1, Nothing> arguments(env, info);
  std::uint32_t index = 0;
  if (!read_index(env, arguments.values[0], kGuards, index)) return refuse(env, "no guard");
  unguard_mapping(static_cast<int>(index));
  return nullptr;
}

// mappingFaults(): how often something was missing in this process
napi_value count(napi_env env, napi_callback_info) { return number(env, mapping_faults()); }

constexpr Function kFunctions[] = {
    {"guardMapping", guard},
    {"unguardMapping", unguard},
    {"mappingFaults", count},
};

}  // namespace

bool export_mapping_guard(napi_env env, napi_value exports) {
  return export_functions(env, exports, kFunctions, nullptr);
}

}  // namespace weir::binding
