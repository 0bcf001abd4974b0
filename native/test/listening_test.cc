// Listening sockets on loopback: two of one address, where connections are led, and a descriptor
// that becomes another socket's.
#include "listening.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <vector>

#include "check.h"

namespace {

using namespace weir::test;

constexpr int kBacklog = 64;
constexpr int kClients = 32;

// @returns its descriptor, or a negative errno
int dial(int port) {
  const int client = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return client;
  const int error = errno;
  ::close(client);
  return -error;
}

// How many connections waited in it.
int accept_all(int listener) {
  int count = 0;
  for (;;) {
    const int got = ::accept(listener, nullptr, nullptr);
    if (got < 0) return count;
    ::close(got);
    ++count;
  }
}

void binds_and_listens() {
  CHECK(weir::bind_shared("nowhere", 0) == -EINVAL);
  const int first = weir::bind_shared("127.0.0.1", 0);
  CHECK(first >= 0);
  const int port = weir::bound_port(first);
  CHECK(port > 0);
  const int second = weir::bind_shared("127.0.0.1", port);
  CHECK(second >= 0);
  CHECK(dial(port) == -ECONNREFUSED);
  CHECK(weir::listen_shared(first, kBacklog) == 0);
  CHECK(accept_all(first) == 0);
  ::close(dial(port));
  CHECK(accept_all(first) == 1);
  ::close(first);
  ::close(second);
  CHECK(weir::bound_port(first) == -EBADF);
  CHECK(weir::listen_shared(first, kBacklog) == EBADF);
}

void leads_connections() {
#if defined(__linux__)
  const int first = weir::bind_shared("127.0.0.1", 0);
  const int port = weir::bound_port(first);
  const int second = weir::bind_shared("127.0.0.1", port);
  CHECK(weir::listen_shared(first, kBacklog) == 0 && weir::listen_shared(second, kBacklog) == 0);
  CHECK(weir::steer(first, {}) == 0);
  for (std::uint8_t place = 0; place < 2; ++place) {
    const std::array<std::uint8_t, 1> places{place};
    CHECK(weir::steer(first, places) == 0);
    for (int client = 0; client < kClients; ++client) ::close(dial(port));
    CHECK(accept_all(first) == (place == 0 ? kClients : 0));
    CHECK(accept_all(second) == (place == 1 ? kClients : 0));
  }
  // Of both places either, by chance; then as the kernel does by itself.
  const std::array<std::uint8_t, 2> both{0, 1};
  for (const bool is_led : {true, false}) {
    CHECK(weir::steer(second, is_led ? std::span<const std::uint8_t>(both)
                                     : std::span<const std::uint8_t>()) == 0);
    for (int client = 0; client < kClients; ++client) ::close(dial(port));
    const int at_first = accept_all(first);
    CHECK(at_first > 0 && at_first < kClients);
    CHECK(accept_all(second) == kClients - at_first);
  }
  ::close(first);
  ::close(second);
#endif
}

void becomes_another() {
  const int shared = weir::bind_shared("127.0.0.1", 0);
  const int port = weir::bound_port(shared);
  CHECK(weir::listen_shared(shared, kBacklog) == 0);
  const int own = weir::bind_shared("127.0.0.1", 0);
  CHECK(weir::listen_shared(own, kBacklog) == 0);
  const int own_port = weir::bound_port(own);
  ::close(dial(port));
  CHECK(weir::become(own, shared) == 0);
  CHECK(weir::bound_port(own) == port);
  CHECK(dial(own_port) == -ECONNREFUSED);
  // What waits outlives the descriptor by which it came.
  ::close(shared);
  CHECK(accept_all(own) == 1);
  CHECK(weir::become(own, shared) == EBADF);
  ::close(own);
}

}  // namespace

int main() {
  binds_and_listens();
  leads_connections();
  becomes_another();
  return finish();
}
