// The process's descriptors as functions of the addon. Called by src/descriptors.ts and
// src/store/lmdb/held-files.ts.
#include "descriptors.h"

#include <climits>
#include <cstdint>
#include <memory>

#include "binding/functions.h"
#include "binding/parts.h"

namespace weir::binding {

namespace {

class DescriptorFunctions {
 public:
  // descriptorLimit(): number
  std::int32_t limit(const Arguments&) { return descriptor_limit(); }

  // lowestFreeDescriptor(): number, -1 if none is free
  std::int32_t lowest_free(const Arguments&) { return lowest_free_descriptor(); }

  // keepFromChildren(descriptor)
  void keep_from_children(const Arguments& arguments) {
    weir::keep_from_children(static_cast<int>(arguments.number(0, INT_MAX)));
  }

  // limitUpstreamDescriptors(end)
  void limit_upstream(const Arguments& arguments) {
    const auto end = static_cast<int>(arguments.number(0, INT_MAX));
    upstream_descriptor_end.store(end, std::memory_order_relaxed);
  }
};

}  // namespace

void export_descriptors(Napi::Env env, Napi::Object exports) {
  using Own = DescriptorFunctions;
  Functions<Own>(exports, keep(env, std::make_unique<Own>()))
      .add<&Own::limit>("descriptorLimit")
      .add<&Own::lowest_free>("lowestFreeDescriptor")
      .add<&Own::keep_from_children>("keepFromChildren")
      .add<&Own::limit_upstream>("limitUpstreamDescriptors");
}

}  // namespace weir::binding
