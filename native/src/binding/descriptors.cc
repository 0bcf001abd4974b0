// The process's descriptors as functions of the addon. Called by src/descriptors.ts and
// src/store/lmdb/held-files.ts.
#include "descriptors.h"

#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

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
    return is_same(named, open) ? 0 : -1;
  }

  // filesBytes(one, bytes, other, bytes): the length of the first if it has those bytes at least,
  // and the other exactly those; -1 otherwise, and where it can't be told
  double files_bytes(const Arguments& arguments) {
    return bytes_of(file(arguments, 0), file(arguments, 2));
  }

  // filesAt(one, bytes, other, bytes, path of one, path of the other): as filesBytes, -1 also where
  // a path is not that of its file
  double files_at(const Arguments& arguments) {
    const File one = file(arguments, 0);
    const File other = file(arguments, 2);
    const double bytes = bytes_of(one, other);
    if (bytes < 0 || !is_at(arguments.text(4), one) || !is_at(arguments.text(5), other)) return -1;
    return bytes;
  }

  // readAt(descriptor, into, position): how many bytes were read, or a negative errno
  double read_at(const Arguments& arguments) {
    const std::span<std::uint8_t> into = arguments.bytes(1);
    const auto position = static_cast<off_t>(arguments.number(2));
    const int descriptor = static_cast<int>(arguments.number(0, INT_MAX));
    ssize_t read = -1;
    do {
      read = pread(descriptor, into.data(), into.size(), position);
    } while (read < 0 && errno == EINTR);
    return read < 0 ? -errno : static_cast<double>(read);
  }

  // limitUpstreamDescriptors(end)
  void limit_upstream(const Arguments& arguments) {
    const auto end = static_cast<int>(arguments.number(0, INT_MAX));
    upstream_descriptor_end.store(end, std::memory_order_relaxed);
  }

 private:
  struct File {
    struct stat status {};
    off_t bytes = 0;
    bool is_known = false;
  };

  // A descriptor and the bytes that it is expected to have.
  static File file(const Arguments& arguments, std::size_t at) {
    File file;
    file.bytes = static_cast<off_t>(arguments.number(at + 1));
    file.is_known = fstat(static_cast<int>(arguments.number(at, INT_MAX)), &file.status) == 0;
    return file;
  }

  static double bytes_of(const File& one, const File& other) {
    const bool are_whole = one.is_known && other.is_known && one.status.st_size >= one.bytes &&
                           other.status.st_size == other.bytes;
    return are_whole ? static_cast<double>(one.status.st_size) : -1;
  }

  static bool is_at(const std::string& path, const File& file) {
    struct stat named {};
    return stat(path.c_str(), &named) == 0 && is_same(named, file.status);
  }

  static bool is_same(const struct stat& one, const struct stat& other) {
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
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
      .add<&Own::files_bytes>("filesBytes")
      .add<&Own::files_at>("filesAt")
      .add<&Own::read_at>("readAt")
      .add<&Own::limit_upstream>("limitUpstreamDescriptors");
}

}  // namespace weir::binding
