// Proves that ClientHellos are read while they pass by below TLS, however they are cut; that
// nothing is changed or held back on the way; and that nothing is kept of one that is over. The
// library is the test's own, with a layer below TLS and one above it.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "check.h"
#include "client_hello_builder.h"
#include "front/fake_library.h"
#include "front/front.h"

namespace {

using namespace std::string_literals;
using weir::front::Connection;
using weir::front::ConnectionApi;
using weir::front::Front;
using weir::front::OnData;
using weir::front::OnEvent;
using weir::front::Owner;
using weir::test::block;
using weir::test::close_socket;
using weir::test::context_at;
using weir::test::fake_library;
using weir::test::FakeContext;
using weir::test::FakeSocket;
using weir::test::HelloParts;
using weir::test::kBounds;
using weir::test::message_of;
using weir::test::numbers;
using weir::test::records_of;
using weir::test::server_name;

std::string passed;
bool below_setter_works = true;
// What the library does with what comes: it may close the connection.
bool closes_on_data = false;

void* library_open(void* socket, int, char*, int) { return socket; }
void* library_below(void* socket, char* data, int length) {
  passed.append(data, static_cast<std::size_t>(length));
  return closes_on_data ? close_socket(0, socket, 0, nullptr) : socket;
}
void* library_data(void* socket, char*, int) { return socket; }
void* library_event(void* socket) { return socket; }
void* library_close(void* socket, int, void*) { return socket; }

ConnectionApi api() {
  ConnectionApi api = fake_library();
  api.sockets.on_data = [](int ssl, void* to, OnData ours) {
    if (ssl == 1) context_at(to).on_data = ours;
    if (ssl == 0 && below_setter_works) context_at(to).below = ours;
  };
  api.on_timeout = [](int, void* to, OnEvent ours) { context_at(to).on_timeout = ours; };
  api.write = [](int, void*, const char*, int length, int) { return length; };
  api.shutdown = [](int, void*) {};
  api.remote_port = [](int, void*) { return 1; };
  api.poll_events = [](void*) { return weir::front::kPollReadable; };
  api.poll_change = [](void*, void*, int) {};
  api.now_ms = []() -> std::uint64_t { return 1; };
  return api;
}

// No request comes through: all that passes here is below TLS.
struct FakeOwner final : Owner {
  void requested(Connection&) override { CHECK(false); }
  void received(Connection&, std::string_view, bool) override { CHECK(false); }
  void writable(Connection&) override { CHECK(false); }
  void gone(Connection&) override { CHECK(false); }
};

struct Scene {
  FakeContext context;
  FakeSocket listening{&context};
  std::array<std::uint8_t, 4> turns{};
  FakeOwner owner;
  Front front{api(), owner, turns};

  Scene() {
    context.before.fill(&passed);
    context.below = library_below;
    context.on_open = library_open;
    context.on_data = library_data;
    context.on_writable = context.on_timeout = library_event;
    context.on_close = library_close;
    closes_on_data = false;
    below_setter_works = true;
    CHECK(front.hook(&listening, true, false, kBounds) == 0);
    passed.clear();
  }
  ~Scene() { CHECK(front.connections() == 0); }

  void open(FakeSocket& socket) {
    char ip[] = {127, 0, 0, 2};
    context.on_open(&socket, 0, ip, 4);
  }
  void send(FakeSocket& socket, std::string bytes) {
    context.below(&socket, bytes.data(), static_cast<int>(bytes.size()));
  }
  // Handles count how often a place was used: this is the first connection of the first place.
  const Connection& first() const { return *front.find(std::uint64_t{1} << 20); }
};

std::string hello_of(std::size_t filler, std::size_t record) {
  HelloParts parts;
  parts.extensions = {{0x0000, server_name("a.test")},
                      {0x002b, block(numbers({0x0304}), 1)},
                      {0x0033, std::string(filler, 'k')}};
  return records_of(message_of(parts), record);
}
const std::string kSaid = "1.3\0a.test\0t13d010300_1301_002b,0033"s;

// As a key share of thousands of bytes makes it, in one record or in many, whole or in pieces.
void reads_in_any_pieces() {
  for (const std::size_t filler : {0, 1216, 12'000}) {
    for (const std::size_t record : {100, 16'384}) {
      const std::string sent = hello_of(filler, record) + "more";
      for (const std::size_t piece :
           {std::size_t{1}, std::size_t{7}, std::size_t{1400}, sent.size()}) {
        Scene scene;
        FakeSocket socket(&scene.context);
        scene.open(socket);
        for (std::size_t from = 0; from < sent.size(); from += piece) {
          scene.send(socket, sent.substr(from, piece));
          scene.send(socket, "");
        }
        CHECK(passed == sent);
        CHECK(scene.first().tls_client == kSaid && scene.first().hello == nullptr);
        close_socket(0, &socket, 0, nullptr);
      }
    }
  }
}

void gives_up_what_is_none() {
  for (const std::string& sent :
       {"GET / HTTP/1.1\r\n\r\n"s, "\x16\x03\x01\xff\xff"s, std::string(9, '\0')}) {
    Scene scene;
    FakeSocket socket(&scene.context);
    scene.open(socket);
    scene.send(socket, sent);
    CHECK(passed == sent && scene.first().tls_client.empty() && scene.first().hello == nullptr);
    close_socket(0, &socket, 0, nullptr);
  }
}

// The first of two, as after a HelloRetryRequest; and never what another connection says.
void keeps_the_first() {
  Scene scene;
  FakeSocket socket(&scene.context);
  FakeSocket other(&scene.context);
  scene.open(socket);
  scene.open(other);
  const std::string sent = hello_of(10, 16'384);
  scene.send(socket, sent.substr(0, 40));
  scene.send(other, "x");
  scene.send(socket, sent.substr(40));
  HelloParts second;
  scene.send(socket, records_of(message_of(second)));
  CHECK(scene.first().tls_client == kSaid);
  close_socket(0, &socket, 0, nullptr);
  close_socket(0, &other, 0, nullptr);
}

void may_be_closed_by_what_it_says() {
  Scene scene;
  FakeSocket socket(&scene.context);
  scene.open(socket);
  closes_on_data = true;
  const std::string sent = hello_of(10, 16'384);
  scene.send(socket, sent.substr(0, 40));
  CHECK(socket.closed && scene.front.connections() == 0);
  // Nobody counts as being at its ClientHello any more, and a closed socket's bytes are handed on.
  closes_on_data = false;
  scene.send(socket, "x");
  CHECK(passed == sent.substr(0, 40) + "x");
}

void hooks_both_layers_or_none() {
  Scene scene;
  FakeContext context = scene.context;
  context.below = library_below;
  context.on_open = library_open;
  context.on_data = library_data;
  context.on_writable = context.on_timeout = library_event;
  context.on_close = library_close;
  FakeSocket listening(&context);
  below_setter_works = false;
  CHECK(scene.front.hook(&listening, true, false, kBounds) == -1);
  CHECK(context.on_open == library_open && context.on_data == library_data);
  CHECK(context.on_writable == library_event && context.on_timeout == library_event);
  CHECK(context.on_close == library_close && context.below == library_below);
}

}  // namespace

int main() {
  reads_in_any_pieces();
  gives_up_what_is_none();
  keeps_the_first();
  may_be_closed_by_what_it_says();
  hooks_both_layers_or_none();
  return weir::test::finish();
}
