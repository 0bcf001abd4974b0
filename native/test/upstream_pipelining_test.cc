// Several requests in flight on one connection of the upstream client: which may be, their order,
// what becomes of them when one is given up, when the connection ends in the middle, and when the
// first one's response takes long.
#include <string>
#include <string_view>
#include <vector>

#include "upstream/one_server.h"

namespace {

using namespace weir::test;
using namespace weir::upstream;

BackendOptions deep(std::uint32_t depth = 4, std::uint32_t connections = 1) {
  BackendOptions options;
  options.pipelining = depth;
  options.connections = connections;
  return options;
}

std::string answer_with(std::string_view body, std::string_view more = "") {
  return "HTTP/1.1 200 OK\r\n" + std::string(more) +
         "content-length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

// A warm connection with this many requests on it, sent.
std::vector<std::int32_t> in_flight(One& one, std::size_t count) {
  one.warm_up();
  std::vector<std::int32_t> calls;
  for (std::size_t i = 0; i < count; ++i) {
    calls.push_back(one.harness.get(one.backend, "/" + std::to_string(i)));
  }
  one.harness.settle();
  return calls;
}

void order_and_depth() {
  One one(deep());
  const std::vector<std::int32_t> calls = in_flight(one, 6);
  // Not before the connection has answered once, not more than the depth.
  CHECK(one.server.peers.size() == 1 && one.peer().count("GET /") == 5);
  one.answer(answer_with("0") + answer_with("1"));
  CHECK(one.peer().count("GET /") == 7);
  one.answer(answer_with("2") + answer_with("3") + answer_with("4") + answer_with("5"));
  for (std::size_t i = 0; i < calls.size(); ++i) {
    CHECK(one.heard(calls[i]).order == "W" && one.heard(calls[i]).body == std::to_string(i));
  }
  CHECK(one.harness.client().open_connections() == 1);
}

// However the answers are cut, each call gets its own.
void cut_anywhere() {
  const std::string bytes =
      answer_with("zero") +
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\none\r\n0\r\n\r\n" +
      "HTTP/1.1 304 Same\r\ncontent-length: 9\r\n\r\n" + answer_with("three");
  for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
    One one(deep());
    const std::vector<std::int32_t> calls = in_flight(one, 4);
    one.answer(bytes.substr(0, cut));
    one.answer(bytes.substr(cut));
    const char* const bodies[] = {"zero", "one", "", "three"};
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(one.heard(calls[i]).whole() && one.heard(calls[i]).body == bodies[i]);
    }
  }
}

void what_is_not_pipelined() {
  for (const bool body : {true, false}) {
    One one(deep());
    const std::vector<std::int32_t> calls = in_flight(one, 1);
    const std::int32_t post = one.harness.send(
        one.backend,
        {.head = "PUT / HTTP/1.1\r\n", .idempotent = body, .body_length = body ? 1 : 0});
    const std::int32_t behind = one.harness.get(one.backend);
    one.harness.settle();
    CHECK(one.peer().count("PUT") == 0);
    one.answer(answer_with("0"));
    CHECK(one.heard(calls[0]).whole() && one.peer().count("PUT") == 1);
    // Nor does anything go behind it.
    CHECK(one.peer().count("GET") == 2);
    if (body) {
      one.harness.write(post, "b");
      one.harness.client().finish(post);
    }
    one.harness.settle();
    one.answer(kHello);
    one.answer(kHello);
    CHECK(one.heard(post).whole() && one.heard(behind).whole());
  }
}

void aborted_in_the_middle() {
  for (std::size_t aborted = 0; aborted < 4; ++aborted) {
    One one(deep());
    const std::vector<std::int32_t> calls = in_flight(one, 4);
    one.harness.abort(calls[aborted]);
    one.harness.settle();
    // Its number is taken until its answer has been read over.
    CHECK(one.harness.client().has_call(calls[aborted]) && !one.peer().ended);
    one.answer(answer_with("0"));
    one.answer("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n1");
    one.answer("11");
    one.answer(answer_with("2") + answer_with("3"));
    for (std::size_t i = 0; i < 4; ++i) {
      const Heard& heard = one.heard(calls[i]);
      CHECK(i == aborted ? heard.order.empty()
                         : heard.body == (i == 1 ? "111" : std::to_string(i)));
    }
    CHECK(!one.harness.client().has_call(calls[aborted]));
    CHECK(one.harness.client().open_connections() == 1);
  }
}

void aborted_before_it_is_sent() {
  One one(deep());
  one.warm_up();
  const std::int32_t first = one.harness.get(one.backend, "/first");
  const std::int32_t second = one.harness.get(one.backend, "/second");
  const std::int32_t third = one.harness.get(one.backend, "/third");
  one.harness.abort(first);
  one.harness.abort(second);
  one.harness.settle();
  CHECK(one.peer().count("/first") + one.peer().count("/second") == 0);
  one.answer(kHello);
  CHECK(one.heard(third).whole());
}

// The connection ends behind the answer to the second of four.
void ends_in_the_middle() {
  enum class End { kClose, kReset, kSaid, kSaidAlone, kGarbage };
  for (const End end : {End::kClose, End::kReset, End::kSaid, End::kSaidAlone, End::kGarbage}) {
    One one(deep());
    const std::vector<std::int32_t> calls = in_flight(one, 4);
    one.answer(answer_with("0"));
    const bool said = end == End::kSaid || end == End::kSaidAlone;
    one.answer(answer_with("1", said ? "connection: close\r\n" : ""));
    if (end == End::kGarbage) one.answer("garbage");
    if (end == End::kReset) one.peer().reset();
    if (end == End::kClose || end == End::kSaid) one.peer().close();
    one.harness.settle();
    CHECK(one.heard(calls[0]).body == "0" && one.heard(calls[1]).body == "1");
    // The one whose turn it was had begun, if the garbage was its answer; the others go again.
    const bool third_fails = end == End::kGarbage;
    CHECK(one.heard(calls[2]).failed() == third_fails);
    // A fresh connection each, one after the other, in order.
    for (std::size_t i = third_fails ? 3 : 2; i < 4; ++i) {
      Peer& peer = *one.server.peers.back();
      CHECK(peer.count("GET /" + std::to_string(i)) == 1);
      one.answer(answer_with(std::to_string(i), "connection: close\r\n"),
                 one.server.peers.size() - 1);
      CHECK(one.heard(calls[i]).whole() && one.heard(calls[i]).body == std::to_string(i));
      CHECK(one.heard(calls[i]).count('r') == 1);
    }
  }
}

void extra_response() {
  One one(deep());
  const std::vector<std::int32_t> calls = in_flight(one, 2);
  one.answer(answer_with("0") + answer_with("1") + answer_with("extra"));
  CHECK(one.heard(calls[0]).body == "0" && one.heard(calls[1]).body == "1");
  CHECK(one.harness.client().open_connections() == 0);
}

// Each waits for its answer from when the one before is complete.
void deadlines_in_turn() {
  BackendOptions options = deep();
  options.response_timeout_ms = 100;
  options.idle_timeout_ms = 1000;
  One one(options);
  const std::vector<std::int32_t> calls = in_flight(one, 3);
  one.harness.advance(90);
  one.answer("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\na");
  one.harness.advance(900);
  one.answer("b");
  one.harness.advance(99);
  CHECK(one.heard(calls[0]).whole() && !one.heard(calls[1]).over());
  one.harness.advance(1);
  CHECK(one.heard(calls[1]).failure == static_cast<int>(Failure::kTimeout));
  CHECK(one.heard(calls[2]).count('r') == 1 && one.server.peers.size() == 2);
  one.answer(kHello, 1);
  CHECK(one.heard(calls[2]).whole());
}

// Nobody joins a long response, and those behind one whose reader is slow go elsewhere.
void behind_a_long_response() {
  One one(deep(4, 2));
  const std::vector<std::int32_t> calls = in_flight(one, 3);
  one.answer("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\na");
  const std::int32_t later = one.harness.get(one.backend, "/later");
  one.harness.settle();
  CHECK(one.server.peers.size() == 2 && one.peer(1).count("/later") == 1);
  one.answer(kHello, 1);
  CHECK(one.heard(later).whole() && !one.heard(calls[1]).over());
  one.harness.client().pause(calls[0]);
  one.harness.settle();
  CHECK(one.heard(calls[1]).order == "r" && one.heard(calls[2]).order == "r");
  while (!one.heard(calls[1]).over() || !one.heard(calls[2]).over()) {
    const std::size_t last = one.server.peers.size() - 1;
    one.answer(kHello, last);
    if (last > 4) break;
  }
  CHECK(one.heard(calls[1]).whole() && one.heard(calls[2]).whole());
  one.harness.client().resume(calls[0]);
  one.answer("b" + answer_with("1") + answer_with("2"));
  CHECK(one.heard(calls[0]).body == "ab" && one.heard(calls[0]).whole());
  CHECK(one.peer().ended);
}

// Requests on a warm connection whose server reads no more, more than the socket takes.
std::vector<std::int32_t> more_than_fits(One& one) {
  one.warm_up();
  one.peer().reads = false;
  std::vector<std::int32_t> calls;
  for (int i = 0; i < 60; ++i) {
    calls.push_back(one.harness.get(one.backend, "/" + std::string(200'000, 'h')));
  }
  one.harness.settle();
  return calls;
}

// It answers all that were written, and then no more: the next one, of which maybe a part is
// written, does not wait for ever, nor do those behind it.
void blocked_behind_an_answer() {
  BackendOptions options = deep(64);
  options.response_timeout_ms = 1000;
  options.idle_timeout_ms = 1000;
  std::size_t written = 0;
  {
    One one(options);
    more_than_fits(one);
    one.peer().received.clear();
    one.peer().reads = true;
    one.peer().step();
    written = one.peer().count("\r\n\r\n");
  }
  CHECK(written > 0 && written < 60);
  One one(options);
  const std::vector<std::int32_t> calls = more_than_fits(one);
  for (std::size_t i = 0; i < written; ++i) one.answer(kHello);
  for (int i = 0; i < 200; ++i) one.harness.advance(1000);
  for (const std::int32_t call : calls) CHECK(one.heard(call).over());
}

}  // namespace

int main() {
  order_and_depth();
  cut_anywhere();
  what_is_not_pipelined();
  aborted_in_the_middle();
  aborted_before_it_is_sent();
  ends_in_the_middle();
  extra_response();
  deadlines_in_turn();
  behind_a_long_response();
  blocked_behind_an_answer();
  return finish();
}
