// How the bench measures: contenders of a row take turns, round by round, who goes first changing
// each time, so that drift of the machine hits all of them. Every measurement is one line of JSON;
// bench/counters.mjs takes the quartiles. A measurement that did not do what its row says (a
// decision came out wrong) ends the program.
#pragma once

#include <time.h>

#include <barrier>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace weir::bench {

// One turn: nanoseconds per decision.
using Measure = std::function<double()>;

class Turns {
 public:
  void add(const std::string& table, const std::string& row, const std::string& contender,
           Measure measure) {
    if (rows_.empty() || rows_.back().table != table || rows_.back().name != row) {
      rows_.push_back({table, row, {}});
    }
    rows_.back().contenders.push_back({contender, std::move(measure)});
  }

  // One round to warm up, then those that count. Beside it a thread that only waits: where there is
  // but one, the C library's mutex does without its atomic instructions, and a server has several.
  void run(unsigned rounds) const {
    std::barrier end(2);
    std::thread other([&end] { end.arrive_and_wait(); });
    take_turns(rounds);
    end.arrive_and_wait();
    other.join();
  }

 private:
  void take_turns(unsigned rounds) const {
    for (unsigned round = 0; round <= rounds; ++round) {
      for (const Row& row : rows_) {
        for (std::size_t turn = 0; turn < row.contenders.size(); ++turn) {
          const std::size_t last = row.contenders.size() - 1;
          const Contender& contender = row.contenders[round % 2 == 0 ? turn : last - turn];
          const double nanoseconds = contender.measure();
          if (round == 0) continue;
          std::printf("{\"table\":\"%s\",\"row\":\"%s\",\"contender\":\"%s\",\"ns\":%.2f}\n",
                      row.table.c_str(), row.name.c_str(), contender.name.c_str(), nanoseconds);
        }
      }
      std::fflush(stdout);
    }
  }

  struct Contender {
    std::string name;
    Measure measure;
  };
  struct Row {
    std::string table;
    std::string name;
    std::vector<Contender> contenders;
  };
  std::vector<Row> rows_;
};

[[noreturn]] inline void stop(const char* reason) {
  std::fprintf(stderr, "counters_bench: %s\n", reason);
  std::exit(1);
}

enum class Expect { kAllAdmitted, kAllRejected };

// Alone a thread is measured by the processor time it took, whatever else the machine does. Where
// threads wait for each other that would not count the waiting.
enum class Clock { kProcessor, kWall };

constexpr Clock clock_for(unsigned threads) noexcept {
  return threads == 1 ? Clock::kProcessor : Clock::kWall;
}

inline double clock_ns(Clock clock) noexcept {
  timespec now{};
  clock_gettime(clock == Clock::kWall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

// decide(i) says whether decision i was an admission. Nanoseconds each.
template <class Decide>
double time_each(std::uint64_t decisions, Expect expect, Decide decide,
                 Clock clock = Clock::kProcessor) {
  std::uint64_t admitted = 0;
  const double begin = clock_ns(clock);
  for (std::uint64_t i = 0; i < decisions; ++i) admitted += decide(i) ? 1 : 0;
  const double taken = clock_ns(clock) - begin;
  if (admitted != (expect == Expect::kAllAdmitted ? decisions : 0))
    stop("a decision came out wrong");
  return taken / static_cast<double>(decisions);
}

// Runs measure(thread) on each of so many threads at once; nanoseconds per decision as one thread
// sees it, the mean over them.
template <class MeasureThread>
double together(unsigned threads, MeasureThread measure) {
  std::barrier begin(static_cast<std::ptrdiff_t>(threads));
  std::vector<double> nanoseconds(threads);
  std::vector<std::thread> running;
  for (unsigned thread = 0; thread < threads; ++thread) {
    running.emplace_back([&, thread] {
      begin.arrive_and_wait();
      nanoseconds[thread] = measure(thread);
    });
  }
  for (std::thread& thread : running) thread.join();
  double sum = 0;
  for (const double each : nanoseconds) sum += each;
  return sum / threads;
}

}  // namespace weir::bench
