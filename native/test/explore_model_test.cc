// Proves that the explorer finds what C++20's memory model allows and nothing that it forbids
// (within the limits that explore/memory.h names): the known litmus tests, with all outcomes that
// occur.
#include <set>
#include <string>
#include <utility>

#include "check.h"
#include "explore/explorer.h"

namespace {

using namespace weir::explore;
using Order = std::memory_order;

ModelWord words[2];
ModelWord& x = words[0];
ModelWord& y = words[1];

// The values that the operations returned, in all executions; ends tells them apart.
std::set<std::string> ends_of(std::vector<std::function<std::uint64_t()>> threads) {
  Program program;
  program.initial = {0, 0};
  for (std::uint16_t i = 0; i < 2; ++i) words[i].place(i);
  for (unsigned i = 0; i < threads.size(); ++i) {
    program.operations.push_back({std::to_string(i), threads[i]});
    program.threads.push_back({i});
  }
  std::set<std::string> ends;
  program.holds = [&](const Moment& moment) {
    if (!moment.at_end) return Complaint();
    std::string end;
    for (const Outcome& outcome : moment.outcomes) end += std::to_string(outcome.value) + " ";
    ends.insert(end);
    return Complaint();
  };
  const Result result = Explorer(program).run();
  CHECK(result.complaint.empty());
  return ends;
}

std::function<std::uint64_t()> store(ModelWord& word, std::uint64_t value, Order order) {
  return [&word, value, order] {
    word.store(value, order);
    return std::uint64_t{0};
  };
}

// Two loads, as the digits of a number.
std::function<std::uint64_t()> loads(ModelWord& first, Order order, ModelWord& second,
                                     Order second_order) {
  return [&first, order, &second, second_order] {
    const std::uint64_t one = first.load(order);
    return one * 10 + second.load(second_order);
  };
}

void message_passing() {
  const auto pass = [](Order publishing, Order reading) {
    const auto writer = [publishing] {
      x.store(1, Order::relaxed);
      y.store(1, publishing);
      return std::uint64_t{0};
    };
    return ends_of({writer, loads(y, reading, x, Order::relaxed)});
  };
  CHECK(pass(Order::release, Order::acquire) == (std::set<std::string>{"0 0 ", "0 1 ", "0 11 "}));
  CHECK(pass(Order::release, Order::relaxed).contains("0 10 "));
  CHECK(pass(Order::relaxed, Order::acquire).contains("0 10 "));
}

void store_buffering() {
  const auto buffer = [](Order order) {
    const auto thread = [order](ModelWord& mine, ModelWord& other) {
      return [&mine, &other, order] {
        mine.store(1, order == Order::seq_cst ? order : Order::release);
        return other.load(order);
      };
    };
    return ends_of({thread(x, y), thread(y, x)});
  };
  CHECK(buffer(Order::seq_cst) == (std::set<std::string>{"0 1 ", "1 0 ", "1 1 "}));
  CHECK(buffer(Order::acquire).contains("0 0 "));
}

void independent_reads() {
  const auto read = [](Order writing, Order reading) {
    return ends_of({store(x, 1, writing), store(y, 1, writing), loads(x, reading, y, reading),
                    loads(y, reading, x, reading)});
  };
  CHECK(!read(Order::seq_cst, Order::seq_cst).contains("0 0 10 10 "));
  CHECK(!read(Order::relaxed, Order::seq_cst).contains("0 0 10 10 "));
  CHECK(read(Order::release, Order::acquire).contains("0 0 10 10 "));
}

void coherence() {
  const auto ends =
      ends_of({store(x, 1, Order::relaxed), loads(x, Order::relaxed, x, Order::relaxed)});
  CHECK(ends == (std::set<std::string>{"0 0 ", "0 1 ", "0 11 "}));
}

// A read-modify-write passes on the release that it read from, though relaxed itself.
void release_sequence() {
  const auto writer = [] {
    x.store(1, Order::relaxed);
    y.store(1, Order::release);
    return std::uint64_t{0};
  };
  const auto between = [] { return y.fetch_add(4, Order::relaxed); };
  const auto ends = ends_of({writer, between, loads(y, Order::acquire, x, Order::relaxed)});
  CHECK(ends.contains("0 1 51 "));
  CHECK(!ends.contains("0 1 50 "));
  CHECK(ends.contains("0 0 40 "));
}

void read_modify_write() {
  const auto add = [] { return x.fetch_add(1, Order::relaxed); };
  CHECK(ends_of({add, add, add}).size() == 6);
  const auto exchange = [](std::uint64_t expected) {
    return [expected] {
      std::uint64_t seen = expected;
      return std::uint64_t{
          x.compare_exchange_strong(seen, expected + 1, Order::relaxed, Order::relaxed)};
    };
  };
  CHECK(ends_of({exchange(0), exchange(0)}) == (std::set<std::string>{"0 1 ", "1 0 "}));
  // One that fails is a load, and may read what is old.
  CHECK(ends_of({store(x, 1, Order::relaxed), exchange(1)}) ==
        (std::set<std::string>{"0 0 ", "0 1 "}));
}

// Two claims and two looks, as in cell.h: at least one sees the other, if both are seq_cst.
void claims() {
  const auto claim = [](Order claiming, Order looking) {
    const auto thread = [=](ModelWord& mine, ModelWord& other) {
      return [&mine, &other, claiming, looking] {
        std::uint64_t seen = 0;
        mine.compare_exchange_strong(seen, 1, claiming, Order::relaxed);
        return other.load(looking);
      };
    };
    return ends_of({thread(x, y), thread(y, x)}).contains("0 0 ");
  };
  CHECK(!claim(Order::seq_cst, Order::seq_cst));
  CHECK(claim(Order::acq_rel, Order::seq_cst));
  CHECK(claim(Order::seq_cst, Order::acquire));
}

// A bad end is found and told.
void complaint() {
  Program program;
  program.initial = {0};
  words[0].place(0);
  program.operations = {{"add", [] {
                           const std::uint64_t seen = x.load(Order::acquire);
                           x.store(seen + 1, Order::release);
                           return seen;
                         }}};
  program.threads = {{0}, {0}};
  program.holds = [](const Moment& moment) {
    return moment.at_end && moment.values[0] != 2 ? Complaint("lost") : Complaint();
  };
  const Result result = Explorer(program).run();
  CHECK(result.complaint == "lost");
  CHECK(result.way.size() == 4);
}

}  // namespace

int main() {
  message_passing();
  store_buffering();
  independent_reads();
  coherence();
  release_sequence();
  read_modify_write();
  claims();
  complaint();
  return weir::test::finish();
}
