// Proves what the front does with the sockets of a server library, which is the test's own, as is
// the owner: it hands on one good request at a time, in order and whatever the pieces, lets the
// rest wait within bounds, writes answers as one and what a full socket leaves of them later, gives
// up in time, and keeps nothing of a connection whoever closes it and whenever.
#include "front/front.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "check.h"
#include "front/fake_library.h"

namespace {

using namespace std::string_literals;
using weir::front::Connection;
using weir::front::ConnectionApi;
using weir::front::Front;
using weir::front::kPollReadable;
using weir::front::kPollWritable;
using weir::front::OnData;
using weir::front::OnEvent;
using weir::front::Owner;
using weir::test::close_socket;
using weir::test::context_at;
using weir::test::fake_library;
using weir::test::FakeContext;
using weir::test::FakeSocket;
using weir::test::kBounds;
using weir::test::socket_at;

// A socket that takes only a part of a write is read again by the library, paused or not.
constexpr int kReadAgain = kPollReadable | kPollWritable;

std::vector<std::string> events;
std::uint64_t now = 1'000'000;
bool timeout_setter_works = true;
// What a socket takes of each write; the number of writes.
std::size_t takes = SIZE_MAX;
int writes = 0;

// Stands in for JS.
struct FakeOwner final : Owner {
  std::function<void(Connection&)> on_request;
  std::function<void(Connection&)> on_body;
  std::function<void(Connection&)> on_room;
  std::vector<std::string> targets;
  std::string body;
  bool ended = false;
  int gone_count = 0;
  std::uint64_t handle = 0;

  void requested(Connection& connection) override {
    targets.emplace_back(connection.reader.target());
    handle = connection.handle;
    body.clear();
    ended = false;
    if (on_request) on_request(connection);
  }
  void received(Connection& connection, std::string_view data, bool last) override {
    CHECK(!ended);
    body += data;
    ended = last;
    if (on_body) on_body(connection);
  }
  void writable(Connection& connection) override {
    if (on_room) on_room(connection);
  }
  void gone(Connection&) override { ++gone_count; }
};

void* library_open(void* socket, int, char*, int) {
  events.push_back("open");
  return socket;
}
// The library's parser sees nothing of any client.
void* library_data(void* socket, char*, int) {
  events.push_back("data");
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

ConnectionApi api() {
  ConnectionApi api = fake_library();
  api.sockets.on_data = [](int, void* to, OnData ours) { context_at(to).on_data = ours; };
  api.on_timeout = [](int, void* to, OnEvent ours) {
    if (timeout_setter_works) context_at(to).on_timeout = ours;
  };
  api.write = [](int, void* socket, const char* data, int length, int) {
    const std::size_t taken = std::min(takes, static_cast<std::size_t>(length));
    ++writes;
    socket_at(socket).written.append(data, taken);
    if (taken < static_cast<std::size_t>(length)) socket_at(socket).events = kReadAgain;
    return static_cast<int>(taken);
  };
  api.shutdown = [](int, void* socket) { socket_at(socket).shut = true; };
  api.remote_port = [](int, void*) { return 4711; };
  api.poll_events = [](void* socket) { return socket_at(socket).events; };
  api.poll_change = [](void* socket, void*, int wanted) { socket_at(socket).events = wanted; };
  api.now_ms = [] { return now; };
  return api;
}

// A library with one listener that has been hooked.
struct Hooked {
  FakeContext context;
  FakeSocket listening{&context};
  std::array<std::uint8_t, 4> turns{};
  FakeOwner owner;
  Front front{api(), owner, turns};

  Hooked() {
    context.before.fill(&events);
    context.on_open = library_open;
    context.on_data = library_data;
    context.on_writable = library_writable;
    context.on_timeout = library_timeout;
    context.on_close = library_close;
    timeout_setter_works = true;
    takes = SIZE_MAX;
    CHECK(front.hook(&listening, false, false, kBounds) == 0);
    events.clear();
    writes = 0;
  }
  ~Hooked() { CHECK(front.connections() == 0); }

  void open(FakeSocket& socket) {
    char ip[] = {127, 0, 0, 2};
    socket = FakeSocket(&context);
    context.on_open(&socket, 0, ip, 4);
  }
  void send(FakeSocket& socket, std::string_view bytes) {
    if (socket.closed) return;
    // Memory of exactly these bytes, so that the address sanitizer sees a look beyond them.
    std::vector<char> read(bytes.begin(), bytes.end());
    context.on_data(&socket, read.data(), static_cast<int>(bytes.size()));
  }
  void close(FakeSocket& socket) { close_socket(0, &socket, 0, nullptr); }
  // The pending request is answered, in a handler or outside of any.
  void answer(Connection& connection, bool last = false, std::string_view text = {}) {
    {
      const Front::Gathering gathering(front, connection);
      front.put(connection, text);
    }
    if (front.answered(connection, last)) front.run();
  }
  void answer_pending(bool last = false) { answer(*front.find(owner.handle), last); }
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
                          "3;x=y\r\nabc\r\n1\r\nd\r\n0\r\nTrailer: 1\r\n\r\n" +
                          kGet;
  for (std::size_t piece = 1; piece <= all.size(); ++piece) {
    Hooked hooked;
    FakeOwner& owner = hooked.owner;
    FakeSocket socket;
    std::vector<std::string> bodies;
    hooked.open(socket);
    for (std::size_t from = 0; from < all.size(); from += piece) {
      hooked.send(socket, std::string_view(all).substr(from, piece));
    }
    for (std::size_t each = 0; each < 4; ++each) {
      CHECK(owner.targets.size() == each + 1);
      bodies.push_back(owner.body);
      CHECK(owner.ended == (each == 1 || each == 2));
      hooked.answer_pending();
    }
    CHECK(owner.targets == std::vector<std::string>({"/x", "/y", "/z", "/x"}));
    CHECK(bodies == std::vector<std::string>({"", "hello", "abcd", ""}));
    hooked.close(socket);
    CHECK(events == std::vector<std::string>({"open", "close"}));
    CHECK(owner.gone_count == 0);
  }
}

void answers_within_the_handler() {
  Hooked hooked;
  FakeOwner& owner = hooked.owner;
  FakeSocket socket;
  owner.on_request = [&](Connection& connection) { hooked.answer(connection, false, "answer,"); };
  hooked.open(socket);
  hooked.send(socket, kGet + kGet + kGet.substr(0, 5));
  CHECK(owner.targets.size() == 2);
  // All answers to the requests of one read are one write.
  CHECK(socket.written == "answer,answer," && writes == 1);
  hooked.send(socket, kGet.substr(5));
  CHECK(owner.targets.size() == 3 && writes == 2);
  // By the shared byte alone, as where nothing waits.
  owner.on_request = [&](Connection&) { hooked.turns[0] = 0; };
  hooked.send(socket, kGet + kGet);
  CHECK(owner.targets.size() == 5);
  hooked.close(socket);
}

void waits_within_bounds() {
  Hooked hooked;
  FakeOwner& owner = hooked.owner;
  FakeSocket socket;
  hooked.open(socket);
  hooked.send(socket, kGet);
  std::string many;
  for (int each = 0; each < 40; ++each) many += kGet;
  hooked.send(socket, many.substr(0, 500));
  CHECK(socket.events == kPollReadable);
  hooked.send(socket, many.substr(500));
  CHECK(socket.events == 0);
  for (int each = 0; each < 40; ++each) hooked.answer_pending();
  CHECK(owner.targets.size() == 41 && socket.events == kPollReadable);
  // A client that doesn't read its answers has to, before there is another.
  hooked.send(socket, kGet);
  takes = 3;
  hooked.answer(*hooked.front.find(owner.handle), false, "answer");
  CHECK(owner.targets.size() == 41 && socket.written == "ans");
  takes = SIZE_MAX;
  hooked.context.on_writable(&socket);
  CHECK(owner.targets.size() == 42 && socket.written == "answer");
  CHECK(hooked.front.find(owner.handle)->backlog.empty());
  hooked.close(socket);
}

void pauses_again_after_partial_writes() {
  Hooked hooked;
  FakeOwner& owner = hooked.owner;
  FakeSocket socket;
  hooked.open(socket);
  std::string many;
  for (int each = 0; each < 41; ++each) many += kGet;
  hooked.send(socket, many);
  CHECK(socket.events == 0);
  takes = 1;
  Connection& connection = *hooked.front.find(owner.handle);
  {
    const Front::Gathering gathering(hooked.front, connection);
    hooked.front.put(connection, "part");
  }
  CHECK(socket.events == kPollWritable && socket.written == "p");
  // The rest, and then whoever waits for room; not before.
  int rooms = 0;
  owner.on_room = [&](Connection&) { ++rooms; };
  hooked.context.on_writable(&socket);
  CHECK(socket.events == kPollWritable && rooms == 0 && socket.written == "pa");
  takes = SIZE_MAX;
  hooked.context.on_writable(&socket);
  CHECK(rooms == 1 && socket.written == "part");
  // What is offered is not kept, however large, unless it is gathered.
  takes = 20'000;
  const std::string large(50'000, 'l');
  {
    const Front::Gathering gathering(hooked.front, connection);
    CHECK(hooked.front.offer(connection, "few") == 3);
    CHECK(hooked.front.offer(connection, large) == 20'000);
  }
  CHECK(connection.backlog.empty() && socket.written == "partfew" + large.substr(0, 20'000));
  // What is put is kept, and what is offered behind it is not taken.
  {
    const Front::Gathering gathering(hooked.front, connection);
    hooked.front.put(connection, large);
    CHECK(connection.backlog.size() == 30'000 && hooked.front.offer(connection, "x") == 0);
  }
  CHECK(connection.awaited && connection.bytes_out == 7 + 40'000);
  hooked.context.on_writable(&socket);
  CHECK(connection.backlog.size() == 10'000 && rooms == 1);
  hooked.context.on_writable(&socket);
  CHECK(connection.backlog.empty() && rooms == 2);
  CHECK(connection.backlog.capacity() < 100);
  takes = SIZE_MAX;
  hooked.answer_pending();
  CHECK(owner.targets.size() == 2);
  hooked.close(socket);
  CHECK(owner.gone_count == 1);
}

// While one connection's answers are gathered, another is written to.
void gathers_for_one_at_a_time() {
  Hooked hooked;
  FakeOwner& owner = hooked.owner;
  FakeSocket one;
  FakeSocket other;
  hooked.open(one);
  hooked.open(other);
  hooked.send(one, kGet);
  Connection& first = *hooked.front.find(owner.handle);
  owner.on_request = [&](Connection& connection) {
    const Front::Gathering gathering(hooked.front, connection);
    hooked.front.put(connection, "a");
    hooked.answer(first, false, "first");
    CHECK(one.written == "first" && other.written.empty());
    hooked.front.put(connection, "b");
    hooked.turns[connection.slot] = 0;
  };
  hooked.send(other, kGet);
  CHECK(other.written == "ab" && one.written == "first");
  hooked.close(one);
  hooked.close(other);
}

void ends_connections_so_that_it_can_be_read() {
  Hooked hooked;
  FakeOwner& owner = hooked.owner;
  FakeSocket socket;
  std::string why;
  owner.on_request = [&](Connection& connection) {
    if (connection.refused) why = connection.refusal.code;
    hooked.answer(connection, connection.refused, "why");
  };
  hooked.open(socket);
  hooked.send(socket, "GET /x HTTP/1.1\r\nHost : h\r\n\r\n" + kGet);
  CHECK(why == "ERR_BAD_REQUEST" && owner.targets.size() == 1);
  CHECK(socket.shut && !socket.closed && socket.written == "why");
  hooked.send(socket, std::string(400, 'z'));
  CHECK(!socket.closed);
  hooked.send(socket, std::string(400, 'z'));
  CHECK(socket.closed);
  hooked.open(socket);
  hooked.send(socket, "GET /x HTTP/1.0\r\n\r\n" + kGet);
  CHECK(socket.shut && owner.targets.size() == 2);
  hooked.wait(kBounds.linger_ms + 200);
  CHECK(socket.closed);
  // Not before the answer has been taken.
  takes = 1;
  hooked.open(socket);
  hooked.send(socket, "GET /x HTTP/1.0\r\n\r\n");
  CHECK(!socket.shut);
  hooked.context.on_writable(&socket);
  CHECK(!socket.shut);
  hooked.context.on_writable(&socket);
  CHECK(socket.shut && socket.written == "why");
  hooked.close(socket);
}

void spoils_bodies() {
  Hooked hooked;
  FakeOwner& owner = hooked.owner;
  FakeSocket socket;
  hooked.open(socket);
  hooked.send(socket, "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n");
  bool told = false;
  owner.on_body = [&](Connection&) { told = (hooked.turns[0] & weir::front::kBadBody) != 0; };
  hooked.send(socket, "x\r\n" + kGet);
  CHECK(told && !owner.ended && socket.events == 0);
  hooked.answer_pending(true);
  CHECK(socket.shut && owner.targets.size() == 1);
  hooked.close(socket);
}

// Of a request that is answered before its body's end, nobody hears the rest.
void forgets_the_rest_of_a_body() {
  Hooked hooked;
  FakeOwner& owner = hooked.owner;
  FakeSocket socket;
  hooked.open(socket);
  hooked.send(socket, "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 6\r\n\r\nab");
  CHECK(owner.body == "ab");
  hooked.answer_pending();
  hooked.send(socket, "cdef" + kGet);
  CHECK(owner.targets.size() == 2 && owner.body.empty());
  hooked.close(socket);
}

void gives_up_in_time() {
  Hooked hooked;
  FakeSocket silent;
  FakeSocket slow;
  FakeSocket idle;
  std::string why;
  hooked.owner.on_request = [&](Connection& connection) {
    if (connection.refused) why = connection.refusal.code;
    hooked.answer(connection, connection.refused);
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
// looks), its owner hears of it once, and its number is nobody's.
void may_be_closed_at_any_time() {
  for (const bool in_body : {false, true}) {
    Hooked hooked;
    FakeOwner& owner = hooked.owner;
    FakeSocket socket;
    FakeSocket other;
    const auto close_it = [&](Connection& connection) {
      hooked.front.put(connection, "of no use");
      hooked.front.close(connection);
      hooked.front.put(connection, std::string(20'000, 'x'));
      CHECK(hooked.front.offer(connection, std::string(20'000, 'x')) == 0);
    };
    if (in_body) {
      owner.on_body = close_it;
    } else {
      owner.on_request = close_it;
    }
    hooked.open(socket);
    hooked.send(socket, "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc" + kGet + kGet);
    CHECK(socket.closed && owner.targets.size() == 1 && owner.gone_count == 1);
    const std::uint64_t handle = owner.handle;
    CHECK(hooked.front.find(handle) == nullptr);
    // Another's, at the same place in memory.
    owner.on_request = nullptr;
    hooked.open(socket);
    hooked.send(socket, kGet);
    CHECK(hooked.front.find(handle) == nullptr && owner.targets.size() == 2);
    // By another connection's request.
    owner.on_request = [&](Connection&) { hooked.close(socket); };
    hooked.open(other);
    hooked.send(other, kGet);
    CHECK(socket.closed && !other.closed && owner.gone_count == 2);
    // While it is told of room.
    owner.on_room = close_it;
    hooked.front.find(owner.handle)->awaited = true;
    hooked.context.on_writable(&other);
    CHECK(other.closed && owner.gone_count == 3);
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
  CHECK(hooked.front.hook(&listening, false, false, kBounds) == -1);
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
  gathers_for_one_at_a_time();
  ends_connections_so_that_it_can_be_read();
  spoils_bodies();
  forgets_the_rest_of_a_body();
  gives_up_in_time();
  may_be_closed_at_any_time();
  has_so_many_places();
  leaves_what_it_does_not_know();
  return weir::test::finish();
}
