// Puts a handler of ours before the library's own, and learns which one that is. The API has only
// setters and a context's layout is nobody's business, so what the setter does is watched: of the
// words that a context begins with exactly one may change, and what it held is the handler.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>

#include "front/socket_api.h"
#include "tls/readable_memory.h"

namespace weir::front {

// What contexts of known builds have in common takes some twenty words, TLS adds a dozen, and HTTP
// contexts are longer than this by far; also what is copied at a time.
inline constexpr std::size_t kWatchedWords = 64;
using Words = std::array<void*, kWatchedWords>;

// @param ssl 1: above TLS @returns nullptr, and nothing has changed, if that doesn't tell
template <typename Handler>
Handler replace_handler(const tls::ReadableMemory& memory, SocketContext* context,
                        void (*set)(int ssl, SocketContext* context, Handler handler), Handler ours,
                        int ssl = 0) {
  Words before{};
  Words after{};
  if (!memory.copy(context, before.data(), sizeof before)) return nullptr;
  set(ssl, context, ours);
  if (!memory.copy(context, after.data(), sizeof after)) return nullptr;
  std::size_t changed = 0;
  std::size_t word = 0;
  for (std::size_t each = 0; each < kWatchedWords; ++each) {
    if (before[each] == after[each]) continue;
    ++changed;
    word = each;
  }
  if (changed == 1 && before[word] != nullptr && after[word] == reinterpret_cast<void*>(ours)) {
    return reinterpret_cast<Handler>(before[word]);
  }
  for (std::size_t each = 0; each < kWatchedWords; ++each) {
    if (before[each] == after[each]) continue;
    std::memcpy(static_cast<void**>(context) + each, &before[each], sizeof before[each]);
  }
  return nullptr;
}

}  // namespace weir::front
