// A process that is led through its work one instruction at a time, and can be left standing after
// any of them. Linux only; elsewhere, and where tracing is not allowed, there is none.
#pragma once

#include <cstdint>
#if defined(__linux__)
#include <sys/ptrace.h>
#endif

#include "processes.h"

namespace weir::test {

class Stepper {
 public:
  // work() runs in a process of its own, which stands before its first instruction at first.
  template <class Work>
  explicit Stepper(Work work) {
    process_ = start_process([&]() -> int {
#if defined(__linux__)
      if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) return 1;
#endif
      raise(SIGSTOP);
      work();
      raise(SIGSTOP);
      return 0;
    });
    stands_ = is_stopped();
  }
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;
  ~Stepper() { end(); }

  bool stands() const { return stands_; }

  // False if the work was done before so many instructions.
  bool step(std::uint64_t instructions) {
#if defined(__linux__)
    for (std::uint64_t i = 0; i < instructions; ++i) {
      if (ptrace(PTRACE_SINGLESTEP, process_, nullptr, nullptr) != 0) return false;
      if (!is_stopped()) return false;
      if (WSTOPSIG(status_) == SIGSTOP) return false;
    }
    return true;
#else
    return instructions == 0;
#endif
  }

  // Lets it do the rest of its work.
  bool finish_work() {
#if defined(__linux__)
    if (ptrace(PTRACE_CONT, process_, nullptr, nullptr) != 0) return false;
#endif
    return is_stopped() && WSTOPSIG(status_) == SIGSTOP;
  }

  // Killed where it stands.
  void end() {
    if (process_ == 0) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    process_ = 0;
  }

 private:
  bool is_stopped() {
    return waitpid(process_, &status_, WUNTRACED) == process_ && WIFSTOPPED(status_);
  }

  pid_t process_ = 0;
  int status_ = 0;
  bool stands_ = false;
};

}  // namespace weir::test
