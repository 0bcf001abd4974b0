// The usual scene of the upstream client's tests: one backend with one address, and its server.
#pragma once

#include <string_view>

#include "client_harness.h"

namespace weir::test {

inline constexpr std::string_view kHello = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello";

struct One {
  explicit One(const upstream::BackendOptions& backend_options = kUsualBackend,
               const upstream::ClientOptions& options = kUsualClient)
      : harness(options) {
    harness.servers = {&server};
    backend = harness.backend(backend_options);
  }
  Peer& peer(std::size_t index = 0) {
    CHECK(index < server.peers.size());
    return *server.peers.at(index);
  }
  const Heard& heard(std::int32_t call) { return harness.calls[call]; }
  void answer(std::string_view bytes, std::size_t index = 0) {
    peer(index).say(bytes);
    harness.settle();
  }
  // A connection that has served one request.
  void warm_up() {
    const std::int32_t call = harness.get(backend);
    harness.settle();
    answer(kHello, server.peers.size() - 1);
    CHECK(heard(call).whole());
  }

  ScriptedServer server;
  Harness harness;
  std::int32_t backend = 0;
};

}  // namespace weir::test
