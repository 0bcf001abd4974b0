// Space on the disk as a function of a descriptor. Called by src/store/lmdb/disk-room.ts.
#include "disk_space.h"

#include <sys/stat.h>

#include <climits>
#include <cstdint>
#include <memory>

#include "binding/functions.h"
#include "binding/parts.h"

namespace weir::binding {

namespace {

class DiskSpaceFunctions {
 public:
  // allocateSpace(descriptor, bytes, extended): 0 or an errno
  std::int32_t allocate(const Arguments& arguments) {
    const auto file = static_cast<int>(arguments.number(0, INT_MAX));
    const auto bytes = static_cast<std::size_t>(arguments.number(1));
    struct stat status {};
    if (fstat(file, &status) == 0 && status.st_size == 0) write_in_place(file);
    return allocate_space(file, 0, bytes,
                          arguments.boolean(2) ? FileLength::kExtended : FileLength::kKept);
  }
};

}  // namespace

void export_disk_space(Napi::Env env, Napi::Object exports) {
  using Own = DiskSpaceFunctions;
  Functions<Own>(exports, keep(env, std::make_unique<Own>())).add<&Own::allocate>("allocateSpace");
}

}  // namespace weir::binding
