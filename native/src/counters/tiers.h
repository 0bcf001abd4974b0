// Where the cells of a key are. A table is as small as its keys allow: a page, then up to sixteen,
// then as many as its bound lets it have; a page comes into being when a key needs it. In every
// tier a key may be in the groups that its hash chooses, and in none but those, so that looking
// for it has an end. Nothing is ever moved.
//
// One Tiers object belongs to one thread of one process; what it remembers of the pages it has seen
// saves the way through the references. What it does not remember it looks up when that matters.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "../sip_hash.h"
#include "cell.h"
#include "layout.h"
#include "pages.h"

namespace weir::counters {

inline constexpr std::uint32_t kWays = 8;

// How many groups a table of cells of this size has, by tier.
struct Shape {
  PageType type;
  std::uint32_t cell_words;
  std::uint32_t groups_per_page;
  std::uint64_t groups[3];

  static Shape make(PageType type, std::uint32_t cell_words, std::uint64_t cells_max) noexcept {
    const auto per_page = static_cast<std::uint32_t>(kPageWords / (cell_words * kWays));
    const std::uint64_t all = std::max<std::uint64_t>(1, (cells_max + kWays - 1) / kWays);
    const std::uint64_t first = std::min<std::uint64_t>(all, per_page);
    const std::uint64_t second =
        std::min<std::uint64_t>(all - first, std::uint64_t{per_page} * kMiddlePages);
    return {type, cell_words, per_page, {first, second, all - first - second}};
  }

  // Pages of a tier that is full.
  std::uint64_t pages(unsigned tier) const noexcept {
    return (groups[tier] + groups_per_page - 1) / groups_per_page;
  }
};

template <class Word, class Disk>
class Tiers {
 public:
  // `references`: index of the first of the table's kReferences references.
  Tiers(Disk& disk, std::uint64_t references, const Shape& shape)
      : disk_(&disk), pages_(disk), references_(references), shape_(shape) {}

  // visit(group) for the groups of this hash on pages that this object has seen, the largest tier
  // first; until it returns true. Hot.
  template <class Visit>
  bool any_known(const Hash128& hash, Visit visit) const {
    for (unsigned tier = 3; tier-- > 0;) {
      if (known_[tier].empty()) continue;
      for (unsigned choice = 0; choice < kChoices[tier]; ++choice) {
        const std::uint64_t index = group_index(hash, tier, choice);
        const std::uint32_t page = known_[tier][index / shape_.groups_per_page];
        if (page != 0 && visit(group_in(words_of(page), index))) return true;
      }
    }
    return false;
  }

  // All groups of this hash that exist now, whoever made them.
  void neighbours(const Hash128& hash, Neighbourhood<Word>& out) {
    for (unsigned tier = 0; tier < 3; ++tier) {
      std::uint64_t taken[kChoicesMax];
      for (unsigned choice = 0; choice < kChoices[tier] && shape_.groups[tier] > 0; ++choice) {
        const std::uint64_t index = group_index(hash, tier, choice);
        taken[choice] = index;
        if (std::find(taken, taken + choice, index) != taken + choice) continue;
        Word* const page = page_at(tier, index / shape_.groups_per_page, false);
        if (page != nullptr) {
          out.add(group_in(page, index), tier);
        } else if (out.first_missing > tier) {
          out.first_missing = tier;
        }
      }
    }
  }

  // Makes the first group of this hash that neighbours() did not find. If somebody else has made it
  // since, that is as good: nobody is turned away from a page that he has not looked at. False if
  // all were found, or there is no page to be had.
  bool grow(const Hash128& hash) {
    for (unsigned tier = 0; tier < 3; ++tier) {
      for (unsigned choice = 0; choice < kChoices[tier] && shape_.groups[tier] > 0; ++choice) {
        const std::uint64_t page = group_index(hash, tier, choice) / shape_.groups_per_page;
        if (!is_known(tier, page)) return page_at(tier, page, true) != nullptr;
      }
    }
    return false;
  }

  // visit(page number) for every page of cells, visit_directory(page number) for the rest, after
  // what they refer to.
  template <class Visit, class VisitDirectory>
  void all_pages(Visit visit, VisitDirectory visit_directory) const {
    const auto each = [&](std::uint64_t from, std::uint64_t count, auto&& then) {
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t page = pages_.resolve(from + i);
        if (page != pages_.kNone) then(page);
      }
    };
    each(references_, 1 + kMiddlePages, visit);
    each(references_ + 1 + kMiddlePages, kTopPages, [&](std::uint64_t top) {
      each(pages_.first_word(top), kPageWords, [&](std::uint64_t directory) {
        each(pages_.first_word(directory), kPageWords, visit);
        visit_directory(directory);
      });
      visit_directory(top);
    });
  }

 private:
  // Groups that a hash chooses by tier. With three, a table of 65,536 cells is filled to 82 %
  // before a first key finds all of its groups full, by 95 % it is 1 in 140; with two, 1 in 50.
  static constexpr unsigned kChoices[3] = {2, 2, 3};
  static constexpr unsigned kChoicesMax = 3;

  std::uint64_t group_index(const Hash128& hash, unsigned tier, unsigned choice) const noexcept {
    // Odd multipliers (of which golden ratio and Weyl are the first); the high half is as good as
    // another hash, `low` being one.
    constexpr std::uint64_t kMultipliers[3] = {0x9e3779b97f4a7c15, 0xd1b54a32d192ed03,
                                               0xaef17502108ef2d9};
    const std::uint64_t mixed = (hash.low * kMultipliers[choice]) >> 32;
    return (mixed * shape_.groups[tier]) >> 32;
  }

  Group<Word> group_in(Word* page, std::uint64_t index) const noexcept {
    const std::uint64_t in_page = index % shape_.groups_per_page;
    return {page + in_page * kWays * shape_.cell_words, shape_.cell_words, kWays};
  }

  bool is_known(unsigned tier, std::uint64_t index) const noexcept {
    return !known_[tier].empty() && known_[tier][index] != 0;
  }

  Word* page_at(unsigned tier, std::uint64_t index, bool make) {
    auto& known = known_[tier];
    if (is_known(tier, index)) return words_of(known[index]);
    const std::uint64_t page = find(tier, index, make);
    if (page == pages_.kNone) return nullptr;
    if (known.empty()) known.resize(shape_.pages(tier), 0);
    known[index] = static_cast<std::uint32_t>(page);
    return words_of(page);
  }

  Word* words_of(std::uint64_t page) const { return &disk_->word(pages_.first_word(page)); }

  std::uint64_t find(unsigned tier, std::uint64_t index, bool make) {
    if (tier == 0) return step(references_, shape_.type, make);
    if (tier == 1) return step(references_ + 1 + index, shape_.type, make);
    const std::uint64_t top = references_ + 1 + kMiddlePages + index / (kPageWords * kPageWords);
    const std::uint64_t directories = step(top, PageType::kDirectory, make);
    if (directories == pages_.kNone) return pages_.kNone;
    const std::uint64_t directory =
        step(pages_.first_word(directories) + index / kPageWords % kPageWords, PageType::kDirectory,
             make);
    if (directory == pages_.kNone) return pages_.kNone;
    return step(pages_.first_word(directory) + index % kPageWords, shape_.type, make);
  }

  std::uint64_t step(std::uint64_t reference, PageType type, bool make) {
    return make ? pages_.attach(reference, type) : pages_.resolve(reference, type);
  }

  Disk* disk_;
  Pages<Word, Disk> pages_;
  std::uint64_t references_;
  Shape shape_;
  std::vector<std::uint32_t> known_[3];  // page numbers, 0: not seen yet
};

}  // namespace weir::counters
