// One keep-alive connection of the constant-rate client, plain or TLS: at most one request at a
// time, a response with a content-length. TLS comes from the system's libssl, opened when it is
// needed, so that building the client needs no OpenSSL headers. Used by constant-rate.cc.
#pragma once

#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

/// The few functions of libssl 3 that a client needs; certificates are not verified.
class Tls {
 public:
  Tls() : library_(dlopen("libssl.so.3", RTLD_NOW)) {
    if (library_ == nullptr) throw std::runtime_error("libssl.so.3 is missing");
    const auto method = Find<const void* (*)()>("TLS_client_method");
    const auto context = Find<void* (*)(const void*)>("SSL_CTX_new");
    create_ = Find<void* (*)(void*)>("SSL_new");
    attach = Find<int (*)(void*, int)>("SSL_set_fd");
    connect = Find<int (*)(void*)>("SSL_connect");
    read = Find<int (*)(void*, void*, int)>("SSL_read");
    write = Find<int (*)(void*, const void*, int)>("SSL_write");
    error = Find<int (*)(const void*, int)>("SSL_get_error");
    context_ = context(method());
  }

  void* Create() const { return create_(context_); }

  static constexpr int kWantRead = 2;  // SSL_ERROR_WANT_READ

  int (*attach)(void*, int);
  int (*connect)(void*);
  int (*read)(void*, void*, int);
  int (*write)(void*, const void*, int);
  int (*error)(const void*, int);

 private:
  template <typename Function>
  Function Find(const char* name) const {
    void* symbol = dlsym(library_, name);
    if (symbol == nullptr) throw std::runtime_error(std::string("libssl has no ") + name);
    return reinterpret_cast<Function>(symbol);
  }

  void* library_;
  void* context_;
  void* (*create_)(void*);
};

class Connection {
 public:
  static constexpr int kMore = 0;
  static constexpr int kBroken = -1;

  /// Connects to 127.0.0.1, with the TLS handshake if `tls` is given; throws if that fails.
  Connection(std::uint16_t port, const Tls* tls)
      : tls_(tls), descriptor_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(descriptor_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
      throw std::runtime_error("cannot connect");
    }
    const int on = 1;
    setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (tls_ != nullptr) {
      session_ = tls_->Create();
      tls_->attach(session_, descriptor_);
      if (tls_->connect(session_) != 1) throw std::runtime_error("TLS handshake failed");
    }
    fcntl(descriptor_, F_SETFL, O_NONBLOCK);
  }

  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { Close(); }

  int descriptor() const { return descriptor_; }
  bool closed() const { return descriptor_ == -1; }
  bool busy() const { return busy_; }
  std::int64_t due() const { return due_; }

  void Close() {
    if (descriptor_ != -1) ::close(descriptor_);
    descriptor_ = -1;
    busy_ = false;
  }

  /// All at once or not at all: requests are far smaller than a socket's buffer. False: it broke.
  bool Send(const std::string& request, std::int64_t due) {
    due_ = due;
    busy_ = true;
    const int size = static_cast<int>(request.size());
    if (tls_ != nullptr) return tls_->write(session_, request.data(), size) == size;
    return ::send(descriptor_, request.data(), request.size(), MSG_NOSIGNAL) == size;
  }

  /// Takes what has come: the status of a response that is now complete, kMore or kBroken.
  int Read() {
    static std::array<char, 131072> buffer;
    for (;;) {
      const int count = Take(buffer.data(), static_cast<int>(buffer.size()));
      if (count <= 0) return count == 0 ? kMore : kBroken;
      // Nobody was asked, or more came than was announced.
      if (!busy_ || !Consume({buffer.data(), static_cast<std::size_t>(count)})) return kBroken;
      if (in_body_ && left_ == 0) {
        in_body_ = false;
        busy_ = false;
        return status_;
      }
      if (tls_ == nullptr) return kMore;
    }
  }

 private:
  /// Bytes taken, 0 if there are none now, -1 at the end.
  int Take(char* into, int size) const {
    if (tls_ != nullptr) {
      const int count = tls_->read(session_, into, size);
      if (count > 0) return count;
      return tls_->error(session_, count) == Tls::kWantRead ? 0 : -1;
    }
    const auto count = ::recv(descriptor_, into, static_cast<std::size_t>(size), 0);
    if (count > 0) return static_cast<int>(count);
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
  }

  bool Consume(std::string_view bytes) {
    if (in_body_) {
      if (bytes.size() > left_) return false;
      left_ -= bytes.size();
      return true;
    }
    // Heads nearly always come in one piece: copied only when they don't.
    if (!head_.empty()) {
      head_.append(bytes);
      bytes = head_;
    }
    const auto end = bytes.find("\r\n\r\n");
    if (end == std::string_view::npos) {
      if (head_.empty()) head_ = bytes;
      return head_.size() < 65536;
    }
    const std::size_t body = bytes.size() - end - 4;
    if (!ReadHead(bytes.substr(0, end + 2)) || body > left_) return false;
    left_ -= body;
    in_body_ = true;
    head_.clear();
    return true;
  }

  /// Status and content-length; `head` ends behind its last line.
  bool ReadHead(std::string_view head) {
    if (head.size() < 14) return false;
    status_ = std::atoi(head.data() + 9);
    constexpr std::string_view kName = "\r\ncontent-length:";
    for (auto at = head.find("\r\n"); at != std::string_view::npos;
         at = head.find("\r\n", at + 2)) {
      if (head.size() - at > kName.size() &&
          strncasecmp(head.data() + at, kName.data(), kName.size()) == 0) {
        left_ = static_cast<std::size_t>(std::atoll(head.data() + at + kName.size()));
        return true;
      }
    }
    return false;
  }

  const Tls* tls_;
  int descriptor_;
  void* session_ = nullptr;
  std::int64_t due_ = 0;
  bool busy_ = false;
  bool in_body_ = false;
  int status_ = 0;
  std::size_t left_ = 0;
  std::string head_;
};
