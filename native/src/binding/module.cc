// The addon's entry, run once in each environment (main thread, worker thread) that loads it.
#include "binding/parts.h"
#include "binding/ticks.h"

namespace {

Napi::Object start(Napi::Env env, Napi::Object exports) {
  weir::binding::Ticks& ticks = weir::binding::Ticks::make(env, exports);
  weir::binding::export_address_room(env, exports);
  weir::binding::export_collections(env, exports);
  auto& limits = weir::binding::export_counters(env, exports);
  weir::binding::export_datagrams(env, exports);
  weir::binding::export_descriptors(env, exports);
  weir::binding::export_disk_space(env, exports);
  weir::binding::export_front(env, exports);
  auto& front = weir::binding::export_front_connections(env, exports, ticks);
  weir::binding::export_listening(env, exports);
  weir::binding::export_mapping_guard(env, exports);
  weir::binding::export_peer(env, exports);
  weir::binding::export_standing(env, exports, front, limits);
  weir::binding::export_tickets(env, exports);
  auto& upstream = weir::binding::export_upstream(env, exports, ticks);
  weir::binding::export_front_answers(env, exports, front, upstream);
  weir::binding::export_upstream_layout(env, exports);
  weir::binding::export_upstream_rules(env, exports);
  // The last, so that tunnels go before the ends that they join.
  weir::binding::export_tunnels(env, exports, front, upstream);
  return exports;
}

}  // namespace

NODE_API_MODULE(weir, start)
