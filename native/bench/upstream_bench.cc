// What one GET over an idle connection costs the upstream client itself, without the system: sent,
// assigned, written, answered whole in one read, told, and its number free again. There is no loop
// but the one below, and `sendmsg` and `recv` are those of this file, which move the bytes and no
// more. Usage: upstream_bench [requests [pipelining]]. No test:
// `cmake --build … --target upstream_bench`.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "../test/upstream/usual_options.h"
#include "upstream/client.h"

struct weir::upstream::Reactor::Watch {
  Watched* watched;
};

namespace {

using namespace weir::upstream;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kRequest =
    "GET /api/v1/things/42?full=1 HTTP/1.1\r\nhost: backend.example:8080\r\naccept: */*\r\n"
    "user-agent: bench\r\nx-forwarded-for: 192.0.2.1\r\nx-forwarded-proto: https\r\n"
    "x-forwarded-host: example.org\r\nvia: 1.1 weir\r\n";
constexpr std::string_view kResponse =
    "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ndate: Sun, 22 Nov 2026 00:00:00 GMT\r\n"
    "connection: keep-alive\r\nkeep-alive: timeout=72\r\netag: \"abcdef\"\r\ncontent-length: 16\r\n"
    "\r\n{\"answer\": true}";

// Responses that the next read finds.
std::size_t answers = 1;

class OneSocket final : public Reactor {
 public:
  Watch* watch(int, unsigned, Watched& watched) override {
    watch_.watched = &watched;
    return &watch_;
  }
  void hand_over(Watch*, Watched& watched) override { watch_.watched = &watched; }
  void change(Watch*, unsigned) override {}
  void unwatch(Watch*) override {}
  std::uint64_t now_ms() const override { return 1000; }
  void set_timer(std::uint64_t) override {}
  void clear_timer() override {}
  void ask_end_turn() override {}

  void hear(unsigned events) { watch_.watched->on_ready(events); }

 private:
  Watch watch_{};
};

class Counting final : public Owner {
 public:
  void deliver(std::size_t count) override { told += count; }
  std::size_t told = 0;
};

void require(bool holds, const char* what) {
  if (holds) return;
  std::perror(what);
  std::exit(1);
}

// Only so that there is something to connect to.
int listen_on_loopback(std::uint16_t& port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  require(::bind(socket, any, length) == 0 && ::listen(socket, 1) == 0, "listen");
  require(::getsockname(socket, any, &length) == 0, "getsockname");
  port = ntohs(address.sin_port);
  return socket;
}

}  // namespace

extern "C" ssize_t sendmsg(int, const msghdr* message, int) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < message->msg_iovlen; ++i) bytes += message->msg_iov[i].iov_len;
  return static_cast<ssize_t>(bytes);
}

extern "C" ssize_t recv(int, void* bytes, std::size_t, int) {
  char* at = static_cast<char*>(bytes);
  for (std::size_t i = 0; i < answers; ++i) {
    std::memcpy(at, kResponse.data(), kResponse.size());
    at += kResponse.size();
  }
  return at - static_cast<char*>(bytes);
}

int main(int count, char** arguments) {
  const std::size_t requests = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1'000'000;
  const std::size_t depth = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1;
  OneSocket loop;
  Counting owner;
  std::vector<Record> records(1024);
  std::vector<char> arena(std::size_t{512} * 1024);
  Client client(weir::test::kUsualClient, loop, owner, records, arena);
  BackendOptions options = weir::test::kUsualBackend;
  options.connections = 1;
  options.pipelining = static_cast<std::uint32_t>(depth);
  const std::int32_t backend = client.open_backend(options);
  std::uint16_t port = 0;
  const int listening = listen_on_loopback(port);
  const Address address{0, "127.0.0.1", port};
  require(client.set_addresses(backend, {&address, 1}), "set_addresses");
  const Request request{.head = kRequest, .idempotent = true};
  bool wanted = false;
  const auto round = [&](std::size_t at_once) {
    answers = at_once;
    for (std::size_t i = 0; i < at_once; ++i) client.send(backend, request, wanted);
    client.end_turn();
    loop.hear(kReadable | kWritable);
    client.end_turn();
  };
  client.send(backend, request, wanted);
  loop.hear(kWritable);
  client.end_turn();
  loop.hear(kReadable);
  client.end_turn();
  require(owner.told == 1, "the first request");
  for (int repeat = 0; repeat < 5; ++repeat) {
    const auto start = Clock::now();
    for (std::size_t i = 0; i < requests; i += depth) round(depth);
    const std::chrono::duration<double, std::nano> passed = Clock::now() - start;
    std::printf("%.0f ns a request\n", passed.count() / static_cast<double>(requests));
  }
  require(owner.told > 5 * requests, "all told");
  ::close(listening);
  return 0;
}
