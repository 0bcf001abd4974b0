// What a connection writes: the heads and bodies of its calls, several to one write, once a turn;
// and what the socket is watched for. Called by connection.cc, and by client.cc when much is ready.
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "upstream/connection.h"
#include "upstream/core.h"
#include "upstream/socket_errors.h"

namespace weir::upstream {

namespace {

constexpr std::size_t kPiecesPerWrite = 64;

}  // namespace

void Connection::ask_flush() {
  if (dirty) return;
  dirty = true;
  core_.dirty.push_back(this);
  core_.ask();
}

void Connection::flush() {
  while (state_ == State::kOpen && !write_blocked_ && !write_broken_) {
    const std::size_t bytes = write_some();
    if (bytes == 0) return;
    wrote(bytes);
  }
}

// @returns bytes that the socket took; 0: there is nothing to write, or it takes no more
std::size_t Connection::write_some() {
  std::array<iovec, kPiecesPerWrite> pieces;
  std::size_t count = 0;
  std::size_t offset = head_written_;
  for (std::size_t i = written_; i < in_flight_.size() && count + 2 <= kPiecesPerWrite; ++i) {
    Call& call = *in_flight_[i];
    if (offset < call.head.size()) {
      pieces[count++] = {call.head.data() + offset, call.head.size() - offset};
    }
    offset = 0;
    if (call.body_pending() > 0) {
      pieces[count++] = {call.body.data() + call.body_written, call.body_pending()};
    }
  }
  if (count == 0) return 0;
  msghdr message{};
  message.msg_iov = pieces.data();
  message.msg_iovlen = static_cast<decltype(message.msg_iovlen)>(count);
  const ssize_t sent = ::sendmsg(socket_, &message, kSendFlags);
  if (sent > 0) return static_cast<std::size_t>(sent);
  if (sent < 0 && !would_block(errno)) {
    // It may have answered before it stopped listening; reading tells.
    write_broken_ = true;
    // Said once: reading would find what looks like an end in good order. EPIPE comes behind one.
    reset_ = errno != EPIPE;
    Backend::unlist(*this);
    Call& call = *in_flight_[written_];
    // One of which nothing is sent will be sent again, with all there is of its body.
    if (head_written_ > 0) call.empty_body();
    if (written_ == 0) watch_idle(call);
  } else {
    write_blocked_ = true;
    Call& call = *in_flight_[written_];
    if (!call.armed() && written_ == 0) watch_idle(call);
  }
  update_events();
  return 0;
}

void Connection::wrote(std::size_t bytes) {
  const std::uint64_t now_ms = core_.reactor.now_ms();
  while (written_ < in_flight_.size()) {
    Call& call = *in_flight_[written_];
    const std::size_t of_head = std::min(bytes, call.head.size() - head_written_);
    head_written_ += of_head;
    bytes -= of_head;
    if (head_written_ > 0 && call.state == CallState::kAssigned) {
      call.state = CallState::kSending;
      call.moved_ms = now_ms;
    }
    if (head_written_ < call.head.size()) return;
    if (call.has_body()) {
      const std::size_t of_body = std::min(bytes, call.body_pending());
      call.body_written += of_body;
      bytes -= of_body;
      if (of_body > 0) call.moved_ms = now_ms;
      if (call.body_pending() == 0) {
        call.empty_body();
      } else if (call.body_written >= core_.options.body_buffer_bytes) {
        // A client faster than the backend never lets it become empty.
        call.body.erase(0, call.body_written);
        call.body_written = 0;
      }
      if (call.pushed_back && call.body_pending() <= core_.options.body_buffer_bytes / 2) {
        call.pushed_back = false;
        core_.tell(RecordKind::kDrained, call.number, 0, "");
      }
      if (!call.body_finished || call.body_pending() > 0) {
        if (!call.armed()) watch_idle(call);
        return;
      }
    }
    head_written_ = 0;
    ++written_;
    request_sent(call);
    if (bytes == 0) return;
  }
}

void Connection::request_sent(Call& call) {
  if (call.state != CallState::kSending) return;
  call.state = CallState::kSent;
  call.sent_ms = core_.reactor.now_ms();
  call.disarm();
  // Those behind others wait for their turn first.
  if (in_flight_.front() == &call) {
    core_.deadlines.arm(call, backend_.options.response_timeout_ms);
  }
}

void Connection::watch_idle(Call& call) {
  call.moved_ms = core_.reactor.now_ms();
  core_.deadlines.arm(call, backend_.options.idle_timeout_ms);
}

void Connection::update_reading() {
  if (state_ != State::kOpen) return;
  if (in_flight_.front()->paused) free_those_behind();
  update_events();
}

void Connection::update_events() {
  const bool paused = in_body_ && !in_flight_.empty() && in_flight_.front()->paused;
  const unsigned wanted =
      upgraded_ ? 0 : (paused ? 0 : kReadable) | (write_blocked_ ? kWritable : 0);
  if (wanted == events_) return;
  events_ = wanted;
  core_.reactor.change(watch_, wanted);
}

}  // namespace weir::upstream
