// Proves how the counters file comes into being, is shared and comes back: counts go on after a
// restart, a second process finds them, and whatever is no sound counters file of this version is
// told apart and never trusted.
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "check.h"
#include "counters/layout.h"
#include "counters/processes.h"
#include "counters/scene.h"
#include "counters/temporary_directory.h"

namespace {

using namespace weir::counters;  // the names of the header's words
using weir::test::as_owner;
using weir::test::frozen_at;
using weir::test::kBootMs;
using weir::test::kSegment;
using weir::test::LimiterSpec;
using weir::test::open_or_exit;
using weir::test::Party;
using weir::test::TemporaryDirectory;

const LimiterSpec kSpec{"kept", 3, 60'000, 100};

CountersError::Kind kind_of(const std::string& path, bool owner) {
  CountersOptions options = frozen_at(path);
  options.owner = owner;
  CountersError error;
  const auto opened = Counters::open(options, error);
  CHECK((opened == nullptr) == (error.kind != CountersError::kNone));
  return error.kind;
}

void creation() {
  const TemporaryDirectory directory;
  const std::string path = directory.file();
  // Only the owner makes it.
  CountersError error;
  CHECK(Counters::open(frozen_at(path), error) == nullptr);
  CHECK(error.kind == CountersError::kSystem && error.system_error == ENOENT);
  CHECK(!std::filesystem::exists(path));

  const auto counters = open_or_exit(as_owner(frozen_at(path)));
  struct stat status {};
  CHECK(stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  CHECK(static_cast<std::size_t>(status.st_size) == kSegment);
  CHECK(counters->statistics().bytes == kSegment && counters->statistics().limiters == 0);
  CHECK(counters->commit_error() == 0);
}

void unusable_paths() {
  const TemporaryDirectory directory;
  CountersError error;
  CHECK(Counters::open(as_owner(frozen_at(directory.file("no/such"))), error) == nullptr);
  CHECK(error.kind == CountersError::kSystem && error.system_error == ENOENT);
  CHECK(Counters::open(as_owner(frozen_at(directory.file("."))), error) == nullptr);
  CHECK(error.kind == CountersError::kSystem && error.system_error == EISDIR);
}

void in_memory() {
  Party one(frozen_at(""), kSpec);
  Party other(frozen_at(""), kSpec);
  for (int i = 0; i < 3; ++i) CHECK(one.admits(1));
  CHECK(!one.admits(1));
  CHECK(other.admits(1));  // nobody shares it
  CHECK(one.counters().statistics().live == 1);
}

void restart_keeps_counts() {
  const TemporaryDirectory directory;
  const CountersOptions options = as_owner(frozen_at(directory.file()));
  {
    Party before(options, kSpec);
    for (int i = 0; i < 3; ++i) CHECK(before.admits(1));
    CHECK(before.admits(2));
  }
  Party after(as_owner(frozen_at(directory.file(), kBootMs + 20'000)), kSpec);
  const Verdict verdict = after.admit(1);
  CHECK(verdict.kind == Verdict::kRejected && verdict.wait_ms == 40'000);
  CHECK(after.admits(2) && after.admits(2) && !after.admits(2));
  CHECK(after.counters().statistics().live == 2);
}

// As kill −9 of the whole server leaves it: nothing is closed.
void kill_keeps_counts() {
  const TemporaryDirectory directory;
  const CountersOptions options = as_owner(frozen_at(directory.file()));
  const pid_t child = weir::test::start_process([&] {
    Party party(options, kSpec);
    for (int i = 0; i < 3; ++i) party.admits(1);
    kill(getpid(), SIGKILL);
    return 1;
  });
  CHECK(WIFSIGNALED(weir::test::end_of(child)));
  Party after(options, kSpec);
  CHECK(!after.admits(1));
}

// By one that does not own it and by one that would, were it alone: another process, and this one.
void second_opening() {
  for (const bool owner : {false, true}) {
    const TemporaryDirectory directory;
    CountersOptions options = as_owner(frozen_at(directory.file()));
    Party first(options, kSpec);
    CHECK(first.admits(1));
    // More than a window: who is alone would put its limiter away.
    options.owner = owner;
    options.boot_ms += 1'000'000;
    const pid_t child = weir::test::start_process([&] {
      Party second(options, kSpec);
      second.set_clock(kBootMs);
      CHECK(second.admits(1) && second.admits(1) && !second.admits(1));
      return weir::test::failures == 0 ? 0 : 1;
    });
    CHECK(weir::test::succeeded(weir::test::end_of(child)));
    CHECK(!first.admits(1));
    options.boot_ms = kBootMs;
    Party third(options, kSpec);
    CHECK(!third.admits(1));
    CHECK(first.admits(2) && third.admits(2) && first.admits(2) && !third.admits(2));
  }
}

// An owner that comes back while a worker of the last one lives on is not alone: it collects
// nothing and cuts nothing off, though by its clock all is long over.
void owner_comes_back() {
  const TemporaryDirectory directory;
  const CountersOptions options = frozen_at(directory.file());
  auto first = open_or_exit(as_owner(options));
  Party worker(options, kSpec);
  for (int i = 0; i < 3; ++i) CHECK(worker.admits(1));
  first.reset();
  const auto second = open_or_exit(as_owner(frozen_at(directory.file(), kBootMs + 1'000'000)));
  CHECK(second->statistics().limiters == 1 && second->statistics().live == 1);
  CHECK(!worker.admits(1));
}

// An owner's file with something done to it, opened again by an owner and by another.
void spoilt(const std::function<void(const std::string&)>& spoil, CountersError::Kind expected) {
  const TemporaryDirectory directory;
  const std::string path = directory.file();
  { Party(as_owner(frozen_at(path)), kSpec).admits(1); }
  spoil(path);
  const auto size = std::filesystem::file_size(path);
  CHECK(kind_of(path, false) == expected);
  CHECK(kind_of(path, true) == expected);
  CHECK(std::filesystem::file_size(path) == size);  // left as it is, for whoever wants to look
  CHECK(kind_of(path, true) == expected);
}

auto truncated(std::size_t bytes) {
  return [bytes](const std::string& path) { std::filesystem::resize_file(path, bytes); };
}

auto with_header(std::size_t word, std::uint64_t value) {
  return [word, value](const std::string& path) {
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(kHeaderPage * kPageBytes + word * kWordBytes));
    file.write(reinterpret_cast<const char*>(&value), sizeof value);
    CHECK(file.good());
  };
}

auto of_bytes(std::size_t bytes, char fill) {
  return [bytes, fill](const std::string& path) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << std::string(bytes, fill);
  };
}

void spoilt_files() {
  constexpr std::size_t kHeaderEnd = (kHeaderPage + 1) * kPageBytes;
  for (const std::size_t bytes : {std::size_t{1}, kPageBytes, kHeaderEnd - 1}) {
    spoilt(truncated(bytes), CountersError::kForeign);
  }
  for (const std::size_t bytes : {kHeaderEnd, kSegment / 2, kSegment - 1}) {
    spoilt(truncated(bytes), CountersError::kDamaged);
  }
  spoilt(of_bytes(100, 'x'), CountersError::kForeign);
  spoilt(of_bytes(kSegment, 'x'), CountersError::kForeign);
  spoilt(of_bytes(kSegment, '\0'), CountersError::kForeign);
  spoilt(of_bytes(2 * kSegment + 5, '\xff'), CountersError::kForeign);
  spoilt(with_header(kMagicWord, kMagic + 1), CountersError::kForeign);
  spoilt(with_header(kMagicWord, 0), CountersError::kForeign);
  spoilt(with_header(kLayoutWord, kLayoutVersion + 1), CountersError::kLayout);
  spoilt(with_header(kLayoutWord, 0), CountersError::kLayout);
  spoilt(with_header(kChecksum, 1), CountersError::kDamaged);
  spoilt(with_header(kSeedLow, 1), CountersError::kDamaged);
  spoilt(with_header(kSeedHigh, 1), CountersError::kDamaged);
  spoilt(with_header(kSegments, 0), CountersError::kDamaged);
  spoilt(with_header(kSegments, 2), CountersError::kDamaged);
  spoilt(with_header(kSegments, ~std::uint64_t{0}), CountersError::kDamaged);
  spoilt(with_header(kLatest, ~std::uint64_t{0} - 1'000), CountersError::kDamaged);
  spoilt(with_header(kEpoch, ~std::uint64_t{0} - 1'000), CountersError::kDamaged);
}

// Everybody must be able to follow where the file grows: it grows no further than its owner has
// mapped, and one who can't map that much is refused.
void different_sizes() {
  const TemporaryDirectory directory;
  const LimiterSpec large{"large", 61, 60'000, 1'000'000};
  Party owner(as_owner(frozen_at(directory.file(), kBootMs, 2 * kSegment)), large);
  Party other(frozen_at(directory.file(), kBootMs, 64 * kSegment), large);
  for (std::uint64_t key = 0; key < 20'000; ++key) other.admit(key);
  CHECK(other.counters().statistics().bytes == 2 * kSegment);
  CHECK(std::filesystem::file_size(directory.file()) == 2 * kSegment);
  for (std::uint64_t key = 0; key < 20'000; ++key) owner.admit(key);
  CountersError error;
  CHECK(Counters::open(frozen_at(directory.file(), kBootMs, kSegment), error) == nullptr);
  CHECK(error.kind == CountersError::kSystem && error.system_error == ENOMEM);
}

// Nothing in it yet, as a crash at its creation may leave it: the owner begins anew.
void empty_file() {
  const TemporaryDirectory directory;
  of_bytes(0, ' ')(directory.file());
  CHECK(kind_of(directory.file(), false) == CountersError::kForeign);
  CHECK(kind_of(directory.file(), true) == CountersError::kNone);
  CHECK(kind_of(directory.file(), false) == CountersError::kNone);
}

}  // namespace

int main() {
  creation();
  unusable_paths();
  in_memory();
  restart_keeps_counts();
  kill_keeps_counts();
  second_opening();
  owner_comes_back();
  spoilt_files();
  different_sizes();
  empty_file();
  return weir::test::finish();
}
