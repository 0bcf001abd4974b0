#include "upstream/connection.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "upstream/core.h"
#include "upstream/retry.h"

namespace weir::upstream {

namespace {

// What one read takes: twice a full socket buffer of usual size would hold more, but then one
// backend would fill the owner's memory alone.
constexpr std::size_t kReadBytes = std::size_t{128} * 1024;
// While a header is incomplete, which is rare.
constexpr std::size_t kKeptReadBytes = std::size_t{16} * 1024;
constexpr std::size_t kPiecesPerWrite = 64;
// closed so much earlier than the server's `keep-alive: timeout=` says
constexpr std::uint32_t kKeepAliveMarginMs = 1000;
// What those in a pipeline wait for the rest of a response that began before theirs; then they are
// sent again elsewhere. A stream of events has no end.
constexpr std::uint32_t kBehindMs = 250;

#ifdef MSG_NOSIGNAL
constexpr int kSendFlags = MSG_NOSIGNAL;
#else
constexpr int kSendFlags = 0;
#endif

// Of this process or machine, not of the address.
bool is_own_fault(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM ||
         error == EADDRNOTAVAIL;
}

bool would_block(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

}  // namespace

Connection::Connection(Core& core, Backend& backend, Target& target)
    : core_(core), backend_(backend), target_(target), parser_(core.options.parser) {}

Connection::~Connection() {
  if (watch_ != nullptr) core_.reactor.unwatch(watch_);
  if (socket_ >= 0) ::close(socket_);
}

int Connection::open() {
  socket_ = ::socket(target_.socket_address.ss_family, SOCK_STREAM, 0);
  if (socket_ < 0) return errno;
  const int on = 1;
  if (fcntl(socket_, F_SETFL, O_NONBLOCK) != 0 || fcntl(socket_, F_SETFD, FD_CLOEXEC) != 0) {
    return errno;
  }
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
#ifdef SO_NOSIGPIPE
  setsockopt(socket_, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  const auto* const address = reinterpret_cast<const sockaddr*>(&target_.socket_address);
  if (::connect(socket_, address, target_.socket_address_length) != 0 && errno != EINPROGRESS &&
      errno != EINTR) {
    return errno;
  }
  watch_ = core_.reactor.watch(socket_, kWritable, *this);
  if (watch_ == nullptr) return ENOMEM;
  events_ = kWritable;
  state_ = State::kConnecting;
  core_.deadlines.arm(*this, backend_.options.connect_timeout_ms);
  return 0;
}

bool Connection::takes_more() const {
  return state_ == State::kOpen && !target_.says_too_much && keep_alive_ && !write_broken_ &&
         responses_ > 0 && in_flight_.size() < backend_.options.pipelining &&
         (in_flight_.empty() || in_flight_.back()->pipelinable());
}

void Connection::assign(Call& call) {
  disarm_idle();
  in_flight_.push_back(&call);
  call.disarm();
  call.connection = this;
  call.state = CallState::kAssigned;
  call.reused = responses_ > 0;
  ++call.attempts;
  if (in_flight_.size() == 1) parser_.begin(call.head_method);
  if (state_ == State::kOpen) ask_flush();
}

void Connection::refuse(Call& call, int error) {
  ++call.attempts;
  if (!is_own_fault(error)) backend_.connection_refused(*this);
  close();
  retry_or_fail(call, false, false, Failure::kConnect, std::strerror(error));
}

void Connection::body_finished() { wrote(0); }

// The deadline of a connection in use is that of connecting, or of those who wait behind a
// response.
void Connection::disarm_idle() {
  if (state_ == State::kOpen) disarm();
}

std::uint32_t Connection::idle_limit_ms() const {
  const ClientOptions& options = core_.options;
  if (write_blocked_ || write_broken_) return 0;
  if (hinted_seconds_ < 0) return options.idle_ms;
  const std::uint64_t hinted_ms = static_cast<std::uint64_t>(hinted_seconds_) * 1000;
  if (hinted_ms <= kKeepAliveMarginMs) return 0;
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(hinted_ms - kKeepAliveMarginMs, options.idle_hinted_ms));
}

void Connection::begin_idle(std::uint32_t limit_ms) {
  idle_since_ms_ = core_.reactor.now_ms();
  core_.deadlines.arm(*this, limit_ms);
}

void Connection::expire() {
  if (state_ == State::kConnecting) {
    connect_failed(Failure::kTimeout, "connecting took too long");
  } else if (in_flight_.empty()) {
    close();
  } else {
    free_those_behind();
  }
}

void Connection::on_ready(unsigned events) {
  if (state_ == State::kConnecting) {
    int error = 0;
    socklen_t length = sizeof error;
    if (getsockopt(socket_, SOL_SOCKET, SO_ERROR, &error, &length) != 0) error = errno;
    if (error == 0) {
      connected();
    } else {
      connect_failed(Failure::kConnect, std::strerror(error));
    }
    return;
  }
  if ((events & kWritable) != 0 && write_blocked_) {
    write_blocked_ = false;
    flush();
    if (state_ == State::kOpen) update_events();
  }
  if ((events & kReadable) != 0) read();
}

void Connection::connected() {
  state_ = State::kOpen;
  disarm();
  update_events();
  backend_.connection_made(*this);
  if (in_flight_.empty()) {
    backend_.release(*this);
    return;
  }
  Call& call = *in_flight_.front();
  if (call.has_body() && !call.body_wanted) {
    call.body_wanted = true;
    core_.tell(RecordKind::kBodyWanted, call.number, 0, "");
  }
  ask_flush();
}

void Connection::connect_failed(Failure failure, std::string_view text) {
  Call* const call = in_flight_.empty() ? nullptr : in_flight_.front();
  in_flight_.clear();
  backend_.connection_refused(*this);
  close();
  if (call != nullptr) retry_or_fail(*call, false, false, failure, text);
}

// Reading.

void Connection::read() {
  // May run the owner's code, which may close this connection or push back.
  core_.make_room();
  if (state_ != State::kOpen || (events_ & kReadable) == 0) return;
  if (!kept_.empty()) {
    read_behind_kept();
    return;
  }
  const std::span<char> free = core_.batch.free_bytes();
  const ssize_t count = ::recv(socket_, free.data(), std::min(free.size(), kReadBytes), 0);
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
  if (verdict == Verdict::kInterim) return true;
  Call& call = *in_flight_.front();
  call.disarm();
  in_body_ = true;
  if (responses_ == 0) AddressRing::succeeded(target_);
  if (call.state == CallState::kSent) {
    target_.note_latency(core_.reactor.now_ms() - call.sent_ms);
  }
  keep_alive_ = head_.keep_alive && !(head_.status == 204 && head_.declares_body);
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

void Connection::tell_head(Call& call, RecordKind kind, std::span<char> body) {
  if (call.state == CallState::kForgotten) return;
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
  core_.ask();
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
  parser_.begin(next.head_method);
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

// Giving up.

void Connection::refused() {
  // Where its responses end can't be told: not one to have several in flight with.
  if (in_flight_.size() > 1) Backend::stop_pipelining(target_);
  broke(Failure::kBroken, parser_.reason());
}

void Connection::broke(Failure failure, std::string_view text) {
  if (front_unsent()) {
    close_and_send_again();
    return;
  }
  Call& call = pop_front();
  const bool response_byte = in_body_ || !parser_.untouched();
  // It takes connections and answers nothing: as good as one that takes none.
  if (responses_ == 0 && !response_byte && failure == Failure::kBroken) {
    backend_.connection_refused(*this);
  }
  close_and_send_again();
  if (call.state == CallState::kForgotten) {
    core_.end_call(call);
  } else {
    retry_or_fail(call, true, response_byte, failure, text);
  }
}

void Connection::retry_or_fail(Call& call, bool sent, bool response_byte, Failure failure,
                               std::string_view text) {
  const std::int32_t code = static_cast<std::int32_t>(failure);
  call.disarm();
  call.connection = nullptr;
  core_.tell_attempt(RecordKind::kAttemptFailed, call, target_.id, code, text);
  const std::size_t addresses = backend_.address_count();
  const Retry retry = decide_retry({.idempotent = call.idempotent,
                                    .sent = sent,
                                    .reused = call.reused,
                                    .response_byte = response_byte,
                                    .body_touched = call.body_touched(),
                                    .timed_out = sent && failure == Failure::kTimeout,
                                    .attempts = call.attempts,
                                    .addresses = addresses});
  if (retry == Retry::kFreshConnection) {
    call.wants_fresh = true;
  } else if (retry == Retry::kOtherAddress) {
    call.tried.push_back(target_.id);
  }
  if (retry == Retry::kNo || !backend_.has_untried(call)) {
    core_.fail_call(call, failure, text);
    return;
  }
  core_.tell_attempt(RecordKind::kRetry, call, target_.id, code, "");
  backend_.again(call);
}

// Those in flight are repeatable or not sent at all, and hear nothing of it.
void Connection::close_and_send_again() {
  std::vector<Call*> left;
  left.swap(in_flight_);
  close();
  send_again(left, sent_count());
}

void Connection::free_those_behind() {
  if (in_flight_.size() == 1) return;
  keep_alive_ = false;
  const std::vector<Call*> behind(in_flight_.begin() + 1, in_flight_.end());
  in_flight_.resize(1);
  const std::size_t sent = sent_count();
  if (written_ > 0) {
    written_ = 1;
    head_written_ = 0;
  }
  send_again(behind, sent - 1);
}

void Connection::send_again(std::span<Call* const> calls, std::size_t sent) {
  // The last first, since each goes to the front of the queue.
  for (std::size_t i = calls.size(); i > 0; --i) {
    Call& call = *calls[i - 1];
    call.connection = nullptr;
    call.disarm();
    if (call.state == CallState::kForgotten) {
      core_.end_call(call);
      continue;
    }
    if (i <= sent) {
      call.wants_fresh = true;
      core_.tell_attempt(RecordKind::kRetry, call, target_.id, 0, "");
    } else {
      --call.attempts;
    }
    backend_.again(call);
  }
}

void Connection::drop(Call& call) {
  const auto found = std::find(in_flight_.begin(), in_flight_.end(), &call);
  if (found == in_flight_.end()) return;
  const auto place = static_cast<std::size_t>(found - in_flight_.begin());
  if (place > written_ || (place == written_ && head_written_ == 0)) {
    // Nothing of it is sent.
    core_.end_call(call);
    take_out(call);
    if (!in_flight_.empty() && all_forgotten()) close_and_send_again();
    return;
  }
  const bool has_begun = in_body_ && place == 0;
  call.state = CallState::kForgotten;
  call.paused = false;
  // Its answer is read over for the sake of others behind it, and only if it is still to come.
  if (has_begun || all_forgotten()) {
    close_and_send_again();
    return;
  }
  update_events();
}

bool Connection::all_forgotten() const {
  return std::all_of(in_flight_.begin(), in_flight_.end(),
                     [](const Call* call) { return call->state == CallState::kForgotten; });
}

void Connection::fail(Call& call, Failure failure, std::string_view text) {
  if (!front_unsent()) {
    broke(failure, text);
    return;
  }
  // The socket takes nothing, which is a reason to go elsewhere.
  pop_front();
  close_and_send_again();
  retry_or_fail(call, false, false, failure, text);
}

// A call with a body has its connection for itself.
void Connection::give_up(Call& call, std::string_view text) {
  const bool unsent = front_unsent();
  core_.tell_attempt(RecordKind::kAttemptFailed, call, target_.id,
                     static_cast<std::int32_t>(Failure::kBroken), text);
  core_.fail_call(call, Failure::kBroken, text);
  if (unsent) {
    take_out(call);
  } else {
    pop_front();
    close_and_send_again();
  }
}

// Nothing of it is sent.
void Connection::take_out(Call& call) {
  const bool front = in_flight_.front() == &call;
  std::erase(in_flight_, &call);
  if (!in_flight_.empty()) {
    if (front) parser_.begin(in_flight_.front()->head_method);
    if (takes_more() && !in_body_) backend_.release(*this);
  } else if (state_ == State::kOpen) {
    backend_.release(*this);
  }
}

void Connection::close() {
  if (state_ == State::kClosed) return;
  state_ = State::kClosed;
  disarm();
  if (watch_ != nullptr) core_.reactor.unwatch(watch_);
  watch_ = nullptr;
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
  backend_.connection_closed(*this);
}

// Writing.

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
    call.body.clear();
    call.body_written = 0;
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
        call.body.clear();
        call.body_written = 0;
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
  const unsigned wanted = (paused ? 0 : kReadable) | (write_blocked_ ? kWritable : 0);
  if (wanted == events_) return;
  events_ = wanted;
  core_.reactor.change(watch_, wanted);
}

}  // namespace weir::upstream
