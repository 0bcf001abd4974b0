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

#include "binding/functions.h"
#include "binding/parts.h"
#include "upstream/addresses.h"
#include "upstream/failure_texts.h"
#include "upstream/retry.h"

namespace weir::binding {

namespace {

using upstream::AddressRing;
using upstream::FailedAttempt;
using upstream::SetAside;
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

// What the functions of one ring share. It goes when JS has let go of the last of them.
class Ring {
 public:
  Ring(const Napi::Uint8Array& states, std::uint64_t seed, const SetAside& set_aside)
      : kept_(Napi::Persistent(states)),
        states_(states.Data(), states.ElementLength()),
        ring_(seed, set_aside) {
    for (std::size_t index = 0; index < states_.size(); ++index) {
      ring_.targets().push_back(std::make_unique<Target>());
      ring_.targets().back()->id = static_cast<std::int32_t>(index);
    }
    tried_.reserve(states_.size());
  }

  // choose(nowMs): an index, maybe with kProbe, or kWait or kNone. Hot.
  std::int32_t choose(const Arguments& arguments) {
    const std::uint64_t now_ms = arguments.number(0);
    tried_.clear();
    for (std::size_t index = 0; index < states_.size(); ++index) {
      if ((states_[index] & kTried) != 0) tried_.push_back(static_cast<std::int32_t>(index));
    }
    const auto has_room = [this](const Target& target) {
      return (states_[static_cast<std::size_t>(target.id)] & kHasRoom) != 0;
    };
    Target* target = nullptr;
    switch (ring_.choose(tried_, now_ms, has_room, target)) {
      case AddressRing::Choice::kWait:
        return kWait;
      case AddressRing::Choice::kNone:
        return kNone;
      case AddressRing::Choice::kTarget:
        break;
    }
    return target->probing ? target->id | kProbe : target->id;
  }

  // connected(address), answered(address)
  void connected(const Arguments& arguments) { AddressRing::connected(target(arguments)); }
  void answered(const Arguments& arguments) { AddressRing::succeeded(target(arguments)); }

  // setAsideMs(address, nowMs)
  double set_aside_ms(const Arguments& arguments) {
    return static_cast<double>(AddressRing::set_aside_ms(target(arguments), arguments.number(1)));
  }

  // failed(address, nowMs)
  void failed(const Arguments& arguments) { ring_.failed(target(arguments), arguments.number(1)); }

 private:
  Target& target(const Arguments& arguments) {
    return *ring_.targets()[arguments.index(0, ring_.targets().size())];
  }

  // keeps the memory of `states_`
  const Napi::Reference<Napi::Uint8Array> kept_;
  // a byte for each address, written by JS
  const std::span<const std::uint8_t> states_;
  AddressRing ring_;
  // by the request that is being placed; a member to keep its memory
  std::vector<std::int32_t> tried_;
};

class UpstreamRules {
 public:
  // createAddressRing(states, options): an object with the functions of a Ring
  Napi::Value create_ring(const Arguments& arguments) {
    if (arguments.bytes(0).size() >= kProbe) arguments.refuse(0, "has too many addresses");
    const Options options(arguments.env(), arguments[1], "options");
    const SetAside set_aside{.first_ms = options.number32("setAsideFirstMs", 1),
                             .last_ms = options.number32("setAsideLastMs", 1),
                             .probe_ms = options.number32("connectTimeoutMs")};
    const auto ring = std::make_shared<Ring>(arguments[0].As<Napi::Uint8Array>(),
                                             options.number("seed"), set_aside);
    const Napi::Object object = Napi::Object::New(arguments.env());
    Functions<Ring>(object, *ring)
        .add<&Ring::choose>("choose")
        .add<&Ring::connected>("connected")
        .add<&Ring::answered>("answered")
        .add<&Ring::failed>("failed")
        .add<&Ring::set_aside_ms>("setAsideMs");
    for (const char* const name : {"choose", "connected", "answered", "failed", "setAsideMs"}) {
      object.Get(name).As<Napi::Function>().AddFinalizer(
          [](Napi::Env, std::shared_ptr<Ring>* kept) { delete kept; },
          new std::shared_ptr<Ring>(ring));
    }
    return object;
  }

  // decideRetry(facts, attempts, addresses): 0 not, 1 at another address, 2 over a fresh connection
  std::int32_t decide_retry(const Arguments& arguments) {
    const std::uint64_t facts = arguments.number(0, 2 * kTimedOut - 1);
    const FailedAttempt attempt{.idempotent = (facts & kIdempotent) != 0,
                                .sent = (facts & kSent) != 0,
                                .reused = (facts & kReused) != 0,
                                .response_byte = (facts & kResponseByte) != 0,
                                .body_touched = (facts & kBodyTouched) != 0,
                                .timed_out = (facts & kTimedOut) != 0,
                                .attempts = arguments.number(1),
                                .addresses = arguments.number(2)};
    return static_cast<std::int32_t>(upstream::decide_retry(attempt));
  }
};

template <typename Value>
struct Entry {
  const char* name;
  Value value;
};

// Exports a table as an object.
template <typename Value, std::size_t size>
void export_table(Napi::Env env, Napi::Object exports, const char* name,
                  const Entry<Value> (&table)[size]) {
  Napi::Object object = Napi::Object::New(env);
  for (const auto& [key, value] : table) object.Set(key, value);
  exports.Set(name, object);
}

constexpr Entry<std::int32_t> kRingNumbers[] = {
    {"hasRoom", kHasRoom}, {"tried", kTried}, {"wait", kWait}, {"none", kNone}, {"probe", kProbe},
};
constexpr Entry<std::uint32_t> kRetryFacts[] = {
    {"idempotent", kIdempotent},   {"sent", kSent},
    {"reused", kReused},           {"responseByte", kResponseByte},
    {"bodyTouched", kBodyTouched}, {"timedOut", kTimedOut},
};
constexpr Entry<const char*> kFailureTexts[] = {
    {"noAddressLeft", upstream::failure_text::kNoAddressLeft},
    {"queueFull", upstream::failure_text::kQueueFull},
    {"noConnection", upstream::failure_text::kNoConnection},
    {"connectSlow", upstream::failure_text::kConnectSlow},
    {"noAnswer", upstream::failure_text::kNoAnswer},
    {"stopped", upstream::failure_text::kStopped},
    {"upgraded", upstream::failure_text::kUpgraded},
};

}  // namespace

void export_upstream_rules(Napi::Env env, Napi::Object exports) {
  Functions<UpstreamRules>(exports, keep(env, std::make_unique<UpstreamRules>()))
      .add<&UpstreamRules::create_ring>("createAddressRing")
      .add<&UpstreamRules::decide_retry>("decideRetry");
  export_table(env, exports, "addressRingNumbers", kRingNumbers);
  export_table(env, exports, "retryFacts", kRetryFacts);
  export_table(env, exports, "failureTexts", kFailureTexts);
}

}  // namespace weir::binding
