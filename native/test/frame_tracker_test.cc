// Proves that frames are followed whatever the pieces: all lengths, masked or not, cut anywhere.
#include "tunnel/frame_tracker.h"

#include <random>
#include <string>
#include <vector>

#include "check.h"

namespace {

using weir::tunnel::FrameTracker;

std::string frame(unsigned opcode, std::uint64_t length, bool masked, std::mt19937_64& random) {
  std::string made(1, static_cast<char>(0x80 | opcode));
  const unsigned mask = masked ? 0x80 : 0;
  if (length < 126) {
    made += static_cast<char>(mask | length);
  } else {
    const int bytes = length < 65536 ? 2 : 8;
    made += static_cast<char>(mask | (bytes == 2 ? 126 : 127));
    for (int i = bytes - 1; i >= 0; --i) made += static_cast<char>(length >> (8 * i));
  }
  for (std::uint64_t left = length + (masked ? 4 : 0); left > 0; --left) {
    made += static_cast<char>(random());
  }
  return made;
}

void follows_all_lengths_however_cut() {
  std::mt19937_64 random(7);
  constexpr std::uint64_t kLengths[] = {0, 1, 124, 125, 126, 127, 128, 65535, 65536, 70000};
  std::string all;
  std::vector<std::size_t> ends;
  for (int times = 0; times < 40; ++times) {
    all += frame(times % 3, kLengths[random() % std::size(kLengths)], random() % 2 == 0, random);
    ends.push_back(all.size());
  }
  FrameTracker whole;
  whole.follow(all);
  CHECK(whole.between_frames() && !whole.has_closed());
  for (const std::size_t most : {1, 2, 7, 1000, 100'000}) {
    FrameTracker tracker;
    std::size_t at = 0;
    std::size_t next = 0;
    while (at < all.size()) {
      const std::size_t size = std::min<std::size_t>(1 + random() % most, all.size() - at);
      tracker.follow(std::string_view(all).substr(at, size));
      at += size;
      while (next < ends.size() && ends[next] < at) ++next;
      CHECK(tracker.between_frames() == (next < ends.size() && ends[next] == at));
    }
  }
}

void stops_at_the_end_of_a_frame() {
  std::mt19937_64 random(8);
  const std::string first = frame(1, 300, true, random);
  const std::string second = frame(8, 2, true, random);
  for (std::size_t cut = 0; cut < first.size(); ++cut) {
    FrameTracker tracker;
    tracker.follow(std::string_view(first).substr(0, cut));
    CHECK(tracker.between_frames() == (cut == 0));
    const std::string rest = first.substr(cut) + second;
    CHECK(tracker.follow_frame(rest) == (cut == 0 ? 0 : first.size() - cut));
    CHECK(tracker.between_frames() && !tracker.has_closed());
  }
}

void knows_a_close() {
  std::mt19937_64 random(9);
  for (unsigned opcode = 0; opcode < 16; ++opcode) {
    FrameTracker tracker;
    tracker.follow(frame(opcode, 5, false, random));
    CHECK(tracker.has_closed() == (opcode == 8));
  }
}

// A length that no frame can have is never over, and nothing else.
void survives_nonsense() {
  FrameTracker tracker;
  tracker.follow(std::string("\x82\x7f") + std::string(8, '\xff'));
  tracker.follow(std::string(100'000, '\xff'));
  CHECK(!tracker.between_frames());
}

}  // namespace

int main() {
  follows_all_lengths_however_cut();
  stops_at_the_end_of_a_frame();
  knows_a_close();
  survives_nonsense();
  return weir::test::finish();
}
