// The rules by which the upstream client chooses an address and tries again (upstream/addresses.h,
// upstream/retry.h), and its words for failures (upstream/failure_texts.h), for the backends that
// it does not carry: undici's pool, which speaks TLS, decides by the same code. Called by
// src/upstream/undici/address-ring.ts and src/upstream/undici/retry.ts.
//
// A ring knows addresses by their index and has no connections: its caller has, and says by a byte
// for each address which ones have room. The numbers that both sides write and read are exported
// beside the functions.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "binding/exports.h"
#include "binding/values.h"
#include "upstream/addresses.h"
#include "upstream/failure_texts.h"
#include "upstream/retry.h"

namespace weir::binding {

namespace {

using upstream::AddressRing;
using upstream::FailedAttempt;
using upstream::Target;

// What choose() is told of each address, a byte each.
constexpr std::uint8_t kHasRoom = 1;
constexpr std::uint8_t kTried = 2;
// What choose() answers beside an index: every address that is left is full; none is left.
constexpr std::int32_t kWait = -1;
constexpr std::int32_t kNone = -2;
// Beside an index: the request goes to see whether the address is back.
constexpr std::int32_t kProbe = 1 << 16;

// Facts of decideRetry().
constexpr std::uint32_t kIdempotent = 1;
constexpr std::uint32_t kSent = 2;
constexpr std::uint32_t kReused = 4;
constexpr std::uint32_t kResponseByte = 8;
constexpr std::uint32_t kBodyTouched = 16;
constexpr std::uint32_t kTimedOut = 32;

struct Text {
  const char* name;
  const char* value;
};
constexpr Text kFailureTexts[] = {
    {"noAddressLeft", upstream::failure_text::kNoAddressLeft},
    {"queueFull", upstream::failure_text::kQueueFull},
    {"noConnection", upstream::failure_text::kNoConnection},
    {"connectSlow", upstream::failure_text::kConnectSlow},
    {"noAnswer", upstream::failure_text::kNoAnswer},
    {"stopped", upstream::failure_text::kStopped},
    {"upgraded", upstream::failure_text::kUpgraded},
};

struct Number {
  const char* name;
  std::int32_t value;
};
constexpr Number kRingNumbers[] = {
    {"hasRoom", kHasRoom}, {"tried", kTried}, {"wait", kWait}, {"none", kNone}, {"probe", kProbe},
};
constexpr Number kRetryFacts[] = {
    {"idempotent", kIdempotent},   {"sent", kSent},
    {"reused", kReused},           {"responseByte", kResponseByte},
    {"bodyTouched", kBodyTouched}, {"timedOut", kTimedOut},
};

// What the functions of one ring share. It goes when JS has let go of the last of them.
struct Ring {
  Ring(napi_env env, napi_ref states_ref, std::span<const std::uint8_t> states,
       std::uint64_t connect_timeout_ms, std::uint64_t seed)
      : states(states), addresses(seed, connect_timeout_ms), env_(env), states_ref_(states_ref) {
    for (std::size_t index = 0; index < states.size(); ++index) {
      addresses.targets().push_back(std::make_unique<Target>());
      addresses.targets().back()->id = static_cast<std::int32_t>(index);
    }
    tried.reserve(states.size());
  }
  ~Ring() { napi_delete_reference(env_, states_ref_); }
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  // a byte for each address, written by JS
  const std::span<const std::uint8_t> states;
  AddressRing addresses;
  // by the request that is being placed; a member to keep its memory
  std::vector<std::int32_t> tried;

 private:
  napi_env env_;
  napi_ref states_ref_;
};

// @returns nullptr where the first argument is no index of an address
Target* read_target(napi_env env, const Ring& ring, napi_value value) {
  std::uint32_t index = 0;
  if (!read_index(env, value, ring.addresses.targets().size(), index)) return nullptr;
  return ring.addresses.targets()[index].get();
}

// choose(nowMs): an index, maybe with kProbe, or kWait or kNone. Hot.
napi_value choose(napi_env env, napi_callback_info info) {
  const Arguments<1, Ring> arguments(env, info);
  Ring& ring = *arguments.state;
  std::uint64_t now_ms = 0;
  if (!read_number(env, arguments.values[0], now_ms)) return refuse(env, "choose(nowMs)");
  ring.tried.clear();
  for (std::size_t index = 0; index < ring.states.size(); ++index) {
    if ((ring.states[index] & kTried) != 0) ring.tried.push_back(static_cast<std::int32_t>(index));
  }
  const auto has_room = [&ring](const Target& target) {
    return (ring.states[static_cast<std::size_t>(target.id)] & kHasRoom) != 0;
  };
  Target* target = nullptr;
  switch (ring.addresses.choose(ring.tried, now_ms, has_room, target)) {
    case AddressRing::Choice::kWait:
      return integer(env, kWait);
    case AddressRing::Choice::kNone:
      return integer(env, kNone);
    case AddressRing::Choice::kTarget:
      break;
  }
  return integer(env, target->probing ? target->id | kProbe : target->id);
}

// connected(address), answered(address)
template <void (*tell)(Target&)>
napi_value tell_of(napi_env env, napi_callback_info info) {
  const Arguments<1, Ring> arguments(env, info);
  Target* const target = read_target(env, *arguments.state, arguments.values[0]);
  if (target == nullptr) return refuse(env, "an address is an index");
  tell(*target);
  return nullptr;
}

// failed(address, nowMs)
napi_value failed(napi_env env, napi_callback_info info) {
  const Arguments<2, Ring> arguments(env, info);
  Target* const target = read_target(env, *arguments.state, arguments.values[0]);
  std::uint64_t now_ms = 0;
  if (target == nullptr || !read_number(env, arguments.values[1], now_ms)) {
    return refuse(env, "failed(address, nowMs)");
  }
  arguments.state->addresses.failed(*target, now_ms);
  return nullptr;
}

constexpr Function kRingFunctions[] = {
    {"choose", choose},
    {"connected", tell_of<AddressRing::connected>},
    {"answered", tell_of<AddressRing::succeeded>},
    {"failed", failed},
};

// Adds the ring's functions to `object`; each of them keeps the ring.
bool add_functions(napi_env env, napi_value object, const std::shared_ptr<Ring>& ring) {
  const auto let_go = [](napi_env, void* data, void*) {
    delete static_cast<std::shared_ptr<Ring>*>(data);
  };
  for (const auto& [name, callback] : kRingFunctions) {
    napi_value function = nullptr;
    if (napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, ring.get(), &function) !=
        napi_ok) {
      return false;
    }
    auto kept = std::make_unique<std::shared_ptr<Ring>>(ring);
    if (napi_add_finalizer(env, function, kept.get(), let_go, nullptr, nullptr) != napi_ok) {
      return false;
    }
    kept.release();
    if (napi_set_named_property(env, object, name, function) != napi_ok) return false;
  }
  return true;
}

// createAddressRing(states, connectTimeoutMs, seed): an object with the functions above
napi_value create_ring(napi_env env, napi_callback_info info) {
  const Arguments<3, void> arguments(env, info);
  napi_typedarray_type type = napi_int8_array;
  std::size_t length = 0;
  void* data = nullptr;
  std::uint64_t connect_timeout_ms = 0;
  std::uint64_t seed = 0;
  napi_ref states_ref = nullptr;
  if (napi_get_typedarray_info(env, arguments.values[0], &type, &length, &data, nullptr, nullptr) !=
          napi_ok ||
      type != napi_uint8_array || length >= kProbe ||
      !read_number(env, arguments.values[1], connect_timeout_ms) ||
      !read_number(env, arguments.values[2], seed) ||
      napi_create_reference(env, arguments.values[0], 1, &states_ref) != napi_ok) {
    return refuse(env, "createAddressRing(states, connectTimeoutMs, seed)");
  }
  const std::span<const std::uint8_t> states(static_cast<const std::uint8_t*>(data), length);
  const auto ring = std::make_shared<Ring>(env, states_ref, states, connect_timeout_ms, seed);
  napi_value object = nullptr;
  if (napi_create_object(env, &object) != napi_ok || !add_functions(env, object, ring)) {
    return refuse(env, "no AddressRing");
  }
  return object;
}

// decideRetry(facts, attempts, addresses): 0 not, 1 at another address, 2 over a fresh connection
napi_value decide_retry(napi_env env, napi_callback_info info) {
  const Arguments<3, void> arguments(env, info);
  std::uint32_t facts = 0;
  std::uint64_t attempts = 0;
  std::uint64_t addresses = 0;
  if (!read_index(env, arguments.values[0], 2 * kTimedOut, facts) ||
      !read_number(env, arguments.values[1], attempts) ||
      !read_number(env, arguments.values[2], addresses)) {
    return refuse(env, "decideRetry(facts, attempts, addresses)");
  }
  const FailedAttempt attempt{.idempotent = (facts & kIdempotent) != 0,
                              .sent = (facts & kSent) != 0,
                              .reused = (facts & kReused) != 0,
                              .response_byte = (facts & kResponseByte) != 0,
                              .body_touched = (facts & kBodyTouched) != 0,
                              .timed_out = (facts & kTimedOut) != 0,
                              .attempts = attempts,
                              .addresses = addresses};
  return integer(env, static_cast<std::int32_t>(upstream::decide_retry(attempt)));
}

napi_value to_js(napi_env env, const Number& number) { return integer(env, number.value); }
napi_value to_js(napi_env env, const Text& text) {
  napi_value result = nullptr;
  napi_create_string_utf8(env, text.value, NAPI_AUTO_LENGTH, &result);
  return result;
}

// Exports a table as an object.
template <typename Entry>
bool export_table(napi_env env, napi_value exports, const char* name,
                  std::span<const Entry> table) {
  napi_value object = nullptr;
  if (napi_create_object(env, &object) != napi_ok) return false;
  for (const Entry& entry : table) {
    if (napi_set_named_property(env, object, entry.name, to_js(env, entry)) != napi_ok) {
      return false;
    }
  }
  return napi_set_named_property(env, exports, name, object) == napi_ok;
}

constexpr Function kFunctions[] = {
    {"createAddressRing", create_ring},
    {"decideRetry", decide_retry},
};

}  // namespace

bool export_upstream_rules(napi_env env, napi_value exports) {
  if (export_table<Number>(env, exports, "addressRingNumbers", kRingNumbers) &&
      export_table<Number>(env, exports, "retryFacts", kRetryFacts) &&
      export_table<Text>(env, exports, "failureTexts", kFailureTexts)) {
    return export_functions(env, exports, kFunctions, nullptr);
  }
  refuse(env, "upstream rules");
  return false;
}

}  // namespace weir::binding
