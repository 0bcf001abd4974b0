#include "front/guard_program.h"

#include <algorithm>

#include "http/field_bytes.h"

namespace weir::front {

namespace {

using Kind = Instruction::Kind;
using Subject = Instruction::Subject;
using Comparison = Instruction::Comparison;
using Absent = Instruction::Absent;

bool is_name(std::string_view written, std::string_view lower) {
  return written.size() == lower.size() &&
         std::equal(written.begin(), written.end(), lower.begin(),
                    [](char one, char other) { return http::lower(one) == other; });
}

bool matches(std::string_view text, Comparison comparison, const std::string& wanted) {
  switch (comparison) {
    case Comparison::kEquals:
      return text == wanted;
    case Comparison::kStarts:
      return text.starts_with(wanted);
    case Comparison::kEnds:
      return text.ends_with(wanted);
    case Comparison::kContains:
      return text.find(wanted) != std::string_view::npos;
    case Comparison::kPresent:
      return true;
  }
  return false;
}

bool any_matches(const GuardProgram& program, const Instruction& instruction, std::string_view text,
                 std::string& scratch) {
  if (instruction.folds) {
    scratch.assign(text);
    for (char& byte : scratch) byte = http::lower(byte);
    text = scratch;
  }
  if (instruction.comparison == Comparison::kPresent) return true;
  const std::span texts(program.texts);
  for (const std::string& wanted : texts.subspan(instruction.first, instruction.count)) {
    if (matches(text, instruction.comparison, wanted)) return true;
  }
  return false;
}

}  // namespace

bool is_valid(const GuardProgram& program, std::size_t refusals) {
  const std::size_t size = program.code.size();
  for (std::size_t at = 0; at < size; ++at) {
    const Instruction& instruction = program.code[at];
    const auto leads_on = [&](std::uint32_t to) { return to > at && to < size; };
    switch (instruction.kind) {
      case Kind::kAsk:
        break;
      case Kind::kRefuse:
      case Kind::kLimit:
        if (instruction.first >= refusals) return false;
        break;
      case Kind::kPassed:
        if (instruction.first >= kPassingRules || !leads_on(instruction.then_at)) return false;
        break;
      case Kind::kText:
        if (instruction.first > program.texts.size() ||
            instruction.count > program.texts.size() - instruction.first) {
          return false;
        }
        if (instruction.subject == Subject::kField && instruction.name >= program.texts.size()) {
          return false;
        }
        if (!leads_on(instruction.then_at) || !leads_on(instruction.else_at)) return false;
        break;
      case Kind::kAddress:
        if (instruction.first >= program.sets.size()) return false;
        if (program.sets[instruction.first] == nullptr) return false;
        if (!leads_on(instruction.then_at) || !leads_on(instruction.else_at)) return false;
        break;
      default:
        return false;
    }
    if (instruction.subject > Subject::kField || instruction.absent > Absent::kUnknown ||
        instruction.comparison > Comparison::kPresent) {
      return false;
    }
  }
  return size > 0;
}

FoundField find_field(const RequestReader& reader, std::string_view lower) {
  FoundField found;
  const std::string_view head = reader.head();
  for (const Field& field : reader.fields()) {
    if (!is_name(head.substr(field.name_at, field.name_bytes), lower)) continue;
    if (found.times == 0) found.value = head.substr(field.value_at, field.value_bytes);
    ++found.times;
  }
  return found;
}

std::optional<bool> holds(const GuardProgram& program, const Instruction& instruction,
                          const GuardedRequest& request, std::string& scratch) {
  if (instruction.kind == Kind::kAddress) {
    if (request.address.empty()) return std::nullopt;
    return program.sets[instruction.first]->holds(request.address);
  }
  switch (instruction.subject) {
    case Subject::kMethod:
      return any_matches(program, instruction, request.reader.method(), scratch);
    case Subject::kHost:
      return any_matches(program, instruction, request.host, scratch);
    case Subject::kPath:
      return any_matches(program, instruction, request.path, scratch);
    case Subject::kQuery:
      return any_matches(program, instruction, request.query, scratch);
    case Subject::kField:
      break;
  }
  const FoundField field = find_field(request.reader, program.texts[instruction.name]);
  if (field.times > 1 || (field.times == 0 && instruction.absent == Absent::kUnknown)) {
    return std::nullopt;
  }
  if (field.times == 0 && instruction.absent != Absent::kEmpty) {
    return instruction.absent == Absent::kTrue;
  }
  return any_matches(program, instruction, field.value, scratch);
}

}  // namespace weir::front
