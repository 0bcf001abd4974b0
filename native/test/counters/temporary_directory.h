// A directory of a test's own, gone when the test is: also from a process that was forked off, the
// one that made it removes it.
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace weir::test {

class TemporaryDirectory {
 public:
  TemporaryDirectory() : maker_(getpid()) {
    std::string name = (std::filesystem::temp_directory_path() / "weir-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      std::perror("mkdtemp");
      std::exit(1);
    }
    path_ = name;
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    if (getpid() != maker_) return;
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string file(const std::string& name = "counters") const { return path_ + "/" + name; }

 private:
  pid_t maker_;
  std::string path_;
};

}  // namespace weir::test
