// What an owner of the upstream client may do at any moment: abort, close backends, change their
// addresses, call from within the delivery, send more than a batch holds, and leave. And that
// numbers are free when they are said to be.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "upstream/one_server.h"

namespace {

using namespace weir::test;
using namespace weir::upstream;

// A call in one state, and whether its connection is lost with it.
struct Moment {
  const char* name;
  // @returns the call
  std::function<std::int32_t(One&)> reach;
  std::size_t connections_left;
};

std::int32_t get_sent(One& one) {
  const std::int32_t call = one.harness.get(one.backend);
  one.harness.settle();
  return call;
}

std::vector<Moment> moments() {
  std::vector<Moment> all;
  all.push_back({"waiting for an address",
                 [](One& one) {
                   CHECK(one.harness.client().set_addresses(one.backend, {}));
                   return one.harness.get(one.backend);
                 },
                 0});
  all.push_back({"waiting for a connection",
                 [](One& one) {
                   one.harness.get(one.backend);
                   one.harness.get(one.backend);
                   return one.harness.get(one.backend);
                 },
                 2});
  all.push_back({"connecting", [](One& one) { return one.harness.get(one.backend); }, 1});
  all.push_back({"assigned",
                 [](One& one) {
                   one.warm_up();
                   return one.harness.get(one.backend);
                 },
                 1});
  all.push_back({"body wanted",
                 [](One& one) {
                   const std::int32_t call = one.harness.post(one.backend, 9);
                   one.harness.settle();
                   return call;
                 },
                 0});
  all.push_back({"sending",
                 [](One& one) {
                   one.warm_up();
                   const std::int32_t call = one.harness.post(one.backend, -1);
                   one.peer().reads = false;
                   while (one.harness.write(call, std::string(60'000, 'x'))) one.harness.settle();
                   return call;
                 },
                 0});
  all.push_back({"sent", get_sent, 0});
  all.push_back({"in the header",
                 [](One& one) {
                   const std::int32_t call = get_sent(one);
                   one.answer("HTTP/1.1 200 OK\r\nx: ");
                   return call;
                 },
                 0});
  all.push_back({"responding",
                 [](One& one) {
                   const std::int32_t call = get_sent(one);
                   one.answer("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc");
                   return call;
                 },
                 0});
  all.push_back({"paused",
                 [](One& one) {
                   const std::int32_t call = get_sent(one);
                   one.answer("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc");
                   one.harness.client().pause(call);
                   return call;
                 },
                 0});
  all.push_back({"failed, not yet told",
                 [](One& one) {
                   const std::int32_t call = one.harness.post(one.backend, 1);
                   one.harness.write(call, "too long");
                   return call;
                 },
                 1});
  all.push_back({"over",
                 [](One& one) {
                   const std::int32_t call = get_sent(one);
                   one.answer(kHello);
                   return call;
                 },
                 1});
  return all;
}

void aborting() {
  for (const Moment& moment : moments()) {
    One one(backend_with(2));
    const std::int32_t call = moment.reach(one);
    const std::string before = one.heard(call).order;
    const bool alive = one.harness.client().has_call(call);
    if (alive) {
      one.harness.abort(call);
      one.harness.abort(call);
      // Whatever else is said of it now is void.
      one.harness.client().pause(call);
      one.harness.client().resume(call);
      CHECK(!one.harness.write(call, "x"));
      one.harness.client().finish(call);
    }
    one.harness.settle();
    CHECK(one.heard(call).order == before && !one.harness.client().has_call(call));
    CHECK(one.harness.client().open_connections() == moment.connections_left);
    if (one.harness.client().open_connections() != moment.connections_left) {
      std::fprintf(stderr, "aborted while %s: %zu connections\n", moment.name,
                   one.harness.client().open_connections());
    }
    // The backend serves on.
    if (std::string_view(moment.name).starts_with("waiting")) continue;
    const std::int32_t next = get_sent(one);
    one.answer(kHello, one.server.peers.size() - 1);
    CHECK(one.heard(next).whole());
  }
}

void closing_backends() {
  for (const Moment& moment : moments()) {
    for (const bool by_server : {false, true}) {
      One one(backend_with(2));
      const std::int32_t call = moment.reach(one);
      one.harness.client().close_backend(one.backend);
      one.harness.client().close_backend(one.backend);
      // A call that comes too late is served.
      const std::int32_t late = one.harness.get(one.backend, "/late");
      one.harness.settle();
      CHECK(one.harness.backends_closed.empty() && one.harness.client().has_backend(one.backend));
      if (by_server) {
        for (const auto& peer : one.server.peers) peer->reset();
        one.harness.settle();
      } else if (one.harness.client().has_call(call)) {
        one.harness.abort(call);
      }
      one.harness.abort(late);
      for (const auto& [number, heard] : one.harness.calls) {
        if (!heard.over() && one.harness.client().has_call(number)) one.harness.abort(number);
      }
      one.harness.settle();
      CHECK(one.harness.backends_closed[one.backend] == 1);
      CHECK(!one.harness.client().has_backend(one.backend));
      CHECK(one.harness.client().open_connections() == 0);
      CHECK(one.harness.client().open_backend(kUsualBackend) == one.backend);
    }
  }
}

// A request that is retried keeps its closed backend.
void closing_while_retrying() {
  One one;
  one.warm_up();
  const std::int32_t call = get_sent(one);
  one.harness.client().close_backend(one.backend);
  one.peer().reset();
  one.harness.settle();
  CHECK(one.server.peers.size() == 2 && one.harness.backends_closed.empty());
  one.answer(kHello, 1);
  CHECK(one.heard(call).order == "arW" && one.harness.backends_closed[one.backend] == 1);
}

// A call that comes between the end of a backend and the news of it.
void called_between() {
  One one;
  const std::int32_t backend = one.backend;
  std::int32_t late = -1;
  one.harness.on_record = [&](const Record& record) {
    if (late < 0 && record.kind == static_cast<int>(RecordKind::kBackendClosed)) {
      late = one.harness.get(backend);
    }
  };
  one.harness.client().close_backend(backend);
  one.harness.settle();
  CHECK(late >= 0 && one.harness.client().has_backend(backend));
  one.answer(kHello);
  CHECK(one.heard(late).whole() && !one.harness.client().has_backend(backend));
  CHECK(one.harness.backends_closed[backend] == 1);
}

void changing_addresses() {
  ScriptedServer first;
  ScriptedServer second;
  Harness harness;
  harness.servers = {&first, &second};
  const std::int32_t backend = harness.backend();
  const Address addresses[] = {{0, "127.0.0.1", first.port}, {1, "127.0.0.1", second.port}};
  const Address wrong[] = {{5, "127.0.0.1", 80}, {6, "example.org", 80}};
  CHECK(!harness.client().set_addresses(backend, wrong));
  // One idle, one busy, one connecting, all to the first.
  CHECK(harness.client().set_addresses(backend, {addresses, 1}));
  const std::int32_t idle = harness.get(backend);
  const std::int32_t busy = harness.get(backend);
  harness.settle();
  first.peers[0]->say(kHello);
  harness.settle();
  CHECK(harness.calls[idle].whole());
  const std::int32_t again = harness.get(backend);
  harness.settle();
  const std::int32_t connecting = harness.get(backend);
  CHECK(harness.client().set_addresses(backend, {addresses + 1, 1}));
  harness.settle();
  CHECK(harness.client().open_connections() == 3);
  for (const auto& peer : first.peers) peer->say(kHello);
  harness.settle();
  for (const std::int32_t call : {again, busy, connecting}) CHECK(harness.calls[call].whole());
  // The first is not wanted any more; the second is.
  CHECK(harness.client().open_connections() == 0 && second.peers.empty());
  harness.get(backend);
  harness.settle();
  CHECK(second.peers.size() == 1);
  // Both: the second keeps its busy connection, and an address that comes back its count.
  CHECK(harness.client().set_addresses(backend, addresses));
  CHECK(harness.client().open_connections() == 1);
}

// Where the only address failed, and another has taken its place meanwhile, the call goes there.
void addresses_replaced_while_connecting() {
  ScriptedServer bad;
  ScriptedServer good;
  bad.close();
  Harness harness;
  harness.servers = {&bad};
  const std::int32_t backend = harness.backend();
  const std::int32_t call = harness.get(backend);
  harness.servers = {&good};
  const Address address{8, "127.0.0.1", good.port};
  CHECK(harness.client().set_addresses(backend, {&address, 1}));
  harness.settle();
  CHECK(good.peers.size() == 1);
  for (const auto& peer : good.peers) peer->say(kHello);
  harness.settle();
  CHECK(harness.calls[call].order == "arW");
}

void addresses_come_back() {
  BackendOptions options = kUsualBackend;
  options.connections = 1;
  One one(options);
  get_sent(one);
  const Address address{0, "127.0.0.1", one.server.port};
  CHECK(one.harness.client().set_addresses(one.backend, {}));
  CHECK(one.harness.client().set_addresses(one.backend, {&address, 1}));
  const std::int32_t call = get_sent(one);
  CHECK(one.server.peers.size() == 1);
  one.answer(kHello);
  one.answer(kHello);
  CHECK(one.heard(call).whole() && one.server.peers.size() == 1);
}

void without_addresses() {
  One one;
  CHECK(one.harness.client().set_addresses(one.backend, {}));
  const std::int32_t waiting = get_sent(one);
  CHECK(one.heard(waiting).order.empty());
  one.harness.client().fail_waiting(one.backend, "no such name");
  const std::int32_t later = one.harness.get(one.backend);
  one.harness.settle();
  for (const std::int32_t call : {waiting, later}) {
    CHECK(one.heard(call).failure == static_cast<int>(Failure::kConnect));
    CHECK(one.heard(call).text == "no such name");
  }
  const Address address{3, "127.0.0.1", one.server.port};
  CHECK(one.harness.client().set_addresses(one.backend, {&address, 1}));
  const std::int32_t call = get_sent(one);
  one.answer(kHello);
  CHECK(one.heard(call).whole());
  // Closing while calls wait for an address, which then never comes.
  CHECK(one.harness.client().set_addresses(one.backend, {}));
  const std::int32_t last = get_sent(one);
  one.harness.client().close_backend(one.backend);
  one.harness.settle();
  CHECK(one.harness.backends_closed.empty());
  one.harness.client().fail_waiting(one.backend, "gone");
  one.harness.settle();
  CHECK(one.heard(last).text == "gone" && one.harness.backends_closed[one.backend] == 1);
}

// A call that leaves its connection unsent, when there is no address any more, fails like the
// others.
void sent_again_without_addresses() {
  One one;
  one.warm_up();
  one.peer().close();
  const std::int32_t call = one.harness.get(one.backend);
  CHECK(one.harness.client().set_addresses(one.backend, {}));
  one.harness.client().fail_waiting(one.backend, "gone");
  one.harness.settle();
  CHECK(one.heard(call).order == "aF" && one.heard(call).text == "gone");
}

// More events at once than the smallest memory holds.
void bursts() {
  BackendOptions options = kUsualBackend;
  options.queue = 10'000;
  options.connections = 200;
  One one(options);
  CHECK(one.harness.client().set_addresses(one.backend, {}));
  std::vector<std::int32_t> calls;
  for (int i = 0; i < 5000; ++i) calls.push_back(one.harness.get(one.backend));
  one.harness.client().fail_waiting(one.backend, std::string(2000, 'w'));
  // Those that end while others are told are told as well, and no number is used twice meanwhile.
  bool more = true;
  one.harness.on_record = [&](const Record&) {
    if (more && calls.size() < 8000) calls.push_back(one.harness.get(one.backend));
  };
  one.harness.settle();
  more = false;
  std::size_t failed = 0;
  for (const Heard& heard : one.harness.earlier) failed += heard.failed() ? 1 : 0;
  for (const auto& [number, heard] : one.harness.calls) failed += heard.failed() ? 1 : 0;
  CHECK(failed == 8000);
  // Many large answers at once.
  const Address address{3, "127.0.0.1", one.server.port};
  CHECK(one.harness.client().set_addresses(one.backend, {&address, 1}));
  calls.clear();
  for (int i = 0; i < 200; ++i) calls.push_back(one.harness.get(one.backend));
  one.harness.settle();
  const std::string large(20'000, 'l');
  for (const auto& peer : one.server.peers) {
    peer->say("HTTP/1.1 200 OK\r\nx-large: " + large + "\r\ncontent-length: 20000\r\n\r\n" + large);
    peer->step();
  }
  one.harness.settle();
  for (const std::int32_t call : calls)
    CHECK(one.heard(call).whole() && one.heard(call).body == large);
}

// Who is paused while a batch is delivered in the middle of a turn is not read in that turn.
void paused_in_the_middle() {
  One one;
  std::vector<std::int32_t> calls;
  for (int i = 0; i < 6; ++i) calls.push_back(one.harness.get(one.backend));
  one.harness.settle();
  for (std::size_t i = 0; i < 6; ++i) {
    one.answer("HTTP/1.1 200 OK\r\ncontent-length: 10000000\r\n\r\na", i);
  }
  // All are ready at once, and each read may fill a quarter of the memory.
  for (const auto& peer : one.server.peers) {
    peer->say(std::string(500'000, 'b'));
    peer->step();
  }
  // the delivery in which it was paused
  std::vector<std::size_t> paused(6, 0);
  one.harness.on_record = [&](const Record& record) {
    for (std::size_t i = 0; i < 6; ++i) {
      if (calls[i] == record.call) {
        CHECK(paused[i] == 0 || paused[i] == one.harness.deliveries);
      } else if (paused[i] == 0) {
        paused[i] = one.harness.deliveries;
        one.harness.client().pause(calls[i]);
      }
    }
  };
  one.harness.settle();
  std::size_t untouched = 0;
  for (std::size_t i = 0; i < 6; ++i) untouched += one.heard(calls[i]).body.size() == 1 ? 1 : 0;
  // The first two or three of them were read before anybody was told.
  CHECK(untouched >= 3);
  for (const std::int32_t call : calls) one.harness.abort(call);
}

// From within the delivery anything may be called; what it leads to is told in order.
void within_delivery() {
  One one(backend_with(2));
  std::vector<std::int32_t> calls;
  bool acted = false;
  one.harness.on_record = [&](const Record& record) {
    const auto kind = static_cast<RecordKind>(record.kind);
    if (kind == RecordKind::kBodyWanted) {
      one.harness.write(record.call, "abc");
      one.harness.client().finish(record.call);
    } else if (kind == RecordKind::kWhole && !acted) {
      acted = true;
      for (const std::int32_t call : calls) {
        if (call != record.call) one.harness.abort(call);
      }
      const Address address{9, "127.0.0.1", one.server.port};
      CHECK(one.harness.client().set_addresses(one.backend, {&address, 1}));
      calls.push_back(one.harness.post(one.backend, 3));
      one.harness.client().close_backend(one.backend);
    }
  };
  calls.push_back(one.harness.get(one.backend));
  calls.push_back(one.harness.get(one.backend));
  calls.push_back(one.harness.get(one.backend));
  one.harness.settle();
  for (const auto& peer : one.server.peers) peer->say(kHello);
  one.harness.settle();
  CHECK(acted && one.server.peers.size() == 3 && one.peer(2).count("abc") == 1);
  one.answer(kHello, 2);
  CHECK(one.heard(calls.back()).order == "BW" && one.harness.backends_closed[one.backend] == 1);
}

// The number of an aborted call is free only behind the delivery that follows.
void numbers() {
  One one;
  one.warm_up();
  const std::int32_t call = one.harness.get(one.backend);
  one.harness.abort(call);
  CHECK(one.harness.client().has_call(call));
  CHECK(one.harness.get(one.backend) != call);
  one.harness.settle();
  CHECK(!one.harness.client().has_call(call));
  CHECK(!one.harness.client().has_call(-1) && !one.harness.client().has_call(1000));
  CHECK(!one.harness.client().has_backend(-1) && !one.harness.client().has_backend(1000));
}

// Nothing is left behind, in whatever state: the sanitizer's word.
void leaving() {
  for (const Moment& moment : moments()) {
    One one(backend_with(2));
    moment.reach(one);
    one.harness.get(one.backend);
    one.harness.end();
    CHECK(one.harness.reactor.watched() == 0);
  }
}

}  // namespace

int main() {
  aborting();
  closing_backends();
  closing_while_retrying();
  called_between();
  changing_addresses();
  addresses_replaced_while_connecting();
  addresses_come_back();
  without_addresses();
  sent_again_without_addresses();
  bursts();
  paused_in_the_middle();
  within_delivery();
  numbers();
  leaving();
  return finish();
}
