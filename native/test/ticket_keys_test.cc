// Proves that a key is found by its name among words that are no pointers, that nothing is written
// where none was found, and that a key moves only to an empty place.
#include "tls/ticket_keys.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "check.h"

namespace {

using weir::tls::kContextWords;
using weir::tls::kKeyBytes;
using weir::tls::kNameBytes;
using weir::tls::ReadableMemory;
using weir::tls::TicketContext;

struct alignas(8) KeyBytes {
  std::array<std::uint8_t, kKeyBytes> bytes{};

  explicit KeyBytes(std::uint8_t first) { bytes.fill(first); }
  weir::tls::KeyName name() const { return weir::tls::KeyName(bytes.data(), kNameBytes); }
};

using Words = std::array<void*, kContextWords>;

Words with_strange_words() {
  Words words{};
  words[1] = reinterpret_cast<void*>(std::uintptr_t{1});
  words[2] = reinterpret_cast<void*>(std::uintptr_t{0x10});
  words[3] = reinterpret_cast<void*>(~std::uintptr_t{7});
  words[4] = reinterpret_cast<void*>(std::uintptr_t{0x7000'0000'0000});
  return words;
}

void is_found_by_its_name() {
  const ReadableMemory memory;
  KeyBytes wanted(7);
  KeyBytes other(9);
  Words words = with_strange_words();
  words[40] = &other;
  words[100] = &wanted;
  TicketContext context(words.data());
  std::array<std::uint8_t, kKeyBytes> copy{};
  const auto word = context.find(memory, 0, wanted.name(), copy);
  CHECK(word.has_value() && *word == 100);
  CHECK(copy == wanted.bytes);
  CHECK(!context.find(memory, 0, KeyBytes(8).name(), copy).has_value());
  words[101] = &wanted;
  const auto next = context.find(memory, 101, wanted.name(), copy);
  CHECK(next.has_value() && *next == 101);
  CHECK(!context.find(memory, 102, wanted.name(), copy).has_value());
  CHECK(!context.find(memory, kContextWords, wanted.name(), copy).has_value());
}

void ends_where_memory_ends() {
  const ReadableMemory memory;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const pages =
      mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(pages != MAP_FAILED);
  char* const end = static_cast<char*>(pages) + page;
  CHECK(mprotect(end, page, PROT_NONE) == 0);
  KeyBytes wanted(7);
  std::array<std::uint8_t, kKeyBytes> copy{};

  // The context's last words are behind the end, and so is half of a key that a word points to.
  auto* const words = reinterpret_cast<void**>(end) - 8;
  words[1] = end - kKeyBytes / 2;
  std::fill(end - kKeyBytes / 2, end, char{7});
  words[2] = &wanted;
  TicketContext context(words);
  const auto word = context.find(memory, 0, wanted.name(), copy);
  CHECK(word.has_value() && *word == 2);
  char one = 0;
  CHECK(memory.copy(end - 1, &one, 1) && one == 7);
  CHECK(!memory.copy(end, &one, 1));
  // Nothing was left behind in the pipe by what could be copied only in part.
  CHECK(memory.copy(wanted.bytes.data(), copy.data(), copy.size()) && copy == wanted.bytes);
  munmap(pages, 2 * page);
}

void is_written_only_where_it_was_found() {
  const ReadableMemory memory;
  KeyBytes key(7);
  Words words = with_strange_words();
  words[40] = &key;
  TicketContext context(words.data());
  const KeyBytes next(3);
  for (const std::size_t word : {std::size_t{0}, std::size_t{1}, std::size_t{40}, kContextWords}) {
    CHECK(!context.write(word, next.bytes));
  }
  std::array<std::uint8_t, kKeyBytes> copy{};
  CHECK(context.find(memory, 0, key.name(), copy).has_value());
  CHECK(!context.write(1, next.bytes));
  CHECK(context.write(40, next.bytes));
  CHECK(key.bytes == next.bytes);
}

void moves_to_an_empty_place() {
  const ReadableMemory memory;
  KeyBytes key(7);
  Words from_words{};
  from_words[40] = &key;
  Words to_words{};
  TicketContext from(from_words.data());
  TicketContext to(to_words.data());
  CHECK(!to.take(from, 40, memory));
  std::array<std::uint8_t, kKeyBytes> copy{};
  CHECK(from.find(memory, 0, key.name(), copy).has_value());
  CHECK(!to.take(from, 41, memory) && !to.take(from, kContextWords, memory));
  to_words[40] = &to_words;
  CHECK(!to.take(from, 40, memory));
  to_words[40] = nullptr;
  CHECK(to.take(from, 40, memory));
  CHECK(from_words[40] == nullptr && to_words[40] == &key);
  CHECK(!to.take(from, 40, memory) && !from.write(40, key.bytes));
  const KeyBytes next(3);
  CHECK(to.write(40, next.bytes) && key.bytes == next.bytes);
}

}  // namespace

int main() {
  is_found_by_its_name();
  ends_where_memory_ends();
  is_written_only_where_it_was_found();
  moves_to_an_empty_place();
  return weir::test::finish();
}
