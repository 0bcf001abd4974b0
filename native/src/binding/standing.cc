// Standing refusals (front/standing_refusals.h) as functions: JS says which there are, by which
// guards, and takes what they have counted. Called by src/http/standing.ts.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "binding/front_owner.h"
#include "binding/functions.h"
#include "binding/guard_reading.h"
#include "binding/parts.h"
#include "front/standing_refusals.h"

namespace weir::binding {

namespace {

using front::Guard;

// Numbers of a count as JS reads them.
constexpr std::size_t kCountNumbers = 4;
constexpr std::uint32_t kNumbersMax = 1U << 20;

// By number; what has one that is not there is refused.
template <typename Kept>
std::shared_ptr<Kept> kept_at(Napi::Env env, const std::vector<std::shared_ptr<Kept>>& all,
                              std::uint64_t number) {
  if (number >= all.size() || all[number] == nullptr) refuse(env, "a number is that of nothing");
  return all[number];
}

template <typename Kept>
void keep_at(std::vector<std::shared_ptr<Kept>>& all, std::uint32_t number,
             std::shared_ptr<Kept> kept) {
  if (number >= all.size()) all.resize(number + std::size_t{1});
  all[number] = std::move(kept);
}

class StandingFunctions {
 public:
  StandingFunctions(FrontOwner& owner, front::Limits& limits) : owner_(owner), limits_(limits) {}

  // putAddresses(number, v4, v4Lengths, v6, v6Lengths)
  void put_addresses(const Arguments& arguments) {
    const Napi::Env env = arguments.env();
    keep_at<const front::AddressTable>(sets_, arguments.index(0, kNumbersMax),
                                       std::make_shared<const front::AddressTable>(
                                           words_of(env, arguments[1]), arguments.bytes(2),
                                           words_of(env, arguments[3]), arguments.bytes(4)));
  }

  // dropAddresses(number)
  void drop_addresses(const Arguments& arguments) {
    keep_at<const front::AddressTable>(sets_, arguments.index(0, kNumbersMax), nullptr);
  }

  // putGuard(number, guard): false if a limit of it is not open
  bool put_guard(const Arguments& arguments) {
    const Napi::Env env = arguments.env();
    const std::uint32_t number = arguments.index(0, kNumbersMax);
    const Options options(env, arguments[1], "guard");
    const auto object = arguments[1].As<Napi::Object>();
    auto guard = std::make_shared<Guard>();
    const std::span<const std::uint32_t> sets = words_of(env, object.Get("sets"));
    for (const std::uint32_t set : sets) guard->program.sets.push_back(kept_at(env, sets_, set));
    guard->program.texts = latin1_texts(object, "texts");
    guard->program.code = code_of(env, words_of(env, object.Get("code")));
    const Napi::Value refusals = object.Get("refusals");
    if (!refusals.IsArray()) refuse(env, "refusals are no list");
    const auto list = refusals.As<Napi::Array>();
    for (std::uint32_t i = 0; i < list.Length(); ++i) {
      front::Refusing refusing = refusing_of(env, list.Get(i), limits_);
      if (refusing.limited && refusing.limit.serial == 0) return false;
      guard->refusals.push_back(std::move(refusing));
    }
    if (!is_valid(guard->program, guard->refusals.size())) refuse(env, "a guard leads nowhere");
    keep_at(guards_, number, std::move(guard));
    return true;
  }

  // dropGuard(number): what stands by it goes on standing
  void drop_guard(const Arguments& arguments) {
    keep_at<Guard>(guards_, arguments.index(0, kNumbersMax), nullptr);
  }

  // putStanding(number, standing)
  void put(const Arguments& arguments) {
    const Napi::Env env = arguments.env();
    const std::uint32_t number = arguments.index(0, kNumbersMax);
    const Options options(env, arguments[1], "standing");
    const auto object = arguments[1].As<Napi::Object>();
    front::Standing made;
    made.listener = options.number32("listener");
    made.host = latin1_of(env, object.Get("host"));
    made.normal_host = latin1_of(env, object.Get("normalHost"));
    made.path = latin1_of(env, object.Get("path"));
    made.exact = object.Get("isExact").ToBoolean();
    made.guard = kept_at(env, guards_, options.number("guard"));
    front::StandingRefusals& standing = owner_.front().standing();
    standing.count_by(limits_);
    standing.put(number, std::move(made));
  }

  // wakeStanding(number)
  void wake(const Arguments& arguments) {
    owner_.front().standing().wake(arguments.index(0, kNumbersMax));
  }

  // dropStanding(number)
  void drop(const Arguments& arguments) {
    owner_.front().standing().drop(arguments.index(0, kNumbersMax));
  }

  // clearStanding(): with all guards and addresses
  void clear(const Arguments&) {
    owner_.front().standing().clear();
    guards_.clear();
    sets_.clear();
  }

  // takeStanding(counts: Float64Array): how many counts were written
  std::uint32_t take(const Arguments& arguments) {
    napi_typedarray_type type{};
    std::size_t length = 0;
    void* data = nullptr;
    if (napi_get_typedarray_info(arguments.env(), arguments[0], &type, &length, &data, nullptr,
                                 nullptr) != napi_ok ||
        type != napi_float64_array) {
      arguments.refuse(0, "is no Float64Array");
    }
    auto* const numbers = static_cast<double*>(data);
    std::size_t at = 0;
    front::StandingCount count;
    while (at + kCountNumbers <= length && owner_.front().standing().take(count)) {
      numbers[at++] = count.number;
      numbers[at++] = count.passed ? -1.0 - count.of : count.of;
      numbers[at++] = static_cast<double>(count.requests);
      numbers[at++] = static_cast<double>(count.bytes);
    }
    return static_cast<std::uint32_t>(at / kCountNumbers);
  }

  // takeStandingFacts(wanted): of single requests, at most as many as were wanted last time
  Napi::Value facts(const Arguments& arguments) {
    const auto wanted = static_cast<std::size_t>(arguments.number(0, kNumbersMax));
    const auto taken = owner_.front().standing().take_facts(wanted);
    Napi::Array result = Napi::Array::New(arguments.env(), taken.size());
    for (std::uint32_t i = 0; i < taken.size(); ++i) {
      Napi::Object fact = Napi::Object::New(arguments.env());
      fact.Set("number", taken[i].number);
      fact.Set("refusal", taken[i].refusal);
      fact.Set("wallMs", taken[i].wall_ms);
      fact.Set("address", Napi::Buffer<std::uint8_t>::Copy(arguments.env(), taken[i].address.data(),
                                                           taken[i].address_bytes));
      fact.Set("method", taken[i].method);
      fact.Set("path", taken[i].path);
      result.Set(i, fact);
    }
    return result;
  }

 private:
  FrontOwner& owner_;
  front::Limits& limits_;
  // by number; what stands keeps its own
  std::vector<std::shared_ptr<Guard>> guards_;
  std::vector<std::shared_ptr<const front::AddressTable>> sets_;
};

}  // namespace

void export_standing(Napi::Env env, Napi::Object exports, FrontOwner& front,
                     front::Limits& limits) {
  using Own = StandingFunctions;
  Functions<Own>(exports, keep(env, std::make_unique<Own>(front, limits)))
      .add<&Own::put_addresses>("putAddresses")
      .add<&Own::drop_addresses>("dropAddresses")
      .add<&Own::put_guard>("putGuard")
      .add<&Own::drop_guard>("dropGuard")
      .add<&Own::put>("putStanding")
      .add<&Own::wake>("wakeStanding")
      .add<&Own::drop>("dropStanding")
      .add<&Own::clear>("clearStanding")
      .add<&Own::take>("takeStanding")
      .add<&Own::facts>("takeStandingFacts");
}

}  // namespace weir::binding
