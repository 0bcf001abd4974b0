// Proves what the front does between a server library and its sockets, with a library of the test's
// own: it learns the handlers it stands before or leaves everything as it was, hands on what comes
// behind a frame and nothing else, says whose bytes are being read at that moment only, and keeps
// nothing of connections that are gone, whoever closed them.
#include "front/proxy_listener.h"

#include <array>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "check.h"
#include "front/replace_handler.h"

namespace {

using namespace std::string_literals;
using weir::front::kWatchedWords;
using weir::front::OnClose;
using weir::front::OnData;
using weir::front::OnOpen;
using weir::front::ProxiedPeer;
using weir::front::ProxyListener;
using weir::front::ProxyListeners;
using weir::front::SocketApi;

const std::string kFrame =
    "\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\xcb\0\x71\x09\x7f\0\0\x01\x03\xe8\0\x50"s;
const std::string kLocal = "\r\n\r\n\0\r\nQUIT\n\x20\0\0\0"s;

// What the library keeps of a context; handlers stand somewhere among other words.
struct FakeContext {
  std::array<void*, 3> before{};
  OnOpen on_open = nullptr;
  void* between = nullptr;
  OnData on_data = nullptr;
  OnClose on_close = nullptr;
  // What a setter does besides in some builds that nobody has seen.
  void* generation = nullptr;
  std::array<void*, kWatchedWords> after{};
};

struct FakeSocket {
  FakeContext* context;
  bool closed = false;
};

// What the library's own handlers were called with.
std::vector<std::string> calls;
std::function<void(FakeSocket&)> while_reading;
enum class Setter {
  kPlain,
  kDoesNothing,
  kChangesTwo,
  kChangesEarlier,
  kEmpty
} close_setter = Setter::kPlain;

FakeSocket& socket_at(void* socket) { return *static_cast<FakeSocket*>(socket); }

std::string whose() {
  const ProxiedPeer* const peer = ProxyListener::current();
  if (peer == nullptr) return "nobody";
  if (peer->address_bytes == 0) return "itself";
  return std::to_string(peer->address[0]) + " " + std::to_string(peer->port);
}

void* library_open(void* socket, int, char*, int) {
  calls.push_back("open");
  return socket;
}
void* library_data(void* socket, char* data, int length) {
  calls.push_back(whose() + ": " + std::string(data, static_cast<std::size_t>(length)));
  if (while_reading) while_reading(socket_at(socket));
  return socket;
}
void* library_close(void* socket, int, void*) {
  calls.push_back("close");
  return socket;
}

void* context_of(int, void* socket) { return socket_at(socket).context; }
void set_open(int, void* context, OnOpen handler) {
  static_cast<FakeContext*>(context)->on_open = handler;
}
void set_data(int, void* context, OnData handler) {
  static_cast<FakeContext*>(context)->on_data = handler;
}
void set_close(int, void* context, OnClose handler) {
  auto& fake = *static_cast<FakeContext*>(context);
  if (close_setter == Setter::kDoesNothing) return;
  fake.on_close = handler;
  if (close_setter == Setter::kChangesTwo) fake.generation = &fake;
  if (close_setter == Setter::kChangesEarlier) fake.between = &fake;
}
void* close_socket(int, void* socket, int code, void* reason) {
  FakeSocket& fake = socket_at(socket);
  if (fake.closed) return socket;
  fake.closed = true;
  return fake.context->on_close(socket, code, reason);
}

const SocketApi kApi = {.context = context_of,
                        .on_open = set_open,
                        .on_data = set_data,
                        .on_close = set_close,
                        .close = close_socket};

FakeContext library_context() {
  FakeContext context;
  context.before.fill(&calls);
  context.on_open = library_open;
  context.on_data = library_data;
  context.on_close = library_close;
  return context;
}

// A library with one listener that has been hooked.
struct Hooked {
  FakeContext context = library_context();
  FakeSocket listening{&context};
  ProxyListeners listeners;
  ProxyListener& listener;

  Hooked() : listener((listeners.hook(kApi, &listening), listeners.at(0))) {
    calls.clear();
    while_reading = nullptr;
  }

  void open(FakeSocket& socket) {
    char ip[] = {127, 0, 0, 2};
    socket.context = &context;
    socket.closed = false;
    context.on_open(&socket, 0, ip, 4);
  }
  void send(FakeSocket& socket, std::string bytes) {
    if (!socket.closed) context.on_data(&socket, bytes.data(), static_cast<int>(bytes.size()));
  }
};

using Calls = std::vector<std::string>;

void hands_on_what_follows() {
  for (std::size_t cut = 0; cut <= kFrame.size(); ++cut) {
    Hooked hooked;
    FakeSocket socket{};
    hooked.open(socket);
    if (cut > 0) hooked.send(socket, kFrame.substr(0, cut));
    CHECK(calls == Calls{"open"});
    hooked.send(socket, kFrame.substr(cut) + "first");
    hooked.send(socket, kFrame + "second");
    CHECK((calls == Calls{"open", "203 1000: first", "203 1000: " + kFrame + "second"}));
    CHECK(whose() == "nobody" && !socket.closed);
  }
  Hooked hooked;
  FakeSocket socket{};
  hooked.open(socket);
  for (const char byte : kFrame) hooked.send(socket, std::string(1, byte));
  // As the library calls when a socket becomes writable.
  hooked.context.on_data(&socket, nullptr, 0);
  CHECK((calls == Calls{"open", "203 1000: "}));
}

void nothing_before_the_frame() {
  Hooked hooked;
  FakeSocket socket{};
  hooked.open(socket);
  hooked.context.on_data(&socket, nullptr, 0);
  hooked.send(socket, kFrame.substr(0, 5));
  hooked.context.on_data(&socket, nullptr, 0);
  CHECK(calls == Calls{"open"} && !socket.closed);
}

void bad_frames_close() {
  Hooked hooked;
  FakeSocket socket{};
  hooked.open(socket);
  hooked.send(socket, "GET / HTTP/1.1\r\n\r\n");
  CHECK(socket.closed && (calls == Calls{"open", "close"}));
  CHECK(hooked.listener.refused() == 1 && hooked.listener.connections() == 0);
  CHECK(hooked.listener.last_refusal() == "127.0.0.2: no PROXY protocol");
  hooked.open(socket);
  hooked.send(socket, "PROXY ");
  hooked.send(socket, "TCP5\r\n");
  CHECK(socket.closed && hooked.listener.refused() == 2 && hooked.listener.connections() == 0);
  CHECK(hooked.listener.last_refusal() == "127.0.0.2: unknown protocol");
}

// Whose opening was not seen can't be known.
void strangers_are_closed() {
  Hooked hooked;
  FakeSocket socket{&hooked.context};
  hooked.send(socket, kFrame + "request");
  CHECK(socket.closed && (calls == Calls{"close"}) && hooked.listener.refused() == 1);
  CHECK(hooked.listener.last_refusal() == "unknown: never seen to open");
}

// The next connection at the same address in memory has a frame of its own to send.
void connections_are_forgotten() {
  Hooked hooked;
  FakeSocket socket{};
  hooked.open(socket);
  hooked.send(socket, kFrame + "first");
  kApi.close(0, &socket, 0, nullptr);
  CHECK(hooked.listener.connections() == 0);
  hooked.open(socket);
  hooked.send(socket, "second");
  CHECK(socket.closed && hooked.listener.refused() == 1);
  // Also if its end was never told.
  hooked.open(socket);
  hooked.send(socket, kFrame + "third");
  hooked.open(socket);
  hooked.send(socket, kLocal + "fourth");
  CHECK((calls == Calls{"open", "203 1000: first", "close", "open", "close", "open",
                        "203 1000: third", "open", "itself: fourth"}));
  CHECK(hooked.listener.connections() == 1);
}

void closing_while_the_library_reads() {
  Hooked hooked;
  FakeSocket socket{};
  FakeSocket other{};
  hooked.open(socket);
  hooked.open(other);
  hooked.send(other, kLocal);
  std::string after;
  while_reading = [&](FakeSocket& reading) {
    kApi.close(0, &reading, 0, nullptr);
    kApi.close(0, &other, 0, nullptr);
    after = whose();
  };
  hooked.send(socket, kFrame + "request");
  CHECK(after == "203 1000" && whose() == "nobody");
  CHECK(socket.closed && other.closed && hooked.listener.connections() == 0);
}

void reading_within_reading() {
  Hooked hooked;
  FakeSocket socket{};
  FakeSocket other{};
  hooked.open(socket);
  hooked.open(other);
  while_reading = [&](FakeSocket& reading) {
    if (&reading == &socket) hooked.send(other, kLocal + "inner");
    calls.push_back(whose());
  };
  hooked.send(socket, kFrame + "outer");
  CHECK((calls == Calls{"open", "open", "203 1000: outer", "itself: inner", "itself", "203 1000"}));
}

void each_context_has_its_own() {
  Hooked hooked;
  FakeContext second = library_context();
  FakeSocket listening{&second};
  CHECK(hooked.listeners.hook(kApi, &listening) == 1);
  FakeSocket socket{&second};
  second.on_open(&socket, 0, nullptr, 0);
  char bad[] = "bad";
  second.on_data(&socket, bad, 3);
  CHECK(hooked.listener.refused() == 0 && hooked.listeners.at(1).refused() == 1);
  // A new context where an old one was.
  hooked.context = library_context();
  CHECK(hooked.listeners.hook(kApi, &hooked.listening) == 2);
  hooked.open(socket);
  hooked.send(socket, "bad");
  CHECK(hooked.listener.refused() == 0 && hooked.listeners.at(2).refused() == 1);
}

void what_cannot_be_learnt_is_left_alone() {
  for (const Setter setter :
       {Setter::kDoesNothing, Setter::kChangesTwo, Setter::kChangesEarlier, Setter::kEmpty}) {
    close_setter = setter;
    FakeContext context = library_context();
    if (setter == Setter::kEmpty) context.on_close = nullptr;
    const FakeContext untouched = context;
    FakeSocket listening{&context};
    ProxyListeners listeners;
    CHECK(listeners.hook(kApi, &listening) == -1 && listeners.size() == 0);
    CHECK(std::memcmp(&context, &untouched, sizeof context) == 0);
  }
  close_setter = Setter::kPlain;
  Hooked hooked;
  const FakeContext once = hooked.context;
  CHECK(hooked.listeners.hook(kApi, &hooked.listening) == -1);
  CHECK(std::memcmp(&hooked.context, &once, sizeof once) == 0);
  FakeSocket nowhere{nullptr};
  CHECK(hooked.listeners.hook(kApi, &nowhere) == -1);
}

// Sockets may outlive their thread's listeners by a moment.
void after_the_end() {
  FakeContext context = library_context();
  FakeSocket socket{&context};
  {
    ProxyListeners listeners;
    CHECK(listeners.hook(kApi, &socket) == 0);
  }
  calls.clear();
  CHECK(context.on_open(&socket, 0, nullptr, 0) == &socket);
  char bytes[] = "bytes";
  CHECK(context.on_data(&socket, bytes, 5) == &socket);
  CHECK(context.on_close(&socket, 0, nullptr) == &socket);
  CHECK(calls.empty());
}

}  // namespace

int main() {
  hands_on_what_follows();
  nothing_before_the_frame();
  bad_frames_close();
  strangers_are_closed();
  connections_are_forgotten();
  closing_while_the_library_reads();
  reading_within_reading();
  each_context_has_its_own();
  what_cannot_be_learnt_is_left_alone();
  after_the_end();
  return weir::test::finish();
}
