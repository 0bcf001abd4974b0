// Standing refusals (front/standing_refusals.h) as functions: JS says which there are, and takes
// what they have counted. Called by src/http/standing.ts.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "binding/front_owner.h"
#include "binding/functions.h"
#include "binding/parts.h"
#include "front/standing_refusals.h"

namespace weir::binding {

namespace {

using front::KeyRecipe;
using front::StandingRefusal;

// Numbers of a count as JS reads them.
constexpr std::size_t kCountNumbers = 3;
constexpr std::uint32_t kNumbersMax = 1U << 20;
constexpr std::uint64_t kPrefixMax = 128;

std::string latin1_of(Napi::Env env, Napi::Value value) {
  std::size_t size = 0;
  if (napi_get_value_string_latin1(env, value, nullptr, 0, &size) != napi_ok) {
    refuse(env, "a piece is no text");
  }
  std::string text(size + 1, '\0');
  napi_get_value_string_latin1(env, value, text.data(), text.size(), &size);
  text.resize(size);
  return text;
}

std::vector<std::string> texts_of(Napi::Object object, const char* name) {
  const Napi::Value value = object.Get(name);
  if (!value.IsArray()) refuse(object.Env(), std::string(name) + " are no texts");
  const auto list = value.As<Napi::Array>();
  std::vector<std::string> texts;
  for (std::uint32_t i = 0; i < list.Length(); ++i) {
    texts.push_back(latin1_of(object.Env(), list.Get(i)));
  }
  return texts;
}

// Its parts: `h` and a text, `a` for the address, `f` and a field's name.
std::vector<KeyRecipe> key_of(Napi::Object object, unsigned prefix) {
  std::vector<KeyRecipe> key;
  for (const std::string& part : texts_of(object, "key")) {
    const char kind = part.empty() ? '\0' : part.front();
    KeyRecipe recipe;
    recipe.text = part.substr(part.empty() ? 0 : 1);
    recipe.prefix = prefix;
    if (kind == 'a') {
      recipe.kind = KeyRecipe::Kind::kAddress;
    } else if (kind == 'f') {
      recipe.kind = KeyRecipe::Kind::kHeader;
    } else if (kind != 'h') {
      refuse(object.Env(), "a part of a key is of no known kind");
    }
    key.push_back(std::move(recipe));
  }
  return key;
}

class StandingFunctions {
 public:
  StandingFunctions(FrontOwner& owner, front::Limits& limits) : owner_(owner), limits_(limits) {}

  // putStanding(number, refusal): false if its limit is not open
  bool put(const Arguments& arguments) {
    const std::uint32_t number = arguments.index(0, kNumbersMax);
    const Options options(arguments.env(), arguments[1], "refusal");
    const auto object = arguments[1].As<Napi::Object>();
    StandingRefusal refusal;
    refusal.listener = options.number32("listener");
    refusal.host = latin1_of(arguments.env(), object.Get("host"));
    refusal.path = latin1_of(arguments.env(), object.Get("path"));
    refusal.exact = object.Get("isExact").ToBoolean();
    refusal.window_seconds = options.number32("windowSeconds");
    const auto prefix = static_cast<unsigned>(options.number("ipv6Prefix", kPrefixMax, 1));
    refusal.key = key_of(object, prefix);
    refusal.answer.pieces = texts_of(object, "pieces");
    refusal.answer.holes = latin1_of(arguments.env(), object.Get("holes"));
    refusal.answer.content_bytes = options.number32("contentBytes");
    refusal.answer.content_seconds = options.number32("contentSeconds");
    refusal.limited = object.Get("isLimited").ToBoolean();
    if (refusal.limited) {
      refusal.limit = limits_.limit(options.number32("limiter"));
      if (refusal.limit.serial == 0) return false;
    }
    front::StandingRefusals& standing = owner_.front().standing();
    standing.count_by(limits_);
    standing.put(number, std::move(refusal));
    return true;
  }

  // wakeStanding(number)
  void wake(const Arguments& arguments) {
    owner_.front().standing().wake(arguments.index(0, kNumbersMax));
  }

  // dropStanding(number)
  void drop(const Arguments& arguments) {
    owner_.front().standing().drop(arguments.index(0, kNumbersMax));
  }

  // clearStanding()
  void clear(const Arguments&) { owner_.front().standing().clear(); }

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
};

}  // namespace

void export_standing(Napi::Env env, Napi::Object exports, FrontOwner& front,
                     front::Limits& limits) {
  using Own = StandingFunctions;
  Functions<Own>(exports, keep(env, std::make_unique<Own>(front, limits)))
      .add<&Own::put>("putStanding")
      .add<&Own::wake>("wakeStanding")
      .add<&Own::drop>("dropStanding")
      .add<&Own::clear>("clearStanding")
      .add<&Own::take>("takeStanding")
      .add<&Own::facts>("takeStandingFacts");
}

}  // namespace weir::binding
