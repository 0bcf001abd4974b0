// How a backend stands, as the owner may ask: memory of request bodies, who waits while every place
// is taken, and how much is taken.
#include <algorithm>
#include <string>
#include <vector>

#include "upstream/one_server.h"

namespace {

using namespace weir::test;
using namespace weir::upstream;

void places() {
  One one(backend_with(4));
  Client& client = one.harness.client();
  CHECK(client.occupancy(one.backend) == 0 && client.pressed(one.backend) == 0);
  std::vector<std::int32_t> calls;
  for (int i = 0; i < 2; ++i) calls.push_back(one.harness.get(one.backend));
  one.harness.settle();
  CHECK(client.occupancy(one.backend) == 0.5);
  for (int i = 0; i < 5; ++i) calls.push_back(one.harness.get(one.backend));
  one.harness.settle();
  CHECK(client.occupancy(one.backend) == 1.75 && client.pressed(one.backend) == 3);
  one.answer(kHello, 0);
  CHECK(one.heard(calls[0]).whole() && client.pressed(one.backend) == 2);
  one.harness.abort(calls[1]);
  one.harness.settle();
  CHECK(client.pressed(one.backend) == 1);
  std::vector<AddressState> states;
  CHECK(client.take_states(one.backend, states) == 1 && states.size() == 1);
  CHECK(states[0].requests == 6 && states[0].connections == 4 && states[0].idle == 0);
  // Each is told of once.
  states.clear();
  client.take_states(one.backend, states);
  CHECK(states[0].requests == 0 && states[0].set_aside_ms == 0);
  // Idle connections are places, too.
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < one.server.peers.size(); ++i) {
      if (!one.peer(i).ended) one.answer(kHello, i);
    }
  }
  CHECK(client.occupancy(one.backend) == 0 && client.pressed(one.backend) == 0);
}

// An address that is set aside has no connections, and is no place either.
void places_beside_a_dead_address() {
  ScriptedServer dead;
  One one;
  one.harness.servers = {&one.server, &dead};
  const std::int32_t backend = one.harness.backend(backend_with(1));
  dead.close();
  for (int i = 0; i < 4; ++i) one.harness.get(backend);
  one.harness.settle();
  CHECK(one.server.peers.size() == 1);
  CHECK(one.harness.client().pressed(backend) == 3);
}

void bodies() {
  One one;
  Client& client = one.harness.client();
  one.warm_up();
  one.peer().reads = false;
  const std::int32_t call = one.harness.post(one.backend, -1);
  const std::string piece(200'000, 'x');
  while (one.harness.write(call, piece)) one.harness.settle();
  const std::size_t held = client.body_bytes(one.backend);
  CHECK(held > 65'536 && held < 2 * piece.size() + 100);
  // One that waits for nothing but its connection holds its body as well.
  const std::int32_t other = one.harness.post(one.backend, -1);
  one.harness.write(other, piece);
  CHECK(client.body_bytes(one.backend) >= held + piece.size());
  one.harness.abort(other);
  CHECK(client.body_bytes(one.backend) == held);
  one.peer().reads = true;
  one.harness.settle();
  CHECK(client.body_bytes(one.backend) == 0);
  CHECK(one.harness.write(call, "end"));
  client.finish(call);
  one.harness.settle();
  one.answer(kHello);
  CHECK(one.heard(call).whole() && client.body_bytes(one.backend) == 0);
}

// What was not written when the backend went is nobody's.
void bodies_of_broken_connections() {
  One one;
  one.warm_up();
  one.peer().reads = false;
  const std::int32_t call = one.harness.post(one.backend, -1);
  const std::string piece(200'000, 'x');
  while (one.harness.write(call, piece)) one.harness.settle();
  one.peer().reset();
  one.harness.settle();
  CHECK(one.heard(call).failed());
  CHECK(one.harness.client().body_bytes(one.backend) == 0);
}

// An owner that takes its time gets little at a time, since it may have to keep all of it.
void slow_readers() {
  for (const bool slow : {true, false}) {
    One one;
    one.warm_up();
    const std::int32_t call = one.harness.get(one.backend);
    one.harness.settle();
    std::size_t largest = 0;
    one.harness.on_record = [&](const Record& record) {
      if (static_cast<RecordKind>(record.kind) != RecordKind::kData) return;
      largest = std::max(largest, static_cast<std::size_t>(record.body_length));
    };
    one.peer().say("HTTP/1.1 200 OK\r\ncontent-length: 3000000\r\n\r\n");
    one.harness.settle();
    one.harness.client().pause(call);
    one.peer().say(std::string(3'000'000, 'x'));
    one.harness.settle();
    CHECK(largest == 0);
    if (slow) one.harness.advance(250);
    one.harness.client().resume(call);
    one.harness.settle();
    CHECK(one.heard(call).whole() && one.heard(call).body.size() == 3'000'000);
    CHECK(slow ? largest <= 16'384 : largest > 100'000);
  }
}

}  // namespace

int main() {
  places();
  places_beside_a_dead_address();
  bodies();
  bodies_of_broken_connections();
  slow_readers();
  return finish();
}
