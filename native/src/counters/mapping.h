// The counters file in this process's address space: what the operating system has to do with it.
// The file grows by segments while it is mapped; the mapping is made for its largest size at once
// and never moves. Called by counters.cc.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace weir::counters {

using AtomicWord = std::atomic<std::uint64_t>;
static_assert(AtomicWord::is_always_lock_free && sizeof(AtomicWord) == 8,
              "words are shared between processes");

class Mapping {
 public:
  Mapping() = default;
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping();

  // Each returns 0 or an errno. `bytes_max` is a multiple of a segment; less is mapped where the
  // address space is short.
  int open_file(const std::string& path, bool create, std::size_t bytes_max);
  int open_memory(std::size_t bytes_max);

  // Advisory locks on the file: everyone who has it open shares one. Alone is he who gets it whole;
  // where the file system has no locks, everyone is. Sharing waits for one who is alone, which he
  // is for as long as it takes to put the file in order; 0 or an errno.
  bool lock_alone() noexcept;
  int lock_shared() noexcept;
  // True for one opener of the file at a time, until it closes it: he collects.
  bool lock_collector() noexcept;

  // Bytes that the file has now.
  std::size_t file_bytes() const noexcept;
  // Whether so many bytes may be touched; memory has no file that somebody could cut short.
  bool holds(std::size_t bytes) const noexcept { return file_ < 0 || file_bytes() >= bytes; }
  // Cuts the file; only for whoever is alone.
  int truncate(std::size_t bytes) noexcept;

  // Makes a segment exist, zero-filled, with its space on the disk. Any process may, any number of
  // times; nothing that is there is changed. False on a full disk, which is then asked again now
  // and then only, or where the file may not grow any more.
  bool commit(std::uint64_t segment) noexcept;
  void limit_segments(std::uint64_t segments_max) noexcept { segments_max_ = segments_max; }

  AtomicWord& word(std::uint64_t index) const noexcept { return words_[index]; }
  std::size_t bytes_max() const noexcept { return bytes_; }
  // errno of the last commit() that failed, 0 if none has.
  int commit_error() const noexcept { return commit_error_; }

 private:
  int map(std::size_t bytes_max, int flags);

  AtomicWord* words_ = nullptr;
  std::size_t bytes_ = 0;
  int file_ = -1;
  std::uint64_t segments_max_ = ~std::uint64_t{0};
  int commit_error_ = 0;
  unsigned commits_skipped_ = 0;
  bool is_collector_ = false;
};

// Who runs now: changes with every boot of the machine. Zero where the system does not tell.
struct BootId {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend bool operator==(const BootId&, const BootId&) = default;
};
BootId boot_id() noexcept;

// Milliseconds since 1970.
std::uint64_t wall_clock_ms() noexcept;

// 16 bytes nobody can guess. False if the system has none to give.
bool random_bytes(unsigned char (&bytes)[16]) noexcept;

}  // namespace weir::counters
