// Hands out pages, without a lock and without losing one. A page belongs to the word that refers to
// it, and the word refers to the page: only both together count. So a page is given in two steps,
// each one change of one word, that anybody may complete:
//
//   1. the reference is set to (page, its next generation): a proposal
//   2. the page's own word goes from free to (owned by that reference, that generation)
//
// If another reference got the page first, step 2 can never succeed any more, and the proposal may
// be replaced. A process that dies after 1 leaves a proposal that the next one completes; nothing
// is ever owned by a word that does not refer to it. Freeing a page is one change of its own word.
//
// Template over the atomic word and the space the words are in: `disk.word(index)` is the word at
// an index from the file's beginning, `disk.commit(segment)` makes a segment exist.
#pragma once

#include <atomic>
#include <cstdint>

#include "layout.h"

namespace weir::counters {

// A reference: generation:24 | page:40. A page's own word: generation:24 | type:4 | owner:36, the
// owner being the index of the reference in words, 0 if the page is free.
namespace reference {
constexpr std::uint64_t make(std::uint64_t generation, std::uint64_t page) noexcept {
  return (generation << 40) | page;
}
constexpr std::uint64_t generation(std::uint64_t word) noexcept { return word >> 40; }
constexpr std::uint64_t page(std::uint64_t word) noexcept {
  return word & ((std::uint64_t{1} << 40) - 1);
}
}  // namespace reference

namespace page_word {
constexpr std::uint64_t make(std::uint64_t generation, PageType type,
                             std::uint64_t owner) noexcept {
  return (generation << 40) | (static_cast<std::uint64_t>(type) << 36) | owner;
}
constexpr std::uint64_t generation(std::uint64_t word) noexcept { return word >> 40; }
constexpr PageType type(std::uint64_t word) noexcept {
  return static_cast<PageType>((word >> 36) & 0xf);
}
constexpr std::uint64_t owner(std::uint64_t word) noexcept {
  return word & ((std::uint64_t{1} << 36) - 1);
}
}  // namespace page_word

// changes:32 | page:32. No freed page of the type comes before it; 0: there is none.
namespace freed_hint {
constexpr std::uint64_t make(std::uint64_t changes, std::uint64_t page) noexcept {
  return (changes << 32) | page;
}
constexpr std::uint64_t changes(std::uint64_t word) noexcept { return word >> 32; }
constexpr std::uint64_t page(std::uint64_t word) noexcept { return word & 0xffffffff; }
}  // namespace freed_hint

template <class Word, class Disk>
class Pages {
 public:
  static constexpr std::uint64_t kNone = 0;  // page 0 is never handed out

  explicit Pages(Disk& disk) noexcept : disk_(&disk) {}

  // The page that this reference has, or kNone.
  std::uint64_t resolve(std::uint64_t reference_index) const {
    const std::uint64_t seen = disk_->word(reference_index).load(std::memory_order_seq_cst);
    const std::uint64_t page = reference::page(seen);
    if (seen == 0 || !is_usable(page)) return kNone;
    const std::uint64_t own = own_word(page).load(std::memory_order_seq_cst);
    const bool owned = page_word::owner(own) == reference_index &&
                       page_word::generation(own) == reference::generation(seen);
    return owned ? page : kNone;
  }

  // The same, only if it is used as this type. Whoever attached a page to a record that had become
  // another's while he stood still may have given it one that its cells don't fit on.
  std::uint64_t resolve(std::uint64_t reference_index, PageType type) const {
    const std::uint64_t page = resolve(reference_index);
    if (page == kNone) return kNone;
    return page_word::type(own_word(page).load(std::memory_order_relaxed)) == type ? page : kNone;
  }

  // The page that this reference has, a new one if it had none; kNone if there is none to be had.
  std::uint64_t attach(std::uint64_t reference_index, PageType type) {
    Word& ref = disk_->word(reference_index);
    for (;;) {
      std::uint64_t seen = ref.load(std::memory_order_seq_cst);
      const std::uint64_t page = reference::page(seen);
      if (seen != 0 && is_usable(page)) {
        std::uint64_t own = own_word(page).load(std::memory_order_seq_cst);
        if (page_word::owner(own) == reference_index &&
            page_word::generation(own) == reference::generation(seen) &&
            page_word::type(own) == type) {
          return page;
        }
        if (is_free_for(own, type) && next_generation(own) == reference::generation(seen)) {
          const std::uint64_t owned = page_word::make(next_generation(own), type, reference_index);
          if (own_word(page).compare_exchange_strong(own, owned, std::memory_order_seq_cst,
                                                     std::memory_order_seq_cst)) {
            return page;
          }
          continue;
        }
      }
      const std::uint64_t candidate = find_free(type);
      if (candidate == kNone) {
        // The last one may have been taken meanwhile for this very reference.
        if (ref.load(std::memory_order_seq_cst) == seen) return kNone;
        continue;
      }
      const std::uint64_t own = own_word(candidate).load(std::memory_order_seq_cst);
      if (!is_free_for(own, type)) continue;
      ref.compare_exchange_strong(seen, reference::make(next_generation(own), candidate),
                                  std::memory_order_seq_cst, std::memory_order_seq_cst);
    }
  }

  // Takes the page from its reference. Its content must be free cells or references by then.
  void release(std::uint64_t page) {
    std::uint64_t own = own_word(page).load(std::memory_order_seq_cst);
    if (page_word::owner(own) == 0) return;
    const PageType type = page_word::type(own);
    const std::uint64_t freed = page_word::make(page_word::generation(own), type, 0);
    if (!own_word(page).compare_exchange_strong(own, freed, std::memory_order_seq_cst,
                                                std::memory_order_seq_cst)) {
      return;
    }
    // The hint changes even where it stays the same, so that a search that came by before this page
    // was free can't conclude that there is none.
    Word& hint = header(kFreedHint + static_cast<std::size_t>(type));
    std::uint64_t seen = hint.load(std::memory_order_relaxed);
    for (;;) {
      const std::uint64_t first = freed_hint::page(seen);
      const std::uint64_t next = freed_hint::make(freed_hint::changes(seen) + 1,
                                                  first == 0 || page < first ? page : first);
      if (hint.compare_exchange_weak(seen, next, std::memory_order_acq_rel,
                                     std::memory_order_relaxed)) {
        return;
      }
    }
  }

  Word& own_word(std::uint64_t page) const {
    const std::uint64_t segment = page / kSegmentPages;
    return disk_->word(segment * kSegmentPages * kPageWords + page % kSegmentPages);
  }

  // Index of the first word of a page.
  static constexpr std::uint64_t first_word(std::uint64_t page) noexcept {
    return page * kPageWords;
  }

  Word& header(std::size_t word) const { return disk_->word(first_word(kHeaderPage) + word); }

  std::uint64_t segments() const { return header(kSegments).load(std::memory_order_acquire); }

  static constexpr bool is_handed_out(std::uint64_t page) noexcept {
    const std::uint64_t index = page % kSegmentPages;
    return index != 0 && index <= kLastUsablePage && page != kHeaderPage;
  }

  bool is_usable(std::uint64_t page) const {
    return is_handed_out(page) && page / kSegmentPages < segments();
  }

 private:
  static std::uint64_t next_generation(std::uint64_t own) noexcept {
    return (page_word::generation(own) + 1) & 0xffffff;
  }

  static bool is_free_for(std::uint64_t own, PageType type) noexcept {
    const PageType had = page_word::type(own);
    return page_word::owner(own) == 0 && (had == type || had == PageType::kUntouched);
  }

  // A free page of this type, else an untouched one, else one of a new segment. It may be gone by
  // the time it is asked for.
  std::uint64_t find_free(PageType type) {
    const std::uint64_t freed = find_freed(type);
    if (freed != kNone) return freed;
    Word& hint = header(kUntouchedHint);
    for (;;) {
      const std::uint64_t found = scan(hint.load(std::memory_order_relaxed), PageType::kUntouched);
      if (found != kNone) {
        hint.store(found, std::memory_order_relaxed);
        return found;
      }
      std::uint64_t seen = segments();
      if (!disk_->commit(seen)) return kNone;
      header(kSegments).compare_exchange_strong(seen, seen + 1, std::memory_order_acq_rel,
                                                std::memory_order_acquire);
    }
  }

  std::uint64_t find_freed(PageType type) {
    Word& hint = header(kFreedHint + static_cast<std::size_t>(type));
    std::uint64_t seen = hint.load(std::memory_order_acquire);
    if (freed_hint::page(seen) == 0) return kNone;
    const std::uint64_t found = scan(freed_hint::page(seen), type);
    if (found == freed_hint::page(seen)) return found;
    // Moves on, to none if there is none; unless a page was freed meanwhile.
    hint.compare_exchange_strong(seen, freed_hint::make(freed_hint::changes(seen) + 1, found),
                                 std::memory_order_acq_rel, std::memory_order_relaxed);
    return found;
  }

  // The first free page of exactly this type from `begin` on.
  std::uint64_t scan(std::uint64_t begin, PageType type) const {
    const std::uint64_t end = segments() * kSegmentPages;
    for (std::uint64_t page = begin; page < end; ++page) {
      if (!is_handed_out(page)) continue;
      const std::uint64_t own = own_word(page).load(std::memory_order_relaxed);
      if (page_word::owner(own) == 0 && page_word::type(own) == type) return page;
    }
    return kNone;
  }

  Disk* disk_;
};

}  // namespace weir::counters
