// One limiter as one thread of one process holds it: where its record is, what its configuration
// makes of an entry, which of its pages have been seen. Template over the word and the space of
// words, like all it is made of. Made by counters.cc; admit() is the hot path.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../sip_hash.h"
#include "layout.h"
#include "placing.h"
#include "record.h"
#include "tiers.h"
#include "window.h"

namespace weir::counters {

// What words and pages can hold; the bounds of limiters, which JS gives, are below. With a larger
// capacity slot() would not be exact (window.h), a longer window has no code (record.h), and the
// largest entries of more keys need more pages than a table can refer to (tiers.h).
inline constexpr std::uint64_t kCapacityCeiling =
    ((std::uint64_t{1} << (64 - kCountBits)) - 1) * (kEntryClasses[3].ring() - 1);
inline constexpr std::uint64_t kWindowCeilingMs = record::window_ms_of(record::kWindowMask);
inline constexpr std::uint64_t kKeysCeiling =
    std::uint64_t{kTopPages} * kPageWords * kPageWords * kWays;

// What makes a limiter: equal ones share their counts (contract 5).
struct LimiterDefinition {
  Hash128 identity;            // of edge, route, configuration, order among equals; and all below
  std::uint64_t capacity;      // admissions per window, at least 1
  std::uint64_t window_ms;     // at least 1
  std::uint64_t keys_max;      // ≥ 1, rounded up to whole groups
  std::uint64_t cost_max = 1;  // admissions that one request may be worth, 1…capacity
};

// The smallest entry that is exact for this limiter; the largest where none is.
constexpr const EntryClass& entry_class_of(const LimiterDefinition& definition) noexcept {
  return entry_class_for(definition.capacity + definition.cost_max - 1);
}

// Notes that a record is in use now, unless it has ended the life that `head` is of.
template <class Word>
bool touch_record(Word* record, std::uint64_t head, std::uint64_t now) noexcept {
  std::uint64_t seen = record[kHeadWord].load(std::memory_order_acquire);
  for (;;) {
    if (!record::same_life(seen, head)) return false;
    const std::uint64_t touched = record::make_count(now, 0) & ~record::kWindowMask;
    if ((count_of(seen) & ~record::kWindowMask) >= touched) return true;
    const std::uint64_t next = opened(seen, touched | (count_of(seen) & record::kWindowMask));
    if (record[kHeadWord].compare_exchange_weak(seen, next, std::memory_order_acq_rel,
                                                std::memory_order_acquire)) {
      return true;
    }
  }
}

template <class Word, class Disk>
class Limiter {
 public:
  Limiter(Disk& disk, const LimiterDefinition& definition, std::uint64_t record_page_word)
      : window_(definition.capacity, definition.window_ms, entry_class_of(definition).ring(),
                definition.cost_max),
        definition_(definition),
        record_(&disk.word(record_page_word)),
        tiers_(disk, record_page_word + kRecordReferences,
               Shape::make(entry_class_of(definition).type, entry_class_of(definition).words,
                           definition.keys_max)),
        pages_(disk) {}

  const LimiterDefinition& definition() const noexcept { return definition_; }
  const Window& window() const noexcept { return window_; }

  // Which life of the record it is bound to: the head that was seen open, just touched.
  void bind(std::uint64_t record_head, std::uint64_t now) noexcept {
    record_head_ = record_head;
    leased_until_ = now + record::kLeaseMs;
  }

  // Whether it may count at this time. The record can't have been retired by then.
  bool is_leased(std::uint64_t now) const noexcept { return now < leased_until_; }

  // False once the record has been retired. Its pages may be another limiter's then.
  bool is_alive() const noexcept {
    return record::same_life(record_[kHeadWord].load(std::memory_order_acquire), record_head_);
  }

  // Says that it is in use, which renews the lease. False once the record has been retired.
  bool touch(std::uint64_t now) noexcept {
    if (!touch_record(record_, record_head_, now)) return false;
    leased_until_ = now + record::kLeaseMs;
    return true;
  }

  // Gives it its first page, so that a limiter that was opened has room for keys.
  bool has_room(const Hash128& any) {
    Neighbourhood<Word> around;
    tiers_.neighbours(any, around);
    return around.size > 0 || tiers_.grow(any);
  }

  // Decides on one request. `now` was read before. Hot. kGone if the record was retired while this
  // process stood still in here: the limiter is to be bound again.
  template <class Asked = One>
  Verdict admit(const Hash128& key, std::uint64_t now, const Asked& ask = {}) {
    const std::uint64_t fingerprint = fingerprint_from(key.high);
    // In a crowd that is all at its limit but for one cell, newcomers may take it from each other
    // before they have counted; none of them for ever.
    for (unsigned round = 0; round < kRoundsMax; ++round) {
      Sight<Word> sight = find(key, fingerprint);
      if constexpr (Asked::wants_room) {
        // Who only asks makes no cell, and has to look at pages that others have made.
        if (sight.cell == nullptr && !ask.is_counted) sight = find_anywhere(key, fingerprint);
        if (sight.cell == nullptr) *ask.room = {window_.capacity, 0};
        if (sight.cell == nullptr && !ask.is_counted) return placeless(key, fingerprint, now, ask);
      }
      if (sight.cell != nullptr) {
        const Verdict verdict = admit_to(sight.cell, sight.key, window_, now, ask);
        if (verdict.kind != Verdict::kGone) return verdict;
      }
      const Placed placed = place_key(key, fingerprint, now);
      if (placed.kind == Placed::kFull) {
        if constexpr (Asked::wants_room) *ask.room = {0, placed.wait_ms};
        return {Verdict::kRejected, placed.wait_ms};
      }
      if (placed.kind == Placed::kGone) {
        leased_until_ = 0;
        return {Verdict::kGone, 0};
      }
    }
    if constexpr (Asked::wants_room) *ask.room = {0, 1};
    return {Verdict::kRejected, 1};
  }

  // How long the next admission of this key would have to wait, by the same comparison as `admit`'s
  // at this time; 0: not at all, or `admit` is to be asked. A key without a cell waits where
  // `admit` would find no place for one. Counts nothing that `admit` would not. Hot.
  std::uint64_t wait_of(const Hash128& key, std::uint64_t now) {
    const std::uint64_t fingerprint = fingerprint_from(key.high);
    const Sight<Word> sight = find(key, fingerprint);
    if (sight.cell == nullptr) return wait_for_place(key, fingerprint, now);
    const Verdict verdict = admit_to(sight.cell, sight.key, window_, now, Look{});
    return verdict.kind == Verdict::kRejected ? verdict.wait_ms : 0;
  }

  // Forgets what this key has used. False if there was nothing. A decision that is under way begins
  // again, with nothing used.
  bool forget(const Hash128& key) {
    const std::uint64_t fingerprint = fingerprint_from(key.high);
    bool was_there = false;
    for (unsigned round = 0; round < kRoundsMax; ++round) {
      const Sight<Word> sight = find_anywhere(key, fingerprint);
      if (sight.cell == nullptr) return was_there;
      was_there = true;
      // Fails where somebody was admitted since.
      if (!free_cell(sight)) continue;
      record_[kLive].fetch_sub(1, std::memory_order_relaxed);
      return true;
    }
    return false;
  }

  // Notes how a request was decided. Written where only this thread sees it, report() adds it to
  // what all have decided: a line of memory that all write to would be dearer than the decision.
  void tally(Verdict::Kind kind) noexcept {
    ++(kind == Verdict::kAdmitted ? admitted_ : rejected_);
  }

  void report() noexcept {
    if ((admitted_ | rejected_) == 0) return;
    if (is_alive()) {
      record_[kAdmitted].fetch_add(admitted_, std::memory_order_relaxed);
      record_[kRejected].fetch_add(rejected_, std::memory_order_relaxed);
    }
    admitted_ = 0;
    rejected_ = 0;
  }

  // Keys that are kept, and what all threads of all processes have reported.
  struct Totals {
    std::uint64_t live;
    std::uint64_t admitted;
    std::uint64_t rejected;
  };
  Totals totals() const noexcept {
    // A process that died between opening a cell and counting it leaves this one off.
    const auto live = static_cast<std::int64_t>(record_[kLive].load());
    return {static_cast<std::uint64_t>(std::max<std::int64_t>(live, 0)), record_[kAdmitted].load(),
            record_[kRejected].load()};
  }

 private:
  // What place() needs to know of this table, for one key at one time.
  struct Space {
    Limiter& limiter;
    const Hash128& key;
    std::uint64_t now;

    void neighbours(Neighbourhood<Word>& out) { limiter.tiers_.neighbours(key, out); }
    bool grow() { return limiter.tiers_.grow(key); }
    bool holds() const noexcept { return limiter.is_alive(); }
    Judgement judge(const Sight<Word>& sight) const {
      return judge_bucket(sight, limiter.window_, now);
    }
    void forgot(bool had_expired) {
      limiter.record_[kLive].fetch_sub(1, std::memory_order_relaxed);
      if (!had_expired) limiter.pages_.header(kEvicted).fetch_add(1, std::memory_order_relaxed);
    }
  };

  // The key's open cell among those on pages that were seen before.
  Sight<Word> find(const Hash128& key, std::uint64_t fingerprint) const noexcept {
    Sight<Word> found{};
    tiers_.any_known(key, [&](const Group<Word>& group) {
      for (std::uint32_t way = 0; way < kWays; ++way) {
        Word* const cell = group.cell(static_cast<std::uint32_t>((way + fingerprint) % kWays));
        const std::uint64_t seen = cell[0].load(std::memory_order_acquire);
        if (fingerprint_of(seen) != fingerprint) continue;
        const std::uint64_t head = cell[kHeadWord].load(std::memory_order_acquire);
        if (state_of(seen, head) != State::kOpen) continue;
        found = {cell, seen, head};
        return true;
      }
      return false;
    });
    return found;
  }

  // The key's open cell on whatever page there is.
  Sight<Word> find_anywhere(const Hash128& key, std::uint64_t fingerprint) {
    Neighbourhood<Word> around;
    tiers_.neighbours(key, around);
    Sight<Word> found{};
    around.any([&](Word* cell) {
      const Sight<Word> sight = look(cell);
      if (fingerprint_of(sight.key) != fingerprint || sight.state() != State::kOpen) return false;
      found = sight;
      return true;
    });
    return found;
  }

  Placed place_key(const Hash128& key, std::uint64_t fingerprint, std::uint64_t now) {
    Space space{*this, key, now};
    Placed placed = place<Word>(space, fingerprint, 0);
    if (placed.kind == Placed::kOpened) record_[kLive].fetch_add(1, std::memory_order_relaxed);
    if (placed.kind == Placed::kFull) placed.wait_ms = turned_away(placed.wait_ms);
    return placed;
  }

  // The verdict on who only asks, of a key that has no cell: none is made.
  Verdict placeless(const Hash128& key, std::uint64_t fingerprint, std::uint64_t now,
                    const Ask& ask) {
    Space space{*this, key, now};
    const std::uint64_t wait_ms = ask.would_count ? full_wait<Word>(space, fingerprint) : 0;
    if (wait_ms == 0) return {Verdict::kAdmitted, 0};
    *ask.room = {0, std::min(wait_ms, window_.length_ms)};
    return {Verdict::kRejected, ask.room->frees_ms};
  }

  // As `place_key` where it would change nothing; 0 where it might.
  std::uint64_t wait_for_place(const Hash128& key, std::uint64_t fingerprint, std::uint64_t now) {
    Space space{*this, key, now};
    const std::uint64_t wait_ms = full_wait<Word>(space, fingerprint);
    return wait_ms == 0 ? 0 : turned_away(wait_ms);
  }

  // Notes that there was no place for a key. @returns what it waits
  std::uint64_t turned_away(std::uint64_t wait_ms) {
    pages_.header(kFull).fetch_add(1, std::memory_order_relaxed);
    return std::min(wait_ms, window_.length_ms);
  }

  Window window_;
  LimiterDefinition definition_;
  Word* record_;
  std::uint64_t record_head_ = 0;
  std::uint64_t leased_until_ = 0;
  std::uint64_t admitted_ = 0;  // not reported yet
  std::uint64_t rejected_ = 0;
  Tiers<Word, Disk> tiers_;
  Pages<Word, Disk> pages_;
};

}  // namespace weir::counters
