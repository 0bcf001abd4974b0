// Standing refusals: what JavaScript has answered once, and would answer again, to requests of a
// host and a path, is answered here without it (native/README.md, "Standing refusals"). JS says
// which there are, which requests each is for (guard_program.h) and what they send;
// front_requests.cc asks for each request. Nothing here decides more than JS would: a request that
// is not quite usual, a key that has room, and everything that is not known goes on to JS.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "front/connection.h"
#include "front/guard_program.h"
#include "front/standing_answer.h"
#include "front/standing_table.h"
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
  enum class Kind : std::uint8_t { kHost, kAddress, kHeader } kind = Kind::kHost;
  // a field's name in lower case
  std::string name;
  // of an IPv6 address, how many bits count
  unsigned prefix = 0;
};

// One way in which a policy refuses.
struct Refusing {
  // nobody is refused unless this says so; without one, everybody is
  bool limited = false;
  LimitHandle limit{};
  std::uint32_t window_seconds = 0;
  std::vector<KeyRecipe> key{};
  StandingAnswer answer;
};

// What the first rules of a policy make of a request; `is_valid` with as many refusals.
struct Guard {
  GuardProgram program;
  std::vector<Refusing> refusals;
};

struct Standing {
  std::uint32_t listener = 0;
  // as clients write it, and in normal form
  std::string host;
  std::string normal_host;
  // the whole path in normal form, or what it begins with
  std::string path;
  bool exact = false;
  std::shared_ptr<Guard> guard;
};

// Of one refused request, for those who look on.
struct RefusedFact {
  std::uint32_t number = 0;
  // of the guard
  std::uint32_t refusal = 0;
  double wall_ms = 0;
  std::array<std::uint8_t, 16> address{};
  std::uint8_t address_bytes = 0;
  std::string method;
  std::string path;
};

struct StandingCount {
  std::uint32_t number = 0;
  // of the guard; or, if `passed`, a rule that has let so many requests pass to a later one
  std::uint32_t of = 0;
  bool passed = false;
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

  // Of two whose paths begin alike the longer does not count: whoever adds one knows that no route
  // lies beneath it. One that had the number is dropped.
  void put(std::uint32_t number, Standing standing);
  // JS has refused a request that it could have answered: it looks again.
  void wake(std::uint32_t number);
  // What it has counted and nobody has taken is lost.
  void drop(std::uint32_t number);
  void clear();
  bool none() const { return table_.size() == 0; }

  // Hot. Appends the answer to the request at whose head the connection's reader stands.
  // @returns false, and nothing was appended or counted, if JS is to be asked
  bool answer(const Connection& connection, std::string& out);

  // What was refused since it was last taken. @returns false if there is nothing more
  bool take(StandingCount& count);
  // @param wanted how many are to be kept from now on
  std::vector<RefusedFact> take_facts(std::size_t wanted);

 private:
  struct Tally {
    std::uint64_t requests = 0;
    std::uint64_t bytes = 0;
  };
  // What every request looks at comes first.
  struct Held {
    Standing standing;
    std::uint64_t place = 0;
    // requests that it may look at in vain before it waits for JS to refuse again
    std::uint32_t patience = 0;
    bool counted = false;
    // of the first refusal of the guard, and of the others
    Tally first;
    std::vector<Tally> others;
    // rules that have let requests pass to a later one
    std::vector<std::uint64_t> passed;
  };
  struct Decision {
    std::uint32_t refusal = 0;
    std::uint64_t seconds = 0;
    // a bit for each rule
    std::uint64_t passed = 0;
  };

  std::uint64_t place_of(std::uint32_t listener, std::string_view host, bool exact,
                         std::string_view path);
  Held* find(std::uint32_t listener, std::string_view host, std::string_view path,
             std::uint32_t& number);
  // @returns false if JS is to be asked
  bool decide(const GuardedRequest& request, const Guard& guard, Decision& decision);
  bool rejects(const GuardedRequest& request, const Refusing& refusing, std::uint64_t& seconds);
  bool write_key(const GuardedRequest& request, const Refusing& refusing);
  void count(Held& held, std::uint32_t number, const Decision& decision, std::uint64_t bytes);
  void note(const Connection& connection, std::uint32_t number, std::uint32_t refusal,
            std::string_view path);
  bool take_from(Held& held, StandingCount& count);

  Limits* limits_ = nullptr;
  HashSeed seed_{};
  // by number
  std::vector<std::unique_ptr<Held>> held_;
  // numbers, by the hash of listener, host and, for whole paths, path
  StandingTable table_;
  // of those, how many are of whole paths
  std::size_t exact_ = 0;
  // numbers of those that have counted
  std::vector<std::uint32_t> counted_;
  std::vector<RefusedFact> facts_;
  std::size_t wanted_ = 0;
  // used again and again
  std::string text_;
  std::vector<char16_t> key_;
};

}  // namespace weir::front
