// The process's descriptors as functions of the addon. Called by src/descriptors.ts and
// src/store/lmdb/held-files.ts.
#include "descriptors.h"

#include <sys/stat.h>

#include <cerrno>
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

  // fileBytes(descriptor): its length, or a negative errno
  double file_bytes(const Arguments& arguments) {
    struct stat status {};
    if (fstat(static_cast<int>(arguments.number(0, INT_MAX)), &status) != 0) return -errno;
    return static_cast<double>(status.st_size);
  }

  // fileAt(path, descriptor): 0 if the path is the open file's, -1 if another's, or an errno. No
  // numbers of files are handed over: some have 64 bits, which a number of JavaScript does not
  // hold.
  std::int32_t file_at(const Arguments& arguments) {
    struct stat named {};
    struct stat open {};
    if (stat(arguments.text(0).c_str(), &named) != 0) return errno;
    if (fstat(static_cast<int>(arguments.number(1, INT_MAX)), &open) != 0) return errno;
    return named.st_dev == open.st_dev && named.st_ino == open.st_ino ? 0 : -1;
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
      .add<&Own::file_bytes>("fileBytes")
      .add<&Own::file_at>("fileAt")
      .add<&Own::limit_upstream>("limitUpstreamDescriptors");
}

}  // namespace weir::binding
