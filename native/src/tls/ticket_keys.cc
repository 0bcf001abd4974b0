#include "tls/ticket_keys.h"

#include <algorithm>
#include <cstring>

namespace weir::tls {

std::optional<std::size_t> TicketContext::find(const ReadableMemory& memory, KeyName name,
                                               Key copy) {
  std::optional<std::size_t> found;
  for (std::size_t word = 0; word < kContextWords; ++word) {
    const void* pointer = nullptr;
    if (!memory.copy(words_ + word, &pointer, sizeof pointer)) break;
    std::array<std::uint8_t, kKeyBytes> bytes{};
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    if (address == 0 || address % alignof(std::uint64_t) != 0) continue;
    if (!memory.copy(pointer, bytes.data(), bytes.size())) continue;
    if (!std::equal(name.begin(), name.end(), bytes.begin())) continue;
    if (found.has_value()) return std::nullopt;
    found = word;
    std::copy(bytes.begin(), bytes.end(), copy.begin());
  }
  if (found.has_value()) keys_[*found] = true;
  return found;
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
