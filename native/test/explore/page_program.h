// A program of references that compete for a few pages (counters/pages.h), and what must hold of it
// at every moment.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model_disk.h"
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
      if (act.kind == PageAct::kRelease) return disk_.owners_hold(moment.values);
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
    return disk_.owners_hold(moment.values);
  }

  // `values` is after the newcomer. Nothing is lost: it has a page, or none was free for it, but
  // for those whose release stopped halfway: freed, and the hint does not lead there yet.
  Complaint newcomer_holds(const std::vector<std::uint64_t>& values, std::uint64_t outcome) const {
    const Complaint wrong = disk_.owners_hold(values);
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
