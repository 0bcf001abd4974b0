// Counts the garbage collections of an environment, for metrics. Node's own way to them, a
// PerformanceObserver, runs JavaScript behind each: 0.25 ms where it is warm (Node 20, AMD EPYC),
// more where it is not, behind a collection of 0.4 ms, and requests wait for both. Here each adds
// to two numbers in memory that JS reads when somebody asks. V8 tells of them by functions that
// Node-API has no name for: they are looked up by those that the linker has, which Node 20 and 22
// have in common, and where one is missing JS has Node tell. Used by
// src/telemetry/collections.ts.
#include <dlfcn.h>

#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <memory>

#include "binding/functions.h"
#include "binding/parts.h"

namespace weir::binding {

namespace {

// As the headers of V8 have them; a GCType is one bit.
using Isolate = void;
using Callback = void (*)(Isolate*, int type, int flags, void* data);
using Add = void (*)(Isolate*, Callback, void* data, int types);
using Remove = void (*)(Isolate*, Callback, void* data);
using Current = Isolate* (*)();

constexpr int kAllTypes = 31;
constexpr std::size_t kTypes = 5;

template <typename Function>
Function find(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

#define WEIR_GC_CALLBACK "EPFvPS0_NS_6GCTypeENS_15GCCallbackFlagsEPvES4_"

struct V8Functions {
  Current current = find<Current>("_ZN2v87Isolate10GetCurrentEv");
  Add add_before = find<Add>("_ZN2v87Isolate21AddGCPrologueCallback" WEIR_GC_CALLBACK "S2_");
  Add add_behind = find<Add>("_ZN2v87Isolate21AddGCEpilogueCallback" WEIR_GC_CALLBACK "S2_");
  Remove remove_before = find<Remove>("_ZN2v87Isolate24RemoveGCPrologueCallback" WEIR_GC_CALLBACK);
  Remove remove_behind = find<Remove>("_ZN2v87Isolate24RemoveGCEpilogueCallback" WEIR_GC_CALLBACK);

  bool are_there() const {
    return current != nullptr && add_before != nullptr && add_behind != nullptr &&
           remove_before != nullptr && remove_behind != nullptr;
  }
};

#undef WEIR_GC_CALLBACK

class Collections {
 public:
  Collections() = default;
  Collections(const Collections&) = delete;
  Collections& operator=(const Collections&) = delete;
  ~Collections() {
    if (isolate_ == nullptr) return;
    v8_.remove_before(isolate_, before, this);
    v8_.remove_behind(isolate_, behind, this);
  }

  // countCollections(): from the first call on. @returns pairs of how many and of nanoseconds, by
  // the bit of their v8::GCType; undefined where V8 has other functions
  Napi::Value count(const Arguments& arguments) {
    if (!v8_.are_there()) return arguments.env().Undefined();
    if (isolate_ == nullptr) begin(arguments.env());
    return kept_.Value();
  }

 private:
  using Clock = std::chrono::steady_clock;

  void begin(Napi::Env env) {
    Napi::ArrayBuffer memory = Napi::ArrayBuffer::New(env, 2 * kTypes * sizeof(double));
    kept_ = Napi::Persistent(memory.As<Napi::Object>());
    counts_ = static_cast<double*>(memory.Data());
    isolate_ = v8_.current();
    v8_.add_before(isolate_, before, this, kAllTypes);
    v8_.add_behind(isolate_, behind, this, kAllTypes);
  }

  // Weak references are gone through within another collection, so each type has its own time.
  static std::size_t bit_of(int type) {
    return static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(type)));
  }

  static void before(Isolate*, int type, int, void* data) {
    const std::size_t bit = bit_of(type);
    if (bit < kTypes) static_cast<Collections*>(data)->began_[bit] = Clock::now();
  }

  static void behind(Isolate*, int type, int, void* data) {
    const std::size_t bit = bit_of(type);
    if (bit >= kTypes) return;
    Collections& own = *static_cast<Collections*>(data);
    const std::chrono::nanoseconds took = Clock::now() - own.began_[bit];
    own.counts_[2 * bit] += 1;
    own.counts_[2 * bit + 1] += static_cast<double>(took.count());
  }

  V8Functions v8_;
  Isolate* isolate_ = nullptr;
  Napi::ObjectReference kept_;
  double* counts_ = nullptr;
  std::array<Clock::time_point, kTypes> began_;
};

}  // namespace

void export_collections(Napi::Env env, Napi::Object exports) {
  Functions<Collections>(exports, keep(env, std::make_unique<Collections>()))
      .add<&Collections::count>("countCollections");
}

}  // namespace weir::binding
