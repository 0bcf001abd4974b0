// Processes and memory they share, for tests that fork. Only programs without running threads may
// fork. Nobody waits without a deadline: a process that does not come to its end is a failure.
#pragma once

#include <signal.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <thread>

namespace weir::test {

inline constexpr std::chrono::seconds kDeadline{60};

// Polls until the condition holds; false after the deadline.
template <class Condition>
bool eventually(Condition condition, std::chrono::milliseconds deadline = kDeadline) {
  const auto end = std::chrono::steady_clock::now() + deadline;
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
  return true;
}

// Runs body() in a process of its own; what it returns is the exit code.
template <class Body>
pid_t start_process(Body body) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) {
    std::perror("fork");
    std::_Exit(1);
  }
  if (child != 0) return child;
  const int code = body();
  std::fflush(nullptr);
  std::_Exit(code);
}

// The process's wait status; one that does not end is killed, and has that for its status.
inline int end_of(pid_t child, std::chrono::milliseconds deadline = kDeadline) {
  int status = -1;
  const auto ended = [&] { return waitpid(child, &status, WNOHANG) == child; };
  if (eventually(ended, deadline)) return status;
  std::fprintf(stderr, "process %d does not end\n", static_cast<int>(child));
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return status;
}

inline bool succeeded(int status) { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }

// `count` objects in zero-filled memory that processes forked off later share.
template <class T>
class Shared {
 public:
  explicit Shared(std::size_t count = 1) : bytes_(count * sizeof(T)) {
    void* const memory =
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
      std::perror("mmap");
      std::_Exit(1);
    }
    objects_ = new (memory) T[count]{};
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared() { munmap(static_cast<void*>(objects_), bytes_); }

  T& operator[](std::size_t index) const { return objects_[index]; }
  T* operator->() const { return objects_; }
  T& operator*() const { return *objects_; }

 private:
  std::size_t bytes_;
  T* objects_;
};

}  // namespace weir::test
