// The addon's entry, run once in each environment (main thread, worker thread) that loads it.
#include "binding/exports.h"

NAPI_MODULE_INIT() {
  if (!weir::binding::export_counters(env, exports)) return nullptr;
  return exports;
}
