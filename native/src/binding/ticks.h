// The time of what was just called, for JS: a number in memory that JS reads, written by the
// functions that each request passes anyway, because a call of its own would cost twice what the
// reading does. Made by module.cc, once in each environment; written by front_owner.cc,
// front_answers.cc, upstream.cc and upstream_owner.cc; read by src/telemetry/request-clock.ts.
#pragma once

#include <napi.h>

#include "tick_clock.h"

namespace weir::binding {

class Ticks {
 public:
  // Adds `ticks`, the memory, and its functions to the exports.
  static Ticks& make(Napi::Env env, Napi::Object exports);

  // Hot.
  void note() noexcept { *now_ = static_cast<double>(read_ticks()); }
  double ns_per_tick() const noexcept { return rate_.ns_per_tick(); }

 private:
  explicit Ticks(Napi::ArrayBuffer memory);

  double* now_;
  Napi::ObjectReference kept_;
  TickRate rate_;
};

}  // namespace weir::binding
