// Space on the disk that is taken before anything is written, so that a full disk is an error of a
// call. Written through a mapping, a page for which there is no space is a SIGBUS.
#pragma once

#include <cstddef>

namespace weir {

enum class FileLength { kExtended, kKept };

// Takes space for a range of the file; what is written there already stays. 0 or an errno:
// EOPNOTSUPP where the file system does not do this.
int allocate_space(int file, std::size_t offset, std::size_t bytes, FileLength length) noexcept;

// To be called while the file is empty. btrfs puts every write to a new place, which takes space
// that a full disk has not, whatever was allocated; a file with this mark is written in its place.
// Other file systems do that anyway and know no such mark.
void write_in_place(int file) noexcept;

}  // namespace weir
