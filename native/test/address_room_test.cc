// Proves that no address of those that V8 draws is left, that whoever asks for one gets memory next
// to what it has, that nothing of what was there is lost, and that no memory is used up by it.
#include "address_room.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>

#include "check.h"

namespace {

using weir::kDrawnBegin;
using weir::kDrawnEnd;
using weir::take_drawn_addresses;

constexpr std::size_t kPiece = 256 << 10;
// Where nothing is taken, or what is taken is not all.
#if !defined(__linux__) || !defined(__LP64__) || defined(__SANITIZE_ADDRESS__) || \
    defined(__SANITIZE_THREAD__)
constexpr bool kIsElsewhere = true;
#else
constexpr bool kIsElsewhere = false;
#endif

char* map_at(std::uintptr_t wish) {
  void* const got = mmap(reinterpret_cast<void*>(wish), kPiece, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(got != MAP_FAILED);
  return static_cast<char*>(got);
}

bool is_drawn(const char* at) {
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  return address >= kDrawnBegin && address < kDrawnEnd;
}

long resident_pages() {
  long all = 0;
  long resident = 0;
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  CHECK(file != nullptr && std::fscanf(file, "%ld %ld", &all, &resident) == 2);
  if (file != nullptr) std::fclose(file);
  return resident;
}

void bounded() {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{std::uint64_t{1} << 40, std::uint64_t{1} << 40};
    setrlimit(RLIMIT_AS, &limit);
    _exit(take_drawn_addresses() == 0 ? 0 : 1);
  }
  int status = 1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
}

// Where the kernel deals addresses out from below, as it does without a bound on the stack,
// libraries and the stack itself need what would be taken.
void from_below(const char* self) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{RLIM_INFINITY, RLIM_INFINITY};
    if (setrlimit(RLIMIT_STACK, &limit) != 0) {
      std::puts("skipped: no right to do without a bound on the stack");
      std::fflush(stdout);
      _exit(0);
    }
    execl(self, self, "below", nullptr);
    _exit(2);
  }
  int status = 1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
}

void gathered() {
  std::mt19937_64 random(7);
  const auto draw = [&random] { return random() % (kDrawnEnd - kDrawnBegin) + kDrawnBegin; };
  constexpr int kBefore = 40;
  char* before[kBefore];
  for (char*& piece : before) {
    piece = map_at(draw() & ~(kPiece - 1));
    CHECK(is_drawn(piece));
    std::memset(piece, 'b', kPiece);
  }
  const long resident = resident_pages();
  const std::uint64_t taken = take_drawn_addresses();
  CHECK(taken == kDrawnEnd - kDrawnBegin - kBefore * kPiece);
  CHECK(resident_pages() - resident < 64);
  CHECK(take_drawn_addresses() == 0);
  for (const char* piece : before) CHECK(piece[0] == 'b' && piece[kPiece - 1] == 'b');
  constexpr int kPieces = 1000;
  const char* last = nullptr;
  int apart = 0;
  for (int piece = 0; piece < kPieces; ++piece) {
    char* const next = map_at(draw() & ~(kPiece - 1));
    CHECK(!is_drawn(next));
    if (next + kPiece != last) ++apart;
    next[0] = 'a';
    last = next;
  }
  // Holes between libraries are filled first.
  CHECK(apart < kPieces / 20);
  // What was given back is free to be taken.
  munmap(before[0], kPiece);
  CHECK(take_drawn_addresses() == kPiece);
}

}  // namespace

int main(int count, char** parameters) {
  if (count > 1) return take_drawn_addresses() == 0 ? 0 : 1;
  if (kIsElsewhere) {
    // A sanitizer's own memory lies there.
    take_drawn_addresses();
    CHECK(take_drawn_addresses() == 0);
  } else {
    bounded();
    from_below(parameters[0]);
    gathered();
  }
  return weir::test::finish();
}
