#include "front/request_reader.h"

#include <algorithm>
#include <cstring>

namespace weir::front {

namespace {

// At a time, so that what comes behind a head that began in an earlier read is hardly copied.
constexpr std::size_t kKeptStep = 4096;

}  // namespace

Event RequestReader::read(std::string_view bytes, std::size_t& consumed) {
  consumed = 0;
  data_ = {};
  switch (state_) {
    case State::between:
      if (!begin_request(bytes, consumed)) {
        return state_ == State::refused ? Event::refused : Event::more;
      }
      [[fallthrough]];
    case State::head:
      return read_head(bytes, consumed);
    case State::sized:
      if (bytes.empty()) return Event::more;
      consumed = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), left_));
      data_ = bytes.substr(0, consumed);
      left_ -= consumed;
      if (left_ == 0) state_ = State::over;
      return Event::data;
    case State::chunked:
      return read_chunks(bytes, consumed);
    case State::over:
      state_ = State::between;
      return Event::end;
    case State::refused:
      break;
  }
  return Event::refused;
}

Event RequestReader::read_in_place(std::span<char> bytes, std::size_t& consumed) {
  if (state_ != State::chunked) return read({bytes.data(), bytes.size()}, consumed);
  std::span<char> pieces;
  consumed = 0;
  for (;;) {
    const std::span<char> rest = bytes.subspan(consumed);
    std::size_t taken = 0;
    const Event event = read_chunks({rest.data(), rest.size()}, taken);
    consumed += taken;
    if (event != Event::data) {
      if (pieces.empty()) return event;
      // It is told when it is asked for again.
      if (event == Event::end) state_ = State::over;
      data_ = {pieces.data(), pieces.size()};
      return Event::data;
    }
    if (pieces.empty()) {
      pieces = bytes.subspan(consumed - data_.size(), data_.size());
    } else {
      std::memmove(pieces.data() + pieces.size(), data_.data(), data_.size());
      pieces = {pieces.data(), pieces.size() + data_.size()};
    }
  }
}

Event RequestReader::refuse(const Refusal& refusal) {
  refusal_ = refusal;
  state_ = State::refused;
  return Event::refused;
}

// Of a head that is not whole nobody is shown a part.
Event RequestReader::refuse_head() {
  refuse(head_.refusal());
  head_.begin();
  return Event::refused;
}

bool RequestReader::begin_request(std::string_view bytes, std::size_t& consumed) {
  for (; consumed < bytes.size(); ++consumed) {
    const char byte = bytes[consumed];
    if (after_return_) {
      after_return_ = false;
      if (byte != '\n') {
        refuse(refusals::kBareCr);
        return false;
      }
      if (++empty_lines_ > bounds_.lines) {
        refuse(refusals::kEmptyLines);
        return false;
      }
    } else if (byte == '\r') {
      after_return_ = true;
    } else if (byte == '\n') {
      refuse(refusals::kBareLf);
      return false;
    } else {
      head_.begin();
      kept_.clear();
      text_ = {};
      empty_lines_ = 0;
      state_ = State::head;
      return true;
    }
  }
  return false;
}

Event RequestReader::read_head(std::string_view bytes, std::size_t& consumed) {
  using Progress = RequestHead::Progress;
  if (kept_.empty()) {
    const std::string_view text = bytes.substr(consumed);
    const Progress progress = head_.read(text, bounds_);
    if (progress == Progress::refused) return refuse_head();
    if (progress == Progress::more) {
      kept_.assign(text);
      consumed = bytes.size();
      return Event::more;
    }
    consumed += head_.bytes();
    return begin_body(text);
  }
  while (consumed < bytes.size()) {
    const std::size_t before = kept_.size();
    const std::string_view step = bytes.substr(consumed, kKeptStep);
    kept_.append(step);
    const Progress progress = head_.read(kept_, bounds_);
    if (progress == Progress::refused) return refuse_head();
    if (progress == Progress::more) {
      consumed += step.size();
      continue;
    }
    consumed += head_.bytes() - before;
    return begin_body(kept_);
  }
  return Event::more;
}

Event RequestReader::begin_body(std::string_view text) {
  text_ = text.substr(0, head_.bytes());
  left_ = head_.body_bytes();
  if (head_.body() == BodyKind::chunked) {
    chunked_.begin(bounds_.head_bytes, bounds_.lines);
    state_ = State::chunked;
  } else {
    state_ = left_ > 0 ? State::sized : State::over;
  }
  return Event::head;
}

Event RequestReader::read_chunks(std::string_view bytes, std::size_t& consumed) {
  using Result = http::ChunkedDecoder::Result;
  data_ = {};
  switch (chunked_.read(bytes, consumed, data_)) {
    case Result::kMore:
      return Event::more;
    case Result::kPiece:
      return Event::data;
    case Result::kEnd:
      state_ = State::between;
      return Event::end;
    case Result::kRefused:
      break;
  }
  return refuse(refusals::bad(chunked_.reason()));
}

void RequestReader::keep() {
  if (text_.data() == kept_.data()) return;
  kept_.assign(text_);
  text_ = kept_;
}

void RequestReader::release() {
  if (state_ != State::between) return;
  text_ = {};
  kept_.clear();
  kept_.shrink_to_fit();
  head_.release();
}

}  // namespace weir::front
