// Standing refusals: what JavaScript has answered once, and would answer again, to any request of a
// host and a path, is answered here without it (native/README.md, "Standing refusals"). JS says
// which there are and what they send; front_requests.cc asks for each request. Nothing here decides
// more than JS would: a request that is not quite usual, a key that has room, and everything that
// is not known goes on to JS.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "front/answer_text.h"
#include "front/connection.h"
#include "sip_hash.h"

namespace weir::front {

// A rate-limit that is open. Numbers of closed ones are used again, serials are not.
struct LimitHandle {
  std::uint32_t number = 0;
  std::uint64_t serial = 0;
};

// Who counts: the counters; in tests, the test.
class Limits {
 public:
  virtual ~Limits() = default;
  // @returns serial 0 if it is not open
  virtual LimitHandle limit(std::uint32_t number) const = 0;
  // Hot. @param key as binding/key_writer.h writes keys
  // @returns milliseconds until this key may be admitted, and the request is counted as rejected;
  // 0:
  //   it may be now, or nobody can say, and nothing is counted
  virtual std::uint64_t rejected(const LimitHandle& limit, std::span<const unsigned char> key) = 0;
};

// A part of the key that a limit counts by.
struct KeyRecipe {
  enum class Kind : std::uint8_t { kText, kAddress, kHeader } kind = Kind::kText;
  // what it is, in ASCII; or a field's name in lower case
  std::string text;
  // of an IPv6 address, how many bits count
  unsigned prefix = 0;
};

// Bytes of an answer, in their order; behind each piece but the last what changes: `d` the line of
// the date, `s` the seconds to wait, `l` the length of the content.
struct AnswerRecipe {
  std::vector<std::string> pieces;
  std::string holes;
  // of the content, without its seconds; how often those stand in it
  std::uint32_t content_bytes = 0;
  std::uint32_t content_seconds = 0;
};

struct StandingRefusal {
  std::uint32_t listener = 0;
  // as clients write it
  std::string host;
  // the whole path in normal form, or what it begins with
  std::string path;
  bool exact = false;
  // nobody is admitted unless this says so; without one, nobody ever is
  bool limited = false;
  LimitHandle limit;
  std::uint32_t window_seconds = 0;
  std::vector<KeyRecipe> key;
  AnswerRecipe answer;
};

// Of one refused request, for those who look on.
struct RefusedFact {
  std::uint32_t number = 0;
  double wall_ms = 0;
  std::array<std::uint8_t, 16> address{};
  std::uint8_t address_bytes = 0;
  std::string method;
  std::string path;
};

struct StandingCount {
  std::uint32_t number = 0;
  std::uint64_t requests = 0;
  // of the answers' contents
  std::uint64_t bytes = 0;
};

class StandingRefusals {
 public:
  StandingRefusals();
  StandingRefusals(const StandingRefusals&) = delete;
  StandingRefusals& operator=(const StandingRefusals&) = delete;

  // Before the first; it lives as long.
  void count_by(Limits& limits) { limits_ = &limits; }
  const Limits* limits() const { return limits_; }

  // Of two whose paths begin alike the longer does not count: whoever adds one knows that no route
  // lies beneath it. One that had the number is dropped.
  void put(std::uint32_t number, StandingRefusal refusal);
  // JS has refused a request that it could have answered: it looks again.
  void wake(std::uint32_t number);
  // What it has counted and nobody has taken is lost.
  void drop(std::uint32_t number);
  void clear();
  bool none() const { return at_.empty(); }

  // Hot. Appends the answer to the request at whose head the connection's reader stands.
  // @returns false, and nothing was appended or counted, if JS is to be asked
  bool answer(const Connection& connection, std::string& out);

  // What was refused since it was last taken. @returns false if there is nothing more
  bool take(StandingCount& count);
  // @param wanted how many are to be kept from now on
  std::vector<RefusedFact> take_facts(std::size_t wanted);

 private:
  struct Held {
    StandingRefusal refusal;
    std::uint64_t place = 0;
    std::uint64_t requests = 0;
    std::uint64_t bytes = 0;
    // requests that it may look at in vain before it waits for JS to refuse again
    std::uint32_t patience = 0;
    bool counted = false;
  };

  std::uint64_t place_of(std::uint32_t listener, std::string_view host, bool exact,
                         std::string_view path);
  Held* find(std::uint32_t listener, std::string_view host, std::string_view path,
             std::uint32_t& number);
  bool write_key(const Connection& connection, const StandingRefusal& refusal);
  void append(std::string& out, const Held& held, std::uint64_t seconds, std::uint64_t content);
  void note(const Connection& connection, std::uint32_t number, std::string_view path);

  Limits* limits_ = nullptr;
  HashSeed seed_{};
  // by number
  std::vector<std::unique_ptr<Held>> held_;
  // numbers, by the hash of listener, host and, for whole paths, path
  std::unordered_multimap<std::uint64_t, std::uint32_t> at_;
  // of those, how many are of whole paths
  std::size_t exact_ = 0;
  // numbers of those that have counted
  std::vector<std::uint32_t> counted_;
  std::vector<RefusedFact> facts_;
  std::size_t wanted_ = 0;
  DateLine date_;
  // used again and again
  std::string text_;
  std::vector<char16_t> key_;
};

}  // namespace weir::front
