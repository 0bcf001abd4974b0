// What JS passes for a guard of standing refusals, read into what front/guard_program.h and
// front/standing_refusals.h work with. Used by standing.cc.
#pragma once

#include <napi.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "front/standing_refusals.h"

namespace weir::binding {

std::string latin1_of(Napi::Env env, Napi::Value value);
std::vector<std::string> latin1_texts(Napi::Object object, const char* name);

// Of a Uint32Array; valid as long as JS keeps it.
std::span<const std::uint32_t> words_of(Napi::Env env, Napi::Value value);

// Instructions, each so many words: kind, subject, comparison, absent, folds, name, first, count,
// then_at, else_at. What they name is looked at by `is_valid`.
std::vector<front::Instruction> code_of(Napi::Env env, std::span<const std::uint32_t> words);

// One way to refuse; its limit's serial is 0 if it is limited and that is not open.
front::Refusing refusing_of(Napi::Env env, Napi::Value value, const front::Limits& limits);

}  // namespace weir::binding
