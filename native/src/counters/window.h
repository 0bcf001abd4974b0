// The sliding window of one bucket: a ring of blocks, each holding the newest admission time of
// ⌈(C + K − 1)/m⌉ admissions, K being the most that one request may cost. The argument is in
// native/README.md. Templates over the atomic word, so that
// the explorer (test/) can run this very code through every interleaving.
#pragma once

#include <atomic>
#include <cstdint>

#include "words.h"

namespace weir::counters {

// What a limiter's configuration makes of an entry; fixed while the limiter lives.
struct Window {
  std::uint64_t capacity;   // admissions per window, at least 1
  std::uint64_t length_ms;  // W
  std::uint64_t ring;       // R, stamps of an entry; m = R − 1
  std::uint64_t cost_max;   // K, the most admissions that one request is worth; at most C
  // B, admissions per stamp; 1 is the exact log. A request may raise the stamps of the next K
  // admissions while those of the last C are still asked for, so the ring has room for both.
  std::uint64_t block;

  constexpr Window(std::uint64_t capacity_, std::uint64_t length_ms_, std::uint64_t ring_,
                   std::uint64_t cost_max_ = 1) noexcept
      : capacity(capacity_),
        length_ms(length_ms_),
        ring(ring_),
        cost_max(cost_max_),
        block((capacity_ + cost_max_ + ring_ - 3) / (ring_ - 1)),
        inverse(block == 1 ? 0 : ~std::uint64_t{0} / block + 1),
        count_end(cost_max_ == 1 ? kCountMask : kCostlyCountEnd) {}

  // The block of admission `number`. Divides by a multiplication: exact, since number · block
  // < 2^39 · 3.3e7 < 2^64, and where requests cost more, (2^37 + 2^31) · 6.6e7 < 2^64.
  constexpr std::uint64_t block_of(std::uint64_t number) const noexcept {
    if (block == 1) return number;
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((Wide{number} * inverse) >> 64);
  }

  constexpr std::uint64_t slot(std::uint64_t number) const noexcept {
    return block_of(number) % ring;
  }

  // The count `cost` admissions after `number`. Before its field is full it is set back by whole
  // turns of the ring, which changes no slot.
  constexpr std::uint64_t after(std::uint64_t number, std::uint64_t cost = 1) const noexcept {
    const std::uint64_t next = number + cost;
    if (next < count_end) return next;
    const std::uint64_t turn = block * ring;
    return next - (next - capacity) / turn * turn;
  }

 private:
  static constexpr std::uint64_t kCostlyCountEnd = std::uint64_t{1} << (kCountBits - 2);

  std::uint64_t inverse;
  std::uint64_t count_end;
};

// The verdict on one request.
struct Verdict {
  enum Kind { kAdmitted, kRejected, kGone } kind;
  std::uint64_t wait_ms;  // if rejected: 1…W
};

// What there is room for after a decision, at the decision's time.
struct Room {
  std::uint64_t remaining;  // further admissions, if nobody else takes them; never too many
  std::uint64_t frees_ms;   // until there are more; 0: none is used
};

// What a request asks for: one admission, and no word about the room. Known when it is compiled, so
// that what others ask for costs it nothing.
struct One {
  static constexpr std::uint64_t cost = 1;
  static constexpr bool is_counted = true;
  static constexpr bool is_forced = false;
  static constexpr bool wants_room = false;
};

// Whether one admission would be rejected now; counts nothing.
struct Look {
  static constexpr std::uint64_t cost = 1;
  static constexpr bool is_counted = false;
  static constexpr bool is_forced = false;
  static constexpr bool wants_room = false;
};

// Several admissions, all or none; or only the question whether there is room for them; or the
// order to count them whether there is or not (what has happened is counted). And the room.
struct Ask {
  static constexpr bool wants_room = true;
  std::uint64_t cost;        // 1…K
  bool is_counted = true;    // false: only asks
  bool is_forced = false;    // counts in any case
  Room* room = nullptr;      // filled in by the decision
  bool would_count = false;  // who only asks is told what it would be told if it were counted
};

inline constexpr unsigned kHeadWord = 1;
inline constexpr unsigned kFirstStamp = 2;

template <class Word>
Word& stamp_of(Word* entry, std::uint64_t slot) noexcept {
  return entry[kFirstStamp + slot];
}

// Stamps are only ever raised. What was raised is published by the release of the head that
// follows; the release here is for who is about to reject on this stamp (admit_to).
template <class Word>
void raise(Word& stamp, std::uint64_t ms) noexcept {
  std::uint64_t seen = stamp.load(std::memory_order_relaxed);
  while (seen < ms && !stamp.compare_exchange_weak(seen, ms, std::memory_order_release,
                                                   std::memory_order_relaxed)) {
  }
}

// How long until admission `number` may follow the one a capacity before it; 0: it may now.
template <class Word>
std::uint64_t wait_for(Word* entry, const Window& window, std::uint64_t number,
                       std::uint64_t now) noexcept {
  if (number < window.capacity) return 0;
  const std::uint64_t stamp =
      stamp_of(entry, window.slot(number - window.capacity)).load(std::memory_order_acquire);
  if (now < stamp) return window.length_ms;  // this process read the clock before that one did
  return now - stamp < window.length_ms ? window.length_ms - (now - stamp) : 0;
}

// Raises the stamps of the next `cost` admissions, each block's once.
template <class Word>
void raise_blocks(Word* entry, const Window& window, std::uint64_t number, std::uint64_t cost,
                  std::uint64_t ms) noexcept {
  for (std::uint64_t i = 0; i + 1 < cost; i += window.block) {
    raise(stamp_of(entry, window.slot(number + i)), ms);
  }
  raise(stamp_of(entry, window.slot(number + cost - 1)), ms);
}

// The room of an entry that has counted `number`. From the oldest block that is asked for on, since
// it is the first young one that a next request would be rejected by.
template <class Word>
Room room_of(Word* entry, const Window& window, std::uint64_t number, std::uint64_t now) noexcept {
  const std::uint64_t low = number > window.capacity ? number - window.capacity : 0;
  const std::uint64_t unused = window.capacity - (number - low);
  std::uint64_t first = low;  // of the block looked at
  std::uint64_t slot = window.slot(low);
  std::uint64_t next = (window.block_of(low) + 1) * window.block;
  while (first < number) {
    const std::uint64_t stamp = stamp_of(entry, slot).load(std::memory_order_acquire);
    if (now < stamp) return {unused + (first - low), window.length_ms};
    if (now - stamp < window.length_ms) {
      return {unused + (first - low), window.length_ms - (now - stamp)};
    }
    first = next;
    next += window.block;
    if (++slot == window.ring) slot = 0;
  }
  return {window.capacity, 0};
}

// Decides on one request of the key that `key` (the entry's key word, as read) stands for. A
// rejection only reads. kGone: the entry is not this key's any more; look again.
template <class Word, class Asked = One>
Verdict admit_to(Word* entry, std::uint64_t key, const Window& window, std::uint64_t now,
                 const Asked& ask = {}) noexcept {
  std::uint64_t head = entry[kHeadWord].load(std::memory_order_acquire);
  for (;;) {
    if (!same_version(key, head) || !is_open(head)) return {Verdict::kGone, 0};
    const std::uint64_t number = count_of(head);
    // The last of them is asked for: where it may be, those before it may.
    const std::uint64_t wait = wait_for(entry, window, number + ask.cost - 1, now);
    if ((wait > 0 && !ask.is_forced) || !ask.is_counted) {
      if constexpr (Asked::wants_room) *ask.room = room_of(entry, window, number, now);
      // In a ring one longer than the capacity that stamp is also the one of number + 1: somebody
      // may have raised it for that. Then the head has gone on, and the question is another one.
      const std::uint64_t again = entry[kHeadWord].load(std::memory_order_acquire);
      if (again == head) return {wait > 0 ? Verdict::kRejected : Verdict::kAdmitted, wait};
      head = again;
      continue;
    }
    std::uint64_t time = now;
    if (number > 0) {
      // Times grow with the numbers, even where a process read the clock early and comes late.
      const std::uint64_t before =
          stamp_of(entry, window.slot(number - 1)).load(std::memory_order_relaxed);
      if (before > time) time = before;
    }
    raise_blocks(entry, window, number, ask.cost, time);
    const std::uint64_t next = opened(head, window.after(number, ask.cost));
    if (entry[kHeadWord].compare_exchange_weak(head, next, std::memory_order_acq_rel,
                                               std::memory_order_acquire)) {
      if constexpr (Asked::wants_room) *ask.room = room_of(entry, window, count_of(next), now);
      return {Verdict::kAdmitted, 0};
    }
  }
}

}  // namespace weir::counters
