#include "front/standing_refusals.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <ctime>
#include <random>
#include <utility>

#include "front/address_text.h"
#include "front/request_text.h"
#include "http/field_bytes.h"

namespace weir::front {

namespace {

// Requests in a row that a limit is asked for and admits before JS has to refuse one again: asking
// takes some 100 ns, which those who are admitted get nothing for.
constexpr std::uint32_t kPatience = 32;

// Characters of a path that those who look on are told.
constexpr std::size_t kFactBytes = 256;

constexpr std::uint64_t kMsPerSecond = 1000;

// What the normal form of a path leaves as it is, wherever it stands (../src/http/path.ts), but for
// a dot that begins a segment.
constexpr std::array<bool, 256> kPathBytes = [] {
  std::array<bool, 256> table{};
  for (std::size_t byte = '0'; byte <= '9'; ++byte) table[byte] = true;
  for (std::size_t byte = 'a'; byte <= 'z'; ++byte) table[byte] = table[byte - 0x20] = true;
  for (const char byte : std::string_view("-_~!$&'()*+,=:@/.")) {
    table[static_cast<unsigned char>(byte)] = true;
  }
  return table;
}();

bool is_normal_path(std::string_view path) {
  if (path.empty() || path.front() != '/') return false;
  char before = 0;
  for (const char byte : path) {
    if (!kPathBytes[static_cast<unsigned char>(byte)] || (before == '/' && byte == '.')) {
      return false;
    }
    before = byte;
  }
  return true;
}

// As `isPlainQuery` of ../src/http/target.ts.
bool is_plain_query(std::string_view query) {
  return std::all_of(query.begin(), query.end(),
                     [](char byte) { return byte > ' ' && byte <= '~' && byte != '#'; });
}

// HEAD is answered without content, CONNECT, TRACE and spellings of methods are JS's to judge.
bool is_usual_method(std::string_view method) {
  return method == "GET" || method == "POST" || method == "PUT" || method == "DELETE" ||
         method == "PATCH" || method == "OPTIONS";
}

bool has_no_body(const RequestReader& reader) {
  return reader.body() == BodyKind::none ||
         (reader.body() == BodyKind::sized && reader.body_bytes() == 0);
}

bool is_name(std::string_view written, std::string_view lower) {
  return written.size() == lower.size() &&
         std::equal(written.begin(), written.end(), lower.begin(),
                    [](char one, char other) { return http::lower(one) == other; });
}

void append_number(std::string& out, std::uint64_t number) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

std::uint64_t digits_of(std::uint64_t number) {
  std::uint64_t digits = 1;
  while (number >= 10) {
    number /= 10;
    ++digits;
  }
  return digits;
}

double wall_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<double>(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

// As binding/key_writer.h: what kind of part it is, its length, its units.
void append_part(std::vector<char16_t>& key, char16_t kind, std::string_view text) {
  key.push_back(kind);
  key.push_back(static_cast<char16_t>(text.size()));
  key.push_back(static_cast<char16_t>(text.size() >> 16));
  for (const char byte : text) key.push_back(static_cast<unsigned char>(byte));
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

void StandingRefusals::put(std::uint32_t number, StandingRefusal refusal) {
  drop(number);
  if (number >= held_.size()) held_.resize(number + std::size_t{1});
  auto held = std::make_unique<Held>();
  held->place = place_of(refusal.listener, refusal.host, refusal.exact, refusal.path);
  held->patience = kPatience;
  exact_ += refusal.exact ? 1 : 0;
  at_.emplace(held->place, number);
  held->refusal = std::move(refusal);
  held_[number] = std::move(held);
}

void StandingRefusals::drop(std::uint32_t number) {
  if (number >= held_.size() || held_[number] == nullptr) return;
  const std::unique_ptr<Held> held = std::move(held_[number]);
  exact_ -= held->refusal.exact ? 1 : 0;
  const auto [first, last] = at_.equal_range(held->place);
  for (auto at = first; at != last; ++at) {
    if (at->second != number) continue;
    at_.erase(at);
    break;
  }
}

void StandingRefusals::wake(std::uint32_t number) {
  if (number < held_.size() && held_[number] != nullptr) held_[number]->patience = kPatience;
}

void StandingRefusals::clear() {
  at_.clear();
  held_.clear();
  counted_.clear();
  exact_ = 0;
}

StandingRefusals::Held* StandingRefusals::find(std::uint32_t listener, std::string_view host,
                                               std::string_view path, std::uint32_t& number) {
  for (const bool exact : {true, false}) {
    if (exact && exact_ == 0) continue;
    const auto [first, last] = at_.equal_range(place_of(listener, host, exact, path));
    for (auto at = first; at != last; ++at) {
      Held& held = *held_[at->second];
      const StandingRefusal& refusal = held.refusal;
      if (refusal.exact != exact || refusal.listener != listener || refusal.host != host) continue;
      if (exact ? path != refusal.path : !path.starts_with(refusal.path)) continue;
      number = at->second;
      return &held;
    }
  }
  return nullptr;
}

bool StandingRefusals::answer(const Connection& connection, std::string& out) {
  const RequestReader& reader = connection.reader;
  if (at_.empty() || connection.last || !has_no_body(reader)) return false;
  const std::string_view target = reader.target();
  const std::string_view path = target.substr(0, target.find('?'));
  std::uint32_t number = 0;
  Held* const held = find(connection.listener->number, reader.authority(), path, number);
  if (held == nullptr || held->patience == 0) return false;
  if (!is_usual_method(reader.method()) || !is_normal_path(path) ||
      !is_plain_query(target.substr(path.size())) || !is_plain(reader)) {
    return false;
  }
  const StandingRefusal& refusal = held->refusal;
  std::uint64_t seconds = 0;
  if (refusal.limited) {
    if (limits_ == nullptr || !write_key(connection, refusal)) return false;
    const std::uint64_t wait_ms = limits_->rejected(
        refusal.limit,
        {reinterpret_cast<const unsigned char*>(key_.data()), key_.size() * sizeof(char16_t)});
    if (wait_ms == 0) {
      --held->patience;
      return false;
    }
    seconds = std::min<std::uint64_t>((wait_ms + kMsPerSecond - 1) / kMsPerSecond,
                                      refusal.window_seconds);
  }
  held->patience = kPatience;
  const std::uint64_t content =
      refusal.answer.content_bytes + refusal.answer.content_seconds * digits_of(seconds);
  append(out, *held, seconds, content);
  ++held->requests;
  held->bytes += content;
  if (!std::exchange(held->counted, true)) counted_.push_back(number);
  if (facts_.size() < wanted_) note(connection, number, path);
  return true;
}

bool StandingRefusals::write_key(const Connection& connection, const StandingRefusal& refusal) {
  const RequestReader& reader = connection.reader;
  key_.clear();
  for (const KeyRecipe& recipe : refusal.key) {
    switch (recipe.kind) {
      case KeyRecipe::Kind::kText:
        append_part(key_, kText, recipe.text);
        break;
      case KeyRecipe::Kind::kAddress:
        text_.clear();
        if (!append_counted_address(text_, {connection.address.data(), connection.address_bytes},
                                    recipe.prefix)) {
          return false;
        }
        append_part(key_, kText, text_);
        break;
      case KeyRecipe::Kind::kHeader: {
        const Field* found = nullptr;
        for (const Field& field : reader.fields()) {
          if (!is_name(reader.head().substr(field.name_at, field.name_bytes), recipe.text))
            continue;
          if (found != nullptr) return false;
          found = &field;
        }
        if (found == nullptr) {
          append_part(key_, kAbsent, {});
        } else {
          append_part(key_, kText, reader.head().substr(found->value_at, found->value_bytes));
        }
        break;
      }
    }
  }
  return true;
}

void StandingRefusals::append(std::string& out, const Held& held, std::uint64_t seconds,
                              std::uint64_t content) {
  const AnswerRecipe& answer = held.refusal.answer;
  for (std::size_t i = 0; i < answer.pieces.size(); ++i) {
    out.append(answer.pieces[i]);
    if (i >= answer.holes.size()) continue;
    switch (answer.holes[i]) {
      case 'd':
        out.append(date_.at(std::time(nullptr)));
        break;
      case 's':
        append_number(out, seconds);
        break;
      default:
        append_number(out, content);
        break;
    }
  }
}

void StandingRefusals::note(const Connection& connection, std::uint32_t number,
                            std::string_view path) {
  facts_.push_back({.number = number,
                    .wall_ms = wall_ms(),
                    .address = connection.address,
                    .address_bytes = connection.address_bytes,
                    .method = std::string(connection.reader.method()),
                    .path = std::string(path.substr(0, kFactBytes))});
}

bool StandingRefusals::take(StandingCount& count) {
  while (!counted_.empty()) {
    const std::uint32_t number = counted_.back();
    counted_.pop_back();
    Held* const held = held_[number].get();
    if (held == nullptr || !std::exchange(held->counted, false)) continue;
    count = {number, std::exchange(held->requests, 0), std::exchange(held->bytes, 0)};
    return true;
  }
  return false;
}

std::vector<RefusedFact> StandingRefusals::take_facts(std::size_t wanted) {
  wanted_ = wanted;
  return std::exchange(facts_, {});
}

}  // namespace weir::front
