// How a key gets a cell of its own, and never two: claim a free cell (tentative), look at every
// other cell the key may be in, then open it. Of two tentative cells the one at the lower address
// wins; whoever sees it drives it on, so that nobody waits for the one who claimed it. The
// argument is in native/README.md, "One cell a key". Templates over the atomic word.
#pragma once

#include <atomic>
#include <cstdint>

#include "words.h"

namespace weir::counters {

// Neighbouring cells: `ways` of them, `stride` words apart.
template <class Word>
struct Group {
  Word* first;
  std::uint32_t stride;
  std::uint32_t ways;

  Word* cell(std::uint32_t index) const noexcept { return first + std::size_t{index} * stride; }
};

// Every group that a key may be in, in the order in which they are filled. Only those that exist.
template <class Word>
struct Neighbourhood {
  static constexpr unsigned kGroupsMax = 7;
  static constexpr unsigned kNoneMissing = ~0U;
  Group<Word> groups[kGroupsMax];
  unsigned tiers[kGroupsMax];
  unsigned size = 0;
  // The first tier of which a group that the key may be in does not exist yet.
  unsigned first_missing = kNoneMissing;

  void add(Group<Word> group, unsigned tier) noexcept {
    groups[size] = group;
    tiers[size] = tier;
    ++size;
  }

  // visit(cell) for every cell until it returns true.
  template <class Visit>
  bool any(Visit visit) const {
    for (unsigned i = 0; i < size; ++i) {
      for (std::uint32_t way = 0; way < groups[i].ways; ++way) {
        if (visit(groups[i].cell(way))) return true;
      }
    }
    return false;
  }
};

// A cell as it was seen: its key first, its head after it, so that a head of the key's version is
// the head of that claim.
template <class Word>
struct Sight {
  Word* cell;
  std::uint64_t key;
  std::uint64_t head;

  State state() const noexcept { return state_of(key, head); }
};

// The key is read in the one order of all claims (seq_cst); see settle().
template <class Word>
Sight<Word> look(Word* cell) noexcept {
  const std::uint64_t key = cell[0].load(std::memory_order_seq_cst);
  return {cell, key, cell[1].load(std::memory_order_acquire)};
}

// Makes a cell that is tentative, open or retired a free one. False if it has changed since.
template <class Word>
bool free_cell(const Sight<Word>& sight) noexcept {
  std::uint64_t head = sight.head;
  return sight.cell[1].compare_exchange_strong(head, freed(head), std::memory_order_acq_rel,
                                               std::memory_order_acquire);
}

// Makes a free cell this key's, tentatively. False if it has been claimed since.
template <class Word>
bool claim(const Sight<Word>& sight, std::uint64_t fingerprint) noexcept {
  std::uint64_t key = sight.key;
  return sight.cell[0].compare_exchange_strong(
      key, claim_of(fingerprint, sight.head), std::memory_order_seq_cst, std::memory_order_seq_cst);
}

enum class Settled {
  kOpened,    // by this call
  kElsewhere  // by somebody, somewhere, or not at all: look again
};

// Drives a tentative cell of this key on until the key has one open cell. `neighbours(out)` fills
// in a Neighbourhood with all cells that the key may be in at that moment.
template <class Word, class Neighbours>
Settled settle(Word* mine, std::uint64_t fingerprint, std::uint64_t open_count,
               Neighbours neighbours) {
  for (;;) {
    const Sight<Word> own = look(mine);
    if (fingerprint_of(own.key) != fingerprint || own.state() != State::kTentative) {
      return Settled::kElsewhere;
    }
    Neighbourhood<Word> around;
    neighbours(around);
    Word* lower = nullptr;
    const bool lost = around.any([&](Word* cell) {
      if (cell == mine) return false;
      const Sight<Word> other = look(cell);
      if (fingerprint_of(other.key) != fingerprint) return false;
      if (other.state() == State::kOpen) {
        free_cell(own);
        return true;
      }
      if (other.state() != State::kTentative) return false;
      if (cell < mine) {
        lower = cell;
        return true;
      }
      return !free_cell(other);
    });
    if (lower != nullptr) {
      mine = lower;
      continue;
    }
    if (lost) return Settled::kElsewhere;
    std::uint64_t head = own.head;
    return mine[1].compare_exchange_strong(head, opened(head, open_count),
                                           std::memory_order_acq_rel, std::memory_order_acquire)
               ? Settled::kOpened
               : Settled::kElsewhere;
  }
}

}  // namespace weir::counters
