#include "binding/counters_options.h"

#include <cstring>

namespace weir::binding {

using counters::CountersError;

LimiterBounds read_bounds(const Arguments& arguments, std::size_t at) {
  const Options bounds(arguments.env(), arguments[at], "the bounds of limiters");
  return {.capacity_max = bounds.number("capacityMax", counters::kCapacityCeiling),
          .window_max_ms = bounds.number("windowMaxMs", counters::kWindowCeilingMs),
          .keys_max = bounds.number("keysMax", counters::kKeysCeiling),
          .key_parts_max = bounds.number("keyPartsMax", kKeyPartsRoom)};
}

counters::CountersOptions read_counters_options(const Arguments& arguments) {
  counters::CountersOptions options;
  options.path = arguments.text(0);
  options.owner = arguments.boolean(1);
  options.bytes_max = arguments.number(2);
  if (arguments.has(4)) {
    const Options clock(arguments.env(), arguments[4], "the clock");
    options.manual_clock = true;
    options.boot_ms = clock.number("bootMs");
    options.wall_ms = clock.number("wallMs");
    options.boot.low = clock.number("boot");
  }
  return options;
}

void fail_to_open(Napi::Env env, const CountersError& error) {
  switch (error.kind) {
    case CountersError::kForeign:
      fail(env, "ERR_COUNTERS_FOREIGN", "it is no counters file");
    case CountersError::kLayout:
      fail(env, "ERR_COUNTERS_LAYOUT", "another version of weir made it");
    case CountersError::kDamaged:
      fail(env, "ERR_COUNTERS_DAMAGED", "it is damaged or cut short");
    default:
      fail(env, "ERR_COUNTERS_SYSTEM", std::strerror(error.system_error));
  }
}

}  // namespace weir::binding
