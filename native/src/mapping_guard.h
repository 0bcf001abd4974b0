// Keeps a process alive that reads a mapped file which somebody else cuts short. The kernel answers
// a touch of a page beyond the file's end with SIGBUS; for the mappings that are guarded the
// handler puts memory of the process's own in the place of what is gone, counts, and lets the touch
// go on. What was read then is worthless: whoever reads looks at `mapping_faults` before he
// believes it.
//
// All that is behind the page that was missed is missing too, so it is replaced in one go, with
// zeros; but the first `head_bytes` come back as they were when the guard was set. LMDB, whose
// files are guarded, answers a page of zeros with an error, and meta pages of zeros by ending the
// process.
//
// One handler for the process; its table is read by it without locks. A SIGBUS of any other cause
// goes to the handler that was there before, or has the effect it would have had.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weir {

// Of a mapping; more is not kept. Two pages of the largest page size that LMDB's files have here.
constexpr std::size_t kGuardedHeadBytes = 32768;
// Mappings at a time: a process has two files of one store open, a test process several stores.
constexpr std::size_t kGuards = 64;

// @param begin, end of whole memory pages that are mapped, and stay so until `unguard_mapping`
// @returns a number for `unguard_mapping`; -1: no room in the table, or no handler could be set
int guard_mapping(std::uintptr_t begin, std::uintptr_t end, bool writable, std::size_t head_bytes);

// To be called before the memory is unmapped. Not while another thread reads it.
void unguard_mapping(int guard);

// Times that something was missing, since the process began.
std::uint32_t mapping_faults() noexcept;

}  // namespace weir
