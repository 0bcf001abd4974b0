// Proves what the front does between a server library and its sockets, with a library of the test's
// own: it hands on one good request at a time, in order and whatever the pieces, lets the rest wait
// within bounds, gives up in time, and keeps nothing of a connection whoever closes it and
// whenever.
#include "front/front.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "check.h"
#include "front/replace_handler.h"

namespace {

using namespace std::string_literals;
using weir::front::Connection;
using weir::front::ConnectionApi;
using weir::front::Front;
using weir::front::FrontBounds;
using weir::front::kPollReadable;
using weir::front::kPollWritable;
using weir::front::kReadPadding;
using weir::front::kWatchedWords;
using weir::front::OnClose;
using weir::front::OnData;
using weir::front::OnEvent;
using weir::front::OnOpen;

constexpr FrontBounds kBounds{
    .reader = {.head_bytes = 4096, .target_bytes = 2048, .lines = 100},
    .header_ms = 1000,
    .idle_ms = 5000,
    .linger_ms = 300,
    .waiting_bytes = 1000,
    .linger_bytes = 500,
};

struct FakeContext {
  std::array<void*, 3> before{};
  OnOpen on_open = nullptr;
  OnData on_data = nullptr;
  OnEvent on_writable = nullptr;
  OnEvent on_timeout = nullptr;
  OnClose on_close = nullptr;
  std::array<void*, kWatchedWords> after{};
};

struct FakeSocket {
  explicit FakeSocket(FakeContext* its_context = nullptr) : context(its_context) {}

  FakeContext* context;
  bool closed = false;
  bool shut = false;
  int events = kPollReadable;
  // what the library was given since its last request, and what the client was sent past it
  std::string body;
  std::string written;
};

std::vector<std::string> heads;
std::vector<std::string> events;
std::function<void(FakeSocket&)> on_request;
std::function<void(FakeSocket&)> on_body;
std::uint64_t now = 1'000'000;
bool timeout_setter_works = true;

FakeSocket& at(void* socket) { return *static_cast<FakeSocket*>(socket); }
FakeContext& context_at(void* context) { return *static_cast<FakeContext*>(context); }

void* library_open(void* socket, int, char*, int) {
  events.push_back("open");
  return socket;
}
// As the library's parser does, it writes behind what it is given.
void* library_data(void* socket, char* data, int length) {
  data[length] = '\r';
  data[length + 1] = 'a';
  const std::string text(data, static_cast<std::size_t>(length));
  if (text.starts_with("GET / HTTP/1.1\r\nhost: x\r\n")) {
    heads.push_back(text.substr(25));
    at(socket).body.clear();
    if (on_request) on_request(at(socket));
  } else {
    at(socket).body += text;
    if (on_body) on_body(at(socket));
  }
  return socket;
}
void* library_writable(void* socket) {
  events.push_back("writable");
  return socket;
}
void* library_timeout(void* socket) {
  events.push_back("timeout");
  return socket;
}
void* library_close(void* socket, int, void*) {
  events.push_back("close");
  return socket;
}

void* close_socket(int, void* socket, int code, void* reason) {
  FakeSocket& fake = at(socket);
  if (fake.closed) return socket;
  fake.closed = true;
  return fake.context->on_close(socket, code, reason);
}

ConnectionApi api() {
  ConnectionApi api;
  api.sockets.context = [](int, void* socket) -> void* { return at(socket).context; };
  api.sockets.on_open = [](int, void* to, OnOpen ours) { context_at(to).on_open = ours; };
  api.sockets.on_data = [](int, void* to, OnData ours) { context_at(to).on_data = ours; };
  api.sockets.on_close = [](int, void* to, OnClose ours) { context_at(to).on_close = ours; };
  api.sockets.close = close_socket;
  api.on_writable = [](int, void* to, OnEvent ours) { context_at(to).on_writable = ours; };
  api.on_timeout = [](int, void* to, OnEvent ours) {
    if (timeout_setter_works) context_at(to).on_timeout = ours;
  };
  api.write = [](int, void* socket, const char* data, int length, int) {
    at(socket).written.append(data, static_cast<std::size_t>(length));
    return length;
  };
  api.shutdown = [](int, void* socket) { at(socket).shut = true; };
  api.remote_port = [](int, void*) { return 4711; };
  api.native_handle = [](int, void*) -> void* { return reinterpret_cast<void*>(-1); };
  api.loop = [](int, void* context) -> void* { return context; };
  api.poll_events = [](void* socket) { return at(socket).events; };
  api.poll_change = [](void* socket, void*, int wanted) { at(socket).events = wanted; };
  api.now_ms = [] { return now; };
  return api;
}

// A library with one listener that has been hooked.
struct Hooked {
  FakeContext context;
  FakeSocket listening{&context};
  std::array<std::uint8_t, 4> turns{};
  Front front{api(), turns};

  Hooked() {
    context.before.fill(&events);
    context.on_open = library_open;
    context.on_data = library_data;
    context.on_writable = library_writable;
    context.on_timeout = library_timeout;
    context.on_close = library_close;
    on_request = nullptr;
    on_body = nullptr;
    timeout_setter_works = true;
    CHECK(front.hook(&listening, false, kBounds));
    heads.clear();
    events.clear();
  }
  ~Hooked() { CHECK(front.connections() == 0); }

  void open(FakeSocket& socket) {
    char ip[] = {127, 0, 0, 2};
    socket = FakeSocket(&context);
    context.on_open(&socket, 0, ip, 4);
  }
  void send(FakeSocket& socket, std::string_view bytes) {
    if (socket.closed) return;
    std::vector<char> read(bytes.size() + 2 * kReadPadding, '#');
    bytes.copy(read.data() + kReadPadding, bytes.size());
    context.on_data(&socket, read.data() + kReadPadding, static_cast<int>(bytes.size()));
    // What the front writes there is undone, but for what the library's parser does.
    CHECK(read[0] == '#' && read[kReadPadding - 1] == '#');
  }
  void close(FakeSocket& socket) { close_socket(0, &socket, 0, nullptr); }
  // JS has answered the pending request of the connection in the only used place, or the last one.
  void answer(Connection& connection, bool last = false) {
    if (front.answered(connection, last)) front.run();
  }
  void wait(std::uint64_t milliseconds) {
    for (const std::uint64_t end = now + milliseconds; now < end;) {
      now += 100;
      front.tick();
    }
  }
};

const std::string kGet = "GET /x HTTP/1.1\r\nHost: h\r\n\r\n";

void hands_on_one_at_a_time() {
  const std::string all = kGet + "POST /y HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello" +
                          "PUT /z HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                          "3;x=y\r\nabc\r\n0\r\nTrailer: 1\r\n\r\n" +
                          kGet;
  for (std::size_t piece = 1; piece <= all.size(); ++piece) {
    Hooked hooked;
    FakeSocket socket;
    Connection* current = nullptr;
    std::vector<std::string> targets;
    std::vector<std::string> bodies;
    on_request = [&](FakeSocket&) {
      current = hooked.front.current();
      targets.emplace_back(current->reader.target());
    };
    hooked.open(socket);
    for (std::size_t from = 0; from < all.size(); from += piece) {
      hooked.send(socket, std::string_view(all).substr(from, piece));
    }
    for (int each = 0; each < 4; ++each) {
      CHECK(targets.size() == static_cast<std::size_t>(each) + 1);
      bodies.push_back(socket.body);
      hooked.answer(*current);
    }
    CHECK(targets == std::vector<std::string>({"/x", "/y", "/z", "/x"}));
    CHECK(heads[0] == "\r\n" && heads[1] == "content-length: 5\r\n\r\n");
    CHECK(heads[2] == "transfer-encoding: chunked\r\n\r\n");
    CHECK(bodies[1] == "hello");
    // Cut anywhere, but chunks all the same.
    std::string chunked;
    for (std::string_view rest = bodies[2]; !rest.empty();) {
      const std::size_t size = static_cast<std::size_t>(rest[0] - '0');
      CHECK(rest.substr(1, 2) == "\r\n" && rest.substr(3 + size, 2) == "\r\n");
      chunked += rest.substr(3, size);
      rest.remove_prefix(5 + size);
    }
    CHECK(chunked == "abc");
    hooked.close(socket);
  }
}

void answers_within_the_handler() {
  Hooked hooked;
  FakeSocket socket;
  int requests = 0;
  on_request = [&](FakeSocket&) {
    ++requests;
    hooked.front.answered(*hooked.front.current(), false);
  };
  hooked.open(socket);
  hooked.send(socket, kGet + kGet + kGet.substr(0, 5));
  CHECK(requests == 2);
  hooked.send(socket, kGet.substr(5));
  CHECK(requests == 3);
  // By the shared byte alone, as where nothing waits.
  on_request = [&](FakeSocket&) { hooked.turns[0] = 0; };
  hooked.send(socket, kGet + kGet);
  CHECK(heads.size() == 5);
  hooked.close(socket);
}

void waits_within_bounds() {
  Hooked hooked;
  FakeSocket socket;
  Connection* current = nullptr;
  on_request = [&](FakeSocket&) { current = hooked.front.current(); };
  hooked.open(socket);
  hooked.send(socket, kGet);
  std::string many;
  for (int each = 0; each < 40; ++each) many += kGet;
  hooked.send(socket, many.substr(0, 500));
  CHECK(socket.events == kPollReadable);
  hooked.send(socket, many.substr(500));
  CHECK(socket.events == 0);
  for (int each = 0; each < 40; ++each) hooked.answer(*current);
  CHECK(heads.size() == 41 && socket.events == kPollReadable);
  // A client that doesn't read its answers has to, before there is another.
  hooked.send(socket, kGet);
  socket.events |= kPollWritable;
  hooked.answer(*current);
  CHECK(heads.size() == 41);
  hooked.context.on_writable(&socket);
  CHECK(heads.size() == 42);
  hooked.close(socket);
}

// A socket that takes only a part of a write is read again by the library, paused or not.
void pauses_again_after_partial_writes() {
  constexpr int kReadAgain = kPollReadable | kPollWritable;
  Hooked hooked;
  FakeSocket socket;
  Connection* current = nullptr;
  on_request = [&](FakeSocket&) { current = hooked.front.current(); };
  hooked.open(socket);
  std::string many;
  for (int each = 0; each < 41; ++each) many += kGet;
  hooked.send(socket, many);
  CHECK(socket.events == 0);
  // The library's own writing, JS's that it tells of, and ours.
  socket.events = kReadAgain;
  hooked.context.on_writable(&socket);
  CHECK(socket.events == kPollWritable);
  socket.events = kReadAgain;
  hooked.front.pause(*current, false);
  CHECK(socket.events == kPollWritable);
  socket.events = kReadAgain;
  hooked.front.write(*current, "part");
  CHECK(socket.events == kPollWritable);
  // The end of an answer.
  socket.events = kReadAgain;
  hooked.answer(*current);
  CHECK(socket.events == kPollWritable && heads.size() == 1);
  hooked.context.on_writable(&socket);
  CHECK(socket.events == 0 && heads.size() == 2);
  hooked.close(socket);
}

void ends_connections_so_that_it_can_be_read() {
  Hooked hooked;
  FakeSocket socket;
  std::string why;
  on_request = [&](FakeSocket&) {
    Connection& connection = *hooked.front.current();
    if (connection.refused) why = connection.refusal.code;
    hooked.front.answered(connection, connection.refused);
  };
  hooked.open(socket);
  hooked.send(socket, "GET /x HTTP/1.1\r\nHost : h\r\n\r\n" + kGet);
  CHECK(why == "ERR_BAD_REQUEST" && heads.size() == 1);
  CHECK(socket.shut && !socket.closed);
  hooked.send(socket, std::string(400, 'z'));
  CHECK(!socket.closed);
  hooked.send(socket, std::string(400, 'z'));
  CHECK(socket.closed);
  hooked.open(socket);
  hooked.send(socket, "GET /x HTTP/1.0\r\n\r\n" + kGet);
  CHECK(socket.shut && heads.size() == 2);
  hooked.wait(kBounds.linger_ms + 200);
  CHECK(socket.closed);
}

void spoils_bodies() {
  Hooked hooked;
  FakeSocket socket;
  Connection* current = nullptr;
  on_request = [&](FakeSocket&) { current = hooked.front.current(); };
  hooked.open(socket);
  hooked.send(socket, "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n");
  bool told = false;
  on_body = [&](FakeSocket&) { told = (hooked.turns[0] & weir::front::kBadBody) != 0; };
  hooked.send(socket, "x\r\n" + kGet);
  CHECK(told && socket.events == 0);
  hooked.answer(*current, true);
  CHECK(socket.shut && heads.size() == 1);
  hooked.close(socket);
}

void gives_up_in_time() {
  Hooked hooked;
  FakeSocket silent;
  FakeSocket slow;
  FakeSocket idle;
  std::string why;
  on_request = [&](FakeSocket&) {
    Connection& connection = *hooked.front.current();
    if (connection.refused) why = connection.refusal.code;
    hooked.front.answered(connection, connection.refused);
  };
  hooked.open(silent);
  hooked.open(slow);
  hooked.open(idle);
  hooked.send(idle, kGet);
  hooked.send(slow, kGet + "GET");
  for (int each = 0; each < 9; ++each) {
    hooked.send(slow, "T");
    hooked.wait(100);
  }
  CHECK(!silent.closed && why.empty());
  hooked.wait(200);
  CHECK(silent.closed && why == "ERR_REQUEST_TIMEOUT" && slow.shut);
  hooked.wait(kBounds.idle_ms - 1500);
  CHECK(slow.closed && !idle.closed);
  hooked.wait(800);
  CHECK(idle.closed);
  // Nobody is late while this thread was.
  hooked.open(silent);
  now += 10 * kBounds.header_ms;
  hooked.front.tick();
  CHECK(!silent.closed);
  hooked.wait(kBounds.header_ms + 200);
  CHECK(silent.closed);
}

// Whoever closes it, at whatever moment JS runs: nothing of it is touched again (the sanitizer
// looks), and its number is nobody's.
void may_be_closed_at_any_time() {
  for (const bool in_body : {false, true}) {
    Hooked hooked;
    FakeSocket socket;
    FakeSocket other;
    std::uint64_t handle = 0;
    on_request = [&](FakeSocket& fake) {
      handle = hooked.front.current()->handle;
      if (!in_body) hooked.close(fake);
    };
    on_body = [&](FakeSocket& fake) { hooked.close(fake); };
    hooked.open(socket);
    hooked.send(socket, "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc" + kGet + kGet);
    CHECK(socket.closed && heads.size() == 1);
    CHECK(hooked.front.find(handle) == nullptr);
    // Another's, at the same place in memory.
    on_request = nullptr;
    hooked.open(socket);
    hooked.send(socket, kGet);
    CHECK(hooked.front.find(handle) == nullptr && heads.size() == 2);
    // By another connection's request.
    on_request = [&](FakeSocket&) { hooked.close(socket); };
    hooked.open(other);
    hooked.send(other, kGet);
    CHECK(socket.closed && !other.closed);
    hooked.close(other);
  }
}

void has_so_many_places() {
  Hooked hooked;
  std::array<FakeSocket, 5> sockets;
  for (FakeSocket& socket : sockets) hooked.open(socket);
  CHECK(sockets[4].closed && !sockets[3].closed);
  hooked.close(sockets[1]);
  hooked.open(sockets[4]);
  CHECK(!sockets[4].closed);
  for (FakeSocket& socket : sockets) hooked.close(socket);
}

void leaves_what_it_does_not_know() {
  Hooked hooked;
  FakeContext context = hooked.context;
  context.on_open = library_open;
  context.on_data = library_data;
  context.on_writable = library_writable;
  context.on_timeout = library_timeout;
  context.on_close = library_close;
  FakeSocket listening{&context};
  timeout_setter_works = false;
  CHECK(!hooked.front.hook(&listening, false, kBounds));
  CHECK(context.on_open == library_open && context.on_data == library_data);
  CHECK(context.on_writable == library_writable && context.on_timeout == library_timeout);
  CHECK(context.on_close == library_close);
}

}  // namespace

int main() {
  hands_on_one_at_a_time();
  answers_within_the_handler();
  waits_within_bounds();
  pauses_again_after_partial_writes();
  ends_connections_so_that_it_can_be_read();
  spoils_bodies();
  gives_up_in_time();
  may_be_closed_at_any_time();
  has_so_many_places();
  leaves_what_it_does_not_know();
  return weir::test::finish();
}
