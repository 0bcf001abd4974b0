// The counters as functions of numbers and strings. Called by src/limiter/binding.ts. Every
// environment (worker thread) has counters and limiters of its own; what they share is in the file.
// Numbers stand for both; those of closed ones are used again.
#include "counters/counters.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "binding/counters_options.h"
#include "binding/functions.h"
#include "binding/key_writer.h"
#include "binding/parts.h"
#include "front/standing_refusals.h"

namespace weir::binding {

namespace {

using counters::Counters;
using counters::CountersError;

// What a decision is for: to admit and count, to be told only, to count what has happened, to look
// without being counted as a request.
enum Purpose : std::uint32_t { kCharge, kAsk, kForce, kLook, kTry, kPurposes };
enum DecisionWord : std::size_t { kRemaining, kFreesMs, kDecisionWords };

class CountersFunctions final : public front::Limits {
 public:
  // openCounters(path, owner, bytesMax, bounds[, clock]): counters. An empty path means memory of
  // this environment's own; the clock is for tests.
  std::uint32_t open_counters(const Arguments& arguments) {
    const LimiterBounds bounds = read_bounds(arguments, 3);
    CountersError error;
    auto counters = Counters::open(read_counters_options(arguments), error);
    if (counters == nullptr) fail_to_open(arguments.env(), error);
    files_.push_back({std::move(counters), bounds});
    return static_cast<std::uint32_t>(files_.size() - 1);
  }

  // closeCounters(counters), and all of its limiters
  void close_counters(const Arguments& arguments) {
    File& file = file_of(arguments);
    for (std::uint32_t i = 0; i < limiters_.size(); ++i) {
      if (limiters_[i].counters == file.counters.get()) close(i);
    }
    file.counters.reset();
  }

  // setClock(counters, bootMs): only for counters that were opened with a clock of their own
  void set_clock(const Arguments& arguments) {
    file_of(arguments).counters->set_manual_clock(arguments.number(1));
  }

  // openLimiter(counters, identity, capacity, windowMs, keysMax[, costMax[, make]]): limiter; -1:
  // there is no room, or nobody has made it and it is not to be made
  std::int32_t open_limiter(const Arguments& arguments) {
    const File& file = file_of(arguments);
    const std::string identity = arguments.text(1);
    const std::uint64_t capacity = arguments.number(2, file.bounds.capacity_max);
    const std::uint64_t window_ms = arguments.number(3, file.bounds.window_max_ms);
    const std::uint64_t keys_max = arguments.number(4, file.bounds.keys_max);
    const std::uint64_t cost_max = arguments.has(5) ? arguments.number(5, capacity) : 1;
    if (capacity == 0 || window_ms == 0 || keys_max == 0 || cost_max == 0) {
      refuse(arguments.env(), "a limiter's numbers are not 0");
    }
    auto limiter =
        !arguments.has(6) || arguments.boolean(6)
            ? file.counters->open_limiter(identity, capacity, window_ms, keys_max, cost_max)
            : file.counters->find_limiter(identity, capacity, window_ms, keys_max, cost_max);
    if (limiter == nullptr) return -1;
    const std::uint32_t handle = free_handle();
    limiters_[handle] = {file.counters.get(), std::move(limiter), file.bounds.key_parts_max,
                         ++serial_};
    return static_cast<std::int32_t>(handle);
  }

  // closeLimiter(limiter)
  void close_limiter(const Arguments& arguments) {
    const OpenLimiter& open = limiter_of(arguments.env(), arguments[0]);
    close(static_cast<std::uint32_t>(&open - limiters_.data()));
  }

  // admit(limiter, ...parts): 0, or the milliseconds to wait. A part is a string, undefined, or an
  // array of strings. Hot: no allocation here (but for a key longer than any before), and none
  // there, the result being a small integer.
  //
  // Plain Node-API, because Napi::CallbackInfo has room for six arguments and allocates for more: a
  // decision by six parts took 237 ns with it, and 185 with room for all of them on the stack (AMD
  // EPYC, Node 20, `npm run bench:crossings`).
  static napi_value admit(napi_env env, napi_callback_info info) {
    return called<&CountersFunctions::decide_one>(env, info);
  }

  // decide(limiter, purpose, cost, ...parts): as admit, for several admissions at once; `decision`
  // then says what there is room for. Hot as well.
  static napi_value decide(napi_env env, napi_callback_info info) {
    return called<&CountersFunctions::decide_several>(env, info);
  }

  // forgetKey(limiter, ...parts): whether there was anything to forget
  static napi_value forget_key(napi_env env, napi_callback_info info) {
    return called<&CountersFunctions::forget>(env, info);
  }

  // For the front (front/standing_refusals.h).
  front::LimitHandle limit(std::uint32_t number) const override {
    const bool is_open = number < limiters_.size() && limiters_[number].limiter != nullptr;
    return {number, is_open ? limiters_[number].serial : 0};
  }

  std::uint64_t rejected(const front::LimitHandle& limit,
                         std::span<const unsigned char> key) override {
    if (limit.serial == 0 || this->limit(limit.number).serial != limit.serial) return 0;
    const OpenLimiter& open = limiters_[limit.number];
    const Hash128 hash = open.counters->hash(*open.limiter, key.data(), key.size());
    const std::uint64_t now = open.counters->now();
    // Without a lease the record may be another limiter's by now.
    const std::uint64_t wait_ms =
        open.limiter->is_leased(now) ? open.limiter->wait_of(hash, now) : 0;
    if (wait_ms > 0) open.limiter->tally(counters::Verdict::kRejected);
    return wait_ms;
  }

  // reportLimiters(counters): adds what was decided here to what all have decided
  void report_limiters(const Arguments& arguments) {
    const Counters* const counters = file_of(arguments).counters.get();
    for (const OpenLimiter& open : limiters_) {
      if (open.counters == counters) open.limiter->report();
    }
  }

  // limiterTotals(limiter): what all have reported of it
  Napi::Value limiter_totals(const Arguments& arguments) {
    const auto read = limiter_of(arguments.env(), arguments[0]).limiter->totals();
    Napi::Object result = Napi::Object::New(arguments.env());
    result.Set("live", static_cast<double>(read.live));
    result.Set("admitted", static_cast<double>(read.admitted));
    result.Set("rejected", static_cast<double>(read.rejected));
    return result;
  }

  // Memory in which a decision leaves the room, by the places in decisionLayout.
  void share_decision(Napi::Env env, Napi::Object exports) {
    auto memory = Napi::ArrayBuffer::New(env, kDecisionWords * sizeof(std::int32_t));
    decision_ = static_cast<std::int32_t*>(memory.Data());
    decision_memory_ = Napi::Persistent(memory);
    exports.Set("decision", memory);
  }

  // touch(counters, part, parts): says that its limiters are in use, one of so many parts of them
  void touch(const Arguments& arguments) {
    Counters& counters = *file_of(arguments).counters;
    const std::uint64_t part = arguments.number(1);
    const std::uint64_t parts = arguments.number(2);
    if (part >= parts) refuse(arguments.env(), "there are fewer parts");
    for (std::size_t i = part; i < limiters_.size(); i += parts) {
      if (limiters_[i].counters == &counters) counters.touch(*limiters_[i].limiter);
    }
  }

  // collect(counters, cells): true once it has been round
  bool collect(const Arguments& arguments) {
    Counters& counters = *file_of(arguments).counters;
    const std::uint64_t cells = arguments.number(1);
    if (cells == 0) refuse(arguments.env(), "no cells to look at");
    return counters.collect(cells);
  }

  // statistics(counters): a look at every limiter there is
  Napi::Value statistics(const Arguments& arguments) {
    const auto read = file_of(arguments).counters->statistics();
    Napi::Object result = Napi::Object::New(arguments.env());
    result.Set("limiters", static_cast<double>(read.limiters));
    result.Set("live", static_cast<double>(read.live));
    result.Set("evicted", static_cast<double>(read.evicted));
    result.Set("full", static_cast<double>(read.full));
    result.Set("bytes", static_cast<double>(read.bytes));
    return result;
  }

  // growthError(counters): errno of the last attempt to make the file larger, 0 if it did not fail
  std::int32_t growth_error(const Arguments& arguments) {
    return file_of(arguments).counters->commit_error();
  }

 private:
  struct File {
    // nullptr: closed
    std::unique_ptr<Counters> counters;
    LimiterBounds bounds;
  };
  struct OpenLimiter {
    Counters* counters = nullptr;
    // nullptr: closed
    std::unique_ptr<Counters::OpenLimiter> limiter;
    std::size_t key_parts_max = 0;
    // no other limiter has it, before or later
    std::uint64_t serial = 0;
  };

  using Values = std::array<napi_value, 1 + kKeyPartsRoom>;

  template <auto method>
  static napi_value called(napi_env env, napi_callback_info info) {
    std::size_t count = 1 + kKeyPartsRoom;
    Values values;
    void* data = nullptr;
    napi_get_cb_info(env, info, &count, values.data(), nullptr, &data);
    try {
      return to_js(env, (static_cast<CountersFunctions*>(data)->*method)(env, values, count));
    } catch (const Napi::Error& error) {
      error.ThrowAsJavaScriptException();
      return nullptr;
    }
  }

  // The limiter and the hash of the key whose parts begin at `first`.
  struct Asked {
    const OpenLimiter& open;
    Hash128 key;
  };
  Asked asked(Napi::Env env, const Values& values, std::size_t count, std::size_t first) {
    KeyWriter key(env, key_);
    for (std::size_t i = first; i < std::min(count, values.size()); ++i) key.part(values[i]);
    // Only now: an array's elements may be getters, which may open and close limiters.
    const OpenLimiter& open = limiter_of(env, values[0]);
    if (count > first + open.key_parts_max) refuse(env, "the key has too many parts");
    const auto bytes = key.bytes();
    return {open, open.counters->hash(*open.limiter, bytes.data(), bytes.size())};
  }

  std::int32_t decide_one(Napi::Env env, const Values& values, std::size_t count) {
    const auto [open, key] = asked(env, values, count, 1);
    const counters::Verdict verdict = open.counters->admit(*open.limiter, key);
    open.limiter->tally(verdict.kind);
    return static_cast<std::int32_t>(verdict.wait_ms);
  }

  std::int32_t decide_several(Napi::Env env, const Values& values, std::size_t count) {
    const auto [open, key] = asked(env, values, count, 3);
    const std::uint32_t purpose = read_index(env, values[1], kPurposes);
    const std::uint32_t cost =
        read_index(env, values[2], static_cast<std::size_t>(open.limiter->window().cost_max) + 1);
    if (cost == 0) refuse(env, "a cost of 0");
    counters::Room room{};
    const counters::Ask ask{cost, purpose == kCharge || purpose == kForce, purpose == kForce, &room,
                            purpose == kTry};
    const counters::Verdict verdict =
        open.counters->admit(*open.limiter, key, open.counters->now(), ask);
    if (purpose == kCharge || purpose == kAsk) open.limiter->tally(verdict.kind);
    decision_[kRemaining] = static_cast<std::int32_t>(room.remaining);
    decision_[kFreesMs] = static_cast<std::int32_t>(room.frees_ms);
    return static_cast<std::int32_t>(verdict.wait_ms);
  }

  bool forget(Napi::Env env, const Values& values, std::size_t count) {
    const auto [open, key] = asked(env, values, count, 1);
    return open.counters->forget(*open.limiter, key);
  }

  File& file_of(const Arguments& arguments) {
    File& file = files_[arguments.index(0, files_.size())];
    if (file.counters == nullptr) arguments.refuse(0, "is not open");
    return file;
  }

  const OpenLimiter& limiter_of(Napi::Env env, napi_value handle) const {
    const std::uint32_t index = read_index(env, handle, limiters_.size());
    if (limiters_[index].limiter == nullptr) refuse(env, "the limiter is not open");
    return limiters_[index];
  }

  std::uint32_t free_handle() {
    if (free_limiters_.empty()) {
      limiters_.emplace_back();
      return static_cast<std::uint32_t>(limiters_.size() - 1);
    }
    const std::uint32_t handle = free_limiters_.back();
    free_limiters_.pop_back();
    return handle;
  }

  void close(std::uint32_t limiter) {
    limiters_[limiter] = {};
    free_limiters_.push_back(limiter);
  }

  std::vector<File> files_;
  std::vector<OpenLimiter> limiters_;
  std::vector<std::uint32_t> free_limiters_;
  std::uint64_t serial_ = 0;
  std::vector<char16_t> key_ = std::vector<char16_t>(4096);
  Napi::Reference<Napi::ArrayBuffer> decision_memory_;
  std::int32_t* decision_ = nullptr;
};

}  // namespace

front::Limits& export_counters(Napi::Env env, Napi::Object exports) {
  using Own = CountersFunctions;
  Own& own = keep(env, std::make_unique<Own>());
  Functions<Own>(exports, own)
      .add<&Own::open_counters>("openCounters")
      .add<&Own::close_counters>("closeCounters")
      .add<&Own::set_clock>("setClock")
      .add<&Own::open_limiter>("openLimiter")
      .add<&Own::close_limiter>("closeLimiter")
      .add_plain("admit", Own::admit)
      .add_plain("decide", Own::decide)
      .add_plain("forgetKey", Own::forget_key)
      .add<&Own::touch>("touch")
      .add<&Own::report_limiters>("reportLimiters")
      .add<&Own::limiter_totals>("limiterTotals")
      .add<&Own::collect>("collect")
      .add<&Own::statistics>("statistics")
      .add<&Own::growth_error>("growthError");
  own.share_decision(env, exports);
  Napi::Object layout = Napi::Object::New(env);
  for (const auto& [name, number] : {std::pair{"remaining", kRemaining}, {"freesMs", kFreesMs}}) {
    layout.Set(name, static_cast<double>(number));
  }
  exports.Set("decisionLayout", layout);
  Napi::Object purposes = Napi::Object::New(env);
  for (const auto& [name, number] : {std::pair{"charge", kCharge},
                                     {"ask", kAsk},
                                     {"force", kForce},
                                     {"look", kLook},
                                     {"try", kTry}}) {
    purposes.Set(name, static_cast<double>(number));
  }
  exports.Set("decisionPurposes", purposes);
  exports.Set("limiterLeaseMs", static_cast<double>(counters::record::kLeaseMs));
  return own;
}

}  // namespace weir::binding
