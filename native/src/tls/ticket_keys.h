// The keys that the server library's TLS seals session tickets with, where they lie in memory:
// found by their contents, not by a layout (native/README.md, "Session tickets"). The caller, JS,
// proves with cryptography that what was found is a key before it writes there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "tls/readable_memory.h"

namespace weir::tls {

// A key's name, as tickets begin with it.
inline constexpr std::size_t kNameBytes = 16;
// What a key begins with: name, HMAC key, AES key, and the second in which it is replaced.
inline constexpr std::size_t kKeyBytes = 56;
// How much of a context is searched; the keys of known builds are at words 46 and 47.
inline constexpr std::size_t kContextWords = 128;

using KeyName = std::span<const std::uint8_t, kNameBytes>;
using Key = std::span<std::uint8_t, kKeyBytes>;
using ConstKey = std::span<const std::uint8_t, kKeyBytes>;

// The SSL_CTX of a listener, which outlives this.
class TicketContext {
 public:
  explicit TicketContext(void* context) : words_(static_cast<void**>(context)) {}

  // The next word that points to something with this name; `copy` becomes what it points to. That
  // may be no key: tickets begin with the name as well, and memory behind the context is looked at.
  std::optional<std::size_t> find(const ReadableMemory& memory, std::size_t from, KeyName name,
                                  Key copy);

  // Only where `find` or `take` have been. @returns false elsewhere
  bool write(std::size_t word, ConstKey key);

  // Moves a key of another context of the same library here, to the same word, which has to be
  // empty and is then this context's to free. @returns false, and nothing was done, if it can't be
  bool take(TicketContext& other, std::size_t word, const ReadableMemory& memory);

 private:
  void** words_;
  // where keys are
  std::array<bool, kContextWords> keys_{};
};

}  // namespace weir::tls
