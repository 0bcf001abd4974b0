// A table of a few cells for the explorer, and what a limiter does with a key in it: Limiter's
// find, admit_to and place (counters/limiter.h) over plain arrays of ModelWords.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "counters/placing.h"
#include "model_word.h"
#include "verdicts.h"

namespace weir::explore {

// How the table is made and what is in it before the threads begin.
struct TableShape {
  counters::Window window;
  unsigned groups = 1;
  unsigned ways = 2;
};

// An open cell with the clocks of its admissions, growing; without any, one that was never counted.
struct Kept {
  unsigned cell;
  std::uint64_t key;
  std::vector<std::uint64_t> clocks;
};

inline constexpr std::uint64_t kFirstGeneration = 5;

class Table {
 public:
  explicit Table(const TableShape& shape)
      : window_(shape.window),
        stride_(static_cast<std::uint32_t>(counters::kFirstStamp + shape.window.ring)),
        groups_(shape.groups),
        ways_(shape.ways),
        words_(std::size_t{stride_} * cells()) {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      words_[i].place(static_cast<std::uint16_t>(i));
    }
  }
  virtual ~Table() = default;

  unsigned cells() const noexcept { return groups_ * ways_; }
  std::size_t stride() const noexcept { return stride_; }
  const counters::Window& window() const noexcept { return window_; }

  // Free cells, each with the key and the stamps of a claim that is over, and those kept.
  virtual std::vector<std::uint64_t> initial(const std::vector<Kept>& kept) const {
    std::vector<std::uint64_t> values(words_.size(), 0);
    const std::uint64_t head = kFirstGeneration << counters::kGenerationShift;
    for (unsigned cell = 0; cell < cells(); ++cell) {
      values[cell * stride_] = counters::claim_of(0x777, head - 1);
      values[cell * stride_ + counters::kHeadWord] = head;
    }
    for (const Kept& one : kept) {
      std::uint64_t* const words = &values[one.cell * stride_];
      words[0] = counters::claim_of(one.key, head);
      words[counters::kHeadWord] = counters::opened(head, one.clocks.size());
      for (std::uint64_t i = 0; i < one.clocks.size(); ++i) {
        words[counters::kFirstStamp + window_.slot(i)] = one.clocks[i];
      }
    }
    return values;
  }

  // Frees a cell if it is open, as those do who want its place or collect its limiter.
  std::uint64_t forget(unsigned cell) noexcept {
    const counters::Sight<ModelWord> sight = counters::look(&words_[cell * stride_]);
    if (sight.state() == counters::State::kOpen) counters::free_cell(sight);
    return Answer{{counters::Verdict::kGone, 0}}.packed();
  }

  // Where a table may grow by pages: makes one for it, or for another table.
  virtual std::uint64_t make_page(bool is_another) { return is_another ? 1 : 0; }

  // What must hold of what is not in cells.
  virtual Complaint holds(const std::vector<std::uint64_t>&) const { return {}; }

  // Decides on one request.
  std::uint64_t admit(std::uint64_t key, std::uint64_t now, std::uint64_t cost = 1) {
    counters::Room room{};
    const counters::Ask ask{cost, true, false, &room};
    const std::uint64_t known = Runner::current->known();
    Space space{*this, now, (known & kHasEvicted) != 0, known >> kPagesShift};
    for (bool is_placing = (known & kIsPlacing) != 0;; is_placing = false) {
      const counters::Sight<ModelWord> sight =
          is_placing ? counters::Sight<ModelWord>{} : find(key, space.pages);
      if (sight.cell != nullptr) {
        const counters::Verdict verdict =
            window_.cost_max == 1 ? counters::admit_to(sight.cell, sight.key, window_, now)
                                  : counters::admit_to(sight.cell, sight.key, window_, now, ask);
        if (verdict.kind != counters::Verdict::kGone) {
          const auto cell = static_cast<std::uint64_t>(sight.cell - words_.data()) / stride_;
          return Answer{verdict, false, space.has_evicted, life_of(cell, sight.key), room.remaining}
              .packed();
        }
      }
      const counters::Placed placed = counters::place<ModelWord>(space, key, 0);
      if (placed.kind == counters::Placed::kFull) {
        const std::uint64_t wait = std::min(placed.wait_ms, window_.length_ms);
        return Answer{{counters::Verdict::kRejected, wait}, true, space.has_evicted, 0}.packed();
      }
      Runner::current->again(space.known());
    }
  }

 protected:
  using Around = counters::Neighbourhood<ModelWord>;

  // The groups that exist, or of them those that one finds who remembers `pages`: what a Tiers
  // object has seen, as a number; it is 0 where an operation begins.
  virtual void neighbours(std::uint64_t& pages, Around& out) {
    (void)pages;
    for (unsigned i = 0; i < groups_; ++i) out.add(group(i), 0);
  }
  virtual void known_groups(std::uint64_t pages, Around& out) { neighbours(pages, out); }
  virtual bool grow(std::uint64_t& pages) {
    (void)pages;
    return false;
  }

  counters::Group<ModelWord> group(unsigned index) noexcept {
    return {words_.data() + std::size_t{index} * ways_ * stride_, stride_, ways_};
  }

 private:
  // What an operation knows when it begins a round (Runner::again).
  static constexpr std::uint64_t kHasEvicted = 1;
  static constexpr std::uint64_t kIsPlacing = 2;
  static constexpr unsigned kPagesShift = 2;

  struct Space {
    Table& table;
    std::uint64_t now;
    bool has_evicted;
    std::uint64_t pages;

    std::uint64_t known() const noexcept {
      return (has_evicted ? kHasEvicted : 0) | (pages << kPagesShift);
    }

    void neighbours(Around& out) {
      // Right after a change it is not settle() who asks but place(), at the beginning of a round.
      if (Runner::current->was_at_change()) Runner::current->again(known() | kIsPlacing);
      table.neighbours(pages, out);
    }
    bool grow() { return table.grow(pages); }
    counters::Judgement judge(const counters::Sight<ModelWord>& sight) const {
      return counters::judge_bucket(sight, table.window_, now);
    }
    void forgot(bool had_expired) noexcept { has_evicted = has_evicted || !had_expired; }
  };

  counters::Sight<ModelWord> find(std::uint64_t key, std::uint64_t pages) {
    Around around;
    known_groups(pages, around);
    for (unsigned i = 0; i < around.size; ++i) {
      const counters::Group<ModelWord>& group = around.groups[i];
      for (std::uint32_t way = 0; way < ways_; ++way) {
        ModelWord* const cell = group.cell(static_cast<std::uint32_t>((way + key) % ways_));
        const std::uint64_t seen = cell[0].load(std::memory_order_acquire);
        if (counters::fingerprint_of(seen) != key) continue;
        const std::uint64_t head = cell[counters::kHeadWord].load(std::memory_order_acquire);
        if (counters::state_of(seen, head) == counters::State::kOpen) return {cell, seen, head};
      }
    }
    return {};
  }

  counters::Window window_;
  std::uint32_t stride_;
  unsigned groups_;
  unsigned ways_;
  std::vector<ModelWord> words_;
};

}  // namespace weir::explore
