// A table whose second group is on a page that comes into being while keys are looked for: the real
// Pages with their reference in front of the real cells. What is in between, and remembers the
// pages that an operation has seen, does what Tiers (counters/tiers.h) does with one tier of one
// page after another.
#pragma once

#include <cstdint>
#include <vector>

#include "model_disk.h"
#include "table_program.h"

namespace weir::explore {

// The first of shape.groups is there from the beginning; each of the others is one page's.
class GrowingTable : public Table {
 public:
  // `is_above`: the first group's cells have higher addresses than those of any page. `page_tier`:
  // of the pages' groups; the first group's is 0.
  GrowingTable(const TableShape& shape, bool is_above, unsigned page_tier)
      : Table(shape),
        first_(is_above ? shape.groups - 1 : 0),
        page_tier_(page_tier),
        disk_(kReferencesMax, shape.groups - 1, cells() * stride()),
        pages_(disk_) {}

  std::vector<std::uint64_t> initial(const std::vector<Kept>& kept) const override {
    std::vector<std::uint64_t> values = Table::initial(kept);
    values.resize(values.size() + disk_.words(), 0);
    return values;
  }

  std::uint64_t make_page(bool is_another) override {
    pages_.attach(is_another ? kOther : kOwn, ModelDisk::kType);
    return Answer{{counters::Verdict::kGone, 0}}.packed();
  }

  Complaint holds(const std::vector<std::uint64_t>& values) const override {
    return disk_.owners_hold(values);
  }

 protected:
  // `page`: that it has seen, or none. What was not seen yet is resolved whenever it is asked for.
  void neighbours(std::uint64_t& page, Around& out) override {
    if (page == pages_.kNone) page = pages_.resolve(kOwn, ModelDisk::kType);
    out.add(group(first_), 0);
    if (page != pages_.kNone) {
      out.add(group_on(page), page_tier_);
    } else {
      out.first_missing = page_tier_;
    }
  }

  void known_groups(std::uint64_t page, Around& out) override {
    if (page != pages_.kNone) out.add(group_on(page), page_tier_);
    out.add(group(first_), 0);
  }

  bool grow(std::uint64_t& page) override {
    if (page != pages_.kNone) return false;
    page = pages_.attach(kOwn, ModelDisk::kType);
    return page != pages_.kNone;
  }

 private:
  static constexpr unsigned kReferencesMax = 2;
  static constexpr std::uint64_t kOwn = ModelDisk::kFirstReference;
  static constexpr std::uint64_t kOther = ModelDisk::kFirstReference + 1;

  counters::Group<ModelWord> group_on(std::uint64_t page) noexcept {
    const auto index = static_cast<unsigned>(page - ModelDisk::kFirstPage);
    return group(first_ == 0 ? index + 1 : index);
  }

  unsigned first_;
  unsigned page_tier_;
  ModelDisk disk_;
  counters::Pages<ModelWord, ModelDisk> pages_;
};

}  // namespace weir::explore
