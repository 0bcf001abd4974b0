#include "tunnel/backend_socket.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "tunnel/tunnel.h"
#include "upstream/socket_errors.h"

namespace weir::tunnel {

BackendSocket::BackendSocket(upstream::Reactor& reactor, int socket,
                             upstream::Reactor::Watch* watch, std::span<char> shared)
    : reactor_(reactor), watch_(watch), shared_(shared), socket_(socket) {}

BackendSocket::~BackendSocket() { drop(false); }

void BackendSocket::begin(Tunnel& tunnel) {
  tunnel_ = &tunnel;
  reactor_.hand_over(watch_, *this);
  pause(false);
}

// Where a write fails, reading tells: the backend may have said something before it went.
std::size_t BackendSocket::write(std::string_view bytes) {
  const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), upstream::kSendFlags);
  if (sent >= 0) return static_cast<std::size_t>(sent);
  if (upstream::would_block(errno)) return 0;
  broken_ = true;
  return bytes.size();
}

bool BackendSocket::send(std::string_view bytes) {
  if (socket_ < 0 || broken_ || finishing_) return true;
  if (!waiting_.empty()) {
    waiting_.append(bytes);
    return false;
  }
  const std::size_t sent = write(bytes);
  if (broken_ && ended_) tunnel_->backend_broke();
  if (sent == bytes.size()) return true;
  waiting_.assign(bytes.substr(sent));
  update_events();
  return false;
}

void BackendSocket::finish() {
  if (finishing_ || socket_ < 0) return;
  finishing_ = true;
  if (waiting_.empty()) ::shutdown(socket_, SHUT_WR);
}

void BackendSocket::pause(bool paused) {
  paused_ = paused;
  update_events();
}

void BackendSocket::drop(bool broken) {
  if (socket_ < 0) return;
  if (broken) {
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  }
  reactor_.unwatch(watch_);
  ::close(socket_);
  socket_ = -1;
  std::string().swap(waiting_);
}

void BackendSocket::on_ready(unsigned events) {
  if ((events & upstream::kWritable) != 0 && !waiting_.empty()) write_waiting();
  if (socket_ >= 0 && (events & upstream::kReadable) != 0 && !paused_ && !ended_) read();
}

void BackendSocket::write_waiting() {
  const std::size_t sent = write(waiting_);
  if (sent < waiting_.size()) {
    waiting_.erase(0, sent);
    return;
  }
  // With its memory, which assigning would keep.
  std::string().swap(waiting_);
  if (finishing_ && !broken_) ::shutdown(socket_, SHUT_WR);
  update_events();
  if (broken_ && ended_) {
    tunnel_->backend_broke();
  } else {
    tunnel_->backend_has_room();
  }
}

void BackendSocket::read() {
  const ssize_t count = ::recv(socket_, shared_.data(), shared_.size(), 0);
  if (count > 0) {
    tunnel_->backend_sent({shared_.data(), static_cast<std::size_t>(count)});
  } else if (count < 0 && upstream::would_block(errno)) {
    return;
  } else if (count < 0 || broken_) {
    // Said once: what follows a reset looks like an end in good order.
    tunnel_->backend_broke();
  } else {
    ended_ = true;
    update_events();
    tunnel_->backend_ended();
  }
}

void BackendSocket::update_events() {
  if (socket_ < 0) return;
  const bool reads = !paused_ && !ended_;
  const unsigned wanted =
      (reads ? upstream::kReadable : 0) | (waiting_.empty() ? 0 : upstream::kWritable);
  if (wanted == events_) return;
  events_ = wanted;
  reactor_.change(watch_, wanted);
}

}  // namespace weir::tunnel
