// A tunnel with everything around it that a test needs: a server library of the test's own, whose
// client is memory; the front, the upstream client and a backend on loopback; and an owner that
// writes down what it is told.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../check.h"
#include "../upstream/one_server.h"
#include "front/front.h"
#include "front/replace_handler.h"
#include "tunnel/tunnels.h"

namespace weir::test {

struct LibraryContext {
  std::array<void*, 3> before{};
  front::OnOpen on_open = nullptr;
  front::OnData on_data = nullptr;
  front::OnEvent on_writable = nullptr;
  front::OnEvent on_timeout = nullptr;
  front::OnEvent on_end = nullptr;
  front::OnClose on_close = nullptr;
  // of the layer below TLS
  front::OnData on_data_below = nullptr;
  std::array<void*, front::kWatchedWords> after{};
};

// The library's end of a client's connection, and the client.
struct ClientSocket {
  LibraryContext* context = nullptr;
  bool closed = false;
  bool shut = false;
  int events = front::kPollReadable;
  // what it takes of what is written
  std::size_t takes = SIZE_MAX;
  std::string written{};
};

inline std::uint64_t library_now = 1'000'000;
inline ClientSocket& client_at(void* socket) { return *static_cast<ClientSocket*>(socket); }
inline LibraryContext& library_at(void* context) { return *static_cast<LibraryContext*>(context); }

inline void* close_client(int, void* socket, int code, void* reason) {
  ClientSocket& client = client_at(socket);
  if (client.closed) return socket;
  client.closed = true;
  return client.context->on_close(socket, code, reason);
}

inline front::ConnectionApi library_api() {
  using namespace front;
  ConnectionApi api;
  api.sockets.context = [](int, void* socket) -> void* { return client_at(socket).context; };
  api.sockets.on_open = [](int, void* to, OnOpen ours) { library_at(to).on_open = ours; };
  api.sockets.on_data = [](int ssl, void* to, OnData ours) {
    LibraryContext& context = library_at(to);
    // Of TLS contexts the one below is asked for as well.
    if (ssl == 0 && context.on_data_below != nullptr) {
      context.on_data_below = ours;
    } else {
      context.on_data = ours;
    }
  };
  api.sockets.on_close = [](int, void* to, OnClose ours) { library_at(to).on_close = ours; };
  api.sockets.close = close_client;
  api.on_writable = [](int, void* to, OnEvent ours) { library_at(to).on_writable = ours; };
  api.on_timeout = [](int, void* to, OnEvent ours) { library_at(to).on_timeout = ours; };
  api.on_end = [](int, void* to, OnEvent ours) { library_at(to).on_end = ours; };
  api.write = [](int, void* socket, const char* data, int length, int) {
    ClientSocket& client = client_at(socket);
    const std::size_t taken = std::min(client.takes, static_cast<std::size_t>(length));
    client.takes -= client.takes == SIZE_MAX ? 0 : taken;
    client.written.append(data, taken);
    if (taken < static_cast<std::size_t>(length)) {
      client.events = kPollReadable | kPollWritable;
    }
    return static_cast<int>(taken);
  };
  api.shutdown = [](int, void* socket) { client_at(socket).shut = true; };
  api.remote_port = [](int, void*) { return 4711; };
  api.native_handle = [](int, void*) -> void* { return reinterpret_cast<void*>(-1); };
  api.loop = [](int, void* context) -> void* { return context; };
  api.poll_events = [](void* socket) { return client_at(socket).events; };
  api.poll_change = [](void* socket, void*, int wanted) { client_at(socket).events = wanted; };
  api.now_ms = [] { return library_now; };
  return api;
}

inline constexpr front::FrontBounds kSceneFront{
    .reader = {.head_bytes = 4096, .target_bytes = 2048, .lines = 100},
    .header_ms = 1000,
    .idle_ms = 5000,
    .linger_ms = 300,
    .waiting_bytes = 1000,
    .linger_bytes = 500,
};
inline constexpr tunnel::TunnelBounds kSceneTunnels{
    .client_bytes = 65536, .backend_bytes = 16384, .linger_ms = 500};

inline constexpr std::string_view kAsk =
    "GET / HTTP/1.1\r\nhost: test\r\nconnection: upgrade\r\nupgrade: websocket\r\n";
inline constexpr std::string_view kSwitch =
    "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n";

class Scene final : public front::Owner, public tunnel::Owner {
 public:
  explicit Scene(bool tls = false) {
    context.before.fill(this);
    context.on_open = [](void* socket, int, char*, int) { return socket; };
    context.on_data = [](void* socket, char*, int) { return socket; };
    if (tls) context.on_data_below = [](void* socket, char*, int) { return socket; };
    context.on_writable = [](void* socket) { return socket; };
    context.on_timeout = [](void* socket) { return socket; };
    context.on_end = [](void* socket) { return close_client(0, socket, 0, nullptr); };
    context.on_close = [](void* socket, int, void*) { return socket; };
    ClientSocket listening{.context = &context};
    CHECK(front.hook(&listening, tls, false, kSceneFront) == 0);
    one.harness.on_record = [this](const upstream::Record& record) {
      if (static_cast<upstream::RecordKind>(record.kind) != upstream::RecordKind::kUpgraded) return;
      upgraded = record.call;
      serial = record.backend;
    };
  }
  ~Scene() {
    tunnels.reset();
    CHECK(front.connections() == 0);
  }

  // What was told of a tunnel.
  struct Told {
    tunnel::Ending by = tunnel::Ending::kNone;
    std::uint64_t in = 0;
    std::uint64_t out = 0;
    int times = 0;
    std::string received;
    bool client_ended = false;
    int rooms = 0;
  };

  // A client that has asked, with bytes behind its request.
  void ask(ClientSocket& client, std::string_view early = {}) {
    char ip[] = {127, 0, 0, 2};
    client = ClientSocket{.context = &context};
    context.on_open(&client, 0, ip, 4);
    send(client, "GET / HTTP/1.1\r\nHost: h\r\n\r\n" + std::string(early));
  }

  // A tunnel to the backend, whose 101 has bytes behind it.
  std::uint32_t open(ClientSocket& client, const tunnel::TunnelOptions& options = {},
                     std::string_view early_in = {}, std::string_view early_out = {}) {
    ask(client, early_in);
    const std::uint64_t connection = handle;
    upgraded = -1;
    one.harness.send(one.backend, {.head = kAsk, .idempotent = true, .upgrade = true});
    one.harness.settle();
    one.answer(std::string(kSwitch) + std::string(early_out), one.server.peers.size() - 1);
    CHECK(upgraded >= 0);
    upstream::Upgraded backend = one.harness.client().take_upgraded(upgraded, serial);
    CHECK(backend.socket >= 0);
    const std::uint32_t number =
        tunnels->open(*front.find(connection), options, one.harness.reactor, std::move(backend));
    told[number] = {};
    one.harness.calls[upgraded].aborted = true;
    settle();
    return number;
  }

  std::uint32_t open_port(ClientSocket& client, const tunnel::TunnelOptions& options = {},
                          std::string_view early_in = {}) {
    ask(client, early_in);
    const std::uint32_t number = tunnels->open_port(*front.find(handle), options);
    told[number] = {};
    return number;
  }

  // The client says something, if its socket is read.
  bool send(ClientSocket& client, std::string_view bytes) {
    if (client.closed || (client.events & front::kPollReadable) == 0) return false;
    // Memory of exactly these bytes, so that the address sanitizer sees a look beyond them.
    std::vector<char> read(bytes.begin(), bytes.end());
    context.on_data(&client, read.data(), static_cast<int>(read.size()));
    return true;
  }
  // It sends no more: the library stops reading and says so, or closes what was shut.
  void end(ClientSocket& client) {
    if (client.closed) return;
    client.events &= front::kPollWritable;
    if (client.shut) {
      close_client(0, &client, 0, nullptr);
    } else {
      context.on_end(&client);
    }
  }
  void reset(ClientSocket& client) { close_client(0, &client, 1, nullptr); }
  // Its socket takes as much more.
  void take(ClientSocket& client, std::size_t bytes) {
    if (client.closed) return;
    client.takes = bytes;
    if ((client.events & front::kPollWritable) != 0) {
      client.events = front::kPollReadable;
      context.on_writable(&client);
    }
  }

  Peer& peer(std::size_t index = 0) { return one.peer(index); }
  void settle() { one.harness.settle(); }
  void say(std::string_view bytes, std::size_t index = 0) {
    peer(index).say(bytes);
    settle();
  }
  void wait(std::uint64_t milliseconds) {
    for (const std::uint64_t end = library_now + milliseconds; library_now < end;) {
      library_now += 100;
      front.tick();
      tunnels->tick();
    }
  }
  tunnel::Tunnel& tunnel(std::uint32_t number) { return *tunnels->find(number); }
  bool over(std::uint32_t number, tunnel::Ending by) {
    return told[number].times == 1 && told[number].by == by && tunnels->find(number) == nullptr;
  }

  void requested(front::Connection& connection) override {
    handle = connection.handle;
    if (on_request) on_request(connection);
  }
  void received(front::Connection&, std::string_view, bool) override {}
  void writable(front::Connection&) override {}
  void gone(front::Connection&) override { ++gone_count; }

  void ended(std::uint32_t number, tunnel::Ending by, std::uint64_t in,
             std::uint64_t out) override {
    Told& one_told = told[number];
    ++one_told.times;
    one_told.by = by;
    one_told.in = in;
    one_told.out = out;
  }
  void port_received(std::uint32_t number, std::string_view bytes) override {
    told[number].received += bytes;
  }
  void port_client_ended(std::uint32_t number) override { told[number].client_ended = true; }
  void port_has_room(std::uint32_t number) override { ++told[number].rooms; }

  std::function<void(front::Connection&)> on_request;
  std::map<std::uint32_t, Told> told;
  LibraryContext context;
  std::array<std::uint8_t, 64> turns{};
  std::uint64_t handle = 0;
  std::int32_t upgraded = -1;
  std::int32_t serial = 0;
  int gone_count = 0;
  One one;
  front::Front front{library_api(), *this, turns};
  std::unique_ptr<tunnel::Tunnels> tunnels =
      std::make_unique<tunnel::Tunnels>(kSceneTunnels, front, *this, library_api().now_ms);
};

}  // namespace weir::test
