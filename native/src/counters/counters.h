// The counters: one mapped file, the limiters in it, the time they go by. One object per thread of
// a process that uses them; any number of objects, in any number of processes, may have one file
// open. Called by binding/counters.cc.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "limiter.h"
#include "mapping.h"

namespace weir::counters {

struct CountersOptions {
  std::string path;  // empty: memory of this object's own
  // Makes the file if it is not there, and puts it in order if nobody else has it open.
  bool owner = false;
  std::size_t bytes_max = kSegmentBytes;
  // For tests: another boot, another wall clock, a boot clock that stands where it is put.
  bool manual_clock = false;
  std::uint64_t boot_ms = 0;
  std::uint64_t wall_ms = 0;
  BootId boot{};
};

// Why counters can't be opened.
struct CountersError {
  enum Kind {
    kNone,
    kForeign,  // no counters file
    kLayout,   // one of another version of weir
    kDamaged,  // one whose header or size is wrong
    kSystem    // the system said no: system_error
  } kind = kNone;
  int system_error = 0;
};

struct Statistics {
  std::uint64_t limiters =
      0;                   // rate-limits that are known, those released and not collected included
  std::uint64_t live = 0;  // keys kept over all of them
  std::uint64_t evicted = 0;
  std::uint64_t full = 0;
  std::uint64_t bytes = 0;  // of the file, or of the memory in its place
};

class Counters {
 public:
  using OpenLimiter = Limiter<AtomicWord, Mapping>;

  // nullptr and a reason, or the counters.
  static std::unique_ptr<Counters> open(const CountersOptions& options, CountersError& error);
  ~Counters();

  // Milliseconds; goes on over a reboot by the wall clock.
  std::uint64_t now() const noexcept;
  // For tests; milliseconds on the boot clock's scale.
  void set_manual_clock(std::uint64_t boot_ms) noexcept { manual_ms_ = boot_ms; }

  // The limiter of this identity, whoever made it. nullptr if there is no room for another one.
  // The same text with another window or bound is another limiter. `cost_max`: admissions that one
  // request may be worth.
  std::unique_ptr<OpenLimiter> open_limiter(std::string_view identity, std::uint64_t capacity,
                                            std::uint64_t window_ms, std::uint64_t keys_max,
                                            std::uint64_t cost_max = 1);
  // The same, but nullptr if nobody has made it.
  std::unique_ptr<OpenLimiter> find_limiter(std::string_view identity, std::uint64_t capacity,
                                            std::uint64_t window_ms, std::uint64_t keys_max,
                                            std::uint64_t cost_max = 1);

  // The keyed hash of a bucket's key in this limiter.
  Hash128 hash(const OpenLimiter& limiter, const unsigned char* key,
               std::size_t bytes) const noexcept {
    const Hash128& identity = limiter.definition().identity;
    return key_hash({identity.low, identity.high}, key, bytes);
  }

  // Decides on one request now. Hot.
  Verdict admit(OpenLimiter& limiter, const Hash128& key) { return admit(limiter, key, now()); }
  template <class Asked = One>
  Verdict admit(OpenLimiter& limiter, const Hash128& key, std::uint64_t now,
                const Asked& ask = {}) {
    for (;;) {
      if (!limiter.is_leased(now)) [[unlikely]] {
        if (!renew(limiter, now)) {
          const std::uint64_t wait = std::min(kUnboundWaitMs, limiter.window().length_ms);
          if constexpr (Asked::wants_room) *ask.room = {0, wait};
          return {Verdict::kRejected, wait};
        }
      }
      const Verdict verdict = limiter.admit(key, now, ask);
      if (verdict.kind != Verdict::kGone) return verdict;
    }
  }

  // Forgets what a key has used; false if there was nothing.
  bool forget(OpenLimiter& limiter, const Hash128& key);

  // Says that this limiter is in use; to be called again within kLeaseMs, else the next decision
  // has to do it.
  void touch(OpenLimiter& limiter) noexcept;

  // Collects the space of limiters that nobody touched for their window and kGraceMs. Works on from
  // where it stopped for about `budget` cells; true once it has been round. Of all who have the
  // file open only one does it; for the rest there is nothing to do.
  bool collect(std::uint64_t budget);

  Statistics statistics() const;
  int commit_error() const noexcept { return mapping_.commit_error(); }

 private:
  static constexpr std::uint64_t kUnboundWaitMs = 1000;

  explicit Counters(const CountersOptions& options);

  CountersError begin(const CountersOptions& options);
  CountersError validate() const;
  bool create(const CountersOptions& options);
  void set_epoch(const CountersOptions& options);
  bool adopt_header();
  void put_in_order();
  bool renew(OpenLimiter& limiter, std::uint64_t now);
  LimiterDefinition definition_of(std::string_view identity, std::uint64_t capacity,
                                  std::uint64_t window_ms, std::uint64_t keys_max,
                                  std::uint64_t cost_max) const;
  std::unique_ptr<OpenLimiter> bind(const LimiterDefinition& definition, bool make);
  AtomicWord* find_record(const LimiterDefinition& definition, std::uint64_t now,
                          std::uint64_t& head, bool make);
  void collect_record(AtomicWord* record, std::uint64_t& budget);
  AtomicWord& header(std::size_t word) const noexcept;
  std::uint64_t index_of(const AtomicWord* word) const noexcept;

  Mapping mapping_;
  Pages<AtomicWord, Mapping> pages_;
  std::unique_ptr<Tiers<AtomicWord, Mapping>> root_;
  HashSeed seed_{};
  std::uint64_t epoch_ = 0;
  bool manual_ = false;
  std::uint64_t manual_ms_ = 0;
  std::vector<std::uint64_t> to_collect_;  // pages of records, of the round that is going on
};

}  // namespace weir::counters
