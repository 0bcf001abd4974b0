// The groups of functions that module.cc puts into the addon's exports, one file each.
#pragma once

#include <node_api.h>

namespace weir::binding {

// @returns false after throwing
bool export_counters(napi_env env, napi_value exports);
bool export_descriptors(napi_env env, napi_value exports);
bool export_front(napi_env env, napi_value exports);
bool export_mapping_guard(napi_env env, napi_value exports);
bool export_request(napi_env env, napi_value exports);
bool export_tls(napi_env env, napi_value exports);
bool export_upstream(napi_env env, napi_value exports);
bool export_upstream_rules(napi_env env, napi_value exports);

}  // namespace weir::binding
