// The parts of the addon, each in a file of its own, which module.cc puts together. Each adds its
// functions, and the numbers of the layouts that JS shares with it, to the addon's exports.
#pragma once

#include <napi.h>

namespace weir::front {
class Limits;
}

namespace weir::binding {

class FrontOwner;
class Ticks;
class UpstreamOwner;

void export_address_room(Napi::Env env, Napi::Object exports);
void export_collections(Napi::Env env, Napi::Object exports);
front::Limits& export_counters(Napi::Env env, Napi::Object exports);
void export_datagrams(Napi::Env env, Napi::Object exports);
void export_descriptors(Napi::Env env, Napi::Object exports);
void export_disk_space(Napi::Env env, Napi::Object exports);
void export_front(Napi::Env env, Napi::Object exports);
void export_front_answers(Napi::Env env, Napi::Object exports, FrontOwner& front,
                          UpstreamOwner& upstream);
FrontOwner& export_front_connections(Napi::Env env, Napi::Object exports, Ticks& ticks);
void export_listening(Napi::Env env, Napi::Object exports);
void export_mapping_guard(Napi::Env env, Napi::Object exports);
void export_peer(Napi::Env env, Napi::Object exports);
void export_standing(Napi::Env env, Napi::Object exports, FrontOwner& front, front::Limits& limits);
void export_tickets(Napi::Env env, Napi::Object exports);
UpstreamOwner& export_upstream(Napi::Env env, Napi::Object exports, Ticks& ticks);
void export_tunnels(Napi::Env env, Napi::Object exports, FrontOwner& front,
                    UpstreamOwner& upstream);
void export_upstream_layout(Napi::Env env, Napi::Object exports);
void export_upstream_rules(Napi::Env env, Napi::Object exports);

}  // namespace weir::binding
