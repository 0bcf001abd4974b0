// The memory that explored threads share: an operational model of C++20 atomics, weaker than
// sequential consistency. Every word has the history of its messages in modification order, every
// thread a view: which message of each word it knows of at least.
//
//   load             reads any message not older than the view; acquire joins the message's view
//   store            appends a message; release gives it the thread's view, else its own place only
//   read-modify-     reads the newest message and appends one, which carries on the view of the one
//   write            it read (release sequence)
//   failed compare-  reads any message not older than the view whose value is not the expected one
//   exchange
//   seq_cst          acquire, release, and one total order of all such operations, the order in
//   which
//                    they happen here: per word, an SC load reads no message older than one that an
//                    SC operation on that word has written or read before
//
// That is C++20's rule for SC operations without fences (coherence-ordered before implies earlier
// in S) and no more: an SC operation passes on nothing about other words beyond what release and
// acquire pass on. Left out, hence not shown to be harmless: load buffering (a load that reads what
// comes later in program order), a store that lands before the newest message (the headers have one
// plain store, a hint that may be wrong), orders S that contradict happens-before, fences, spurious
// failure.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weir::explore {

inline constexpr std::size_t kWordsMax = 32;

// By word: the index of a message in the word's history.
using View = std::array<std::uint8_t, kWordsMax>;

inline void join(View& into, const View& from) noexcept {
  for (std::size_t i = 0; i < kWordsMax; ++i) into[i] = std::max(into[i], from[i]);
}

inline bool acquires(std::memory_order order) noexcept {
  return order == std::memory_order_acquire || order == std::memory_order_consume ||
         order == std::memory_order_acq_rel || order == std::memory_order_seq_cst;
}

inline bool releases(std::memory_order order) noexcept {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

struct Message {
  std::uint64_t value = 0;
  View view{};
};

class Memory {
 public:
  explicit Memory(const std::vector<std::uint64_t>& initial) : histories_(initial.size()) {
    for (std::size_t word = 0; word < initial.size(); ++word) {
      histories_[word].push_back({initial[word], View{}});
    }
  }

  std::size_t words() const noexcept { return histories_.size(); }
  std::size_t newest(std::size_t word) const noexcept { return histories_[word].size() - 1; }
  std::uint64_t value(std::size_t word) const noexcept { return histories_[word].back().value; }
  const Message& message(std::size_t word, std::size_t index) const noexcept {
    return histories_[word][index];
  }

  // The oldest message that a thread of this view may read.
  std::size_t oldest(std::size_t word, const View& view, std::memory_order order) const noexcept {
    const std::uint8_t least = view[word];
    return order == std::memory_order_seq_cst ? std::max(least, sc_[word]) : least;
  }

  void read(std::size_t word, std::size_t index, std::memory_order order, View& view) noexcept {
    view[word] = static_cast<std::uint8_t>(index);
    if (acquires(order)) join(view, histories_[word][index].view);
    if (order == std::memory_order_seq_cst) {
      sc_[word] = std::max(sc_[word], static_cast<std::uint8_t>(index));
    }
  }

  // Appends a message; of a read-modify-write, after it has read the newest one.
  void write(std::size_t word, std::uint64_t value, std::memory_order order, bool carries_on,
             View& view) {
    Message message;
    message.value = value;
    if (carries_on) message.view = histories_[word].back().view;
    const auto index = static_cast<std::uint8_t>(histories_[word].size());
    view[word] = index;
    if (releases(order)) join(message.view, view);
    message.view[word] = index;
    histories_[word].push_back(message);
    if (order == std::memory_order_seq_cst) sc_[word] = index;
  }

  void undo_write(std::size_t word) { histories_[word].pop_back(); }
  std::uint8_t sc(std::size_t word) const noexcept { return sc_[word]; }
  void set_sc(std::size_t word, std::uint8_t index) noexcept { sc_[word] = index; }

  // Of the messages from `base` on, by their place relative to it: what came before nobody can read
  // any more, so that two memories that differ in that only are the same.
  template <class Mix>
  void hash(const View& base, Mix& mix) const {
    for (std::size_t word = 0; word < words(); ++word) {
      const auto& history = histories_[word];
      mix(history.size() - base[word]);
      mix(sc_[word] > base[word] ? sc_[word] - base[word] : 0U);
      for (std::size_t i = base[word]; i < history.size(); ++i) {
        mix(history[i].value);
        hash_view(history[i].view, base, words(), mix);
      }
    }
  }

  template <class Mix>
  static void hash_view(const View& view, const View& base, std::size_t words, Mix& mix) {
    std::uint64_t packed = 0;
    for (std::size_t i = 0; i < words; ++i) {
      const std::uint64_t place = view[i] > base[i] ? view[i] - base[i] : 0U;
      packed = (packed << 8) | place;
      if (i % 8 == 7 || i + 1 == words) {
        mix(packed);
        packed = 0;
      }
    }
  }

 private:
  std::vector<std::vector<Message>> histories_;
  View sc_{};
};

}  // namespace weir::explore
