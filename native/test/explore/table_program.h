// A program of keys that compete for the cells of a table, and what must hold of it at every
// moment.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report.h"
#include "table.h"

namespace weir::explore {

// A request, or, of no key: that a cell is freed, that a page is made, for this table or another.
struct Visit {
  std::uint64_t key;
  std::uint64_t clock;
  unsigned cell = 0;
  enum Kind { kUsual, kMakesPage, kMakesOthersPage } kind = kUsual;
  std::uint64_t cost = 1;

  bool operator==(const Visit&) const = default;
};

struct TableCase {
  std::string name;
  TableShape shape;
  std::vector<Kept> kept;
  std::vector<std::vector<Visit>> threads;
  // Above 0: how often a cell may be freed.
  std::uint64_t generations_max = 0;
  // Above 0: how many requests were admitted in the end.
  std::uint64_t exactly = 0;
};

class TableProgram {
 public:
  explicit TableProgram(TableCase the) : TableProgram(the, std::make_unique<Table>(the.shape)) {}
  TableProgram(TableCase the, std::unique_ptr<Table> table)
      : the_(std::move(the)), table_(std::move(table)) {
    program_.name = the_.name;
    program_.initial = table_->initial(the_.kept);
    if (the_.generations_max > 0) {
      program_.name += ", cells freed " + std::to_string(the_.generations_max) + " times";
      program_.is_followed = [this](const Change& change) { return is_followed(change); };
    }
    for (const Kept& kept : the_.kept) {
      const std::uint64_t life = life_of(kept.cell, kFirstGeneration);
      for (const std::uint64_t clock : kept.clocks) before_.push_back({kept.key, clock, life});
    }
    for (const auto& visits : the_.threads) {
      program_.threads.emplace_back();
      for (const Visit& visit : visits) program_.threads.back().push_back(operation(visit));
    }
    program_.holds = [this](const Moment& moment) { return holds(moment); };
    program_.may_change = [this](const Moment& moment, const Change& change) {
      return may_change(moment, change);
    };
    newcomer();
  }

  bool explore() const { return explored(program_); }

 private:
  using State = counters::State;

  unsigned operation(const Visit& visit) {
    for (unsigned i = 0; i < visits_.size(); ++i) {
      if (visits_[i] == visit) return i;
    }
    visits_.push_back(visit);
    last_ = std::max(last_, visit.clock);
    Operation operation{"cell " + std::to_string(visit.cell) + " is freed",
                        [this, visit] { return table_->forget(visit.cell); }, 0, visit.clock};
    if (visit.kind != Visit::kUsual) {
      const bool is_another = visit.kind == Visit::kMakesOthersPage;
      operation = {is_another ? "another table's page is made" : "a page is made",
                   [this, is_another] { return table_->make_page(is_another); }};
    } else if (visit.key != 0) {
      operation = {std::to_string(visit.cost) + " of key " + std::to_string(visit.key) + " at " +
                       std::to_string(visit.clock),
                   [this, visit] { return table_->admit(visit.key, visit.clock, visit.cost); },
                   visit.key, visit.clock, visit.cost};
    }
    program_.operations.push_back(operation);
    return static_cast<unsigned>(visits_.size() - 1);
  }

  // Whether it is this word of some cell.
  bool is_cell_word(std::size_t word, unsigned of_cell) const noexcept {
    return word < table_->cells() * table_->stride() && word % table_->stride() == of_cell;
  }

  bool is_followed(const Change& change) const {
    const bool is_head = is_cell_word(change.word, counters::kHeadWord);
    const std::uint64_t generation = change.is >> counters::kGenerationShift;
    return !is_head || generation <= kFirstGeneration + the_.generations_max;
  }

  // When all windows are over it gets a place, whoever stopped where; and the table is in order.
  void newcomer() {
    const std::uint64_t key = program_.operations[0].key;
    const std::uint64_t clock = last_ + table_->window().length_ms;
    program_.newcomers = {[this, key, clock] { return table_->admit(key, clock); }};
    program_.newcomer_holds = [this](const std::vector<std::uint64_t>& values,
                                     std::uint64_t outcome) {
      if (Answer::unpacked(outcome).verdict.kind != counters::Verdict::kAdmitted) {
        return Complaint("a newcomer finds no place though all windows are over");
      }
      return one_cell_a_key(values);
    };
  }

  State state(const std::vector<std::uint64_t>& values, unsigned cell) const {
    const std::uint64_t* const words = &values[cell * table_->stride()];
    return counters::state_of(words[0], words[counters::kHeadWord]);
  }

  Complaint one_cell_a_key(const std::vector<std::uint64_t>& values) const {
    std::set<std::uint64_t> keys;
    for (unsigned cell = 0; cell < table_->cells(); ++cell) {
      if (state(values, cell) != State::kOpen) continue;
      const std::uint64_t key = counters::fingerprint_of(values[cell * table_->stride()]);
      if (!keys.insert(key).second) return "two open cells of key " + std::to_string(key);
    }
    return {};
  }

  std::vector<Admission> admissions(const Moment& moment) const {
    std::vector<Admission> all = admissions_of(program_, moment);
    all.insert(all.end(), before_.begin(), before_.end());
    return all;
  }

  // Somebody who says at its end that it evicted a key has not evicted its own.
  bool may_be_evicted(std::uint64_t key, const Moment& moment) const {
    for (const Outcome& outcome : moment.outcomes) {
      const bool is_other = program_.operations[outcome.operation].key != key;
      if (is_other && Answer::unpacked(outcome.value).has_evicted) return true;
    }
    return false;
  }

  // The count of every open cell is the admissions of its life; no life has too many of them in a
  // window, nor has a key in the end, unless it was evicted.
  Complaint counts_hold(const Moment& moment) const {
    std::map<std::uint64_t, std::vector<std::uint64_t>> by_life;
    std::map<std::uint64_t, std::vector<std::uint64_t>> by_key;
    for (const Admission& admission : admissions(moment)) {
      by_life[admission.life].push_back(admission.clock);
      by_key[admission.key].push_back(admission.clock);
    }
    const std::uint64_t length_ms = table_->window().length_ms;
    for (const auto& [life, clocks] : by_life) {
      if (densest(clocks, length_ms) > table_->window().capacity) return "a cell let too many in";
    }
    for (const auto& [key, clocks] : by_key) {
      if (!moment.at_end || may_be_evicted(key, moment)) continue;
      if (densest(clocks, length_ms) > table_->window().capacity) {
        return "key " + std::to_string(key) + " was let in too often";
      }
    }
    if (moment.at_end && the_.exactly > 0 &&
        admissions_of(program_, moment).size() != the_.exactly) {
      return "not all were let in that may be";
    }
    for (unsigned cell = 0; cell < table_->cells(); ++cell) {
      if (state(moment.values, cell) != State::kOpen) continue;
      const std::uint64_t* const words = &moment.values[cell * table_->stride()];
      const auto counted = by_life.find(life_of(cell, words[0]));
      const std::size_t expected = counted == by_life.end() ? 0 : counted->second.size();
      const std::uint64_t count = counters::count_of(words[counters::kHeadWord]);
      const bool is_costly = table_->window().cost_max > 1;
      const std::uint64_t under_way = is_costly ? counted_under_way(program_, moment) : 0;
      if (count < expected || count > expected + under_way) {
        return "the count of a cell is not its admissions";
      }
    }
    return {};
  }

  Complaint holds(const Moment& moment) const {
    Complaint wrong = one_cell_a_key(moment.values);
    if (wrong.empty()) wrong = counts_hold(moment);
    if (wrong.empty()) wrong = table_->holds(moment.values);
    if (wrong.empty()) wrong = rejections_hold(program_, moment, table_->window().length_ms);
    for (unsigned cell = 0; moment.at_end && wrong.empty() && cell < table_->cells(); ++cell) {
      if (state(moment.values, cell) == State::kTentative) return "a claim was left behind";
    }
    return wrong;
  }

  // A claim is of the head that is there. An open cell is freed only if its key is not limited at
  // the time of him who frees it.
  Complaint may_change(const Moment& moment, const Change& change) const {
    if (is_cell_word(change.word, 0)) {
      const std::uint64_t head = moment.values[change.word + counters::kHeadWord];
      return counters::same_version(change.is, head) ? Complaint() : Complaint("a void claim");
    }
    if (!is_cell_word(change.word, counters::kHeadWord) || !counters::is_open(change.was) ||
        counters::is_open(change.is)) {
      return {};
    }
    const auto cell = static_cast<unsigned>(change.word / table_->stride());
    if (state(moment.values, cell) != State::kOpen) return {};
    const std::uint64_t life = life_of(cell, moment.values[cell * table_->stride()]);
    std::uint64_t young = 0;
    for (const Admission& admission : admissions(moment)) {
      const bool is_young = admission.clock + table_->window().length_ms > change.by->clock;
      if (admission.life == life && is_young) ++young;
    }
    return young < table_->window().capacity ? Complaint() : Complaint("a limited key was freed");
  }

  TableCase the_;
  std::unique_ptr<Table> table_;
  Program program_;
  std::vector<Visit> visits_;  // of each operation
  std::vector<Admission> before_;
  std::uint64_t last_ = 0;
};

}  // namespace weir::explore
