// The time of day, for what is told to people. Used by front/front.cc and
// front/standing_refusals.cc.
#pragma once

#include <chrono>

namespace weir {

// Milliseconds since 1970, UTC, whole ones; set back where the system's clock is.
inline double wall_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<double>(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

}  // namespace weir
