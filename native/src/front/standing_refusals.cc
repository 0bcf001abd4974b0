#include "front/standing_refusals.h"

#include <algorithm>
#include <bit>
#include <ctime>
#include <random>
#include <utility>

#include "front/address_text.h"
#include "front/usual_request.h"
#include "wall_clock.h"

namespace weir::front {

namespace {

// Requests in a row that a limit is asked for and admits before JS has to refuse one again: asking
// takes some 100 ns, which those who are admitted get nothing for.
constexpr std::uint32_t kPatience = 32;

// Characters of a path that those who look on are told.
constexpr std::size_t kFactBytes = 256;

// Bytes of a request that a guard may look through for texts, each as often as it is looked
// through. What expressions take of the loop JavaScript bounds; here looking for a text of many
// equal beginnings takes some 14 ns a byte. A head of 500 bytes may be looked through for 512
// texts.
constexpr std::size_t kLookedThrough = 262'144;

constexpr std::uint64_t kMsPerSecond = 1000;

// Units before the text of a key's part.
constexpr std::size_t kPartHead = 3;

// As binding/key_writer.h: what kind of part it is, its length, its units.
void append_part(std::vector<char16_t>& key, char16_t kind, std::string_view text) {
  const std::size_t at = key.size();
  key.resize(at + kPartHead + text.size());
  char16_t* to = key.data() + at;
  *to++ = kind;
  *to++ = static_cast<char16_t>(text.size());
  *to++ = static_cast<char16_t>(text.size() >> 16);
  for (const char byte : text) *to++ = static_cast<unsigned char>(byte);
}
constexpr char16_t kAbsent = 0;
constexpr char16_t kText = 1;

}  // namespace

StandingRefusals::StandingRefusals() {
  std::random_device random;
  const auto word = [&random] { return std::uint64_t{random()} << 32 | random(); };
  seed_ = {word(), word()};
}

std::uint64_t StandingRefusals::place_of(std::uint32_t listener, std::string_view host, bool exact,
                                         std::string_view path) {
  text_.assign(reinterpret_cast<const char*>(&listener), sizeof listener);
  text_.append(host);
  // No host holds a slash, so a host with a path is no other's.
  if (exact) text_.append(path);
  return key_hash(seed_, reinterpret_cast<const unsigned char*>(text_.data()), text_.size()).low;
}

void StandingRefusals::put(std::uint32_t number, Standing standing) {
  drop(number);
  if (number >= held_.size()) held_.resize(number + std::size_t{1});
  auto held = std::make_unique<Held>();
  held->place = place_of(standing.listener, standing.host, standing.exact, standing.path);
  held->patience = kPatience;
  exact_ += standing.exact ? 1 : 0;
  table_.put(held->place, number);
  held->others.resize(std::max<std::size_t>(standing.guard->refusals.size(), 1) - 1);
  held->standing = std::move(standing);
  held_[number] = std::move(held);
}

void StandingRefusals::drop(std::uint32_t number) {
  if (number >= held_.size() || held_[number] == nullptr) return;
  const std::unique_ptr<Held> held = std::move(held_[number]);
  exact_ -= held->standing.exact ? 1 : 0;
  table_.take(held->place, number);
}

void StandingRefusals::wake(std::uint32_t number) {
  if (number < held_.size() && held_[number] != nullptr) held_[number]->patience = kPatience;
}

void StandingRefusals::clear() {
  table_.clear();
  held_.clear();
  counted_.clear();
  exact_ = 0;
}

StandingRefusals::Held* StandingRefusals::find(std::uint32_t listener, std::string_view host,
                                               std::string_view path, std::uint32_t& number) {
  Held* found = nullptr;
  for (const bool exact : {true, false}) {
    if (exact && exact_ == 0) continue;
    table_.any(place_of(listener, host, exact, path), [&](std::uint32_t at) {
      const Standing& standing = held_[at]->standing;
      if (standing.exact != exact || standing.listener != listener || standing.host != host ||
          (exact ? path != standing.path : !path.starts_with(standing.path))) {
        return false;
      }
      number = at;
      found = held_[at].get();
      return true;
    });
    if (found != nullptr) break;
  }
  return found;
}

bool StandingRefusals::answer(const Connection& connection, std::string& out) {
  const RequestReader& reader = connection.reader;
  if (none() || connection.last) return false;
  const std::string_view target = reader.target();
  const std::string_view path = target.substr(0, target.find('?'));
  const std::string_view query = target.substr(std::min(path.size() + 1, target.size()));
  std::uint32_t number = 0;
  Held* const held = find(connection.listener->number, reader.authority(), path, number);
  if (held == nullptr || held->patience == 0 || !is_usual(reader, path, query)) return false;
  const GuardedRequest request{.reader = reader,
                               .host = held->standing.normal_host,
                               .path = path,
                               .query = query,
                               .address = {connection.address.data(), connection.address_bytes}};
  Decision decision;
  if (!decide(request, *held->standing.guard, decision)) {
    --held->patience;
    return false;
  }
  held->patience = kPatience;
  StandingAnswer& answer = held->standing.guard->refusals[decision.refusal].answer;
  count(*held, number, decision, answer.append(out, std::time(nullptr), decision.seconds));
  if (facts_.size() < wanted_) note(connection, number, decision.refusal, path);
  return true;
}

bool StandingRefusals::decide(const GuardedRequest& request, const Guard& guard,
                              Decision& decision) {
  using Kind = Instruction::Kind;
  std::size_t left = kLookedThrough;
  // Each step leads forward (`is_valid`).
  for (std::size_t at = 0;;) {
    const Instruction& instruction = guard.program.code[at];
    switch (instruction.kind) {
      case Kind::kAsk:
        return false;
      case Kind::kRefuse:
        decision.refusal = instruction.first;
        return true;
      case Kind::kLimit:
        decision.refusal = instruction.first;
        return rejects(request, guard.refusals[instruction.first], decision.seconds);
      case Kind::kPassed:
        decision.passed |= std::uint64_t{1} << instruction.first;
        at = instruction.then_at;
        break;
      case Kind::kText:
      case Kind::kAddress: {
        const std::size_t looks = request.reader.head().size() * looks_through(instruction);
        if (looks > left) return false;
        left -= looks;
        const std::optional<bool> held_so = holds(guard.program, instruction, request, text_);
        if (!held_so.has_value()) return false;
        at = *held_so ? instruction.then_at : instruction.else_at;
        break;
      }
    }
  }
}

bool StandingRefusals::rejects(const GuardedRequest& request, const Refusing& refusing,
                               std::uint64_t& seconds) {
  if (limits_ == nullptr || !write_key(request, refusing)) return false;
  const std::uint64_t wait_ms = limits_->rejected(
      refusing.limit,
      {reinterpret_cast<const unsigned char*>(key_.data()), key_.size() * sizeof(char16_t)});
  seconds =
      std::min<std::uint64_t>((wait_ms + kMsPerSecond - 1) / kMsPerSecond, refusing.window_seconds);
  return wait_ms > 0;
}

bool StandingRefusals::write_key(const GuardedRequest& request, const Refusing& refusing) {
  key_.clear();
  for (const KeyRecipe& recipe : refusing.key) {
    switch (recipe.kind) {
      case KeyRecipe::Kind::kHost:
        append_part(key_, kText, request.host);
        break;
      case KeyRecipe::Kind::kAddress:
        text_.clear();
        if (!append_counted_address(text_, request.address, recipe.prefix)) return false;
        append_part(key_, kText, text_);
        break;
      case KeyRecipe::Kind::kHeader: {
        const FoundField found = find_field(request.reader, recipe.name);
        if (found.times > 1) return false;
        append_part(key_, found.times == 0 ? kAbsent : kText, found.value);
        break;
      }
    }
  }
  return true;
}

void StandingRefusals::count(Held& held, std::uint32_t number, const Decision& decision,
                             std::uint64_t bytes) {
  Tally& tally = decision.refusal == 0 ? held.first : held.others[decision.refusal - 1];
  ++tally.requests;
  tally.bytes += bytes;
  for (std::uint64_t left = decision.passed; left != 0; left &= left - 1) {
    held.passed.resize(kPassingRules);
    ++held.passed[static_cast<std::size_t>(std::countr_zero(left))];
  }
  if (!std::exchange(held.counted, true)) counted_.push_back(number);
}

void StandingRefusals::note(const Connection& connection, std::uint32_t number,
                            std::uint32_t refusal, std::string_view path) {
  facts_.push_back({.number = number,
                    .refusal = refusal,
                    .wall_ms = wall_ms(),
                    .address = connection.address,
                    .address_bytes = connection.address_bytes,
                    .method = std::string(connection.reader.method()),
                    .path = std::string(path.substr(0, kFactBytes))});
}

bool StandingRefusals::take(StandingCount& count) {
  while (!counted_.empty()) {
    count.number = counted_.back();
    Held* const held = held_[count.number].get();
    if (held != nullptr && held->counted && take_from(*held, count)) return true;
    if (held != nullptr) held->counted = false;
    counted_.pop_back();
  }
  return false;
}

bool StandingRefusals::take_from(Held& held, StandingCount& count) {
  const auto of_refusal = [&](Tally& tally, std::uint32_t refusal) {
    const Tally taken = std::exchange(tally, {});
    count = {count.number, refusal, false, taken.requests, taken.bytes};
    return taken.requests > 0;
  };
  if (of_refusal(held.first, 0)) return true;
  for (std::uint32_t i = 0; i < held.others.size(); ++i) {
    if (of_refusal(held.others[i], i + 1)) return true;
  }
  for (std::uint32_t rule = 0; rule < held.passed.size(); ++rule) {
    count = {count.number, rule, true, std::exchange(held.passed[rule], 0), 0};
    if (count.requests > 0) return true;
  }
  return false;
}

std::vector<RefusedFact> StandingRefusals::take_facts(std::size_t wanted) {
  wanted_ = wanted;
  return std::exchange(facts_, {});
}

}  // namespace weir::front
