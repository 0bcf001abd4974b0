// One response, read as a connection reads it, from pieces that come one after another; and all
// that can be seen of it, to be compared. Every call of the parser gets memory of exactly its
// bytes, so that the address sanitizer sees a look beyond them, and another block than the call
// before.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "upstream/response_parser.h"

namespace weir::test {

struct Reading {
  enum class End {
    kMore,      // the input is the beginning of a response
    kClosable,  // likewise, and complete if the peer ends its side here
    kComplete,
    kRefused,
  };

  End end = End::kMore;
  std::string reason;
  std::size_t interims = 0;
  bool has_head = false;
  int status = 0;
  upstream::Framing framing = upstream::Framing::kNone;
  std::int64_t length = -1;
  bool keep_alive = false;
  std::int32_t keep_alive_seconds = -1;
  bool declares_body = false;
  std::string lines;
  std::string passed;
  bool passed_ascii = true;
  // nothing if refused: how much came before depends on the pieces
  std::string body;
  // of the input, if complete
  std::size_t consumed = 0;

  bool operator==(const Reading&) const = default;
};

class Reader {
 public:
  // @param cuts offsets into `input`, ascending; pieces may be empty
  Reader(std::string_view input, const std::vector<std::size_t>& cuts, bool head_request,
         const upstream::ParserLimits& limits)
      : input_(input), parser_(limits) {
    parser_.begin(head_request);
    require(parser_.untouched() && !parser_.finish(), "a parser that has begun is untouched");
    for (const std::size_t cut : cuts) {
      if (!over_) take(cut);
    }
    if (!over_) take(input.size());
    if (!over_ && parser_.finish()) reading_.end = Reading::End::kClosable;
    require(reading_.end != Reading::End::kComplete || !parser_.finish(),
            "what is complete needs no end");
    if (reading_.end == Reading::End::kRefused) reading_.body.clear();
  }

  const Reading& reading() const { return reading_; }
  // What the parser promised and did not keep; empty: nothing.
  const std::string& broken_promise() const { return broken_; }

 private:
  void require(bool holds, const char* promise) {
    if (!holds && broken_.empty()) broken_ = promise;
  }

  // All that is not consumed, up to `until`, in new memory.
  void take(std::size_t until) {
    if (!reading_.has_head) take_heads(until);
    if (reading_.has_head && !over_) take_body(until);
  }

  void take_heads(std::size_t until) {
    for (;;) {
      const std::size_t size = until - at_;
      const std::unique_ptr<char[]> memory(new char[size]);
      std::memcpy(memory.get(), input_.data() + at_, size);
      std::size_t consumed = 0;
      upstream::Head head;
      const auto verdict = parser_.read_head({memory.get(), size}, consumed, head);
      require(std::memcmp(memory.get(), input_.data() + at_, size) == 0, "a head is not changed");
      require(consumed <= size, "no more is consumed than there is");
      require(parser_.untouched() == (until == 0), "the first byte touches");
      at_ += consumed;
      switch (verdict) {
        case upstream::Verdict::kMore:
          require(consumed == 0, "kMore consumes nothing");
          return;
        case upstream::Verdict::kInterim:
          require(consumed > 0, "an interim response has bytes");
          ++reading_.interims;
          break;
        case upstream::Verdict::kHead:
          note(head, {memory.get(), consumed});
          return;
        default:
          require(verdict == upstream::Verdict::kRefused, "a head's verdict");
          refuse();
          return;
      }
    }
  }

  void note(const upstream::Head& head, std::string_view memory) {
    reading_.has_head = true;
    reading_.status = head.status;
    reading_.framing = head.framing;
    reading_.length = head.length;
    reading_.keep_alive = head.keep_alive;
    reading_.keep_alive_seconds = head.keep_alive_seconds;
    reading_.declares_body = head.declares_body;
    const char* const from = head.lines.data();
    require(from >= memory.data() && from + head.lines.size() + 2 == memory.data() + memory.size(),
            "the lines are the head's, up to the empty line");
    require(
        head.ascii == std::all_of(head.lines.begin(), head.lines.end(),
                                  [](char byte) { return static_cast<unsigned char>(byte) < 128; }),
        "lines are ASCII or not");
    reading_.lines = head.lines;
    const std::size_t room = head.passed_room();
    const std::unique_ptr<char[]> out(new char[room]);
    const std::size_t written = upstream::write_passed(head, out.get(), reading_.passed_ascii);
    require(written <= room, "what passes has room");
    require(!head.ascii || reading_.passed_ascii, "a part of ASCII lines is ASCII");
    reading_.passed.assign(out.get(), written);
  }

  void take_body(std::size_t until) {
    const std::size_t size = until - at_;
    const std::unique_ptr<char[]> memory(new char[size]);
    std::memcpy(memory.get(), input_.data() + at_, size);
    std::size_t consumed = 0;
    std::span<char> body;
    const std::int64_t before = parser_.remaining();
    const auto verdict = parser_.read_body({memory.get(), size}, consumed, body);
    require(consumed <= size, "no more is consumed than there is");
    require(body.empty() || (body.data() >= memory.get() &&
                             body.data() + body.size() <= memory.get() + consumed),
            "a body lies in what was consumed");
    if (before >= 0) {
      require(parser_.remaining() == before - static_cast<std::int64_t>(body.size()),
              "what remains becomes less");
    }
    at_ += consumed;
    reading_.body.append(body.data(), body.size());
    if (verdict == upstream::Verdict::kRefused) {
      require(body.empty(), "no body if refused");
      refuse();
    } else if (verdict == upstream::Verdict::kEnd) {
      require(parser_.remaining() <= 0, "nothing remains at the end");
      over_ = true;
      reading_.end = Reading::End::kComplete;
      reading_.consumed = at_;
    } else {
      require(verdict == upstream::Verdict::kBody && consumed == size, "a body takes all");
    }
  }

  void refuse() {
    over_ = true;
    reading_.end = Reading::End::kRefused;
    reading_.reason = parser_.reason();
    require(!reading_.reason.empty(), "a refusal has a reason");
    require(!parser_.finish(), "what is refused is never whole");
  }

  std::string_view input_;
  upstream::ResponseParser parser_;
  Reading reading_;
  std::string broken_;
  std::size_t at_ = 0;
  bool over_ = false;
};

// For the log of a test that fails.
inline void report(std::string_view text, std::string_view what) {
  std::fprintf(stderr, "  %.*s: \"", static_cast<int>(what.size()), what.data());
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if (code < 0x20 || code > 0x7e) {
      std::fprintf(stderr, "\\x%02x", code);
    } else {
      std::fputc(byte, stderr);
    }
  }
  std::fprintf(stderr, "\"\n");
}

}  // namespace weir::test
