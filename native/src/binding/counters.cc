// The counters as functions of numbers and strings. Called by src/limiter/binding.ts. Every
// environment (worker thread) has counters and limiters of its own; what they share is in the file.
#include "counters/counters.h"

#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "binding/exports.h"
#include "binding/values.h"

namespace weir::binding {

namespace {

using counters::Counters;
using counters::CountersError;
using counters::CountersOptions;

struct OpenLimiter {
  Counters* counters = nullptr;
  std::unique_ptr<Counters::OpenLimiter> limiter;
};

// What one environment has open. Handles are indexes; those of closed things are used again.
struct Environment {
  std::vector<std::unique_ptr<Counters>> counters;
  std::vector<OpenLimiter> limiters;
  std::vector<std::uint32_t> free_limiters;
  // Where the key of a decision is put together; grows as keys do.
  std::vector<char16_t> key = std::vector<char16_t>(4096);
};

template <std::size_t count>
using CountersArguments = Arguments<count, Environment>;

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
  CountersArguments<6> arguments(env, info);
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
  auto& all = arguments.state->counters;
  all.push_back(std::move(counters));
  return number(env, static_cast<double>(all.size() - 1));
}

// closeCounters(counters), and all of its limiters
napi_value close_counters(napi_env env, napi_callback_info info) {
  CountersArguments<1> arguments(env, info);
  Environment& environment = *arguments.state;
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
  CountersArguments<2> arguments(env, info);
  Counters* const counters = read_counters(env, *arguments.state, arguments.values[0]);
  std::uint64_t boot_ms = 0;
  if (counters == nullptr) return nullptr;
  if (!read_number(env, arguments.values[1], boot_ms)) return refuse(env, "bootMs");
  counters->set_manual_clock(boot_ms);
  return nullptr;
}

// openLimiter(counters, identity, capacity, windowMs, keysMax): limiter, or -1 if there is no room
napi_value open_limiter(napi_env env, napi_callback_info info) {
  CountersArguments<5> arguments(env, info);
  Environment& environment = *arguments.state;
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
  CountersArguments<1> arguments(env, info);
  Environment& environment = *arguments.state;
  std::uint32_t handle = 0;
  if (!read_index(env, arguments.values[0], environment.limiters.size(), handle) ||
      environment.limiters[handle].limiter == nullptr) {
    return refuse(env, "no open limiter");
  }
  environment.limiters[handle] = {};
  environment.free_limiters.push_back(handle);
  return nullptr;
}

// Puts a bucket's key together from the parts of a call, so that different parts make different
// keys: a text is 1, its length, its units; a part that is absent 0; a list 2, its length, texts.
// UTF-16, because UTF-8 would turn every lone surrogate into the same replacement character.
class KeyWriter {
 public:
  KeyWriter(napi_env env, std::vector<char16_t>& key) : env_(env), key_(key) {}

  // False if it is neither a string nor undefined nor an array of strings.
  bool part(napi_value value) {
    if (text(value)) return true;
    napi_valuetype type{};
    if (napi_typeof(env_, value, &type) != napi_ok) return false;
    if (type == napi_undefined) {
      head(0, 0);
      return true;
    }
    return list(value);
  }

  std::size_t units() const noexcept { return end_; }

 private:
  static constexpr std::size_t kHeadUnits = 3;

  void head(char16_t kind, std::size_t length) {
    if (key_.size() < end_ + kHeadUnits) key_.resize(2 * (end_ + kHeadUnits));
    key_[end_] = kind;
    key_[end_ + 1] = static_cast<char16_t>(length);
    key_[end_ + 2] = static_cast<char16_t>(length >> 16);
    end_ += kHeadUnits;
  }

  bool text(napi_value value) {
    // One more for the NUL that Node-API adds; a full buffer may mean that there is more.
    constexpr std::size_t kRoomMin = kHeadUnits + 256;
    if (key_.size() < end_ + kRoomMin) key_.resize(2 * (end_ + kRoomMin));
    std::size_t begin = end_ + kHeadUnits;
    std::size_t room = key_.size() - begin;
    std::size_t length = 0;
    if (napi_get_value_string_utf16(env_, value, &key_[begin], room, &length) != napi_ok) {
      return false;
    }
    if (length + 1 >= room) {
      napi_get_value_string_utf16(env_, value, nullptr, 0, &length);
      key_.resize(2 * (begin + length + 1));
      napi_get_value_string_utf16(env_, value, &key_[begin], length + 1, &length);
    }
    head(1, length);
    end_ += length;
    return true;
  }

  bool list(napi_value value) {
    bool is_array = false;
    std::uint32_t length = 0;
    if (napi_is_array(env_, value, &is_array) != napi_ok || !is_array ||
        napi_get_array_length(env_, value, &length) != napi_ok) {
      return false;
    }
    head(2, length);
    for (std::uint32_t i = 0; i < length; ++i) {
      napi_value element = nullptr;
      if (napi_get_element(env_, value, i, &element) != napi_ok || !text(element)) return false;
    }
    return true;
  }

  napi_env env_;
  std::vector<char16_t>& key_;
  std::size_t end_ = 0;
};

constexpr std::size_t kPartsMax = 10;

// admit(limiter, ...parts): 0, or the milliseconds to wait. A part is a string, undefined, or an
// array of strings. Hot: no allocation here (but for a key longer than any before), and none
// there, the result being a small integer.
napi_value admit(napi_env env, napi_callback_info info) {
  CountersArguments<1 + kPartsMax> arguments(env, info);
  Environment& environment = *arguments.state;
  if (arguments.given > 1 + kPartsMax) return refuse(env, "admit(limiter, ...parts)");
  KeyWriter key(env, environment.key);
  for (std::size_t i = 1; i < arguments.given; ++i) {
    if (!key.part(arguments.values[i])) return refuse(env, "a part is text, texts or undefined");
  }
  // Only now: an array's elements may be getters, which may open and close limiters.
  std::uint32_t handle = 0;
  if (arguments.given == 0 ||
      !read_index(env, arguments.values[0], environment.limiters.size(), handle)) {
    return refuse(env, "admit(limiter, ...parts)");
  }
  const OpenLimiter& open = environment.limiters[handle];
  if (open.limiter == nullptr) return refuse(env, "no open limiter");
  const auto* const bytes = reinterpret_cast<const unsigned char*>(environment.key.data());
  const Hash128 hash = open.counters->hash(*open.limiter, bytes, key.units() * sizeof(char16_t));
  const auto verdict = open.counters->admit(*open.limiter, hash);
  return integer(env, static_cast<std::int32_t>(verdict.wait_ms));
}

// touch(counters, part, parts): says that its limiters are in use, one of so many parts of them
napi_value touch(napi_env env, napi_callback_info info) {
  CountersArguments<3> arguments(env, info);
  const Environment& environment = *arguments.state;
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
  CountersArguments<2> arguments(env, info);
  Counters* const counters = read_counters(env, *arguments.state, arguments.values[0]);
  std::uint64_t cells = 0;
  if (counters == nullptr) return nullptr;
  if (!read_number(env, arguments.values[1], cells) || cells == 0) return refuse(env, "cells");
  return boolean(env, counters->collect(cells));
}

// statistics(counters, out: Float64Array(5)): limiters, live, evicted, full, bytes; a look at every
// limiter there is
napi_value statistics(napi_env env, napi_callback_info info) {
  CountersArguments<2> arguments(env, info);
  Counters* const counters = read_counters(env, *arguments.state, arguments.values[0]);
  if (counters == nullptr) return nullptr;
  napi_typedarray_type type{};
  std::size_t length = 0;
  void* data = nullptr;
  bool is_typed = false;
  if (napi_is_typedarray(env, arguments.values[1], &is_typed) != napi_ok || !is_typed ||
      napi_get_typedarray_info(env, arguments.values[1], &type, &length, &data, nullptr, nullptr) !=
          napi_ok ||
      type != napi_float64_array || length != 5) {
    return refuse(env, "statistics(counters, Float64Array(5))");
  }
  const auto read = counters->statistics();
  const std::array<double, 5> values{
      static_cast<double>(read.limiters), static_cast<double>(read.live),
      static_cast<double>(read.evicted), static_cast<double>(read.full),
      static_cast<double>(read.bytes)};
  std::memcpy(data, values.data(), sizeof values);
  return nullptr;
}

// growthError(counters): errno of the last attempt to make the file larger, 0 if it did not fail
napi_value growth_error(napi_env env, napi_callback_info info) {
  CountersArguments<1> arguments(env, info);
  const Counters* const counters = read_counters(env, *arguments.state, arguments.values[0]);
  return counters == nullptr ? nullptr : number(env, counters->commit_error());
}

constexpr Function kFunctions[] = {
    {"openCounters", open_counters},
    {"closeCounters", close_counters},
    {"setClock", set_clock},
    {"openLimiter", open_limiter},
    {"closeLimiter", close_limiter},
    {"admit", admit},
    {"touch", touch},
    {"collect", collect},
    {"statistics", statistics},
    {"growthError", growth_error},
};

}  // namespace

bool export_counters(napi_env env, napi_value exports) {
  auto* const environment = new (std::nothrow) Environment;
  if (environment == nullptr) {
    refuse(env, "no memory");
    return false;
  }
  const auto destroy = [](void* data) { delete static_cast<Environment*>(data); };
  if (napi_add_env_cleanup_hook(env, destroy, environment) != napi_ok) {
    delete environment;
    refuse(env, "no cleanup hook");
    return false;
  }
  return export_functions(env, exports, kFunctions, environment);
}

}  // namespace weir::binding
