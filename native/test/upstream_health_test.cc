// What the upstream client knows of the health of its backends' addresses (contract 6): what counts
// against one and what doesn't, that it is tried now and then and is back when it has answered, and
// that those who wait for another address hold up nobody.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "upstream/addresses.h"
#include "upstream/one_server.h"

namespace {

using namespace weir::test;
using namespace weir::upstream;

// A backend with two addresses.
struct Two {
  explicit Two(std::uint32_t connections = 256) {
    harness.servers = {&first, &second};
    backend = harness.backend(backend_with(connections));
  }
  std::int32_t get(std::string_view path = "/") {
    const std::int32_t call = harness.get(backend, path);
    harness.settle();
    return call;
  }
  const Heard& heard(std::int32_t call) { return harness.calls[call]; }
  // What was asked of a server and is not answered.
  static Peer* asked(ScriptedServer& server) {
    for (const auto& peer : server.peers) {
      if (peer->open() && !peer->ended && !peer->received.empty()) return peer.get();
    }
    return nullptr;
  }
  void answer(ScriptedServer& server) {
    while (Peer* const peer = asked(server)) {
      peer->received.clear();
      peer->say(kHello);
      harness.settle();
    }
  }
  void hang_up(ScriptedServer& server) {
    while (Peer* const peer = asked(server)) {
      peer->close();
      harness.settle();
    }
  }
  // @returns the server that got the call, which is answered
  ScriptedServer& one_call() {
    const std::int32_t call = get();
    ScriptedServer& server = asked(first) != nullptr ? first : second;
    answer(server);
    CHECK(heard(call).order == "W");
    return server;
  }
  bool serves_from_both() {
    ScriptedServer& one = one_call();
    return &one_call() != &one;
  }

  ScriptedServer first;
  ScriptedServer second;
  Harness harness;
  std::int32_t backend = 0;
};

// One that takes connections and answers nothing gets a request now and then, until it answers.
void takes_connections_only() {
  Two two;
  std::vector<std::uint64_t> tried_ms;
  for (int i = 0; i < 1200; ++i) {
    const std::int32_t call = two.get();
    if (Two::asked(two.first) != nullptr) {
      tried_ms.push_back(two.harness.reactor.now_ms());
      two.hang_up(two.first);
    }
    two.answer(two.second);
    CHECK(two.heard(call).whole());
    two.harness.advance(100);
  }
  // Half a second to thirty between them.
  CHECK(tried_ms.size() >= 8 && tried_ms.size() <= 14);
  std::uint64_t full_ms = kUsualClient.set_aside_first_ms;
  for (std::size_t i = 1; i < tried_ms.size(); ++i) {
    const std::uint64_t gap_ms = tried_ms[i] - tried_ms[i - 1];
    CHECK(gap_ms >= full_ms / 2 && gap_ms <= full_ms + 200);
    full_ms = std::min<std::uint64_t>(full_ms * 2, kUsualClient.set_aside_last_ms);
  }
  CHECK(!two.serves_from_both());
  two.harness.advance(kUsualClient.set_aside_last_ms);
  CHECK(two.serves_from_both() && two.serves_from_both());
  // And its next failure is like the first.
  while (Two::asked(two.first) == nullptr) {
    two.answer(two.second);
    two.get();
  }
  for (const auto& peer : two.first.peers) peer->close();
  two.harness.settle();
  two.answer(two.second);
  two.harness.advance(kUsualClient.set_aside_first_ms);
  CHECK(two.serves_from_both());
}

// Many that break together are one failure.
void breaks_under_many() {
  Two two;
  std::vector<std::int32_t> calls;
  for (int i = 0; i < 40; ++i) calls.push_back(two.harness.get(two.backend));
  // Some of its connections break before others are made.
  while (two.first.peers.size() < 20) {
    two.harness.step();
    for (const auto& peer : two.first.peers) peer->close();
  }
  two.harness.settle();
  two.answer(two.second);
  for (const std::int32_t call : calls) CHECK(two.heard(call).whole());
  CHECK(!two.serves_from_both());
  two.harness.advance(kUsualClient.set_aside_first_ms);
  CHECK(two.serves_from_both());
}

// A connection that was open before doesn't tell whether a new one can be made.
void comes_back_with_connections_open() {
  Two two;
  CHECK(two.serves_from_both());
  // Both connections of the first are busy, the fresh one breaks.
  std::vector<std::int32_t> calls;
  for (int i = 0; i < 4; ++i) calls.push_back(two.get());
  CHECK(two.first.peers.size() == 2);
  two.first.peers[1]->close();
  two.harness.settle();
  two.answer(two.first);
  two.answer(two.second);
  for (const std::int32_t call : calls) CHECK(two.heard(call).whole());
  CHECK(!two.serves_from_both());
  two.harness.advance(kUsualClient.set_aside_first_ms);
  CHECK(two.serves_from_both() && two.serves_from_both());
  CHECK(two.first.peers.size() == 3);
}

// What its client does wrong is not the backend's fault, and final.
void owner_breaks_its_word() {
  for (const bool longer : {true, false}) {
    Two two;
    const std::int32_t call = two.harness.send(
        two.backend, {.head = "PUT / HTTP/1.1\r\n", .idempotent = true, .body_length = 4});
    two.harness.settle();
    CHECK(Two::asked(two.first) != nullptr);
    longer ? void(two.harness.write(call, "too long")) : two.harness.client().finish(call);
    two.harness.settle();
    CHECK(two.heard(call).order == "BaF" && two.first.peers[0]->ended);
    CHECK(two.second.peers.empty());
    CHECK(two.serves_from_both());
  }
}

// No more sockets, for a moment: no reason to avoid an address.
void out_of_sockets() {
  Two two;
  rlimit before{};
  require(getrlimit(RLIMIT_NOFILE, &before) == 0, "getrlimit");
  const int next = dup(0);
  require(next >= 0, "dup");
  close(next);
  rlimit none = before;
  none.rlim_cur = static_cast<rlim_t>(next);
  require(setrlimit(RLIMIT_NOFILE, &none) == 0, "setrlimit");
  const std::int32_t call = two.harness.get(two.backend);
  two.harness.settle();
  require(setrlimit(RLIMIT_NOFILE, &before) == 0, "setrlimit");
  CHECK(two.heard(call).order == "araF");
  CHECK(two.heard(call).failure == static_cast<int>(Failure::kConnect));
  CHECK(two.serves_from_both());
}

// The second is busy for long; the first has broken under a call, which waits for the second. The
// first may be tried again only after a time.
std::int32_t one_waits(Two& two) {
  two.get("/busy");
  two.get("/busy");
  CHECK(Two::asked(two.second) != nullptr);
  two.answer(two.first);
  const std::int32_t waits = two.get("/waits");
  // Its connection has served; it goes once more over a fresh one.
  for (int i = 0; i < 2; ++i) two.hang_up(two.first);
  CHECK(!two.heard(waits).over() && two.second.peers.size() == 1);
  CHECK(two.second.peers[0]->count("/waits") == 0);
  return waits;
}

void nobody_is_held_up() {
  Two two(1);
  const std::int32_t waits = one_waits(two);
  std::vector<std::int32_t> others;
  for (const char* const path : {"/a", "/b", "/c"}) others.push_back(two.get(path));
  // By time alone.
  two.harness.advance(kUsualClient.set_aside_first_ms + 500);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string path = std::string("/") + "abc"[i] + " ";
    Peer* const peer = Two::asked(two.first);
    CHECK(peer != nullptr && peer->count(path) == 1);
    if (peer == nullptr) return;
    peer->received.clear();
    peer->say(kHello);
    two.harness.settle();
    CHECK(two.heard(others[i]).order == "W");
  }
  // One that comes later, too.
  const std::int32_t later = two.get("/later");
  CHECK(Two::asked(two.first) != nullptr);
  two.answer(two.first);
  CHECK(two.heard(later).whole() && !two.heard(waits).over());
  two.answer(two.second);
  CHECK(two.heard(waits).whole() && two.second.peers[0]->open());
}

// Room at the address that it waits for is its own, though another call comes just then.
void keeps_its_place() {
  Two two(1);
  const std::int32_t waits = one_waits(two);
  const std::int32_t first = two.get("/first");
  two.harness.advance(kUsualClient.set_aside_first_ms + 500);
  CHECK(Two::asked(two.first) != nullptr);
  for (const auto& [number, heard] : two.harness.calls) {
    if (!heard.over() && number != waits && number != first) two.harness.abort(number);
  }
  const std::int32_t late = two.harness.get(two.backend, "/late");
  two.harness.settle();
  CHECK(two.second.peers.size() == 2 && two.second.peers[1]->count("/waits") == 1);
  two.answer(two.second);
  two.answer(two.first);
  two.answer(two.second);
  for (const std::int32_t call : {waits, first, late}) CHECK(two.heard(call).whole());
}

// Nothing else happens while a call waits.
void comes_back_by_time_alone() {
  Two two(1);
  std::int32_t waits = one_waits(two);
  for (const std::uint64_t full_ms :
       {kUsualClient.set_aside_first_ms, 2 * kUsualClient.set_aside_first_ms}) {
    two.harness.abort(waits);
    waits = two.get("/probe");
    two.harness.advance(full_ms + 500);
    CHECK(Two::asked(two.first) != nullptr);
    two.hang_up(two.first);
  }
  // Nobody waits for a while.
  two.harness.abort(waits);
  two.harness.advance(kUsualClient.set_aside_first_ms);
  const std::int32_t call = two.get("/call");
  CHECK(Two::asked(two.first) == nullptr);
  two.harness.advance(4 * kUsualClient.set_aside_first_ms);
  CHECK(Two::asked(two.first) != nullptr);
  two.answer(two.first);
  CHECK(two.heard(call).whole());
}

}  // namespace

int main() {
  takes_connections_only();
  breaks_under_many();
  comes_back_with_connections_open();
  owner_breaks_its_word();
  out_of_sockets();
  nobody_is_held_up();
  keeps_its_place();
  comes_back_by_time_alone();
  return finish();
}
