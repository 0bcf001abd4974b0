// What threads do next, as a tree: a node is an operation and the answers it got so far; below it
// is one node for each answer it may get. Made as the explorer gets there, used by all threads that
// do the same operation.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "program.h"

namespace weir::explore {

class Scripts {
 public:
  struct Node {
    Request request;
    bool is_over = false;
    Outcome outcome{};
    std::uint32_t steps = 0;
    std::uint32_t parent = 0;
    std::uint64_t answer = 0;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> below;
  };

  explicit Scripts(const std::vector<Operation>& operations) : operations_(&operations) {
    for (unsigned i = 0; i < operations.size(); ++i) {
      Node node;
      node.outcome.operation = i;
      nodes_.push_back(node);
    }
    for (unsigned i = 0; i < operations.size(); ++i) fill(i, {});
  }

  const Node& node(std::uint32_t index) const noexcept { return nodes_[index]; }
  std::uint32_t root(unsigned operation) const noexcept { return operation; }

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
    const Request& request = nodes_[index].request;
    if (request.kind == Request::kCompareExchange && answer != request.expected) {
      node.outcome.was_overtaken = true;
    } else if (request.kind != Request::kLoad) {
      node.outcome.has_written = true;
    }
    nodes_[index].below.emplace_back(answer, made);
    nodes_.push_back(node);
    std::vector<std::uint64_t> answers(node.steps);
    for (std::uint32_t at = made, i = node.steps; i > 0; at = nodes_[at].parent) {
      answers[--i] = nodes_[at].answer;
    }
    fill(made, answers);
    return made;
  }

 private:
  void fill(std::uint32_t index, const std::vector<std::uint64_t>& answers) {
    Node& node = nodes_[index];
    node.is_over = runner_.replay((*operations_)[node.outcome.operation].code, answers);
    if (node.is_over) {
      node.outcome.value = runner_.outcome();
    } else {
      node.request = runner_.request();
    }
  }

  const std::vector<Operation>* operations_;
  std::vector<Node> nodes_;
  Runner runner_;
};

}  // namespace weir::explore
