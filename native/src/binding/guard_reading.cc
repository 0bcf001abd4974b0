#include "binding/guard_reading.h"

#include <cstddef>
#include <utility>

#include "binding/arguments.h"
#include "binding/errors.h"

namespace weir::binding {

namespace {

using front::Instruction;
using front::KeyRecipe;

constexpr std::size_t kInstructionWords = 10;
constexpr std::uint64_t kPrefixMax = 128;

// Its parts: `h` for the host in normal form, `a` for the address, `f` and a field's name.
std::vector<KeyRecipe> key_of(Napi::Object object, unsigned prefix) {
  std::vector<KeyRecipe> key;
  for (const std::string& part : latin1_texts(object, "key")) {
    const char kind = part.empty() ? '\0' : part.front();
    KeyRecipe recipe;
    recipe.name = part.substr(part.empty() ? 0 : 1);
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

}  // namespace

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

std::vector<std::string> latin1_texts(Napi::Object object, const char* name) {
  const Napi::Value value = object.Get(name);
  if (!value.IsArray()) refuse(object.Env(), std::string(name) + " are no texts");
  const auto list = value.As<Napi::Array>();
  std::vector<std::string> texts;
  for (std::uint32_t i = 0; i < list.Length(); ++i) {
    texts.push_back(latin1_of(object.Env(), list.Get(i)));
  }
  return texts;
}

std::span<const std::uint32_t> words_of(Napi::Env env, Napi::Value value) {
  napi_typedarray_type type{};
  std::size_t length = 0;
  void* data = nullptr;
  if (napi_get_typedarray_info(env, value, &type, &length, &data, nullptr, nullptr) != napi_ok ||
      type != napi_uint32_array) {
    refuse(env, "a list of numbers is no Uint32Array");
  }
  return {static_cast<const std::uint32_t*>(data), length};
}

std::vector<Instruction> code_of(Napi::Env env, std::span<const std::uint32_t> words) {
  if (words.size() % kInstructionWords != 0) refuse(env, "code is cut short");
  std::vector<Instruction> code;
  for (; !words.empty(); words = words.subspan(kInstructionWords)) {
    for (std::size_t small = 0; small < 4; ++small) {
      if (words[small] > 0xff) refuse(env, "code has a number that means nothing");
    }
    code.push_back({.kind = static_cast<Instruction::Kind>(words[0]),
                    .subject = static_cast<Instruction::Subject>(words[1]),
                    .comparison = static_cast<Instruction::Comparison>(words[2]),
                    .absent = static_cast<Instruction::Absent>(words[3]),
                    .folds = words[4] != 0,
                    .name = words[5],
                    .first = words[6],
                    .count = words[7],
                    .then_at = words[8],
                    .else_at = words[9]});
  }
  return code;
}

front::Refusing refusing_of(Napi::Env env, Napi::Value value, const front::Limits& limits) {
  const Options options(env, value, "refusal");
  const auto object = value.As<Napi::Object>();
  front::AnswerRecipe answer;
  answer.pieces = latin1_texts(object, "pieces");
  answer.holes = latin1_of(env, object.Get("holes"));
  answer.content_bytes = options.number32("contentBytes");
  answer.content_seconds = options.number32("contentSeconds");
  const auto prefix = static_cast<unsigned>(options.number("ipv6Prefix", kPrefixMax, 1));
  front::Refusing refusing{.window_seconds = options.number32("windowSeconds"),
                           .key = key_of(object, prefix),
                           .answer = front::StandingAnswer(std::move(answer))};
  refusing.limited = object.Get("isLimited").ToBoolean();
  if (refusing.limited) refusing.limit = limits.limit(options.number32("limiter"));
  return refusing;
}

}  // namespace weir::binding
