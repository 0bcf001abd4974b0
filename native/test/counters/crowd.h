// Several threads at once, each with a view of its own on one counters file. They are made once and
// run round after round; between the rounds it is quiet, and the file can be looked at.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "file_view.h"
#include "scene.h"

namespace weir::test {

class Crowd {
 public:
  Crowd(const CountersOptions& options, const LimiterSpec& spec, unsigned size) {
    for (unsigned i = 0; i < size; ++i) parties_.push_back(std::make_unique<Party>(options, spec));
  }

  // ask(party, number) on every thread; returns when all are done.
  void round(const std::function<void(Party&, unsigned)>& ask) {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < parties_.size(); ++i) {
      threads.emplace_back([this, &ask, i] { ask(*parties_[i], i); });
    }
    for (std::thread& thread : threads) thread.join();
  }

  Party& party(unsigned number) { return *parties_[number]; }

 private:
  std::vector<std::unique_ptr<Party>> parties_;
};

// Whether no key has two open cells in its limiter. The fingerprint stands for the key: two of a
// few thousand random keys share 48 bits once in a hundred million runs.
inline bool keys_are_unique(const std::string& path) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
  for (const FileView::Cell& cell : FileView(path).cells()) {
    if (!seen.insert({cell.record, counters::fingerprint_of(cell.sight.key)}).second) return false;
  }
  return true;
}

}  // namespace weir::test
