// A program of references that compete for a few pages (counters/pages.h), and what must hold of it
// at every moment. All other pages of the one segment are somebody's; there is no room for another.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "counters/pages.h"
#include "report.h"

namespace weir::explore {

// What a thread does: attach a reference, or release the page that a reference has.
struct PageAct {
  enum Kind { kAttach, kRelease } kind;
  unsigned reference;

  bool operator==(const PageAct&) const = default;
};

struct PageCase {
  std::string name;
  unsigned references;
  unsigned pages;
  bool are_freed;  // pages had the type before, and the hint of freed ones leads to them
  std::vector<std::vector<PageAct>> threads;
};

// The words that a program changes, in this order: references, the pages' own words, two hints.
class ModelDisk {
 public:
  static constexpr auto kType = counters::PageType::kEntries64;
  static constexpr std::uint64_t kFirstPage = 2;
  static constexpr std::uint64_t kFirstReference = 100 * counters::kPageWords;

  ModelDisk(unsigned references, unsigned pages) : references_(references), pages_(pages) {
    for (std::uint16_t i = 0; i < words(); ++i) words_[i].place(i);
    taken_.fix(counters::page_word::make(1, kType, 1));
    segments_.fix(1);
  }

  std::size_t words() const noexcept { return references_ + pages_ + 2; }
  std::size_t own(unsigned page) const noexcept { return references_ + page; }
  std::size_t untouched_hint() const noexcept { return references_ + pages_; }
  std::size_t freed_hint() const noexcept { return references_ + pages_ + 1; }

  // As Pages asks for it.
  ModelWord& word(std::uint64_t index) {
    using namespace counters;
    constexpr std::uint64_t kHeader = kHeaderPage * kPageWords;
    if (index == kHeader + kSegments) return segments_;
    if (index == kHeader + kUntouchedHint) return words_[untouched_hint()];
    if (index == kHeader + kFreedHint + static_cast<std::size_t>(kType)) {
      return words_[freed_hint()];
    }
    if (index >= kFirstReference) return words_[index - kFirstReference];
    if (index >= kFirstPage && index < kFirstPage + pages_) return words_[own_of(index)];
    return taken_;
  }
  bool commit(std::uint64_t) const noexcept { return false; }

 private:
  std::size_t own_of(std::uint64_t page) const noexcept { return references_ + page - kFirstPage; }

  unsigned references_;
  unsigned pages_;
  ModelWord words_[kWordsMax];
  ModelWord taken_;
  ModelWord segments_;
};

class PageProgram {
 public:
  explicit PageProgram(PageCase the)
      : the_(std::move(the)), disk_(the_.references, the_.pages), pages_(disk_) {
    program_.name = the_.name;
    program_.initial.assign(disk_.words(), 0);
    if (the_.are_freed) {
      for (unsigned page = 0; page < the_.pages; ++page) {
        program_.initial[disk_.own(page)] = counters::page_word::make(3, ModelDisk::kType, 0);
      }
      program_.initial[disk_.freed_hint()] = counters::freed_hint::make(1, ModelDisk::kFirstPage);
    }
    for (const auto& acts : the_.threads) {
      program_.threads.emplace_back();
      for (const PageAct& act : acts) program_.threads.back().push_back(operation(act));
    }
    // A search for a page looks at all of them.
    program_.alone_max = 100;
    program_.holds = [this](const Moment& moment) { return holds(moment); };
    for (unsigned i = 0; i < the_.references; ++i) {
      program_.newcomers.push_back([this, i] { return attach(i); });
    }
    program_.newcomer_holds = [this](const std::vector<std::uint64_t>& values,
                                     std::uint64_t outcome) {
      return newcomer_holds(values, outcome);
    };
  }

  bool explore() const { return explored(program_); }

 private:
  static std::uint64_t index_of(unsigned reference) noexcept {
    return ModelDisk::kFirstReference + reference;
  }

  std::uint64_t attach(unsigned reference) {
    return pages_.attach(index_of(reference), ModelDisk::kType);
  }

  std::uint64_t act(const PageAct& act) {
    if (act.kind == PageAct::kAttach) return attach(act.reference);
    const std::uint64_t page = pages_.resolve(index_of(act.reference));
    if (page != pages_.kNone) pages_.release(page);
    return page;
  }

  unsigned operation(const PageAct& what) {
    for (unsigned i = 0; i < known_.size(); ++i) {
      if (known_[i] == what) return i;
    }
    known_.push_back(what);
    const char* const verb = what.kind == PageAct::kAttach ? "attach " : "release ";
    program_.operations.push_back(
        {verb + std::to_string(what.reference), [this, what] { return act(what); }});
    return static_cast<unsigned>(known_.size() - 1);
  }

  // Every page that is owned is named, with its generation, by the reference that owns it.
  Complaint owners_hold(const std::vector<std::uint64_t>& values) const {
    for (unsigned page = 0; page < the_.pages; ++page) {
      const std::uint64_t own = values[disk_.own(page)];
      const std::uint64_t owner = counters::page_word::owner(own);
      if (owner == 0) continue;
      const std::uint64_t named = values[owner - ModelDisk::kFirstReference];
      if (named != counters::reference::make(counters::page_word::generation(own),
                                             page + ModelDisk::kFirstPage)) {
        return "a page is owned by a reference that does not name it";
      }
    }
    return {};
  }

  std::size_t free_pages(const std::vector<std::uint64_t>& values) const {
    std::size_t count = 0;
    for (unsigned page = 0; page < the_.pages; ++page) {
      if (counters::page_word::owner(values[disk_.own(page)]) == 0) ++count;
    }
    return count;
  }

  // Where nobody releases: what attach returned is the reference's page from then on; kNone only if
  // all pages were somebody else's.
  Complaint holds(const Moment& moment) {
    being_released_ = 0;
    for (const unsigned operation : moment.under_way) {
      if (known_[operation].kind == PageAct::kRelease) ++being_released_;
    }
    for (const PageAct& act : known_) {
      if (act.kind == PageAct::kRelease) return owners_hold(moment.values);
    }
    for (const Outcome& outcome : moment.outcomes) {
      const std::uint64_t index = index_of(known_[outcome.operation].reference);
      if (outcome.value == 0) {
        if (moment.at_end && free_pages(moment.values) > 0) return "a free page was not found";
        continue;
      }
      const auto page = static_cast<unsigned>(outcome.value - ModelDisk::kFirstPage);
      if (counters::page_word::owner(moment.values[disk_.own(page)]) != index) {
        return "a page that was given is not owned";
      }
    }
    return owners_hold(moment.values);
  }

  // `values` is after the newcomer. Nothing is lost: it has a page, or none was free for it, but
  // for those whose release stopped halfway: freed, and the hint does not lead there yet.
  Complaint newcomer_holds(const std::vector<std::uint64_t>& values, std::uint64_t outcome) const {
    const Complaint wrong = owners_hold(values);
    if (!wrong.empty()) return wrong;
    if (outcome != 0 || free_pages(values) <= being_released_) return {};
    return "a newcomer finds no page though one is free";
  }

  PageCase the_;
  ModelDisk disk_;
  counters::Pages<ModelWord, ModelDisk> pages_;
  Program program_;
  std::vector<PageAct> known_;
  std::size_t being_released_ = 0;  // at the moment that is looked at
};

}  // namespace weir::explore
