// Proves that connections are counted over all workers, that none has more than there may be, and
// that those of a worker that was killed count no more. Workers are processes of their own, as the
// locks that tell who lives are.
#include "front/client_counts.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "check.h"
#include "front/client_bounds.h"

namespace {

using weir::front::ClientBounds;
using weir::front::ClientCounts;
using Entry = weir::front::ClientCounts::Entry;

std::string folder;

std::string fresh_file() {
  static int number = 0;
  return folder + "/connections-" + std::to_string(number++);
}

// A worker that enters so often, says how often it was let in, and waits to be killed.
struct Worker {
  pid_t pid = 0;
  int reads = -1;

  Worker(const std::string& path, int times, std::uint64_t most, bool by_address) {
    std::array<int, 2> ends{};
    CHECK(pipe(ends.data()) == 0);
    pid = fork();
    if (pid == 0) {
      ClientCounts counts;
      if (counts.open_file(path) != 0) _exit(1);
      const std::uint64_t key = counts.key_of("address");
      int entered = 0;
      for (int time = 0; time < times; ++time) {
        entered +=
            by_address ? counts.enter_address(key, most) == Entry::kCounted : counts.enter(most);
      }
      const ssize_t written = write(ends[1], &entered, sizeof entered);
      for (;;) pause();
      _exit(written > 0 ? 0 : 1);
    }
    reads = ends[0];
    close(ends[1]);
  }
  int entered() const {
    int count = -1;
    CHECK(read(reads, &count, sizeof count) == sizeof count);
    return count;
  }
  void end() {
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
    close(reads);
  }
};

void counts_one_workers() {
  for (const bool shared : {true, false}) {
    ClientCounts counts;
    CHECK((shared ? counts.open_file(fresh_file()) : counts.open_memory()) == 0);
    for (int round = 0; round < 3; ++round) {
      CHECK(counts.enter(2) && counts.enter(2) && !counts.enter(2));
      counts.leave();
      CHECK(counts.enter(2) && !counts.enter(2));
      counts.leave();
      counts.leave();
    }
    const std::uint64_t key = counts.key_of("a");
    const std::uint64_t other = counts.key_of("b");
    CHECK(key != other);
    CHECK(counts.enter_address(key, 1) == Entry::kCounted);
    CHECK(counts.enter_address(key, 1) == Entry::kTooMany);
    CHECK(counts.enter_address(other, 1) == Entry::kCounted);
    counts.leave_address(key);
    CHECK(counts.enter_address(key, 1) == Entry::kCounted);
  }
}

// All of many addresses are counted exactly, also after others have come and gone.
void counts_many_addresses() {
  ClientCounts counts;
  CHECK(counts.open_file(fresh_file()) == 0);
  int full = 0;
  for (int round = 0; round < 2; ++round) {
    std::vector<std::uint64_t> keys;
    for (int each = 0; each < 20'000; ++each) {
      keys.push_back(counts.key_of(std::to_string(round) + ":" + std::to_string(each)));
    }
    std::vector<bool> counted;
    for (const std::uint64_t key : keys) {
      const Entry entry = counts.enter_address(key, 2);
      CHECK(entry != Entry::kTooMany);
      counted.push_back(entry == Entry::kCounted);
      full += entry == Entry::kFull;
    }
    for (std::size_t at = 0; at < keys.size(); ++at) {
      if (!counted[at]) continue;
      CHECK(counts.enter_address(keys[at], 2) == Entry::kCounted);
      CHECK(counts.enter_address(keys[at], 2) == Entry::kTooMany);
      counts.leave_address(keys[at]);
      counts.leave_address(keys[at]);
    }
  }
  CHECK(full < 40);
}

void counts_over_all_and_forgets_the_killed() {
  for (const bool by_address : {true, false}) {
    const std::string path = fresh_file();
    ClientCounts counts;
    CHECK(counts.open_file(path) == 0);
    const std::uint64_t key = counts.key_of("address");
    const auto enter = [&](std::uint64_t most) {
      return by_address ? counts.enter_address(key, most) == Entry::kCounted : counts.enter(most);
    };
    Worker first(path, 10, 4, by_address);
    CHECK(first.entered() == 4);
    CHECK(!enter(4));
    CHECK(enter(5) && !enter(5));
    first.end();
    // Its four count no more; ours does.
    CHECK(enter(4) && enter(4) && enter(4) && !enter(4));
    // Whoever takes its part begins with none.
    Worker second(path, 10, 6, by_address);
    CHECK(second.entered() == 2);
    second.end();
  }
}

// Never more than there may be, however many come at once.
void bounds_what_comes_at_once() {
  for (const bool by_address : {true, false}) {
    const std::string path = fresh_file();
    std::vector<std::unique_ptr<Worker>> workers;
    for (int each = 0; each < 4; ++each) {
      workers.push_back(std::make_unique<Worker>(path, 2000, 500, by_address));
    }
    int entered = 0;
    for (const auto& worker : workers) entered += worker->entered();
    CHECK(entered <= 500 && entered > 0);
    for (const auto& worker : workers) worker->end();
  }
}

void leaves_files_of_others() {
  const std::string path = fresh_file();
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  CHECK(write(file, "of another layout", 17) == 17);
  close(file);
  ClientCounts counts;
  CHECK(counts.open_file(path) == EINVAL);
  CHECK(counts.open_memory() == 0 && counts.enter(1) && !counts.enter(1));
  ClientCounts none;
  CHECK(none.open_file(folder + "/missing/connections") != 0);
  CHECK(none.open_memory() == 0 && none.enter(1));
  ClientCounts link;
  CHECK(symlink("/dev/null", (folder + "/link").c_str()) == 0);
  CHECK(link.open_file(folder + "/link") != 0);
}

void knows_networks() {
  using namespace std::string_literals;
  ClientBounds bounds;
  CHECK(bounds.counts.open_memory() == 0);
  const auto network = [&](const std::string& address, std::uint8_t bits) {
    weir::front::Network made;
    address.copy(reinterpret_cast<char*>(made.address.data()), address.size());
    made.bits = bits;
    bounds.exempt.push_back(made);
  };
  const std::string mapped = std::string(10, '\0') + "\xff\xff";
  network(mapped + "\x0a\x01\0\0"s, 96 + 15);
  network("\x20\x01\x0d\xb8"s + std::string(12, '\0'), 32);
  network(std::string(16, '\0'), 0);
  bounds.exempt.back().address[15] = 1;
  CHECK(bounds.is_exempt("\x0a\x01\x02\x03"s) && bounds.is_exempt("\x0a\0\x02\x03"s));
  CHECK(!bounds.is_exempt("\x0a\x02\0\0"s) && !bounds.is_exempt("\x0b\x01\0\0"s));
  CHECK(bounds.is_exempt(mapped + "\x0a\x01\x02\x03"s));
  // All of IPv6, and none of IPv4.
  CHECK(bounds.is_exempt("\x20\x02"s + std::string(14, 'x')));
  const std::string near = "\x20\x01\x0d\xb8\0\0\0\0"s;
  CHECK(bounds.key_of(near + "12345678") == bounds.key_of(near + "abcdefgh"));
  CHECK(bounds.key_of("\x20\x01\x0d\xb8\0\0\0\x01"s + "12345678") !=
        bounds.key_of(near + "12345678"));
  CHECK(bounds.key_of("\x01\x02\x03\x04"s) == bounds.key_of(mapped + "\x01\x02\x03\x04"s));
  CHECK(bounds.key_of("\x01\x02\x03\x04"s) != bounds.key_of("\x01\x02\x03\x05"s));
}

}  // namespace

int main() {
  std::string made = "/tmp/weir-client-counts-XXXXXX";
  CHECK(mkdtemp(made.data()) != nullptr);
  folder = made;
  counts_one_workers();
  counts_many_addresses();
  counts_over_all_and_forgets_the_killed();
  bounds_what_comes_at_once();
  leaves_files_of_others();
  knows_networks();
  CHECK(std::system(("rm -rf " + folder).c_str()) == 0);
  return weir::test::finish();
}
