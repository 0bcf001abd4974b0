#include "front/answer_text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace weir::front {

namespace {

void append_number(std::string& out, std::uint64_t number, int base) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, base).ptr;
  out.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

void append_two(std::string& out, int number) {
  out.push_back(static_cast<char>('0' + number / 10));
  out.push_back(static_cast<char>('0' + number % 10));
}

}  // namespace

// Not by strftime, which asks the locale for names.
std::string_view DateLine::at(std::time_t now) {
  if (now == made_for_) return text_;
  static constexpr std::string_view kDays = "SunMonTueWedThuFriSat";
  static constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  made_for_ = now;
  std::tm time{};
  gmtime_r(&now, &time);
  text_.assign("date: ").append(kDays.substr(3 * static_cast<std::size_t>(time.tm_wday), 3));
  text_.append(", ");
  append_two(text_, time.tm_mday);
  text_.append(" ").append(kMonths.substr(3 * static_cast<std::size_t>(time.tm_mon), 3));
  text_.append(" ");
  append_number(text_, static_cast<std::uint64_t>(time.tm_year) + 1900, 10);
  text_.append(" ");
  append_two(text_, time.tm_hour);
  text_.append(":");
  append_two(text_, time.tm_min);
  text_.append(":");
  append_two(text_, time.tm_sec);
  text_.append(" GMT\r\n");
  return text_;
}

void end_head(std::string& out, std::int64_t framing, std::string_view date) {
  out.append(kLineEnd).append(date);
  if (framing == kInChunks) {
    out.append("transfer-encoding: chunked\r\n");
  } else if (framing >= 0) {
    out.append("content-length: ");
    append_number(out, static_cast<std::uint64_t>(framing), 10);
    out.append(kLineEnd);
  }
  out.append(kLineEnd);
}

void insert_date(std::string& out, std::size_t from, std::string_view date) {
  const std::size_t end = out.find('\r', from);
  out.insert(std::min(end, out.size() - kLineEnd.size()) + kLineEnd.size(), date);
}

void append_chunk_size(std::string& out, std::size_t size) {
  append_number(out, size, 16);
  out.append(kLineEnd);
}

}  // namespace weir::front
