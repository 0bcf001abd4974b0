#include "binding/ticks.h"

#include <memory>

#include "binding/functions.h"

namespace weir::binding {

namespace {

class TickFunctions {
 public:
  explicit TickFunctions(Ticks& ticks) : ticks_(ticks) {}

  // noteTicks(): of what no other function tells
  void note(const Arguments&) { ticks_.note(); }

  // nanosecondsPerTick(): better known the longer this has run
  double rate(const Arguments&) { return ticks_.ns_per_tick(); }

 private:
  Ticks& ticks_;
};

}  // namespace

Ticks::Ticks(Napi::ArrayBuffer memory)
    : now_(static_cast<double*>(memory.Data())),
      kept_(Napi::Persistent(memory.As<Napi::Object>())) {
  note();
}

Ticks& Ticks::make(Napi::Env env, Napi::Object exports) {
  const Napi::ArrayBuffer memory = Napi::ArrayBuffer::New(env, sizeof(double));
  Ticks& ticks = keep(env, std::unique_ptr<Ticks>(new Ticks(memory)));
  exports.Set("ticks", memory);
  Functions<TickFunctions>(exports, keep(env, std::make_unique<TickFunctions>(ticks)))
      .add<&TickFunctions::note>("noteTicks")
      .add<&TickFunctions::rate>("nanosecondsPerTick");
  return ticks;
}

}  // namespace weir::binding
