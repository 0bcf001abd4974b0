// The parts of the addon, each in a file of its own, which module.cc puts together. Each adds its
// functions, and the numbers of the layouts that JS shares with it, to the addon's exports.
#pragma once

#include <napi.h>

namespace weir::binding {

class Ticks;

void export_counters(Napi::Env env, Napi::Object exports);
void export_descriptors(Napi::Env env, Napi::Object exports);
void export_disk_space(Napi::Env env, Napi::Object exports);
void export_front(Napi::Env env, Napi::Object exports);
void export_front_connections(Napi::Env env, Napi::Object exports, Ticks& ticks);
void export_listening(Napi::Env env, Napi::Object exports);
void export_mapping_guard(Napi::Env env, Napi::Object exports);
void export_peer(Napi::Env env, Napi::Object exports);
void export_tickets(Napi::Env env, Napi::Object exports);
void export_upstream(Napi::Env env, Napi::Object exports, Ticks& ticks);
void export_upstream_layout(Napi::Env env, Napi::Object exports);
void export_upstream_rules(Napi::Env env, Napi::Object exports);

}  // namespace weir::binding
