// What the kernel knows of a connection: bytes that have arrived, an end behind bytes that are not
// read yet, the peer's address; and how much it keeps.
#include "request/socket_state.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <string>

#include "check.h"

namespace {

using namespace weir::test;
using weir::request::acknowledged_bytes;
using weir::request::bound_reads;
using weir::request::bytes_before_end;

struct Connection {
  Connection() {
    const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    CHECK(::bind(listener, any, length) == 0 && ::listen(listener, 1) == 0);
    CHECK(::getsockname(listener, any, &length) == 0);
    client = ::socket(AF_INET, SOCK_STREAM, 0);
    CHECK(::connect(client, any, length) == 0);
    server = ::accept(listener, nullptr, nullptr);
    ::close(listener);
  }
  ~Connection() {
    ::close(client);
    ::close(server);
  }
  int client = -1;
  int server = -1;
};

template <typename Condition>
bool soon(Condition holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    ::poll(nullptr, 0, 1);
  }
  return true;
}

void send_text(int socket, const std::string& text) {
  CHECK(::send(socket, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
}

void acknowledged() {
  Connection connection;
  const std::int64_t before = acknowledged_bytes(connection.server);
  CHECK(before >= 0);
  send_text(connection.server, std::string(1000, 'x'));
  CHECK(soon([&] { return acknowledged_bytes(connection.server) == before + 1000; }));
}

void ends() {
  Connection connection;
  send_text(connection.client, "hello");
  CHECK(soon([&] {
    pollfd readable{connection.server, POLLIN, 0};
    return ::poll(&readable, 1, 0) == 1;
  }));
  CHECK(bytes_before_end(connection.server) == -1);
  ::shutdown(connection.client, SHUT_WR);
  CHECK(soon([&] { return bytes_before_end(connection.server) == 5; }));
  char bytes[8];
  CHECK(::recv(connection.server, bytes, sizeof bytes, 0) == 5);
  CHECK(bytes_before_end(connection.server) == 0);
}

void bounded_reads() {
  Connection connection;
  int bytes = 0;
  socklen_t length = sizeof bytes;
  bound_reads(connection.server, 65536);
  CHECK(::getsockopt(connection.server, SOL_SOCKET, SO_RCVBUF, &bytes, &length) == 0);
  CHECK(bytes >= 65536 && bytes <= 2 * 65536);
}

void nothing_is_known_of_others() {
  CHECK(acknowledged_bytes(-1) == -1 && bytes_before_end(-1) == -1);
  bound_reads(-1, 65536);
}

}  // namespace

int main() {
#ifdef __linux__
  acknowledged();
  ends();
#endif
  bounded_reads();
  nothing_is_known_of_others();
  return finish();
}
