// What a connection reads: responses, in the order of the requests in flight, told to the owner as
// they come. Called by connection.cc when the socket is readable.
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "upstream/connection.h"
#include "upstream/core.h"
#include "upstream/socket_errors.h"

namespace weir::upstream {

namespace {

// What one read takes: twice a full socket buffer of usual size would hold more, but then one
// backend would fill the owner's memory alone.
constexpr std::size_t kReadBytes = std::size_t{128} * 1024;
// Of a response that the owner takes slowly.
constexpr std::size_t kSlowReadBytes = std::size_t{16} * 1024;
// While a header is incomplete, which is rare.
constexpr std::size_t kKeptReadBytes = std::size_t{16} * 1024;
// What those in a pipeline wait for the rest of a response that began before theirs; then they are
// sent again elsewhere. A stream of events has no end.
constexpr std::uint32_t kBehindMs = 250;

}  // namespace

void Connection::read() {
  // May run the owner's code, which may close this connection or push back.
  core_.make_room();
  if (state_ != State::kOpen || (events_ & kReadable) == 0) return;
  if (!kept_.empty()) {
    read_behind_kept();
    return;
  }
  const std::span<char> free = core_.batch.free_bytes();
  const bool slowly = in_body_ && in_flight_.front()->slow_reader;
  const std::size_t most = std::min(free.size(), slowly ? kSlowReadBytes : kReadBytes);
  const ssize_t count = ::recv(socket_, free.data(), most, 0);
  if (count > 0) {
    const std::size_t bytes = static_cast<std::size_t>(count);
    core_.batch.keep(bytes);
    take(free.first(bytes));
    // Nothing of this connection is touched any more: the owner may close it.
    if (core_.batch.holds_much()) core_.deliver();
  } else if (count == 0) {
    ended();
  } else if (!would_block(errno)) {
    broke(Failure::kBroken, std::strerror(errno));
  }
}

void Connection::read_behind_kept() {
  const std::size_t before = kept_.size();
  kept_.resize(before + kKeptReadBytes);
  const ssize_t count = ::recv(socket_, kept_.data() + before, kKeptReadBytes, 0);
  const int error = errno;
  kept_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  if (count == 0) {
    ended();
    return;
  }
  if (count < 0) {
    if (!would_block(error)) broke(Failure::kBroken, std::strerror(error));
    return;
  }
  std::size_t consumed = 0;
  const Verdict verdict = parser_.read_head(kept_, consumed, head_);
  if (verdict == Verdict::kMore) return;
  // From here on as if it had come in one read.
  const std::span<char> bytes = core_.batch.free_bytes().first(kept_.size());
  std::memcpy(bytes.data(), kept_.data(), kept_.size());
  core_.batch.keep(bytes.size());
  if (verdict == Verdict::kHead) {
    head_.lines = {bytes.data() + (head_.lines.data() - kept_.data()), head_.lines.size()};
  }
  // Assigning an empty one would keep the memory.
  std::string().swap(kept_);
  std::span<char> rest = bytes;
  if (take_head(verdict, consumed, rest)) take(rest);
}

void Connection::take(std::span<char> bytes) {
  while (!bytes.empty()) {
    if (front_unsent()) {
      // Nobody asked for it. A backend that says too much could answer the wrong request.
      Backend::stop_pipelining(target_);
      close_and_send_again();
      return;
    }
    if (in_body_) {
      if (!take_body(bytes)) return;
      continue;
    }
    std::size_t consumed = 0;
    const Verdict verdict = parser_.read_head(bytes, consumed, head_);
    if (verdict == Verdict::kMore) {
      kept_.assign(bytes.data(), bytes.size());
      return;
    }
    if (!take_head(verdict, consumed, bytes)) return;
  }
  if (in_body_) return;
  if (in_flight_.empty() || takes_more()) backend_.release(*this);
}

bool Connection::take_head(Verdict verdict, std::size_t consumed, std::span<char>& bytes) {
  if (verdict == Verdict::kRefused) {
    refused();
    return false;
  }
  bytes = bytes.subspan(consumed);
  Call& call = *in_flight_.front();
  if (verdict == Verdict::kInterim) {
    if (head_.status == 100) tell_continue(call);
    return true;
  }
  call.disarm();
  in_body_ = true;
  if (responses_ == 0) AddressRing::succeeded(target_);
  if (call.state == CallState::kSent) {
    target_.note_latency(core_.reactor.now_ms() - call.sent_ms);
  }
  if (head_.status == 101) {
    upgraded(call, bytes);
    return false;
  }
  keep_alive_ = head_.keep_alive && !(head_.status == 204 && head_.declares_body) &&
                (!call.expects || call.continued);
  hinted_seconds_ = head_.keep_alive_seconds;
  std::size_t used = 0;
  std::span<char> body;
  const Verdict next = parser_.read_body(bytes, used, body);
  if (next == Verdict::kRefused) {
    refused();
    return false;
  }
  bytes = bytes.subspan(used);
  if (next == Verdict::kEnd) {
    tell_head(call, RecordKind::kWhole, body);
    response_done();
    return state_ == State::kOpen;
  }
  if (call.state != CallState::kForgotten) call.state = CallState::kResponding;
  tell_head(call, RecordKind::kResponse, {});
  tell_data(call, body);
  watch_idle(call);
  if (call.state == CallState::kForgotten) {
    close_and_send_again();
    return false;
  }
  // It may take long: nobody joins those behind it, and they don't wait for it long.
  Backend::unlist(*this);
  if (in_flight_.size() > 1) core_.deadlines.arm(*this, kBehindMs);
  return true;
}

// Read no more until somebody takes it, who finds out then if it has gone meanwhile.
void Connection::upgraded(Call& call, std::span<char> bytes) {
  if (call.state == CallState::kForgotten) {
    close_and_send_again();
    return;
  }
  if (call.state != CallState::kSent) {
    broke(Failure::kBroken, "the backend agreed to another protocol before it had the request");
    return;
  }
  call.state = CallState::kUpgraded;
  upgraded_ = true;
  keep_alive_ = false;
  constexpr std::int32_t kSerials = (1 << 22) - 1;
  core_.upgrades = core_.upgrades % kSerials + 1;
  call.upgrade_serial = core_.upgrades;
  add_head(call, RecordKind::kUpgraded, {}).backend = call.upgrade_serial;
  kept_.assign(bytes.data(), bytes.size());
  Backend::unlist(*this);
  update_events();
}

bool Connection::take_body(std::span<char>& bytes) {
  Call& call = *in_flight_.front();
  std::size_t used = 0;
  std::span<char> body;
  const Verdict verdict = parser_.read_body(bytes, used, body);
  if (verdict == Verdict::kRefused) {
    refused();
    return false;
  }
  bytes = bytes.subspan(used);
  call.moved_ms = core_.reactor.now_ms();
  tell_data(call, body);
  if (verdict != Verdict::kEnd) return true;
  if (call.state != CallState::kForgotten) core_.batch.add(RecordKind::kEnd, call.number);
  response_done();
  return state_ == State::kOpen;
}

void Connection::tell_continue(Call& call) {
  if (std::exchange(call.continued, true)) return;
  if (call.state != CallState::kSending || call.body_touched()) return;
  core_.batch.add(RecordKind::kContinue, call.number);
  core_.ask();
}

void Connection::tell_head(Call& call, RecordKind kind, std::span<char> body) {
  if (call.state == CallState::kForgotten) return;
  add_head(call, kind, body);
}

Record& Connection::add_head(const Call& call, RecordKind kind, std::span<char> body) {
  Batch& batch = core_.batch;
  char* const out = batch.free_bytes().data();
  bool ascii = true;
  const std::size_t passed = write_passed(head_, out, ascii);
  batch.keep(passed);
  Record& record = batch.add(kind, call.number);
  record.code = head_.status;
  record.flags = ascii ? kAscii : 0;
  record.passed_offset = batch.offset_of(out);
  record.passed_length = static_cast<std::int32_t>(passed);
  if (!head_.lines.empty()) {
    record.text_offset = batch.offset_of(head_.lines.data());
    record.text_length = static_cast<std::int32_t>(head_.lines.size());
  }
  if (!body.empty()) {
    record.body_offset = batch.offset_of(body.data());
    record.body_length = static_cast<std::int32_t>(body.size());
  }
  record.length = static_cast<double>(head_.length);
  record.address = call.address;
  record.attempts = static_cast<std::int32_t>(call.attempts);
  record.connect_us = call.connect_us;
  core_.ask();
  return record;
}

void Connection::tell_data(Call& call, std::span<char> body) {
  if (body.empty() || call.state == CallState::kForgotten) return;
  Record& record = core_.batch.add(RecordKind::kData, call.number);
  record.body_offset = core_.batch.offset_of(body.data());
  record.body_length = static_cast<std::int32_t>(body.size());
  core_.ask();
}

void Connection::response_done() {
  const bool sent = written_ > 0;
  core_.end_call(pop_front());
  disarm();
  in_body_ = false;
  ++responses_;
  if (!sent || !keep_alive_ || (write_broken_ && front_unsent())) {
    // What is left of the request would be read as the next one; or the backend closes.
    close_and_send_again();
    return;
  }
  update_events();
  if (in_flight_.empty()) return;
  Call& next = *in_flight_.front();
  next.disarm();
  parser_.begin(next.head_method, next.upgrade);
  if (written_ > 0) {
    core_.deadlines.arm(next, backend_.options.response_timeout_ms);
  } else if (write_blocked_ || write_broken_) {
    watch_idle(next);
  }
}

Call& Connection::pop_front() {
  Call& call = *in_flight_.front();
  in_flight_.erase(in_flight_.begin());
  if (written_ > 0) {
    --written_;
  } else {
    head_written_ = 0;
  }
  return call;
}

void Connection::ended() {
  if (front_unsent()) {
    close_and_send_again();
    return;
  }
  if (in_body_ && !reset_ && parser_.finish()) {
    Call& call = *in_flight_.front();
    keep_alive_ = false;
    if (call.state != CallState::kForgotten) core_.batch.add(RecordKind::kEnd, call.number);
    response_done();
  } else if (in_body_) {
    broke(Failure::kBroken, "the backend closed the connection within the response");
  } else {
    broke(Failure::kBroken, "the backend closed the connection before it answered");
  }
}

}  // namespace weir::upstream
