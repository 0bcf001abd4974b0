// Runs a program in every way that its threads can be interleaved and its loads can be answered
// (memory.h). A depth-first search over states with undo; a state is what is in memory, what every
// thread knows of it, where it is and how its operations went. A state that was met before is not
// searched again: none is left out, each is searched once. States are told apart by 64 bits of a
// hash; among the few million of a program two meet with a probability below one in 10^5.
//
// Loads that are not seq_cst change nothing that others can see and lose no choice by being late,
// so a thread does them together with its next operation that is not one. Threads that do the same
// operations are interchangeable.
#pragma once

#include <cinttypes>
#include <cstdio>
#include <string>
#include <vector>

#include "memory.h"
#include "met.h"
#include "program.h"
#include "scripts.h"
#include "threads.h"

namespace weir::explore {

struct Result {
  Complaint complaint;           // empty if everything holds
  std::vector<std::string> way;  // to where it did not
  std::size_t states = 0;
  std::size_t changes = 0;  // steps from state to state
  double executions = 0;    // different ways from beginning to end through these states
  std::uint32_t steps = 0;  // the longest operation
  std::size_t alone = 0;    // the longest run alone
  std::size_t cuts = 0;     // changes that were not followed
};

class Explorer {
 public:
  explicit Explorer(const Program& program)
      : program_(program), scripts_(program.operations), memory_(program.initial) {
    for (const auto& operations : program.threads) {
      Thread thread;
      thread.operations = &operations;
      for (thread.kind = 0; program.threads[thread.kind] != operations;) ++thread.kind;
      thread.node = scripts_.root(operations[0]);
      threads_.push_back(thread);
    }
  }

  Result run() {
    result_.executions = search();
    result_.states = met_.size();
    return result_;
  }

 private:
  static constexpr std::uint32_t kNoNode = ~std::uint32_t{0};
  static constexpr double kOnTheWay = -1;  // in place of a state's ways, until they are counted

  bool failed() const noexcept { return !result_.complaint.empty(); }

  void complain(const Complaint& complaint) {
    if (complaint.empty() || failed()) return;
    result_.complaint = complaint;
    result_.way = told(program_, scripts_, way_);
  }

  const Moment& moment() {
    Moment& moment = moment_;
    moment.at_end = true;
    moment.under_way.clear();
    moment.outcomes.clear();
    moment.values.clear();
    for (std::size_t i = 0; i < memory_.words(); ++i) moment.values.push_back(memory_.value(i));
    for (const Thread& thread : threads_) {
      for (unsigned i = 0; i < thread.at; ++i) moment.outcomes.push_back(thread.outcomes[i]);
      if (thread.is_through()) continue;
      moment.at_end = false;
      const Outcome& so_far = scripts_.node(thread.node).outcome;
      if (so_far.has_written) moment.under_way.push_back(so_far.operation);
    }
    return moment;
  }

  void judge() {
    const Moment& now = moment();
    if (program_.holds) complain(program_.holds(now));
    // Whoever is not cut off comes to an end in any case.
    for (std::size_t i = 0; program_.is_followed && i < threads_.size() && !failed(); ++i) {
      if (!threads_[i].is_through()) run_alone(operation(threads_[i]).code, threads_[i].node, now);
    }
    for (std::size_t i = 0; i < program_.newcomers.size() && !failed(); ++i) {
      const std::vector<std::uint64_t> values = run_alone(program_.newcomers[i], kNoNode, now);
      if (!failed()) complain(program_.newcomer_holds(values, runner_.outcome()));
    }
  }

  // The memory after it.
  std::vector<std::uint64_t> run_alone(const std::function<std::uint64_t()>& code,
                                       std::uint32_t from, const Moment& now) {
    std::vector<std::uint64_t> values = now.values;
    std::vector<std::uint64_t> answers;
    if (from != kNoNode) answers = scripts_.answers(from);
    const std::uint64_t known = from == kNoNode ? 0 : scripts_.node(from).known;
    if (!runner_.run_alone(code, known, answers, values, program_.alone_max)) {
      complain("one does not come to an end when all others stop");
    }
    result_.alone = std::max(result_.alone, runner_.steps());
    return values;
  }

  const Operation& operation(const Thread& thread) const noexcept {
    return program_.operations[(*thread.operations)[thread.at]];
  }

  // Ways from here to an end.
  double search() {
    const std::uint64_t key = state_hash(memory_, threads_);
    const auto [known, is_new] = met_.find(key, kOnTheWay);
    if (!is_new) {
      if (known == kOnTheWay) complain("threads go round in circles");
      return known;
    }
    if (met_.size() >= program_.states_max) complain("too many states: not all were searched");
    judge();
    double ways = 0;
    bool is_end = true;
    for (std::size_t i = 0; i < threads_.size() && !failed(); ++i) {
      if (threads_[i].is_through()) continue;
      is_end = false;
      ways += advance(threads_[i]);
    }
    return met_.find(key, 0).first = is_end ? 1 : ways;
  }

  // All that this thread may do next, up to and with a step that others can see.
  double advance(Thread& thread) {
    const Request request = scripts_.node(thread.node).request;
    const std::size_t newest = memory_.newest(request.word);
    const std::uint8_t sc = memory_.sc(request.word);
    const bool is_exchange = request.kind == Request::kCompareExchange;
    double ways = 0;
    if (request.kind == Request::kLoad || is_exchange) {
      const std::memory_order order = is_exchange ? request.failure_order : request.order;
      const bool is_quiet = !is_exchange && order != std::memory_order_seq_cst;
      const std::size_t oldest = memory_.oldest(request.word, thread.view, order);
      for (std::size_t i = newest + 1; i-- > oldest && !failed();) {
        const std::uint64_t value = memory_.message(request.word, i).value;
        if (is_exchange && value == request.expected) continue;
        const Thread before = thread;
        memory_.read(request.word, i, order, thread.view);
        ways += answered(thread, value, newest - i, is_quiet);
        thread = before;
        memory_.set_sc(request.word, sc);
      }
    }
    const std::uint64_t was = memory_.value(request.word);
    const bool writes = request.kind != Request::kLoad && (!is_exchange || was == request.expected);
    if (!writes || failed()) return ways;
    const std::uint64_t is =
        request.kind == Request::kAdd ? was + request.operand : request.operand;
    const Change change{&operation(thread), request.word, was, is};
    if (program_.may_change) complain(program_.may_change(moment(), change));
    if (program_.is_followed && !program_.is_followed(change)) {
      ++result_.cuts;
      return ways;
    }
    const Thread before = thread;
    const bool reads = request.kind != Request::kStore;
    if (reads) memory_.read(request.word, newest, request.order, thread.view);
    memory_.write(request.word, is, request.order, reads, thread.view);
    if (memory_.newest(request.word) == 0xfe) complain("a word has too many messages");
    ways += answered(thread, was, 0, false);
    memory_.undo_write(request.word);
    memory_.set_sc(request.word, sc);
    thread = before;
    return ways;
  }

  double answered(Thread& thread, std::uint64_t answer, std::size_t age, bool is_quiet) {
    way_.push_back({static_cast<unsigned>(&thread - threads_.data()), thread.node, answer,
                    static_cast<unsigned>(age)});
    thread.node = scripts_.after(thread.node, answer);
    const Scripts::Node node = scripts_.node(thread.node);
    if (node.steps > result_.steps) result_.steps = node.steps;
    double ways = 0;
    if (node.steps > program_.steps_max) complain("an operation does not come to an end");
    const bool is_stopped = node.ended == Runner::kStopped;
    if (node.ended == Runner::kAgain) {
      thread.node = scripts_.root(node.outcome.operation, node.known);
    } else if (node.ended == Runner::kOver) {
      thread.outcomes[thread.at++] = node.outcome;
      if (!thread.is_through()) thread.node = scripts_.root((*thread.operations)[thread.at]);
    }
    if (is_quiet && is_stopped && !failed()) {
      ways = advance(thread);
    } else {
      ++result_.changes;
      ways = search();
    }
    way_.pop_back();
    return ways;
  }

  const Program& program_;
  Scripts scripts_;
  Memory memory_;
  std::vector<Thread> threads_;
  Met met_;
  std::vector<Step> way_;
  Moment moment_;
  Runner runner_;
  Result result_;
};

}  // namespace weir::explore
