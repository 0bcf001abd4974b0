// Reads a counters file from outside, as it is on the disk and whoever has it open: the pages, what
// they are used for, the cells on them. Tests compare this with what the counters say.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "counters/cell.h"
#include "counters/layout.h"
#include "counters/mapping.h"
#include "counters/pages.h"

namespace weir::test {

class FileView {
 public:
  using AtomicWord = counters::AtomicWord;
  using Sight = counters::Sight<AtomicWord>;

  // An open cell of a bucket, and the record of its limiter as an index of words in the file.
  struct Cell {
    std::uint64_t record;
    Sight sight;
  };

  explicit FileView(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (file < 0 || fstat(file, &status) != 0) fail(path);
    bytes_ = static_cast<std::size_t>(status.st_size);
    void* const memory = mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) fail(path);
    close(file);
    words_ = static_cast<AtomicWord*>(memory);
  }
  FileView(const FileView&) = delete;
  FileView& operator=(const FileView&) = delete;
  ~FileView() { munmap(static_cast<void*>(words_), bytes_); }

  std::uint64_t header(std::size_t word) const {
    return words_[counters::kHeaderPage * counters::kPageWords + word].load();
  }
  std::uint64_t pages() const { return header(counters::kSegments) * counters::kSegmentPages; }
  AtomicWord* page(std::uint64_t number) const { return words_ + number * counters::kPageWords; }
  std::uint64_t own_word(std::uint64_t number) const {
    const std::uint64_t first = number - number % counters::kSegmentPages;
    return page(first)[number % counters::kSegmentPages].load();
  }
  bool is_handed_out(std::uint64_t number) const {
    const std::uint64_t index = number % counters::kSegmentPages;
    return index != 0 && index <= counters::kLastUsablePage && number != counters::kHeaderPage;
  }
  counters::PageType type(std::uint64_t number) const {
    return counters::page_word::type(own_word(number));
  }

  // Whether its owner refers to it too.
  bool is_owned(std::uint64_t number) const {
    const std::uint64_t own = own_word(number);
    const std::uint64_t owner = counters::page_word::owner(own);
    if (owner == 0) return false;
    return words_[owner].load() ==
           counters::reference::make(counters::page_word::generation(own), number);
  }

  // The record that a page of entries or a directory belongs to; 0 if it is lost.
  std::uint64_t record_of(std::uint64_t number) const {
    for (int level = 0; level < 4; ++level) {
      if (!is_owned(number)) return 0;
      const std::uint64_t owner = counters::page_word::owner(own_word(number));
      number = owner / counters::kPageWords;
      if (number == counters::kHeaderPage) return 0;
      if (type(number) == counters::PageType::kRecords) {
        return owner - owner % counters::kRecordWords;
      }
    }
    return 0;
  }

  std::vector<counters::PageType> types() const {
    std::vector<counters::PageType> all;
    for (std::uint64_t number = 0; number < pages(); ++number) all.push_back(type(number));
    return all;
  }

  // Every cell in this state on pages of entries that a limiter has.
  std::vector<Cell> cells(counters::State state = counters::State::kOpen) const {
    std::vector<Cell> found;
    for (std::uint64_t number = 0; number < pages(); ++number) {
      if (!is_handed_out(number) || type(number) == counters::PageType::kRecords) continue;
      const std::size_t stride = counters::cell_words(type(number));
      const std::uint64_t record = stride == 0 ? 0 : record_of(number);
      for (std::size_t i = 0; record != 0 && i < counters::kPageWords; i += stride) {
        const Sight sight = counters::look(page(number) + i);
        if (sight.state() == state) found.push_back({record, sight});
      }
    }
    return found;
  }

 private:
  [[noreturn]] static void fail(const std::string& path) {
    std::perror(path.c_str());
    std::_Exit(1);
  }

  AtomicWord* words_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace weir::test
