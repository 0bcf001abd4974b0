#include "tls/ticket_keys.h"

#include <algorithm>
#include <cstring>

namespace weir::tls {

std::optional<std::size_t> TicketContext::find(const ReadableMemory& memory, std::size_t from,
                                               KeyName name, Key copy) {
  for (std::size_t word = from; word < kContextWords; ++word) {
    const void* pointer = nullptr;
    if (!memory.copy(words_ + word, &pointer, sizeof pointer)) break;
    std::array<std::uint8_t, kKeyBytes> bytes{};
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    if (address == 0 || address % alignof(std::uint64_t) != 0) continue;
    if (!memory.copy(pointer, bytes.data(), bytes.size())) continue;
    if (!std::equal(name.begin(), name.end(), bytes.begin())) continue;
    std::copy(bytes.begin(), bytes.end(), copy.begin());
    keys_[word] = true;
    return word;
  }
  return std::nullopt;
}

bool TicketContext::write(std::size_t word, ConstKey key) {
  if (word >= kContextWords || !keys_[word] || words_[word] == nullptr) return false;
  std::memcpy(words_[word], key.data(), key.size());
  return true;
}

bool TicketContext::take(TicketContext& other, std::size_t word, const ReadableMemory& memory) {
  if (word >= kContextWords || !other.keys_[word] || other.words_[word] == nullptr) return false;
  const void* present = nullptr;
  if (!memory.copy(words_ + word, &present, sizeof present) || present != nullptr) return false;
  words_[word] = other.words_[word];
  keys_[word] = true;
  other.words_[word] = nullptr;
  other.keys_[word] = false;
  return true;
}

}  // namespace weir::tls
