// The sliding window of one bucket: a ring of blocks, each holding the newest admission time of
// ⌈C/m⌉ admissions. The argument is in native/README.md. Templates over the atomic word, so that
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
  std::uint64_t block;      // B = ⌈C/m⌉, admissions per stamp; 1 is the exact log

  constexpr Window(std::uint64_t capacity_, std::uint64_t length_ms_, std::uint64_t ring_) noexcept
      : capacity(capacity_),
        length_ms(length_ms_),
        ring(ring_),
        block((capacity_ + ring_ - 2) / (ring_ - 1)),
        inverse(block == 1 ? 0 : ~std::uint64_t{0} / block + 1) {}

  // The slot of admission `number` < 2^39. Divides by a multiplication: exact, since
  // number · block < 2^39 · 3.3e7 < 2^64.
  constexpr std::uint64_t slot(std::uint64_t number) const noexcept {
    if (block == 1) return number % ring;
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((Wide{number} * inverse) >> 64) % ring;
  }

  // The count after `number`. Before its field is full it is set back by whole turns of the ring,
  // which changes no slot.
  constexpr std::uint64_t after(std::uint64_t number) const noexcept {
    const std::uint64_t next = number + 1;
    if (next < kCountMask) return next;
    const std::uint64_t turn = block * ring;
    return next - (next - capacity) / turn * turn;
  }

 private:
  std::uint64_t inverse;
};

// The verdict on one request.
struct Verdict {
  enum Kind { kAdmitted, kRejected, kGone } kind;
  std::uint64_t wait_ms;  // if rejected: 1…W
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

// Decides on one request of the key that `key` (the entry's key word, as read) stands for. A
// rejection only reads. kGone: the entry is not this key's any more; look again.
template <class Word>
Verdict admit_to(Word* entry, std::uint64_t key, const Window& window, std::uint64_t now) noexcept {
  std::uint64_t head = entry[kHeadWord].load(std::memory_order_acquire);
  for (;;) {
    if (!same_version(key, head) || !is_open(head)) return {Verdict::kGone, 0};
    const std::uint64_t number = count_of(head);
    const std::uint64_t wait = wait_for(entry, window, number, now);
    if (wait > 0) {
      // In a ring one longer than the capacity that stamp is also the one of number + 1: somebody
      // may have raised it for that. Then the head has gone on, and the question is another one.
      const std::uint64_t again = entry[kHeadWord].load(std::memory_order_acquire);
      if (again == head) return {Verdict::kRejected, wait};
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
    raise(stamp_of(entry, window.slot(number)), time);
    const std::uint64_t next = opened(head, window.after(number));
    if (entry[kHeadWord].compare_exchange_weak(head, next, std::memory_order_acq_rel,
                                               std::memory_order_acquire)) {
      return {Verdict::kAdmitted, 0};
    }
  }
}

}  // namespace weir::counters
