// A server on loopback whose every byte a test decides: it accepts, reads what comes, and says and
// closes what it is told to. Non-blocking, without a thread of its own: `step` is called by the
// test's loop.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weir::test {

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::perror(what);
  std::abort();
}

// The server's end of one connection.
class Peer {
 public:
  explicit Peer(int socket) : socket_(socket) {
    fcntl(socket, F_SETFL, O_NONBLOCK);
    const int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }
  ~Peer() { close(); }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  // What has come and was not cleared.
  std::string received;
  // the client ended its side, or reset
  bool ended = false;
  bool reads = true;

  bool open() const { return socket_ >= 0; }
  void say(std::string_view bytes) { unsaid_ += bytes; }
  std::size_t unsaid() const { return unsaid_.size(); }
  void close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
    unsaid_.clear();
  }
  void half_close() { ::shutdown(socket_, SHUT_WR); }
  void stop_reading() { ::shutdown(socket_, SHUT_RD); }
  void reset() {
    const linger hard{1, 0};
    setsockopt(socket_, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    close();
  }
  // @returns how often the received bytes hold the text
  std::size_t count(std::string_view text) const {
    std::size_t found = 0;
    for (auto at = received.find(text); at != std::string::npos; at = received.find(text, at + 1)) {
      ++found;
    }
    return found;
  }

  // @returns whether bytes moved
  bool step() {
    bool moved = false;
    while (open() && !unsaid_.empty()) {
      const ssize_t sent = ::send(socket_, unsaid_.data(), unsaid_.size(), MSG_NOSIGNAL);
      if (sent <= 0) {
        if (sent < 0 && errno != EAGAIN) unsaid_.clear();
        break;
      }
      unsaid_.erase(0, static_cast<std::size_t>(sent));
      moved = true;
    }
    std::array<char, 65536> bytes;
    while (open() && reads && !ended) {
      const ssize_t count = ::recv(socket_, bytes.data(), bytes.size(), 0);
      if (count < 0 && errno == EAGAIN) break;
      moved = true;
      if (count <= 0) {
        ended = true;
      } else {
        received.append(bytes.data(), static_cast<std::size_t>(count));
      }
    }
    return moved;
  }

 private:
  int socket_;
  std::string unsaid_;
};

class ScriptedServer {
 public:
  explicit ScriptedServer(int backlog = 1024) {
    socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
    require(socket_ >= 0, "socket");
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    require(::bind(socket_, any, length) == 0, "bind");
    require(::getsockname(socket_, any, &length) == 0, "getsockname");
    port = ntohs(address.sin_port);
    if (backlog >= 0) require(::listen(socket_, backlog) == 0, "listen");
    fcntl(socket_, F_SETFL, O_NONBLOCK);
  }
  ~ScriptedServer() { close(); }
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  std::uint16_t port = 0;
  bool accepts = true;
  // in the order in which they were accepted; closed ones stay
  std::vector<std::unique_ptr<Peer>> peers;

  // What connections that are made from now on take before it is read, about.
  void limit_receiving(int bytes) {
    setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  }
  // Later connections are refused.
  void close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }

  std::size_t open_peers() const {
    std::size_t count = 0;
    for (const auto& peer : peers) count += peer->open() && !peer->ended ? 1 : 0;
    return count;
  }

  bool step() {
    bool moved = false;
    while (accepts && socket_ >= 0) {
      const int made = ::accept(socket_, nullptr, nullptr);
      if (made < 0) break;
      peers.push_back(std::make_unique<Peer>(made));
      moved = true;
    }
    for (const auto& peer : peers) moved = peer->step() || moved;
    return moved;
  }

 private:
  int socket_ = -1;
};

}  // namespace weir::test
