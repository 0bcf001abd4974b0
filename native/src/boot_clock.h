// The clock that windows are measured with: the same number in every process of this boot, counting
// through suspend, never set back. Called by counters/counters.cc; the rest of it takes its value
// as a parameter.
#pragma once

#include <cstdint>

namespace weir {

// Milliseconds since boot, suspend included where the system has such a clock (Linux, macOS);
// elsewhere the monotonic clock. Safe on every thread.
std::uint64_t boot_clock_ms() noexcept;

}  // namespace weir
