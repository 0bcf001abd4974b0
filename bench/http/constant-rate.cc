// Requests at a constant rate and how long each took, counted from the moment it was due: a server
// that stalls is charged for every request that should have been sent meanwhile (no coordinated
// omission). In C++, because a client in JavaScript would add collections of its own to the 99.9th
// percentile and is the bottleneck at the rates of these servers. It never sleeps, but yields
// whenever there is nothing to do: to be woken takes tens of microseconds on a virtual machine, and
// they would be taken for the server's. Built and run by constant-rate.mjs; loopback, Linux.
#include <sched.h>
#include <sys/epoll.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "connection.h"

namespace {

using Nanoseconds = std::int64_t;
constexpr Nanoseconds kSecond = 1'000'000'000;
/// How long answers may come after the last was due; what is missing then counts with its age.
constexpr Nanoseconds kGrace = kSecond;

Nanoseconds Now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * kSecond + time.tv_nsec;
}

struct Plan {
  std::uint16_t port;
  std::int64_t rate;  // requests per second
  std::size_t connections;
  std::int64_t seconds;
  int status;  // expected
  bool tls;
  std::size_t slowest;  // requests that are told of one by one
  std::string request;
};

class Run {
 public:
  explicit Run(Plan plan)
      : plan_(std::move(plan)), total_(plan_.rate * plan_.seconds), epoll_(epoll_create1(0)) {
    latencies_.reserve(static_cast<std::size_t>(total_));
    lateness_.reserve(static_cast<std::size_t>(total_));
    if (plan_.slowest > 0) requests_.reserve(static_cast<std::size_t>(total_));
  }

  void Execute() {
    if (plan_.tls) tls_ = std::make_unique<Tls>();
    for (std::size_t index = 0; index < plan_.connections; ++index) {
      connections_.push_back(std::make_unique<Connection>(plan_.port, tls_.get()));
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.u64 = index;
      epoll_ctl(epoll_, EPOLL_CTL_ADD, connections_.back()->descriptor(), &event);
      free_.push_back(index);
    }
    begin_ = Now() + kSecond / 100;
    const Nanoseconds end = begin_ + plan_.seconds * kSecond + kGrace;
    std::array<epoll_event, 64> events{};
    while (answered_ + failed_ < total_) {
      const Nanoseconds now = Now();
      if (now > end || alive() == 0) break;
      SendDue(now);
      const int count = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), 0);
      if (count == 0) sched_yield();
      for (int index = 0; index < count; ++index) {
        Read(events[static_cast<std::size_t>(index)].data.u64);
      }
    }
    const Nanoseconds now = Now();
    for (const auto& connection : connections_) {
      if (connection->busy()) latencies_.push_back(now - connection->due());
    }
    for (std::int64_t index = sent_; index < total_ && Due(index) <= now; ++index) {
      latencies_.push_back(now - Due(index));
    }
  }

  /// One line of JSON, times in nanoseconds; then a line for each of the slowest, when it was due
  /// by the monotonic clock and how long it took.
  void Print() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto cpu = [](const timeval& time) {
      return time.tv_sec * kSecond + time.tv_usec * 1000;
    };
    std::printf(
        "{\"scheduled\":%lld,\"answered\":%lld,\"unexpected\":%lld,\"failed\":%lld,"
        "\"delayed\":%lld,\"cpu\":%lld,\"latency\":%s,\"lateness\":%s}\n",
        static_cast<long long>(total_), static_cast<long long>(answered_),
        static_cast<long long>(unexpected_), static_cast<long long>(failed_),
        static_cast<long long>(delayed_),
        static_cast<long long>(cpu(usage.ru_utime) + cpu(usage.ru_stime)),
        Percentiles(latencies_).c_str(), Percentiles(lateness_).c_str());
    if (plan_.slowest == 0) return;
    const std::size_t told = std::min(plan_.slowest, requests_.size());
    std::partial_sort(requests_.begin(), requests_.begin() + static_cast<std::ptrdiff_t>(told),
                      requests_.end(),
                      [](const auto& one, const auto& other) { return one.took > other.took; });
    for (std::size_t index = 0; index < told; ++index) {
      const auto& [due, took] = requests_[index];
      std::printf("%lld %lld\n", static_cast<long long>(due), static_cast<long long>(took));
    }
  }

 private:
  Nanoseconds Due(std::int64_t index) const { return begin_ + index * kSecond / plan_.rate; }

  std::size_t alive() const { return connections_.size() - lost_; }

  /// Sends what is due while connections are free. `waiting_`: the next one is due and none is
  /// free.
  void SendDue(Nanoseconds now) {
    waiting_ = false;
    while (sent_ < total_ && Due(sent_) <= now) {
      if (free_.empty()) {
        // Everything due until now waits for the server, not for this client's clock.
        waiting_ = true;
        held_until_ = now;
        return;
      }
      const std::size_t index = free_.front();
      free_.pop_front();
      const Nanoseconds due = Due(sent_);
      if (due <= held_until_) {
        ++delayed_;
      } else {
        lateness_.push_back(Now() - due);
      }
      ++sent_;
      if (!connections_[index]->Send(plan_.request, due)) Lose(index);
    }
  }

  void Read(std::size_t index) {
    Connection& connection = *connections_[index];
    if (connection.closed()) return;
    const int status = connection.Read();
    if (status == Connection::kMore) return;
    if (status == Connection::kBroken) {
      Lose(index);
      return;
    }
    latencies_.push_back(Now() - connection.due());
    if (plan_.slowest > 0) requests_.push_back({connection.due(), latencies_.back()});
    ++answered_;
    if (status != plan_.status) ++unexpected_;
    free_.push_back(index);
    if (waiting_) SendDue(Now());
  }

  /// A connection that broke is not replaced: the servers under test have no reason to close one.
  void Lose(std::size_t index) {
    Connection& connection = *connections_[index];
    if (connection.busy()) ++failed_;
    connection.Close();
    ++lost_;
    free_.erase(std::remove(free_.begin(), free_.end(), index), free_.end());
  }

  static std::string Percentiles(std::vector<Nanoseconds>& values) {
    if (values.empty()) return "null";
    std::sort(values.begin(), values.end());
    const auto at = [&values](double share) {
      const auto rank = static_cast<std::size_t>(share * static_cast<double>(values.size()));
      return std::to_string(values[std::min(rank, values.size() - 1)]);
    };
    return "{\"p50\":" + at(0.5) + ",\"p99\":" + at(0.99) + ",\"p999\":" + at(0.999) +
           ",\"max\":" + std::to_string(values.back()) + "}";
  }

  Plan plan_;
  std::int64_t total_;
  int epoll_;
  std::unique_ptr<Tls> tls_;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::deque<std::size_t> free_;
  struct Request {
    Nanoseconds due;
    Nanoseconds took;
  };
  std::vector<Request> requests_;
  std::vector<Nanoseconds> latencies_;
  std::vector<Nanoseconds> lateness_;
  Nanoseconds begin_ = 0;
  Nanoseconds held_until_ = 0;
  bool waiting_ = false;
  std::size_t lost_ = 0;
  std::int64_t sent_ = 0, answered_ = 0, unexpected_ = 0, failed_ = 0, delayed_ = 0;
};

}  // namespace

int main(int count, char** words) {
  if (count != 7 && count != 8) {
    std::cerr << "usage: constant-rate PORT RATE CONNECTIONS SECONDS STATUS plain|tls [SLOWEST] "
                 "< request\n";
    return 2;
  }
  // A write to a connection that the server has closed is counted, not the end.
  std::signal(SIGPIPE, SIG_IGN);
  const std::string request{std::istreambuf_iterator<char>(std::cin), {}};
  Run run({static_cast<std::uint16_t>(std::atoi(words[1])), std::atoll(words[2]),
           static_cast<std::size_t>(std::atoll(words[3])), std::atoll(words[4]),
           std::atoi(words[5]), std::string(words[6]) == "tls",
           count == 8 ? static_cast<std::size_t>(std::atoll(words[7])) : 0, request});
  try {
    run.Execute();
  } catch (const std::exception& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
  }
  run.Print();
  return 0;
}
