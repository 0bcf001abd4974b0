// The life of a connection: how it is opened, gets its calls, is kept while nobody uses it, and is
// closed. Reading, writing and giving up have files of their own. Called by backend.cc and the
// loop.
#include "upstream/connection.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

#include "descriptors.h"
#include "upstream/core.h"
#include "upstream/failure_texts.h"
#include "upstream/socket_errors.h"

namespace weir::upstream {

namespace {
// Connect timeouts may be longer than 32 bits of them.
std::int32_t whole_microseconds(std::chrono::steady_clock::duration took) {
  const auto count = std::chrono::duration_cast<std::chrono::microseconds>(took).count();
  constexpr auto kMost = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(count, 0, kMost));
}
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
  if (socket_ >= upstream_descriptor_end.load(std::memory_order_relaxed)) return EMFILE;
  const int on = 1;
  if (fcntl(socket_, F_SETFL, O_NONBLOCK) != 0 || fcntl(socket_, F_SETFD, FD_CLOEXEC) != 0) {
    return errno;
  }
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
#ifdef SO_NOSIGPIPE
  setsockopt(socket_, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  opened_ = std::chrono::steady_clock::now();
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
  // Who waits for the backend's word counts from each attempt.
  if (call.expects) call.body_wanted = false;
  ++call.attempts;
  call.address = target_.id;
  call.connect_us = 0;
  if (in_flight_.size() == 1) parser_.begin(call.head_method, call.upgrade);
  if (state_ == State::kOpen) ask_flush();
}

void Connection::refuse(Call& call, int error) {
  ++call.attempts;
  call.address = target_.id;
  call.connect_us = 0;
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
  if (hinted_ms <= options.idle_margin_ms) return 0;
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(hinted_ms - options.idle_margin_ms, options.idle_hinted_ms));
}

void Connection::begin_idle(std::uint32_t limit_ms) {
  idle_since_ms_ = core_.reactor.now_ms();
  core_.deadlines.arm(*this, limit_ms);
}

void Connection::expire() {
  if (state_ == State::kConnecting) {
    connect_failed(Failure::kTimeout, failure_text::kConnectSlow);
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
  const auto took = std::chrono::steady_clock::now() - opened_;
  call.connect_us = whole_microseconds(took);
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

Upgraded Connection::hand_over(Call& call) {
  Upgraded given{.socket = socket_, .watch = watch_, .early = std::move(kept_)};
  socket_ = -1;
  watch_ = nullptr;
  in_flight_.clear();
  core_.end_call(call);
  close();
  return given;
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

}  // namespace weir::upstream
