// What decides, without JS, whether a policy refuses a request: instructions that look at method,
// host, path, query, the client's address and single fields, as the policy's first rules do
// (native/README.md, "Standing refusals"). Each names the next one, and always one behind itself,
// so that a program ends; where nobody here can tell, it says so, and JS decides. Pure; run by
// standing_refusals.cc.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "front/address_table.h"
#include "front/request_reader.h"

namespace weir::front {

struct Instruction {
  enum class Kind : std::uint8_t {
    // JS decides
    kAsk,
    // by refusal number `first`, whoever comes so far
    kRefuse,
    // likewise, if its limit rejects the key; else JS decides
    kLimit,
    // rule number `first` applied and has let the request pass
    kPassed,
    kText,
    kAddress,
  };
  enum class Subject : std::uint8_t { kMethod, kHost, kPath, kQuery, kField };
  enum class Comparison : std::uint8_t { kEquals, kStarts, kEnds, kContains, kPresent };
  // What a field that is not there is: false, true, the empty text, or for JS to decide.
  enum class Absent : std::uint8_t { kFalse, kTrue, kEmpty, kUnknown };

  Kind kind = Kind::kAsk;
  Subject subject = Subject::kMethod;
  Comparison comparison = Comparison::kEquals;
  Absent absent = Absent::kFalse;
  // the subject in lower case is compared
  bool folds = false;
  // of a field: its name, a text in lower case
  std::uint32_t name = 0;
  // of several texts from here on any has to match; or a refusal, a rule, a set of addresses
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  // the next instruction, where it is true and where it is false
  std::uint32_t then_at = 0;
  std::uint32_t else_at = 0;
};

// Rules that may let a request pass are bits of one number.
inline constexpr std::uint32_t kPassingRules = 64;

struct GuardProgram {
  std::vector<Instruction> code;
  std::vector<std::string> texts;
  std::vector<std::shared_ptr<const AddressTable>> sets;
};

// Whether it may be run: every number names something, every step leads forward, and every way
// ends.
bool is_valid(const GuardProgram& program, std::size_t refusals);

// What programs look at.
struct GuardedRequest {
  const RequestReader& reader;
  // in normal form
  std::string_view host;
  std::string_view path;
  // without its question mark
  std::string_view query;
  // in network order
  std::span<const std::uint8_t> address;
};

// Hot. Of kText and kAddress. @param scratch used again and again
// @returns nothing where JS has to decide: a field that is repeated, an address that is not known
std::optional<bool> holds(const GuardProgram& program, const Instruction& instruction,
                          const GuardedRequest& request, std::string& scratch);

// How often its subject is looked through at most.
constexpr std::size_t looks_through(const Instruction& instruction) {
  const bool searches = instruction.comparison == Instruction::Comparison::kContains;
  const bool looks =
      instruction.kind == Instruction::Kind::kText && (searches || instruction.folds);
  return looks ? std::size_t{instruction.count} + 1 : 0;
}

// A field by its name in lower case.
struct FoundField {
  std::string_view value;
  std::uint32_t times = 0;
};
FoundField find_field(const RequestReader& reader, std::string_view lower);

}  // namespace weir::front
