// The rules by which the upstream client chooses an address and tries again (upstream/addresses.h,
// upstream/retry.h), for the backends that it does not carry: undici's pool, which speaks TLS,
// decides by the same code. Called by src/upstream/undici/address-ring.ts and retry.ts.
//
// An `AddressRing` knows addresses by their index and has no connections: its caller has. The
// numbers that both sides write and read are exported beside the functions.
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <vector>

#include "binding/exports.h"
#include "binding/values.h"
#include "upstream/addresses.h"
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
constexpr std::uint32_t kAddressesMax = kProbe - 1;

// Facts of decideRetry().
constexpr std::uint32_t kIdempotent = 1;
constexpr std::uint32_t kSent = 2;
constexpr std::uint32_t kReused = 4;
constexpr std::uint32_t kResponseByte = 8;
constexpr std::uint32_t kBodyTouched = 16;
constexpr std::uint32_t kTimedOut = 32;

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

struct Ring {
  Ring(std::uint32_t count, std::uint64_t connect_timeout_ms, std::uint64_t seed)
      : addresses(seed, connect_timeout_ms) {
    for (std::uint32_t index = 0; index < count; ++index) {
      addresses.targets().push_back(std::make_unique<Target>());
      addresses.targets().back()->id = static_cast<std::int32_t>(index);
    }
    tried.reserve(count);
  }

  AddressRing addresses;
  // of the request that is being placed; a member to keep its memory
  std::vector<std::int32_t> tried;
};

template <std::size_t count>
struct MethodCall {
  napi_value values[count];
  std::size_t given = count;
  Ring* ring = nullptr;

  MethodCall(napi_env env, napi_callback_info info) {
    napi_value self = nullptr;
    void* wrapped = nullptr;
    if (napi_get_cb_info(env, info, &given, values, &self, nullptr) != napi_ok ||
        napi_unwrap(env, self, &wrapped) != napi_ok) {
      return;
    }
    ring = static_cast<Ring*>(wrapped);
  }

  // @returns nullptr where the first argument is no index of an address
  Target* target(napi_env env) const {
    std::uint32_t index = 0;
    if (ring == nullptr || napi_get_value_uint32(env, values[0], &index) != napi_ok ||
        index >= ring->addresses.targets().size()) {
      return nullptr;
    }
    return ring->addresses.targets()[index].get();
  }
};

// new AddressRing(addresses, connectTimeoutMs, seed)
napi_value construct(napi_env env, napi_callback_info info) {
  napi_value values[3];
  std::size_t given = 3;
  napi_value self = nullptr;
  napi_value target = nullptr;
  std::uint32_t count = 0;
  std::uint64_t connect_timeout_ms = 0;
  std::uint64_t seed = 0;
  if (napi_get_new_target(env, info, &target) != napi_ok || target == nullptr ||
      napi_get_cb_info(env, info, &given, values, &self, nullptr) != napi_ok ||
      napi_get_value_uint32(env, values[0], &count) != napi_ok || count > kAddressesMax ||
      !read_number(env, values[1], connect_timeout_ms) || !read_number(env, values[2], seed)) {
    return refuse(env, "new AddressRing(addresses, connectTimeoutMs, seed)");
  }
  auto ring = std::make_unique<Ring>(count, connect_timeout_ms, seed);
  const auto drop = [](napi_env, void* data, void*) { delete static_cast<Ring*>(data); };
  if (napi_wrap(env, self, ring.get(), drop, nullptr, nullptr) != napi_ok) {
    return refuse(env, "an AddressRing is made once");
  }
  ring.release();
  return self;
}

// choose(states, nowMs): hot; `states` is a Uint8Array of a byte for each address
napi_value choose(napi_env env, napi_callback_info info) {
  const MethodCall<2> call(env, info);
  napi_typedarray_type type = napi_int8_array;
  std::size_t length = 0;
  void* data = nullptr;
  std::uint64_t now_ms = 0;
  if (call.ring == nullptr ||
      napi_get_typedarray_info(env, call.values[0], &type, &length, &data, nullptr, nullptr) !=
          napi_ok ||
      type != napi_uint8_array || length != call.ring->addresses.targets().size() ||
      !read_number(env, call.values[1], now_ms)) {
    return refuse(env, "choose(states, nowMs)");
  }
  const auto* const states = static_cast<const std::uint8_t*>(data);
  std::vector<std::int32_t>& tried = call.ring->tried;
  tried.clear();
  for (std::size_t index = 0; index < length; ++index) {
    if ((states[index] & kTried) != 0) tried.push_back(static_cast<std::int32_t>(index));
  }
  const auto has_room = [states](const Target& target) {
    return (states[target.id] & kHasRoom) != 0;
  };
  Target* target = nullptr;
  switch (call.ring->addresses.choose(tried, now_ms, has_room, target)) {
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
  Target* const target = MethodCall<1>(env, info).target(env);
  if (target == nullptr) return refuse(env, "an address is an index");
  tell(*target);
  return nullptr;
}

// failed(address, nowMs)
napi_value failed(napi_env env, napi_callback_info info) {
  const MethodCall<2> call(env, info);
  Target* const target = call.target(env);
  std::uint64_t now_ms = 0;
  if (target == nullptr || !read_number(env, call.values[1], now_ms)) {
    return refuse(env, "failed(address, nowMs)");
  }
  call.ring->addresses.failed(*target, now_ms);
  return nullptr;
}

// decideRetry(facts, attempts, addresses): 0 not, 1 at another address, 2 over a fresh connection
napi_value decide_retry(napi_env env, napi_callback_info info) {
  napi_value values[3];
  std::size_t given = 3;
  std::uint32_t facts = 0;
  std::uint32_t attempts = 0;
  std::uint32_t addresses = 0;
  if (napi_get_cb_info(env, info, &given, values, nullptr, nullptr) != napi_ok ||
      napi_get_value_uint32(env, values[0], &facts) != napi_ok ||
      napi_get_value_uint32(env, values[1], &attempts) != napi_ok ||
      napi_get_value_uint32(env, values[2], &addresses) != napi_ok) {
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

bool export_numbers(napi_env env, napi_value exports, const char* name,
                    std::span<const Number> numbers) {
  napi_value object = nullptr;
  if (napi_create_object(env, &object) != napi_ok) return false;
  for (const Number& number : numbers) {
    if (napi_set_named_property(env, object, number.name, integer(env, number.value)) != napi_ok) {
      return false;
    }
  }
  return napi_set_named_property(env, exports, name, object) == napi_ok;
}

napi_property_descriptor method(const char* name, napi_callback callback) {
  return {name, nullptr, callback, nullptr, nullptr, nullptr, napi_default_method, nullptr};
}

}  // namespace

bool export_upstream_rules(napi_env env, napi_value exports) {
  const napi_property_descriptor methods[] = {
      method("choose", choose),
      method("connected", tell_of<AddressRing::connected>),
      method("answered", tell_of<AddressRing::succeeded>),
      method("failed", failed),
  };
  napi_value ring = nullptr;
  napi_value decide = nullptr;
  const bool whole = napi_define_class(env, "AddressRing", NAPI_AUTO_LENGTH, construct, nullptr,
                                       std::size(methods), methods, &ring) == napi_ok &&
                     napi_set_named_property(env, exports, "AddressRing", ring) == napi_ok &&
                     napi_create_function(env, "decideRetry", NAPI_AUTO_LENGTH, decide_retry,
                                          nullptr, &decide) == napi_ok &&
                     napi_set_named_property(env, exports, "decideRetry", decide) == napi_ok &&
                     export_numbers(env, exports, "addressRingNumbers", kRingNumbers) &&
                     export_numbers(env, exports, "retryFacts", kRetryFacts);
  if (!whole) refuse(env, "upstream rules");
  return whole;
}

}  // namespace weir::binding
