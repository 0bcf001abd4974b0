// The addon's entry, run once in each environment (main thread, worker thread) that loads it.
#include "binding/exports.h"

NAPI_MODULE_INIT() {
  const bool whole = weir::binding::export_counters(env, exports) &&
                     weir::binding::export_descriptors(env, exports) &&
                     weir::binding::export_front(env, exports) &&
                     weir::binding::export_mapping_guard(env, exports) &&
                     weir::binding::export_request(env, exports) &&
                     weir::binding::export_tls(env, exports) &&
                     weir::binding::export_upstream(env, exports) &&
                     weir::binding::export_upstream_rules(env, exports);
  return whole ? exports : nullptr;
}
