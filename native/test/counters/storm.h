// Processes that are stopped, continued, killed and replaced at random while they work; some are
// left alone. Used by storm_test.cc.
#pragma once

#include <signal.h>

#include <chrono>
#include <cstdio>
#include <functional>
#include <thread>
#include <vector>

#include "processes.h"
#include "random.h"

namespace weir::test {

class Storm {
 public:
  // work(is_spared) runs in every process until it is told to end; its result is the exit code.
  Storm(unsigned spared, unsigned exposed, std::function<int(bool)> work) : work_(std::move(work)) {
    for (unsigned i = 0; i < spared; ++i) spared_.push_back(start(true));
    for (unsigned i = 0; i < exposed; ++i) exposed_.push_back({start(false), false});
  }

  // The pauses are the storm's rhythm; nothing is waited for.
  void rage(std::chrono::milliseconds duration, Random& random) {
    const auto end = std::chrono::steady_clock::now() + duration;
    while (std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::microseconds(random.below(2'000)));
      Exposed& one = exposed_[random.below(exposed_.size())];
      if (random.one_in(4)) {
        replace(one);
      } else {
        kill(one.process, one.is_stopped ? SIGCONT : SIGSTOP);
        one.is_stopped = !one.is_stopped;
        ++stops_;
      }
    }
  }

  // Lets all go on and come to their end, those last that are stopped: the others end without them.
  // True if all did. `tell` tells them.
  bool calm(const std::function<void()>& tell) {
    tell();
    bool all = true;
    for (const pid_t process : spared_) all = succeeded(end_of(process)) && all;
    for (Exposed& one : exposed_) {
      if (!one.is_stopped) all = succeeded(end_of(one.process)) && all;
    }
    for (Exposed& one : exposed_) {
      if (!one.is_stopped) continue;
      kill(one.process, SIGCONT);
      all = succeeded(end_of(one.process)) && all;
    }
    return all;
  }

  unsigned kills() const { return kills_; }
  unsigned stops() const { return stops_; }

 private:
  struct Exposed {
    pid_t process;
    bool is_stopped;
  };

  pid_t start(bool is_spared) {
    return start_process([&] { return work_(is_spared); });
  }

  void replace(Exposed& one) {
    kill(one.process, SIGKILL);
    end_of(one.process);
    one = {start(false), false};
    ++kills_;
  }

  std::function<int(bool)> work_;
  std::vector<pid_t> spared_;
  std::vector<Exposed> exposed_;
  unsigned kills_ = 0;
  unsigned stops_ = 0;
};

}  // namespace weir::test
