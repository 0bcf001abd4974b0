#pragma once
// The server library as the tests of the front have it: contexts that keep the handlers which the
// front replaces, sockets that remember what became of them, and the bounds of both tests.
#include <array>
#include <string>

#include "front/front.h"
#include "front/replace_handler.h"

namespace weir::test {

constexpr front::FrontBounds kBounds{
    .reader = {.head_bytes = 4096, .target_bytes = 2048, .lines = 100},
    .header_ms = 1000,
    .idle_ms = 5000,
    .linger_ms = 300,
    .waiting_bytes = 1000,
    .linger_bytes = 500,
};

struct FakeContext {
  std::array<void*, 3> before{};
  // below TLS
  front::OnData below = nullptr;
  front::OnOpen on_open = nullptr;
  front::OnData on_data = nullptr;
  front::OnEvent on_writable = nullptr;
  front::OnEvent on_timeout = nullptr;
  front::OnClose on_close = nullptr;
  std::array<void*, front::kWatchedWords> after{};
};

struct FakeSocket {
  explicit FakeSocket(FakeContext* its_context = nullptr) : context(its_context) {}

  FakeContext* context;
  bool closed = false;
  bool shut = false;
  int events = front::kPollReadable;
  // what the client was sent
  std::string written;
};

inline FakeSocket& socket_at(void* socket) { return *static_cast<FakeSocket*>(socket); }
inline FakeContext& context_at(void* context) { return *static_cast<FakeContext*>(context); }

inline void* close_socket(int, void* socket, int code, void* reason) {
  FakeSocket& fake = socket_at(socket);
  if (fake.closed) return socket;
  fake.closed = true;
  return fake.context->on_close(socket, code, reason);
}

// With what is the same for all; the rest is each test's own.
inline front::ConnectionApi fake_library() {
  front::ConnectionApi api;
  api.sockets.context = [](int, void* socket) -> void* { return socket_at(socket).context; };
  api.sockets.on_open = [](int, void* to, front::OnOpen ours) { context_at(to).on_open = ours; };
  api.sockets.on_close = [](int, void* to, front::OnClose ours) { context_at(to).on_close = ours; };
  api.sockets.close = close_socket;
  api.on_writable = [](int, void* to, front::OnEvent ours) { context_at(to).on_writable = ours; };
  api.native_handle = [](int, void*) -> void* { return reinterpret_cast<void*>(-1); };
  api.loop = [](int, void* context) -> void* { return context; };
  return api;
}

}  // namespace weir::test
