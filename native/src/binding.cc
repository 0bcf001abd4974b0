// The only file that knows Node-API: it turns values of JS into numbers and bytes and back. Its one
// caller is src/limiter/binding.ts, which has checked every argument; what is checked here again
// are the things that would read or write outside of what is ours. Every environment (worker
// thread) has counters, limiters and a key buffer of its own; what they share is in the file.
#include <node_api.h>

#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "counters/counters.h"

namespace {

using weir::counters::Counters;
using weir::counters::CountersError;
using weir::counters::CountersOptions;

struct OpenLimiter {
  Counters* counters = nullptr;
  std::unique_ptr<Counters::OpenLimiter> limiter;
};

// What one environment has open. Handles are indexes; those of closed things are used again.
struct Environment {
  std::vector<std::unique_ptr<Counters>> counters;
  std::vector<OpenLimiter> limiters;
  std::vector<std::uint32_t> free_limiters;
  // The buffer that keys come in, kept alive by the reference.
  const unsigned char* key = nullptr;
  std::size_t key_units = 0;
  napi_ref key_reference = nullptr;
};

template <std::size_t count>
struct Arguments {
  std::size_t given = count;
  napi_value values[count > 0 ? count : 1];
  Environment* environment = nullptr;

  Arguments(napi_env env, napi_callback_info info) {
    void* data = nullptr;
    if (napi_get_cb_info(env, info, &given, values, nullptr, &data) != napi_ok) given = 0;
    environment = static_cast<Environment*>(data);
  }
};

napi_value refuse(napi_env env, const char* what) {
  napi_throw_type_error(env, "ERR_INVALID_ARG_VALUE", what);
  return nullptr;
}

napi_value number(napi_env env, double value) {
  napi_value result = nullptr;
  napi_create_double(env, value, &result);
  return result;
}

bool read_index(napi_env env, napi_value value, std::size_t size, std::uint32_t& index) {
  return napi_get_value_uint32(env, value, &index) == napi_ok && index < size;
}

bool read_number(napi_env env, napi_value value, std::uint64_t& out) {
  double given = 0;
  if (napi_get_value_double(env, value, &given) != napi_ok) return false;
  if (!(given >= 0 && given <= 9007199254740991.0)) return false;
  out = static_cast<std::uint64_t>(given);
  return true;
}

bool read_text(napi_env env, napi_value value, std::string& out) {
  std::size_t length = 0;
  if (napi_get_value_string_utf8(env, value, nullptr, 0, &length) != napi_ok) return false;
  out.resize(length);
  return napi_get_value_string_utf8(env, value, out.data(), length + 1, &length) == napi_ok;
}

// The counters of the first argument; nullptr after throwing.
Counters* read_counters(napi_env env, const Environment& environment, napi_value value) {
  std::uint32_t index = 0;
  if (!read_index(env, value, environment.counters.size(), index) ||
      environment.counters[index] == nullptr) {
    refuse(env, "no open counters");
    return nullptr;
  }
  return environment.counters[index].get();
}

napi_value throw_open_error(napi_env env, const CountersError& error) {
  switch (error.kind) {
    case CountersError::kForeign:
      napi_throw_error(env, "ERR_COUNTERS_FOREIGN", "it is no counters file");
      break;
    case CountersError::kLayout:
      napi_throw_error(env, "ERR_COUNTERS_LAYOUT", "another version of weir made it");
      break;
    case CountersError::kDamaged:
      napi_throw_error(env, "ERR_COUNTERS_DAMAGED", "it is damaged or cut short");
      break;
    default:
      napi_throw_error(env, "ERR_COUNTERS_SYSTEM", std::strerror(error.system_error));
  }
  return nullptr;
}

// openCounters(path, owner, bytesMax[, bootMs, wallMs, boot]): counters
// An empty path means memory of this environment's own; the last three are for tests.
napi_value open_counters(napi_env env, napi_callback_info info) {
  Arguments<6> arguments(env, info);
  CountersOptions options;
  std::uint64_t bytes_max = 0;
  if (arguments.given < 3 || !read_text(env, arguments.values[0], options.path) ||
      napi_get_value_bool(env, arguments.values[1], &options.owner) != napi_ok ||
      !read_number(env, arguments.values[2], bytes_max)) {
    return refuse(env, "openCounters(path, owner, bytesMax)");
  }
  options.bytes_max = static_cast<std::size_t>(bytes_max);
  if (arguments.given == 6) {
    options.manual_clock = true;
    if (!read_number(env, arguments.values[3], options.boot_ms) ||
        !read_number(env, arguments.values[4], options.wall_ms) ||
        !read_number(env, arguments.values[5], options.boot.low)) {
      return refuse(env, "bootMs, wallMs, boot");
    }
  }
  CountersError error;
  std::unique_ptr<Counters> counters = Counters::open(options, error);
  if (counters == nullptr) return throw_open_error(env, error);
  auto& all = arguments.environment->counters;
  all.push_back(std::move(counters));
  return number(env, static_cast<double>(all.size() - 1));
}

// closeCounters(counters), and all of its limiters
napi_value close_counters(napi_env env, napi_callback_info info) {
  Arguments<1> arguments(env, info);
  Environment& environment = *arguments.environment;
  Counters* const counters = read_counters(env, environment, arguments.values[0]);
  if (counters == nullptr) return nullptr;
  for (std::uint32_t i = 0; i < environment.limiters.size(); ++i) {
    if (environment.limiters[i].counters != counters) continue;
    environment.limiters[i] = {};
    environment.free_limiters.push_back(i);
  }
  for (auto& open : environment.counters) {
    if (open.get() == counters) open.reset();
  }
  return nullptr;
}

// setClock(counters, bootMs): only for counters that were opened with a clock of their own
napi_value set_clock(napi_env env, napi_callback_info info) {
  Arguments<2> arguments(env, info);
  Counters* const counters = read_counters(env, *arguments.environment, arguments.values[0]);
  std::uint64_t boot_ms = 0;
  if (counters == nullptr) return nullptr;
  if (!read_number(env, arguments.values[1], boot_ms)) return refuse(env, "bootMs");
  counters->set_manual_clock(boot_ms);
  return nullptr;
}

// openLimiter(counters, identity, capacity, windowMs, keysMax): limiter, or -1 if there is no room
napi_value open_limiter(napi_env env, napi_callback_info info) {
  Arguments<5> arguments(env, info);
  Environment& environment = *arguments.environment;
  Counters* const counters = read_counters(env, environment, arguments.values[0]);
  if (counters == nullptr) return nullptr;
  std::string identity;
  std::uint64_t capacity = 0;
  std::uint64_t window_ms = 0;
  std::uint64_t keys_max = 0;
  if (!read_text(env, arguments.values[1], identity) ||
      !read_number(env, arguments.values[2], capacity) || capacity == 0 ||
      capacity > weir::counters::kCapacityMax ||
      !read_number(env, arguments.values[3], window_ms) || window_ms == 0 ||
      window_ms > weir::counters::kWindowMaxMs ||
      !read_number(env, arguments.values[4], keys_max) || keys_max == 0 ||
      keys_max > weir::counters::kKeysMax) {
    return refuse(env, "openLimiter(counters, identity, capacity, windowMs, keysMax)");
  }
  auto limiter = counters->open_limiter(identity, capacity, window_ms, keys_max);
  if (limiter == nullptr) return number(env, -1);
  std::uint32_t handle = 0;
  if (environment.free_limiters.empty()) {
    handle = static_cast<std::uint32_t>(environment.limiters.size());
    environment.limiters.emplace_back();
  } else {
    handle = environment.free_limiters.back();
    environment.free_limiters.pop_back();
  }
  environment.limiters[handle] = {counters, std::move(limiter)};
  return number(env, handle);
}

napi_value close_limiter(napi_env env, napi_callback_info info) {
  Arguments<1> arguments(env, info);
  Environment& environment = *arguments.environment;
  std::uint32_t handle = 0;
  if (!read_index(env, arguments.values[0], environment.limiters.size(), handle) ||
      environment.limiters[handle].limiter == nullptr) {
    return refuse(env, "no open limiter");
  }
  environment.limiters[handle] = {};
  environment.free_limiters.push_back(handle);
  return nullptr;
}

// useKey(units: Uint16Array): admit() reads keys from there. It must stay attached.
napi_value use_key(napi_env env, napi_callback_info info) {
  Arguments<1> arguments(env, info);
  Environment& environment = *arguments.environment;
  napi_typedarray_type type{};
  std::size_t length = 0;
  void* data = nullptr;
  bool is_typed = false;
  if (napi_is_typedarray(env, arguments.values[0], &is_typed) != napi_ok || !is_typed ||
      napi_get_typedarray_info(env, arguments.values[0], &type, &length, &data, nullptr, nullptr) !=
          napi_ok ||
      type != napi_uint16_array) {
    return refuse(env, "useKey(Uint16Array)");
  }
  if (environment.key_reference != nullptr) {
    napi_delete_reference(env, std::exchange(environment.key_reference, nullptr));
  }
  environment.key = nullptr;
  environment.key_units = 0;
  if (napi_create_reference(env, arguments.values[0], 1, &environment.key_reference) != napi_ok) {
    return refuse(env, "no reference to be had");
  }
  environment.key = static_cast<const unsigned char*>(data);
  environment.key_units = length;
  return nullptr;
}

// admit(limiter, units): 0, or the milliseconds to wait. The key is the first `units` of the buffer
// given to useKey(). Hot: no allocation here, and none there, the result being a small integer.
napi_value admit(napi_env env, napi_callback_info info) {
  Arguments<2> arguments(env, info);
  const Environment& environment = *arguments.environment;
  std::uint32_t handle = 0;
  std::uint32_t units = 0;
  if (!read_index(env, arguments.values[0], environment.limiters.size(), handle) ||
      !read_index(env, arguments.values[1], environment.key_units + 1, units)) {
    return refuse(env, "admit(limiter, units)");
  }
  const OpenLimiter& open = environment.limiters[handle];
  if (open.limiter == nullptr) return refuse(env, "no open limiter");
  const weir::Hash128 key = open.counters->hash(*open.limiter, environment.key, units * 2u);
  const auto verdict = open.counters->admit(*open.limiter, key);
  napi_value result = nullptr;
  napi_create_uint32(env, static_cast<std::uint32_t>(verdict.wait_ms), &result);
  return result;
}

// touch(counters, part, parts): says that its limiters are in use, one of so many parts of them
napi_value touch(napi_env env, napi_callback_info info) {
  Arguments<3> arguments(env, info);
  const Environment& environment = *arguments.environment;
  Counters* const counters = read_counters(env, environment, arguments.values[0]);
  std::uint64_t part = 0;
  std::uint64_t parts = 0;
  if (counters == nullptr) return nullptr;
  if (!read_number(env, arguments.values[1], part) ||
      !read_number(env, arguments.values[2], parts) || part >= parts) {
    return refuse(env, "touch(counters, part, parts)");
  }
  for (std::size_t i = part; i < environment.limiters.size(); i += parts) {
    const OpenLimiter& open = environment.limiters[i];
    if (open.counters == counters) counters->touch(*open.limiter);
  }
  return nullptr;
}

// collect(counters, cells): true once it has been round
napi_value collect(napi_env env, napi_callback_info info) {
  Arguments<2> arguments(env, info);
  Counters* const counters = read_counters(env, *arguments.environment, arguments.values[0]);
  std::uint64_t cells = 0;
  if (counters == nullptr) return nullptr;
  if (!read_number(env, arguments.values[1], cells) || cells == 0) return refuse(env, "cells");
  napi_value result = nullptr;
  napi_get_boolean(env, counters->collect(cells), &result);
  return result;
}

// statistics(counters, out: Float64Array(6)): limiters, live, evicted, full, bytes, errno of the
// last attempt to make the file larger that failed
napi_value statistics(napi_env env, napi_callback_info info) {
  Arguments<2> arguments(env, info);
  Counters* const counters = read_counters(env, *arguments.environment, arguments.values[0]);
  if (counters == nullptr) return nullptr;
  napi_typedarray_type type{};
  std::size_t length = 0;
  void* data = nullptr;
  bool is_typed = false;
  if (napi_is_typedarray(env, arguments.values[1], &is_typed) != napi_ok || !is_typed ||
      napi_get_typedarray_info(env, arguments.values[1], &type, &length, &data, nullptr, nullptr) !=
          napi_ok ||
      type != napi_float64_array || length != 6) {
    return refuse(env, "statistics(counters, Float64Array(6))");
  }
  const auto read = counters->statistics();
  const std::array<double, 6> values{
      static_cast<double>(read.limiters), static_cast<double>(read.live),
      static_cast<double>(read.evicted),  static_cast<double>(read.full),
      static_cast<double>(read.bytes),    static_cast<double>(counters->commit_error())};
  std::memcpy(data, values.data(), sizeof values);
  return nullptr;
}

}  // namespace

NAPI_MODULE_INIT() {
  auto* const environment = new (std::nothrow) Environment;
  if (environment == nullptr) return refuse(env, "no memory");
  const auto destroy = [](napi_env, void* data, void*) { delete static_cast<Environment*>(data); };
  if (napi_set_instance_data(env, environment, destroy, nullptr) != napi_ok) {
    delete environment;
    return refuse(env, "no instance data");
  }
  const std::pair<const char*, napi_callback> functions[] = {
      {"openCounters", open_counters},
      {"closeCounters", close_counters},
      {"setClock", set_clock},
      {"openLimiter", open_limiter},
      {"closeLimiter", close_limiter},
      {"useKey", use_key},
      {"admit", admit},
      {"touch", touch},
      {"collect", collect},
      {"statistics", statistics},
  };
  for (const auto& [name, callback] : functions) {
    napi_value function = nullptr;
    if (napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, environment, &function) !=
            napi_ok ||
        napi_set_named_property(env, exports, name, function) != napi_ok) {
      return refuse(env, name);
    }
  }
  return exports;
}
