// Both ends of the tunnels of bench/tunnels.mjs: WebSockets, as cheap as they can be, so that what
// is between them counts.
//
//   ends backend PORT                              a message of the size that the path says comes
//   back as it was ends client PORT CONNECTIONS BYTES SECONDS     as many at once, each says a
//   message and waits for it to come back;
//                                                  0 seconds: opens them and says nothing, until
//                                                  its input ends
//
// The client says "open N" when all are there, and at the end "messages N". Every key is the one of
// RFC 6455 1.3.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr const char* kAnswer =
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
constexpr size_t kReadBytes = 262'144;
constexpr int kOpeningAtOnce = 64;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "%s: %s\n", what.c_str(), std::strerror(errno));
  std::exit(1);
}

// A binary frame of zeros; one of a client is masked, with zeros.
std::string frame_of(size_t bytes, bool masked) {
  std::string frame("\x82", 1);
  const char mask = masked ? '\x80' : '\0';
  if (bytes < 126) {
    frame += static_cast<char>(bytes | static_cast<unsigned char>(mask));
  } else {
    const bool is_long = bytes > 65'535;
    frame += static_cast<char>((is_long ? 127 : 126) | static_cast<unsigned char>(mask));
    for (int shift = is_long ? 56 : 8; shift >= 0; shift -= 8) {
      frame += static_cast<char>(static_cast<uint64_t>(bytes) >> shift);
    }
  }
  if (masked) frame.append(4, '\0');
  frame.append(bytes, '\0');
  return frame;
}

struct Connection {
  int socket = -1;
  bool open = false;
  std::string head;     // until its end has come
  size_t expected = 0;  // bytes of a frame of the other side
  size_t received = 0;  // of the next one
  const std::string* reply = nullptr;
  size_t unsent = 0;  // of `reply`, behind what was sent
  std::string own;    // the backend's reply
};

class Loop {
 public:
  Loop() : epoll_(epoll_create1(0)), buffer_(kReadBytes) {
    if (epoll_ < 0) fail("epoll");
  }

  void add(Connection* connection, int socket) {
    connection->socket = socket;
    const int yes = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    watch(connection, EPOLLIN, EPOLL_CTL_ADD);
  }

  void watch(Connection* connection, uint32_t events, int operation) {
    epoll_event event{};
    event.events = events;
    event.data.ptr = connection;
    if (epoll_ctl(epoll_, operation, connection->socket, &event) != 0) fail("epoll_ctl");
  }

  // Sends as much of the reply as the socket takes.
  void send_rest(Connection* connection) {
    while (connection->unsent > 0) {
      const std::string& reply = *connection->reply;
      const char* from = reply.data() + (reply.size() - connection->unsent);
      const ssize_t sent = send(connection->socket, from, connection->unsent, MSG_NOSIGNAL);
      if (sent < 0) {
        if (errno != EAGAIN) return;
        watch(connection, EPOLLIN | EPOLLOUT, EPOLL_CTL_MOD);
        return;
      }
      connection->unsent -= static_cast<size_t>(sent);
    }
  }

  void say(Connection* connection) {
    connection->unsent = connection->reply->size();
    send_rest(connection);
  }

  // Bytes read; 0: nothing for now; -1: the end.
  ssize_t read(Connection* connection) {
    const ssize_t got = recv(connection->socket, buffer_.data(), buffer_.size(), 0);
    if (got > 0) return got;
    return got < 0 && errno == EAGAIN ? 0 : -1;
  }

  const char* bytes() const { return buffer_.data(); }

  template <typename OnEvent>
  void run_once(int wait_ms, OnEvent on_event) {
    epoll_event events[256];
    const int count = epoll_wait(epoll_, events, 256, wait_ms);
    for (int at = 0; at < count; ++at) {
      auto* connection = static_cast<Connection*>(events[at].data.ptr);
      if ((events[at].events & EPOLLOUT) != 0 && connection != nullptr) {
        watch(connection, EPOLLIN, EPOLL_CTL_MOD);
        send_rest(connection);
      }
      on_event(connection);
    }
  }

 private:
  int epoll_;
  std::vector<char> buffer_;
};

int tcp_socket() {
  const int made = socket(AF_INET, SOCK_STREAM, 0);
  if (made < 0) fail("socket");
  return made;
}

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

void unblock(int socket) { fcntl(socket, F_SETFL, O_NONBLOCK); }

// The size of messages stands behind the last slash of the path.
size_t size_asked(const std::string& head) {
  const size_t end = head.find(" HTTP/");
  const size_t slash = head.rfind('/', end);
  return std::strtoul(head.c_str() + slash + 1, nullptr, 10);
}

// What came of frames: how many are whole.
size_t frames_in(Connection* connection, size_t bytes) {
  connection->received += bytes;
  const size_t whole = connection->received / connection->expected;
  connection->received %= connection->expected;
  return whole;
}

int run_backend(int port) {
  const int listener = tcp_socket();
  const int yes = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const sockaddr_in address = loopback(port);
  if (bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    fail("bind");
  if (listen(listener, 4096) != 0) fail("listen");
  unblock(listener);
  Loop loop;
  Connection accepting;
  loop.add(&accepting, listener);
  std::puts("listens");
  std::fflush(stdout);
  for (;;) {
    loop.run_once(-1, [&](Connection* connection) {
      if (connection == &accepting) {
        for (int taken = accept(listener, nullptr, nullptr); taken >= 0;
             taken = accept(listener, nullptr, nullptr)) {
          unblock(taken);
          loop.add(new Connection, taken);
        }
        return;
      }
      const ssize_t got = loop.read(connection);
      if (got < 0) {
        close(connection->socket);
        delete connection;
      } else if (connection->open) {
        if (got > 0 && frames_in(connection, static_cast<size_t>(got)) > 0) loop.say(connection);
      } else if (got > 0) {
        connection->head.append(loop.bytes(), static_cast<size_t>(got));
        if (connection->head.find("\r\n\r\n") == std::string::npos) return;
        const size_t size = size_asked(connection->head);
        const char* answer = size > 0 ? kAnswer : "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
        if (send(connection->socket, answer, std::strlen(answer), MSG_NOSIGNAL) < 0) return;
        connection->head.clear();
        connection->head.shrink_to_fit();
        if (size == 0) return;
        connection->open = true;
        connection->expected = frame_of(size, true).size();
        connection->own = frame_of(size, false);
        connection->reply = &connection->own;
      }
    });
  }
}

int run_client(int port, size_t connections, size_t bytes, double seconds) {
  using Clock = std::chrono::steady_clock;
  const sockaddr_in address = loopback(port);
  const std::string asking =
      "GET /echo/" + std::to_string(bytes) +
      " HTTP/1.1\r\nHost: bench.example\r\nUpgrade: websocket\r\n"
      "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
      "Sec-WebSocket-Version: 13\r\n\r\n";
  const std::string message = frame_of(bytes, true);
  const size_t back = frame_of(bytes, false).size();
  std::vector<Connection> all(connections);
  Loop loop;
  size_t begun = 0;
  size_t opened = 0;
  uint64_t messages = 0;
  bool measuring = false;
  const auto on_event = [&](Connection* connection) {
    const ssize_t got = loop.read(connection);
    if (got < 0) {
      std::fprintf(stderr, "a tunnel ended: %s\n", connection->head.c_str());
      std::exit(1);
    }
    if (got == 0) return;
    if (!connection->open) {
      connection->head.append(loop.bytes(), static_cast<size_t>(got));
      if (connection->head.find("\r\n\r\n") == std::string::npos) return;
      if (connection->head.rfind("HTTP/1.1 101", 0) != 0) {
        std::fprintf(stderr, "no tunnel: %s\n", connection->head.c_str());
        std::exit(1);
      }
      connection->open = true;
      connection->expected = back;
      connection->reply = &message;
      ++opened;
      return;
    }
    if (frames_in(connection, static_cast<size_t>(got)) == 0) return;
    ++messages;
    if (measuring) loop.say(connection);
  };
  while (opened < connections) {
    while (begun < connections && begun - opened < kOpeningAtOnce) {
      const int socket = tcp_socket();
      if (connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        fail("connect");
      }
      unblock(socket);
      loop.add(&all[begun++], socket);
      if (send(socket, asking.data(), asking.size(), MSG_NOSIGNAL) < 0) fail("send");
    }
    loop.run_once(100, on_event);
  }
  std::printf("open %zu\n", opened);
  std::fflush(stdout);
  if (seconds == 0) {
    char ignored = 0;
    while (::read(STDIN_FILENO, &ignored, 1) > 0) {
    }
    return 0;
  }
  measuring = true;
  for (Connection& connection : all) loop.say(&connection);
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (Clock::now() < end) loop.run_once(10, on_event);
  std::printf("messages %llu\n", static_cast<unsigned long long>(messages));
  return 0;
}

}  // namespace

int main(int count, char** words) {
  const std::string mode = count > 1 ? words[1] : "";
  if (mode == "backend" && count == 3) return run_backend(std::atoi(words[2]));
  if (mode == "client" && count == 6) {
    return run_client(std::atoi(words[2]), std::strtoul(words[3], nullptr, 10),
                      std::strtoul(words[4], nullptr, 10), std::atof(words[5]));
  }
  std::fputs("backend PORT | client PORT CONNECTIONS BYTES SECONDS\n", stderr);
  return 2;
}
