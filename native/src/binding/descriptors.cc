// The process's descriptors as functions of the addon. Called by src/descriptors.ts.
#include "descriptors.h"

#include <array>
#include <climits>
#include <cstdint>

#include "binding/exports.h"
#include "binding/values.h"

namespace weir::binding {

namespace {

// descriptorLimit(): number
napi_value limit(napi_env env, napi_callback_info) { return integer(env, descriptor_limit()); }

// lowestFreeDescriptor(): number, -1 if none is free
napi_value lowest_free(napi_env env, napi_callback_info) {
  return integer(env, lowest_free_descriptor());
}

// limitUpstreamDescriptors(end)
napi_value limit_upstream(napi_env env, napi_callback_info info) {
  Arguments<1, void> arguments(env, info);
  std::uint64_t end = 0;
  if (arguments.given < 1 || !read_number(env, arguments.values[0], end) || end > INT_MAX) {
    return refuse(env, "limitUpstreamDescriptors(end)");
  }
  upstream_descriptor_end.store(static_cast<int>(end), std::memory_order_relaxed);
  return nullptr;
}

constexpr std::array<Function, 3> kFunctions{{
    {"descriptorLimit", limit},
    {"lowestFreeDescriptor", lowest_free},
    {"limitUpstreamDescriptors", limit_upstream},
}};

}  // namespace

bool export_descriptors(napi_env env, napi_value exports) {
  return export_functions(env, exports, kFunctions, nullptr);
}

}  // namespace weir::binding
