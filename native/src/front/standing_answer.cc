#include "front/standing_answer.h"

#include <array>
#include <charconv>
#include <cstddef>

namespace weir::front {

namespace {

void append_number(std::string& out, std::uint64_t number) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

std::uint64_t digits_of(std::uint64_t number) {
  std::uint64_t digits = 1;
  while (number >= 10) {
    number /= 10;
    ++digits;
  }
  return digits;
}

}  // namespace

void StandingAnswer::make(std::time_t now, std::uint64_t seconds) {
  made_for_ = now;
  seconds_ = seconds;
  content_ = recipe_.content_bytes + recipe_.content_seconds * digits_of(seconds);
  text_.clear();
  for (std::size_t i = 0; i < recipe_.pieces.size(); ++i) {
    text_.append(recipe_.pieces[i]);
    if (i >= recipe_.holes.size()) continue;
    switch (recipe_.holes[i]) {
      case 'd':
        text_.append(date_.at(now));
        break;
      case 's':
        append_number(text_, seconds);
        break;
      default:
        append_number(text_, content_);
        break;
    }
  }
}

}  // namespace weir::front
