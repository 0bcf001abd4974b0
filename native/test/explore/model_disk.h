// A file of a few pages for the explorer, as counters/pages.h asks for it. All other pages of the
// one segment are somebody's; there is no room for another.
#pragma once

#include <cstdint>
#include <vector>

#include "counters/pages.h"
#include "memory.h"
#include "program.h"

namespace weir::explore {

// The words that a program changes, in this order: references, the pages' own words, two hints.
class ModelDisk {
 public:
  static constexpr auto kType = counters::PageType::kEntries64;
  static constexpr std::uint64_t kFirstPage = 2;
  static constexpr std::uint64_t kFirstReference = 100 * counters::kPageWords;

  // `begin`: where they are among the words of the program.
  ModelDisk(unsigned references, unsigned pages, std::size_t begin = 0)
      : begin_(begin), references_(references), pages_(pages) {
    for (std::size_t i = 0; i < words(); ++i) {
      words_[i].place(static_cast<std::uint16_t>(begin + i));
    }
    taken_.fix(counters::page_word::make(1, kType, 1));
    segments_.fix(1);
  }

  std::size_t words() const noexcept { return references_ + pages_ + 2; }
  std::size_t reference(unsigned index) const noexcept { return begin_ + index; }
  std::size_t own(unsigned page) const noexcept { return begin_ + references_ + page; }
  std::size_t freed_hint() const noexcept { return begin_ + references_ + pages_ + 1; }

  // Every page that is owned is named, with its generation, by the reference that owns it.
  Complaint owners_hold(const std::vector<std::uint64_t>& values) const {
    for (unsigned page = 0; page < pages_; ++page) {
      const std::uint64_t own_word = values[own(page)];
      const std::uint64_t owner = counters::page_word::owner(own_word);
      if (owner == 0) continue;
      const std::uint64_t named = values[reference(static_cast<unsigned>(owner - kFirstReference))];
      if (named !=
          counters::reference::make(counters::page_word::generation(own_word), page + kFirstPage)) {
        return "a page is owned by a reference that does not name it";
      }
    }
    return {};
  }

  // As Pages asks for it.
  ModelWord& word(std::uint64_t index) {
    using namespace counters;
    constexpr std::uint64_t kHeader = kHeaderPage * kPageWords;
    if (index == kHeader + kSegments) return segments_;
    if (index == kHeader + kUntouchedHint) return words_[references_ + pages_];
    if (index == kHeader + kFreedHint + static_cast<std::size_t>(kType)) {
      return words_[references_ + pages_ + 1];
    }
    if (index >= kFirstReference) return words_[index - kFirstReference];
    if (index >= kFirstPage && index < kFirstPage + pages_) {
      return words_[references_ + index - kFirstPage];
    }
    return taken_;
  }
  bool commit(std::uint64_t) const noexcept { return false; }

 private:
  std::size_t begin_;
  unsigned references_;
  unsigned pages_;
  ModelWord words_[kWordsMax];
  ModelWord taken_;
  ModelWord segments_;
};

}  // namespace weir::explore
