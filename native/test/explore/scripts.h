// What threads do next, as a tree: a node is an operation and the answers it got so far; below it
// is one node for each answer it may get. Made as the explorer gets there, used by all threads that
// do the same operation.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "program.h"

namespace weir::explore {

class Scripts {
 public:
  struct Node {
    Request request;
    Runner::Ended ended = Runner::kStopped;
    std::uint64_t known = 0;  // that the operation began with; if it ended with again(), that
    Outcome outcome{};
    std::uint32_t steps = 0;
    std::uint32_t parent = 0;
    std::uint64_t answer = 0;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> below;
  };

  explicit Scripts(const std::vector<Operation>& operations) : operations_(&operations) {}

  const Node& node(std::uint32_t index) const noexcept { return nodes_[index]; }

  std::uint32_t root(unsigned operation, std::uint64_t known = 0) {
    const auto made = static_cast<std::uint32_t>(nodes_.size());
    const auto [at, is_new] = roots_.try_emplace({operation, known}, made);
    if (!is_new) return at->second;
    Node node;
    node.outcome.operation = operation;
    node.known = known;
    nodes_.push_back(node);
    fill(made, {});
    return made;
  }

  std::uint32_t after(std::uint32_t index, std::uint64_t answer) {
    for (const auto& [given, below] : nodes_[index].below) {
      if (given == answer) return below;
    }
    const auto made = static_cast<std::uint32_t>(nodes_.size());
    Node node;
    node.parent = index;
    node.answer = answer;
    node.steps = nodes_[index].steps + 1;
    node.outcome = nodes_[index].outcome;
    node.known = nodes_[index].known;
    const Request& request = nodes_[index].request;
    if (request.kind == Request::kCompareExchange && answer != request.expected) {
      node.outcome.was_overtaken = true;
    } else if (request.kind != Request::kLoad) {
      node.outcome.has_written = true;
    }
    nodes_[index].below.emplace_back(answer, made);
    nodes_.push_back(node);
    fill(made, answers(made));
    return made;
  }

  // From the operation's beginning to this node.
  std::vector<std::uint64_t> answers(std::uint32_t index) const {
    std::vector<std::uint64_t> given(nodes_[index].steps);
    for (std::size_t i = given.size(); i > 0; index = nodes_[index].parent) {
      given[--i] = nodes_[index].answer;
    }
    return given;
  }

 private:
  void fill(std::uint32_t index, const std::vector<std::uint64_t>& answers) {
    Node& node = nodes_[index];
    node.ended = runner_.replay((*operations_)[node.outcome.operation].code, node.known, answers);
    if (node.ended == Runner::kOver) node.outcome.value = runner_.outcome();
    if (node.ended == Runner::kAgain) node.known = runner_.known();
    if (node.ended == Runner::kStopped) node.request = runner_.request();
  }

  const std::vector<Operation>* operations_;
  std::vector<Node> nodes_;
  std::map<std::pair<unsigned, std::uint64_t>, std::uint32_t> roots_;
  Runner runner_;
};

}  // namespace weir::explore
