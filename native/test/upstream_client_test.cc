// The upstream client, behaviour by behaviour (contract 6): responses however they are cut, reuse
// of connections, push-back, deadlines, the queue and retries.
#include <string>
#include <string_view>
#include <vector>

#include "upstream/one_server.h"

namespace {

using namespace weir::test;
using namespace weir::upstream;

void whole_response() {
  One one;
  const std::int32_t call = one.harness.get(one.backend, "/a");
  one.harness.settle();
  CHECK(one.peer().received == "GET /a HTTP/1.1\r\nhost: test\r\n\r\n");
  one.answer("HTTP/1.1 201 Made\r\nX-One: 1\r\ncontent-length: 5\r\nx-two:2\r\n\r\nhello");
  const Heard& heard = one.heard(call);
  CHECK(heard.order == "W" && heard.status == 201 && heard.body == "hello" && heard.length == 5);
  CHECK(heard.passed == "X-One: 1\r\nx-two: 2");
  CHECK(heard.lines == "X-One: 1\r\ncontent-length: 5\r\nx-two:2\r\n");
  CHECK(one.harness.client().open_connections() == 1);
  one.harness.settle();
  CHECK(!one.harness.client().has_call(call));
}

struct Response {
  std::string_view bytes;
  bool head_request;
  bool ends_by_close;
  int status;
  std::string_view body;
  bool reusable;
};

constexpr Response kResponses[] = {
    {kHello, false, false, 200, "hello", true},
    {"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", false, false, 200, "", true},
    {"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nt: "
     "1\r\n\r\n",
     false, false, 200, "hello", true},
    {"HTTP/1.1 200 OK\r\n\r\nhello", false, true, 200, "hello", false},
    {"HTTP/1.0 200 OK\r\ncontent-length: 5\r\n\r\nhello", false, false, 200, "hello", false},
    {"HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 5\r\n\r\nhello", false, false,
     200, "hello", true},
    {"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n", true, false, 200, "", true},
    {"HTTP/1.1 204 No\r\n\r\n", false, false, 204, "", true},
    {"HTTP/1.1 304 Same\r\ncontent-length: 9\r\n\r\n", false, false, 304, "", true},
    {"HTTP/1.1 100 Go\r\n\r\nHTTP/1.1 103 Hint\r\nlink: a\r\n\r\nHTTP/1.1 200 "
     "OK\r\ncontent-length: 5\r\n\r\nhello",
     false, false, 200, "hello", true},
    {"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 5\r\n\r\nhello", false, false, 200,
     "hello", false},
};

// In one piece, cut in two at every byte, and byte by byte: the same comes out.
void responses_however_cut() {
  for (const Response& response : kResponses) {
    const std::size_t size = response.bytes.size();
    for (std::size_t cut = 0; cut <= size; ++cut) {
      One one;
      const std::int32_t call = one.harness.send(
          one.backend,
          {.head = "GET / HTTP/1.1\r\n", .head_method = response.head_request, .idempotent = true});
      one.harness.settle();
      if (cut == size) {
        for (const char& byte : response.bytes) one.answer({&byte, 1});
      } else {
        one.answer(response.bytes.substr(0, cut));
        one.answer(response.bytes.substr(cut));
      }
      if (response.ends_by_close) {
        CHECK(!one.heard(call).over());
        one.peer().close();
        one.harness.settle();
      }
      const Heard& heard = one.heard(call);
      CHECK(heard.whole() && heard.status == response.status && heard.body == response.body);
      CHECK(one.harness.client().open_connections() == (response.reusable ? 1 : 0));
    }
  }
}

// Nothing that is cut off looks complete, wherever the connection ends.
void cut_off_responses() {
  for (const Response& response : kResponses) {
    if (response.ends_by_close) continue;
    for (std::size_t cut = 1; cut < response.bytes.size(); ++cut) {
      for (const bool reset : {false, true}) {
        One one;
        const std::int32_t call =
            one.harness.send(one.backend, {.head = "GET / HTTP/1.1\r\n",
                                           .head_method = response.head_request,
                                           .idempotent = true});
        one.harness.settle();
        one.answer(response.bytes.substr(0, cut));
        reset ? one.peer().reset() : one.peer().close();
        one.harness.settle();
        const Heard& heard = one.heard(call);
        CHECK(heard.failed() && heard.failure == static_cast<int>(Failure::kBroken));
        CHECK(heard.count('r') == 0 && heard.count('a') == 1);
        CHECK(one.server.peers.size() == 1 && one.harness.client().open_connections() == 0);
      }
    }
  }
}

void refused_responses() {
  for (const std::string_view bytes :
       {"HTTP/2 200\r\n\r\n", "HTTP/1.1 101 Switch\r\n\r\n",
        "HTTP/1.1 200 OK\r\nbad name: 1\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 1\r\n\r\na",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"}) {
    One one;
    const std::int32_t call = one.harness.get(one.backend);
    one.harness.settle();
    one.answer(bytes);
    CHECK(one.heard(call).failed() && one.heard(call).count('r') == 0);
    CHECK(one.harness.client().open_connections() == 0);
  }
}

void reuse() {
  One one;
  // The one used last is taken first.
  std::vector<std::int32_t> calls;
  for (int i = 0; i < 3; ++i) calls.push_back(one.harness.get(one.backend));
  one.harness.settle();
  CHECK(one.server.peers.size() == 3);
  for (const std::size_t peer : {0U, 2U, 1U}) one.answer(kHello, peer);
  one.harness.get(one.backend, "/again");
  one.harness.settle();
  CHECK(one.peer(1).count("GET /again") == 1 && one.server.peers.size() == 3);
  one.answer(kHello, 1);
  // Idle ones close after their time.
  one.harness.advance(3999);
  CHECK(one.harness.client().open_connections() == 3);
  one.harness.advance(1);
  CHECK(one.harness.client().open_connections() == 0);
}

void keep_alive_hint() {
  struct Hint {
    const char* line;
    std::uint64_t kept_ms;
  };
  for (const Hint hint :
       {Hint{"timeout=3", 2000}, Hint{"timeout=1", 0}, Hint{"timeout=0", 0},
        Hint{"timeout=7, max=9", 6000}, Hint{"timeout=9999", 60000}, Hint{"max=3", 4000}}) {
    One one;
    one.harness.get(one.backend);
    one.harness.settle();
    one.answer("HTTP/1.1 200 OK\r\nkeep-alive: " + std::string(hint.line) +
               "\r\ncontent-length: 0\r\n\r\n");
    if (hint.kept_ms > 0) {
      one.harness.advance(hint.kept_ms - 1);
      CHECK(one.harness.client().open_connections() == 1);
      one.harness.advance(1);
    }
    CHECK(one.harness.client().open_connections() == 0);
  }
}

void idle_connections() {
  for (const bool bytes : {true, false}) {
    // Unasked bytes, or the end: the connection is gone, nobody hears of it.
    One one;
    one.warm_up();
    bytes ? one.answer("HTTP/1.1 408 Late\r\n\r\n") : one.peer().close();
    one.harness.settle();
    CHECK(one.harness.client().open_connections() == 0);
  }
  for (const bool bytes : {true, false}) {
    // The same between the choice of the connection and the write: another one is taken.
    One one;
    one.warm_up();
    bytes ? one.peer().say("unasked") : one.peer().close();
    one.server.step();
    const std::int32_t call = one.harness.post(one.backend, 3);
    CHECK(one.heard(call).wanted_at_once);
    one.harness.write(call, "abc");
    one.harness.client().finish(call);
    one.harness.settle();
    CHECK(one.server.peers.size() == 2 && one.peer(1).count("abc") == 1);
    one.answer(kHello, 1);
    CHECK(one.heard(call).order == "W");
  }
}

void careful_reuse() {
  One one;
  one.warm_up();
  one.harness.advance(999);
  one.harness.post(one.backend, 0);
  one.harness.settle();
  CHECK(one.server.peers.size() == 1);
  one.answer(kHello);
  one.harness.advance(1000);
  const std::int32_t call = one.harness.post(one.backend, 0);
  one.harness.settle();
  CHECK(one.server.peers.size() == 2);
  one.answer(kHello, 1);
  CHECK(one.heard(call).whole());
}

void pausing() {
  One one;
  const std::int32_t call = one.harness.get(one.backend);
  one.harness.settle();
  const std::string large(std::size_t{16} * 1024 * 1024, 'y');
  one.harness.on_record = [&](const Record& record) {
    if (record.kind == static_cast<int>(RecordKind::kResponse)) one.harness.client().pause(call);
  };
  one.answer("HTTP/1.1 200 OK\r\ncontent-length: 16777216\r\n\r\n" + large);
  const std::size_t before = one.heard(call).body.size();
  CHECK(before < std::size_t{512} * 1024 && one.peer().unsaid() > 0);
  // It is the owner who is slow: no deadline.
  one.harness.advance(600'000);
  CHECK(one.heard(call).body.size() == before && !one.heard(call).over());
  one.harness.client().resume(call);
  one.harness.settle();
  CHECK(one.heard(call).body == large && one.heard(call).order.ends_with("E"));
}

void deadlines() {
  BackendOptions options = kUsualBackend;
  options.connect_timeout_ms = 100;
  options.response_timeout_ms = 500;
  options.idle_timeout_ms = 300;
  const int timeout = static_cast<int>(Failure::kTimeout);
  {
    // No answer.
    One one(options);
    const std::int32_t call = one.harness.get(one.backend);
    one.harness.settle();
    one.harness.advance(300);
    one.answer("HTTP/1.1 100 Go\r\n\r\n");
    one.harness.advance(199);
    CHECK(!one.heard(call).over());
    one.harness.advance(1);
    CHECK(one.heard(call).failure == timeout && one.heard(call).order == "aF");
    CHECK(one.server.peers.size() == 1 && one.peer().ended);
  }
  {
    // The answer stops.
    One one(options);
    const std::int32_t call = one.harness.get(one.backend);
    one.harness.settle();
    one.answer("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\na");
    for (int i = 0; i < 5; ++i) {
      one.harness.advance(250);
      one.answer("b");
    }
    CHECK(!one.heard(call).over());
    one.harness.advance(600);
    CHECK(one.heard(call).failure == timeout && one.heard(call).body == "abbbbb");
  }
  {
    // The server takes no more of the body.
    One one(options);
    one.warm_up();
    const std::int32_t call = one.harness.post(one.backend, -1);
    one.peer().reads = false;
    for (int i = 0; i < 1000 && one.harness.write(call, std::string(60000, 'x')); ++i)
      one.harness.settle();
    one.harness.advance(299);
    CHECK(!one.heard(call).over());
    one.harness.advance(301);
    CHECK(one.heard(call).failure == timeout);
  }
  {
    // The owner gives no body: that is not the backend's fault.
    One one(options);
    const std::int32_t call = one.harness.post(one.backend, -1);
    one.harness.settle();
    one.harness.advance(10'000);
    CHECK(one.heard(call).order == "B");
    one.harness.abort(call);
  }
  {
    // Nobody accepts: a full listen queue.
    One one(options);
    ScriptedServer deaf(0);
    deaf.accepts = false;
    const Address address{7, "127.0.0.1", deaf.port};
    CHECK(one.harness.client().set_addresses(one.backend, {&address, 1}));
    std::vector<std::int32_t> calls;
    for (int i = 0; i < 8; ++i) calls.push_back(one.harness.get(one.backend));
    one.harness.settle();
    one.harness.advance(100);
    CHECK(one.heard(calls.back()).failure == timeout);
    CHECK(one.heard(calls.back()).failed_addresses == std::vector<std::int32_t>{7});
  }
}

void queue() {
  BackendOptions options = kUsualBackend;
  options.connections = 2;
  options.queue = 2;
  options.connect_timeout_ms = 100;
  One one(options);
  std::vector<std::int32_t> calls;
  for (int i = 0; i < 5; ++i)
    calls.push_back(one.harness.get(one.backend, "/" + std::to_string(i)));
  one.harness.settle();
  CHECK(one.server.peers.size() == 2);
  CHECK(one.heard(calls[4]).failure == static_cast<int>(Failure::kQueueFull));
  one.answer(kHello, 1);
  // In order of arrival.
  CHECK(one.peer(1).count("GET /2 ") == 1 && one.peer(1).count("GET /3 ") == 0);
  one.harness.advance(100);
  CHECK(one.heard(calls[3]).failure == static_cast<int>(Failure::kTimeout));
  CHECK(!one.heard(calls[2]).over());
  one.answer(kHello, 0);
  one.answer(kHello, 1);
  CHECK(one.heard(calls[0]).whole() && one.heard(calls[2]).whole() && one.server.peers.size() == 2);
}

void refused_connections() {
  ScriptedServer good;
  ScriptedServer bad;
  bad.close();
  Harness harness;
  harness.servers = {&bad, &good};
  const std::int32_t backend = harness.backend();
  std::vector<std::int32_t> calls;
  for (int i = 0; i < 4; ++i) calls.push_back(harness.post(backend, 2));
  for (const std::int32_t call : calls) CHECK(!harness.calls[call].wanted_at_once);
  harness.settle();
  CHECK(good.peers.size() == 4);
  std::size_t failed = 0;
  for (const std::int32_t call : calls) {
    CHECK(harness.calls[call].count('B') == 1);
    failed += harness.calls[call].count('a');
    harness.write(call, "ab");
    harness.client().finish(call);
  }
  CHECK(failed == 2);
  harness.settle();
  for (const auto& peer : good.peers) peer->say(kHello);
  harness.settle();
  for (const std::int32_t call : calls) CHECK(harness.calls[call].whole());
  // Both refuse: the call fails, once each tried.
  good.close();
  for (const auto& peer : good.peers) peer->close();
  harness.settle();
  const std::int32_t call = harness.get(backend);
  harness.settle();
  CHECK(harness.calls[call].order == "araF" &&
        harness.calls[call].failure == static_cast<int>(Failure::kConnect));
}

void retries() {
  {
    // A connection that was used breaks before the answer: once more over a fresh one.
    One one;
    one.warm_up();
    const std::int32_t call = one.harness.get(one.backend);
    one.harness.settle();
    one.peer().reset();
    one.harness.settle();
    CHECK(one.server.peers.size() == 2 && one.peer(1).count("GET / ") == 1);
    // And a fresh one that breaks is the end, for there is no other address.
    one.peer(1).reset();
    one.harness.settle();
    CHECK(one.heard(call).order == "araF" && one.server.peers.size() == 2);
  }
  {
    // Not after a byte of the answer, nor what is not idempotent.
    One one;
    one.warm_up();
    std::int32_t call = one.harness.get(one.backend);
    one.harness.settle();
    one.answer("H");
    one.peer().reset();
    one.harness.settle();
    CHECK(one.heard(call).order == "aF");
    one.warm_up();
    call = one.harness.post(one.backend, 0);
    one.harness.settle();
    one.peer(1).reset();
    one.harness.settle();
    CHECK(one.heard(call).order == "aF" && one.server.peers.size() == 2);
  }
  {
    // A fresh one breaks: to another address, never the same again.
    ScriptedServer servers[2];
    Harness harness;
    harness.servers = {&servers[0], &servers[1]};
    const std::int32_t backend = harness.backend();
    const std::int32_t call = harness.get(backend);
    harness.settle();
    CHECK(servers[0].peers.size() == 1);
    servers[0].peers[0]->close();
    harness.settle();
    CHECK(servers[1].peers.size() == 1);
    servers[1].peers[0]->close();
    harness.settle();
    CHECK(harness.calls[call].order == "araF" && servers[0].peers.size() == 1);
    CHECK((harness.calls[call].failed_addresses == std::vector<std::int32_t>{0, 1}));
  }
}

}  // namespace

int main() {
  whole_response();
  responses_however_cut();
  cut_off_responses();
  refused_responses();
  reuse();
  keep_alive_hint();
  idle_connections();
  careful_reuse();
  pausing();
  deadlines();
  queue();
  refused_connections();
  retries();
  return finish();
}
