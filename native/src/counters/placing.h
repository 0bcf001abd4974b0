// What happens when a key has no open cell: it takes one that is free or has expired, else the
// table grows, else the least recently admitted key that is not limited is forgotten, else the
// newcomer is told to come back when the first of them may be. Templates over the atomic word and
// over the space that the cells are in:
//
//   space.neighbours(out)  fills in the Neighbourhood of this key, as it is now (seq_cst)
//   space.grow()           adds a group for this key; false if there is no more room
//   space.judge(sight)     whether an open cell may be taken
//   space.forgot(expired)  an open cell was freed; it had expired, or it was evicted
//   space.holds()          whether the cells just seen were this table's; may be left out where it
//                          never ends
#pragma once

#include <cstdint>

#include "cell.h"
#include "window.h"

namespace weir::counters {

// An open cell, as somebody sees it who wants its place.
struct Judgement {
  enum Kind { kExpired, kEvictable, kLimited } kind;
  std::uint64_t ms;  // kEvictable: its newest admission; kLimited: how long it stays so
};

// What became of a key that had no cell.
struct Placed {
  enum Kind {
    kOpened,  // it has one now, opened by this call
    kFound,   // somebody opened one; look again
    kFull,    // there is none to be had before wait_ms
    kGone     // the table has ended, its cells are others'
  } kind;
  std::uint64_t wait_ms;
};

template <class Word>
Judgement judge_bucket(const Sight<Word>& sight, const Window& window, std::uint64_t now) noexcept {
  const std::uint64_t number = count_of(sight.head);
  if (number == 0) return {Judgement::kExpired, 0};
  const std::uint64_t newest =
      stamp_of(sight.cell, window.slot(number - 1)).load(std::memory_order_relaxed);
  if (newest <= now && now - newest >= window.length_ms) return {Judgement::kExpired, 0};
  const std::uint64_t wait = wait_for(sight.cell, window, number, now);
  if (wait > 0) return {Judgement::kLimited, wait};
  return {Judgement::kEvictable, newest};
}

inline constexpr std::uint64_t kNever = ~std::uint64_t{0};

// A group with so many of them is taken although another one has more, or could be made: most keys
// are then found in the first group that a lookup comes to.
inline constexpr unsigned kRoomy = 4;

// One look at all cells of a neighbourhood.
template <class Word>
struct Survey {
  Sight<Word> own{};        // a tentative cell of the very key
  Sight<Word> vacant{};     // free or expired, in the emptier group of the first tier that has one
  Sight<Word> oldest{};     // least recently admitted, not limited
  Sight<Word> tentative{};  // of another key
  bool found = false;       // the key has an open cell
  bool is_crowded = false;  // where the vacant one is, though another group could be made there
  std::uint64_t oldest_ms = kNever;
  std::uint64_t soonest = kNever;  // until one of the limited ones is not, ms
};

// What a group has to give.
template <class Word>
struct Vacancy {
  Sight<Word> free{};
  Sight<Word> expired{};
  unsigned cells = 0;

  Sight<Word> best() const { return free.cell != nullptr ? free : expired; }
};

// Takes one cell, of another key and open, into account.
template <class Word, class Space>
void survey_open(Space& space, const Sight<Word>& sight, Survey<Word>& seen,
                 Vacancy<Word>& vacancy) {
  const Judgement judgement = space.judge(sight);
  if (judgement.kind == Judgement::kExpired) {
    ++vacancy.cells;
    vacancy.expired = sight;
  } else if (judgement.kind == Judgement::kLimited) {
    if (judgement.ms < seen.soonest) seen.soonest = judgement.ms;
  } else if (judgement.ms < seen.oldest_ms) {
    seen.oldest_ms = judgement.ms;
    seen.oldest = sight;
  }
}

template <class Word, class Space>
Vacancy<Word> survey_group(Space& space, const Group<Word>& group, std::uint64_t fingerprint,
                           Survey<Word>& seen) {
  Vacancy<Word> vacancy;
  for (std::uint32_t way = 0; way < group.ways; ++way) {
    // From the key's home on, where a lookup begins.
    const auto index = static_cast<std::uint32_t>((way + fingerprint) % group.ways);
    const Sight<Word> sight = look(group.cell(index));
    const State state = sight.state();
    if (state == State::kFree) {
      ++vacancy.cells;
      if (vacancy.free.cell == nullptr) vacancy.free = sight;
    } else if (fingerprint_of(sight.key) == fingerprint && state != State::kRetired) {
      if (state == State::kTentative) seen.own = sight;
      if (state == State::kOpen) seen.found = true;
    } else if (state == State::kOpen) {
      survey_open(space, sight, seen, vacancy);
    } else if (state == State::kTentative) {
      seen.tentative = sight;
    }
  }
  return vacancy;
}

template <class Word, class Space>
Survey<Word> survey_of(Space& space, const Neighbourhood<Word>& around, std::uint64_t fingerprint) {
  Survey<Word> seen;
  unsigned most = 0;
  unsigned tier = 0;
  for (unsigned i = 0; i < around.size; ++i) {
    const Vacancy<Word> vacancy = survey_group(space, around.groups[i], fingerprint, seen);
    const bool may_win = most == 0 || (most < kRoomy && around.tiers[i] == tier);
    if (!may_win || vacancy.cells <= most) continue;
    most = vacancy.cells;
    tier = around.tiers[i];
    seen.vacant = vacancy.best();
  }
  seen.is_crowded = most > 0 && most < kRoomy && around.first_missing <= tier;
  return seen;
}

template <class Word, class Space>
Survey<Word> survey(Space& space, std::uint64_t fingerprint) {
  Neighbourhood<Word> around;
  space.neighbours(around);
  return survey_of<Word>(space, around, fingerprint);
}

// How long a newcomer would have to wait if all cells that it may have are limited, and no group is
// left to be made; 0: `place` is to be asked. Changes nothing.
template <class Word, class Space>
std::uint64_t full_wait(Space& space, std::uint64_t fingerprint) {
  Neighbourhood<Word> around;
  space.neighbours(around);
  if (around.first_missing != Neighbourhood<Word>::kNoneMissing) return 0;
  const Survey<Word> seen = survey_of<Word>(space, around, fingerprint);
  if constexpr (requires { space.holds(); }) {
    if (!space.holds()) return 0;
  }
  const bool has_place = seen.own.cell != nullptr || seen.vacant.cell != nullptr ||
                         seen.oldest.cell != nullptr || seen.tentative.cell != nullptr;
  return seen.found || has_place || seen.soonest == kNever ? 0 : seen.soonest;
}

// Rounds before a newcomer is turned away; each is lost to a change that somebody else made.
inline constexpr unsigned kRoundsMax = 1024;

template <class Word, class Space>
Placed place(Space& space, std::uint64_t fingerprint, std::uint64_t open_count) {
  const auto neighbours = [&](Neighbourhood<Word>& out) { space.neighbours(out); };
  for (unsigned round = 0; round < kRoundsMax; ++round) {
    const Survey<Word> seen = survey<Word>(space, fingerprint);
    // Asked after the look: what was seen is then this table's, and if it becomes another's before
    // it is changed, the change fails.
    if constexpr (requires { space.holds(); }) {
      if (!space.holds()) return {Placed::kGone, 0};
    }
    if (seen.found) {
      // A claim that came too late, this call's or another's: nobody else would need it.
      if (seen.own.cell != nullptr) free_cell(seen.own);
      return {Placed::kFound, 0};
    }
    Sight<Word> target = seen.own;
    if (target.cell == nullptr) {
      target = seen.vacant;
      if ((target.cell == nullptr || seen.is_crowded) && space.grow()) continue;
      if (target.cell == nullptr) target = seen.oldest;
      if (target.cell == nullptr) target = seen.tentative;
      if (target.cell == nullptr) return {Placed::kFull, seen.soonest};
      if (target.state() != State::kFree) {
        if (!free_cell(target)) continue;
        if (target.state() == State::kOpen) space.forgot(seen.vacant.cell != nullptr);
        target.head = freed(target.head);
      }
      if (!claim(target, fingerprint)) continue;
    }
    if (settle(target.cell, fingerprint, open_count, neighbours) == Settled::kOpened) {
      return {Placed::kOpened, 0};
    }
  }
  return {Placed::kFull, 1};
}

}  // namespace weir::counters
