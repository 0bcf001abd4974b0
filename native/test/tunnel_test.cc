// Proves what a tunnel does: bytes both ways, those that came early first; each side is read only
// while the other takes what it says; either side may end before the other; it ends once, whoever
// ends it, and then holds nothing; and it closes WebSockets between two frames.
#include "tunnel/tunnel.h"

#include <string>
#include <string_view>

#include "tunnel/tunnel_scene.h"

namespace {

using namespace std::string_literals;
using namespace weir::test;
using weir::front::kPollReadable;
using weir::tunnel::Ending;

void both_ways_and_early_bytes_first() {
  Scene scene;
  ClientSocket client;
  const auto number = scene.open(client, {}, "early in,", "early out,");
  CHECK(client.written == "early out,");
  CHECK(scene.send(client, "in,"));
  scene.say("out");
  CHECK(scene.peer().received.ends_with("\r\n\r\nearly in,in,"));
  CHECK(client.written == "early out,out");
  CHECK(scene.tunnel(number).bytes_in() == 12 && scene.tunnel(number).bytes_out() == 13);
  // It has left the pool, and its place.
  CHECK(scene.one.harness.client().open_connections() == 0);
  scene.tunnel(number).close(Ending::kError);
  CHECK(scene.over(number, Ending::kError) && client.closed);
  scene.settle();
  CHECK(scene.peer().ended && scene.gone_count == 0);
  CHECK(scene.told[number].in == 12 && scene.told[number].out == 13);
}

void looks_like_requests_and_is_none() {
  Scene scene;
  ClientSocket client;
  const std::string request = "GET /x HTTP/1.1\r\nhost: h\r\n\r\n";
  scene.open(client, {}, request);
  const std::uint64_t asked = scene.handle;
  scene.send(client, request);
  scene.settle();
  CHECK(scene.peer().received.ends_with("\r\n\r\n" + request + request));
  CHECK(scene.handle == asked);
  scene.reset(client);
}

void slow_backend() {
  Scene scene;
  ClientSocket client;
  scene.one.server.limit_receiving(4096);
  scene.one.harness.reactor.send_buffer_bytes = 4096;
  const auto number = scene.open(client);
  scene.peer().received.clear();
  scene.peer().reads = false;
  const std::string piece(10'000, 'x');
  std::size_t sent = 0;
  // Until it is read no more, which one read of the library's decides.
  while (scene.send(client, piece)) {
    sent += piece.size();
    scene.settle();
    CHECK(sent < 10'000'000);
    if (sent >= 10'000'000) break;
  }
  CHECK(scene.tunnel(number).bytes_in() == sent);
  scene.peer().reads = true;
  scene.settle();
  CHECK(scene.peer().received.size() == sent);
  CHECK((client.events & kPollReadable) != 0);
  scene.reset(client);
}

void slow_client() {
  Scene scene;
  ClientSocket client;
  const auto number = scene.open(client);
  client.takes = 100;
  const std::string much(3'000'000, 'y');
  scene.peer().say(much);
  scene.settle();
  // One read is kept, the rest waits in the kernel.
  CHECK(client.written.size() == 100);
  CHECK(scene.tunnel(number).bytes_out() <= kSceneTunnels.backend_bytes);
  for (int turns = 0; client.written.size() < much.size() && turns < 10'000; ++turns) {
    scene.take(client, 5000);
    scene.settle();
  }
  CHECK(client.written == much);
  scene.reset(client);
  CHECK(scene.over(number, Ending::kClient));
}

void client_ends_first() {
  Scene scene;
  ClientSocket client;
  const auto number = scene.open(client);
  scene.send(client, "last");
  scene.end(client);
  scene.settle();
  CHECK(scene.peer().ended && scene.peer().received.ends_with("last"));
  CHECK(!client.closed && !client.shut);
  // It goes on reading.
  scene.say("answer");
  CHECK(client.written == "answer" && scene.told[number].times == 0);
  scene.peer().close();
  scene.settle();
  CHECK(client.closed && scene.over(number, Ending::kClient));
}

void backend_ends_first() {
  Scene scene;
  ClientSocket client;
  const auto number = scene.open(client);
  client.takes = 2;
  scene.peer().say("last");
  scene.settle();
  scene.peer().half_close();
  scene.settle();
  CHECK(!client.shut && client.written == "la");
  scene.take(client, SIZE_MAX);
  scene.settle();
  CHECK(client.written == "last" && client.shut && !client.closed);
  CHECK(scene.send(client, "answer"));
  scene.settle();
  CHECK(scene.peer().received.ends_with("answer") && scene.told[number].times == 0);
  scene.end(client);
  scene.settle();
  CHECK(scene.peer().ended && scene.over(number, Ending::kBackend));
}

void broken_backend() {
  Scene scene;
  ClientSocket client;
  const auto number = scene.open(client);
  scene.peer().reset();
  scene.settle();
  CHECK(client.closed && scene.over(number, Ending::kBackend));
}

// It had said something before it went, which the client reads.
void backend_that_answers_and_goes() {
  Scene scene;
  ClientSocket client;
  const auto number = scene.open(client);
  scene.peer().say("bye");
  scene.settle();
  scene.peer().close();
  scene.settle();
  CHECK(client.written == "bye" && client.shut);
  scene.send(client, "who is there?");
  scene.settle();
  scene.send(client, "and now?");
  scene.settle();
  CHECK(client.closed && scene.over(number, Ending::kBackend));
}

void client_that_vanishes() {
  Scene scene;
  ClientSocket client;
  const auto number = scene.open(client);
  scene.reset(client);
  CHECK(scene.over(number, Ending::kClient));
  scene.settle();
  CHECK(scene.peer().ended);
  scene.wait(200);
  // The place is used again.
  CHECK(scene.open(client) == number);
  scene.reset(client);
}

// A client with TLS that says goodbye is closed by the library at once; what it said is not lost.
void tls_client_ends() {
  Scene scene(true);
  ClientSocket client;
  scene.one.server.limit_receiving(4096);
  scene.one.harness.reactor.send_buffer_bytes = 4096;
  const auto number = scene.open(client);
  scene.peer().received.clear();
  scene.peer().reads = false;
  scene.settle();
  const std::string last(2'000'000, 'z');
  scene.send(client, last);
  close_client(1, &client, 0, nullptr);
  CHECK(scene.told[number].times == 0);
  scene.peer().reads = true;
  scene.settle();
  CHECK(scene.peer().received.size() == last.size() && scene.peer().ended);
  CHECK(scene.over(number, Ending::kClient));
  // One that takes nothing is not waited for.
  const auto other = scene.open(client);
  scene.peer(1).reads = false;
  scene.send(client, last);
  close_client(1, &client, 0, nullptr);
  scene.wait(1000);
  CHECK(scene.over(other, Ending::kClient));
}

// Within TLS there is no way to end one side alone: the client's end is waited for, or not for
// long.
void tls_backend_ends() {
  Scene scene(true);
  ClientSocket client;
  const auto number = scene.open(client);
  scene.peer().half_close();
  scene.settle();
  CHECK(client.shut && !client.closed);
  scene.wait(1000);
  CHECK(client.closed && scene.over(number, Ending::kBackend));
}

void idles() {
  Scene scene;
  ClientSocket client;
  const auto number = scene.open(client, {.idle_ms = 1000});
  for (int times = 0; times < 5; ++times) {
    scene.wait(800);
    CHECK(!client.closed);
    if (times % 2 == 0) {
      scene.send(client, "ping");
      scene.settle();
    } else {
      scene.say("pong");
    }
  }
  scene.wait(1300);
  CHECK(client.closed && scene.over(number, Ending::kIdle));
  scene.settle();
  CHECK(scene.peer().ended);
  const auto other = scene.open(client, {.idle_ms = 0});
  scene.wait(100'000);
  CHECK(!client.closed);
  scene.tunnel(other).close(Ending::kError);
}

const std::string kGoodbye = "\x88\x02\x03\xe9"s;
const std::string kText = "\x81\x05hello"s;
const std::string kMasked = "\x81\x85" + "keys"s + "hello";

void drains_between_frames() {
  Scene scene;
  ClientSocket client;
  const auto number = scene.open(client, {.is_websocket = true}, kMasked, kText);
  scene.peer().received.clear();
  scene.tunnel(number).drain();
  scene.settle();
  CHECK(client.written == kText + kGoodbye && client.shut);
  CHECK(scene.peer().received.size() == 8 && scene.peer().received.starts_with("\x88\x82"));
  CHECK(scene.peer().ended);
  // Status 1001 behind its mask.
  const std::string& said = scene.peer().received;
  CHECK((said[6] ^ said[2]) == '\x03' && (said[7] ^ said[3]) == '\xe9');
  // What comes now is nobody's.
  scene.say(kText);
  scene.send(client, kMasked);
  scene.settle();
  CHECK(client.written == kText + kGoodbye && scene.peer().received.size() == 8);
  scene.peer().close();
  scene.settle();
  scene.end(client);
  CHECK(scene.over(number, Ending::kDrain));
}

void drains_at_the_next_boundary() {
  Scene scene;
  ClientSocket client;
  const auto number =
      scene.open(client, {.is_websocket = true}, kMasked.substr(0, 3), kText.substr(0, 4));
  scene.tunnel(number).drain();
  scene.settle();
  CHECK(client.written == kText.substr(0, 4) && !client.shut && !scene.peer().ended);
  scene.say(kText.substr(4) + kText);
  CHECK(client.written == kText + kGoodbye && !client.shut);
  scene.send(client, kMasked.substr(3) + kMasked);
  scene.settle();
  CHECK(scene.peer().count("hello") == 1 && scene.peer().ended && client.shut);
  // Neither of them ends its side.
  scene.wait(1000);
  CHECK(client.closed && scene.over(number, Ending::kDrain));
}

// Within TLS nothing is read of a client that was told the end: so it is told behind the last frame
// that it is in the middle of.
void drains_with_tls() {
  Scene scene(true);
  ClientSocket client;
  const auto number = scene.open(client, {.is_websocket = true}, kMasked.substr(0, 3), kText);
  scene.tunnel(number).drain();
  CHECK(client.written == kText + kGoodbye && !client.shut);
  scene.send(client, kMasked.substr(3) + "\x88\x80keys"s);
  scene.settle();
  CHECK(scene.peer().count("hello") == 1 && scene.peer().count("\x88\x82") == 1);
  CHECK(scene.peer().ended && client.shut);
  close_client(1, &client, 0, nullptr);
  scene.settle();
  CHECK(scene.over(number, Ending::kDrain));
}

// Who has said goodbye already hears no other.
void drains_what_closes() {
  Scene scene;
  ClientSocket client;
  const auto number = scene.open(client, {.is_websocket = true}, {}, kGoodbye);
  scene.tunnel(number).drain();
  CHECK(client.written == kGoodbye && client.shut);
  scene.reset(client);
  CHECK(scene.over(number, Ending::kDrain));
}

void drains_what_is_no_websocket() {
  Scene scene;
  ClientSocket client;
  const auto number = scene.open(client, {}, "in", "out");
  client.takes = 1;
  scene.say("put");
  scene.tunnel(number).drain();
  scene.settle();
  CHECK(client.written == "outp" && !client.shut && scene.peer().ended);
  scene.take(client, SIZE_MAX);
  CHECK(client.written == "output" && client.shut);
  scene.wait(1000);
  CHECK(client.closed && scene.over(number, Ending::kDrain));
}

// Of everybody else the library hears that a client has ended its side, and closes.
void no_tunnel_no_half_close() {
  Scene scene;
  ClientSocket client;
  scene.ask(client);
  scene.end(client);
  CHECK(client.closed && scene.gone_count == 1);
}

// The owner may open it before it returns from hearing of the request.
void opens_within_the_request() {
  Scene scene;
  ClientSocket client;
  std::uint32_t number = 0;
  scene.on_request = [&](weir::front::Connection& connection) {
    number = scene.tunnels->open_port(connection, {});
    CHECK(scene.tunnels->find_port(number)->empty());
  };
  scene.ask(client, "GET /behind HTTP/1.1\r\n");
  CHECK(scene.send(client, "\r\n"));
  CHECK(scene.told[number].received == "GET /behind HTTP/1.1\r\n\r\n");
  scene.tunnel(number).close(Ending::kError);
  CHECK(client.closed);
}

void ports() {
  Scene scene;
  ClientSocket client;
  const auto number = scene.open_port(client, {}, "early,");
  // JS has no number for it yet.
  CHECK(scene.told[number].received.empty());
  CHECK(scene.tunnels->find_port(number)->empty());
  scene.tunnel(number).backend_has_room();
  CHECK(scene.send(client, "in"));
  CHECK(scene.told[number].received == "early,in");
  scene.tunnels->find_port(number)->fill();
  CHECK(scene.send(client, ",more"));
  CHECK((client.events & kPollReadable) == 0 && scene.told[number].received == "early,in,more");
  CHECK(scene.tunnels->find_port(number)->empty());
  scene.tunnel(number).backend_has_room();
  CHECK((client.events & kPollReadable) != 0);
  client.takes = 2;
  scene.tunnel(number).backend_sent("out");
  CHECK(scene.tunnels->find_port(number)->paused() && scene.told[number].rooms == 0);
  scene.take(client, SIZE_MAX);
  CHECK(client.written == "out" && scene.told[number].rooms == 1);
  scene.end(client);
  CHECK(scene.told[number].client_ended && scene.told[number].times == 0);
  scene.tunnel(number).backend_ended();
  CHECK(client.closed && scene.over(number, Ending::kClient));
}

// Whatever is under way when the environment ends.
void goes_with_its_environment() {
  Scene scene;
  ClientSocket clients[3];
  for (ClientSocket& client : clients) scene.open(client);
  scene.end(clients[1]);
  clients[2].takes = 1;
  scene.say("out", 2);
  scene.tunnels.reset();
  for (ClientSocket& client : clients) scene.reset(client);
  scene.settle();
  CHECK(scene.one.server.open_peers() == 0);
  for (const auto& [number, told] : scene.told) CHECK(told.times == 0);
}

// An upgrade that nobody takes: the call goes as any other, and its number tells it from later
// ones.
void upgrades_that_are_given_up() {
  One one;
  std::int32_t call = -1;
  std::int32_t serial = 0;
  one.harness.on_record = [&](const weir::upstream::Record& record) {
    if (static_cast<weir::upstream::RecordKind>(record.kind) ==
        weir::upstream::RecordKind::kUpgraded) {
      call = record.call;
      serial = record.backend;
    }
  };
  const auto ask = [&] {
    one.harness.send(one.backend, {.head = kAsk, .idempotent = true, .upgrade = true});
    one.harness.settle();
    one.answer(kSwitch, one.server.peers.size() - 1);
  };
  ask();
  const auto [first, first_serial] = std::pair(call, serial);
  CHECK(one.harness.client().is_upgraded(first, first_serial));
  one.harness.abort(call);
  one.harness.settle();
  CHECK(one.peer(0).ended && one.harness.client().open_connections() == 0);
  ask();
  CHECK(call == first && !one.harness.client().is_upgraded(first, first_serial));
  CHECK(one.harness.client().take_upgraded(first, first_serial).socket == -1);
  // Nobody asked for the second one: not an answer, and the connection goes.
  const std::int32_t unasked = one.harness.get(one.backend);
  one.harness.settle();
  one.answer(kSwitch, 2);
  CHECK(one.heard(unasked).failed());
  // Other answers are answers.
  const std::int32_t refused =
      one.harness.send(one.backend, {.head = kAsk, .idempotent = true, .upgrade = true});
  one.harness.settle();
  one.answer(kHello, one.server.peers.size() - 1);
  CHECK(one.heard(refused).whole() && one.heard(refused).status == 200);
  one.harness.abort(call);
  one.harness.settle();
}

}  // namespace

int main() {
  both_ways_and_early_bytes_first();
  looks_like_requests_and_is_none();
  slow_backend();
  slow_client();
  client_ends_first();
  backend_ends_first();
  broken_backend();
  backend_that_answers_and_goes();
  client_that_vanishes();
  tls_client_ends();
  tls_backend_ends();
  idles();
  drains_between_frames();
  drains_at_the_next_boundary();
  drains_with_tls();
  drains_what_closes();
  drains_what_is_no_websocket();
  no_tunnel_no_half_close();
  opens_within_the_request();
  ports();
  goes_with_its_environment();
  upgrades_that_are_given_up();
  return weir::test::finish();
}
