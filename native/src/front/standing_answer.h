// The bytes of a refusal that the front sends by itself: the pieces that JS gives, with what
// changes between them. They are put together once for a second and a wait, and copied then: a
// flood gets the same answer again and again. Used by standing_refusals.cc.
#pragma once

#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

#include "front/answer_text.h"

namespace weir::front {

// Bytes of an answer, in their order; behind each piece but the last what changes: `d` the line of
// the date, `s` the seconds to wait, `l` the length of the content.
struct AnswerRecipe {
  std::vector<std::string> pieces;
  std::string holes;
  // of the content, without its seconds; how often those stand in it
  std::uint32_t content_bytes = 0;
  std::uint32_t content_seconds = 0;
};

class StandingAnswer {
 public:
  explicit StandingAnswer(AnswerRecipe recipe) : recipe_(std::move(recipe)) {}

  // Hot. Appends the answer of this second. @param seconds to wait
  // @returns bytes of its content
  std::uint64_t append(std::string& out, std::time_t now, std::uint64_t seconds) {
    if (now != made_for_ || seconds != seconds_) make(now, seconds);
    out.append(text_);
    return content_;
  }

 private:
  void make(std::time_t now, std::uint64_t seconds);

  AnswerRecipe recipe_;
  DateLine date_;
  std::string text_;
  std::time_t made_for_ = -1;
  std::uint64_t seconds_ = 0;
  std::uint64_t content_ = 0;
};

}  // namespace weir::front
