// The guard of mapped files as functions of numbers. Called by src/store/lmdb/mapping-guard.ts,
// which gives the memory of files that lmdb has mapped.
#include "mapping_guard.h"

#include <unistd.h>

#include <cstdint>
#include <memory>

#include "binding/functions.h"
#include "binding/parts.h"

namespace weir::binding {

namespace {

class MappingGuardFunctions {
 public:
  // guardMapping(begin, end, writable, headBytes): a number; -1 if it can't be guarded
  std::int32_t guard(const Arguments& arguments) {
    const std::uint64_t begin = arguments.number(0);
    const std::uint64_t end = arguments.number(1);
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    if (begin == 0 || begin >= end || begin % page != 0 || end % page != 0) {
      refuse(arguments.env(), "memory is whole pages");
    }
    return guard_mapping(begin, end, arguments.boolean(2), arguments.number(3));
  }

  // unguardMapping(guard)
  void unguard(const Arguments& arguments) {
    unguard_mapping(static_cast<int>(arguments.index(0, kGuards)));
  }

  // mappingFaults(): how often something was missing in this process
  std::uint32_t faults(const Arguments&) { return mapping_faults(); }
};

}  // namespace

void export_mapping_guard(Napi::Env env, Napi::Object exports) {
  using Own = MappingGuardFunctions;
  Functions<Own>(exports, keep(env, std::make_unique<Own>()))
      .add<&Own::guard>("guardMapping")
      .add<&Own::unguard>("unguardMapping")
      .add<&Own::faults>("mappingFaults");
}

}  // namespace weir::binding
