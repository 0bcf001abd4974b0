// Several requests in flight on one connection of the upstream client: which may be, their order,
// what becomes of them when one is given up, when the connection ends in the middle, and when the
// backend says too much; and when requests share a connection rather than open more.
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "upstream/in_flight.h"

namespace {

using namespace weir::test;
using namespace weir::upstream;

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

// Some servers answer HEAD with a body, which would pass for the next answer.
void head_is_not_pipelined() {
  One one(deep());
  const std::vector<std::int32_t> calls = in_flight(one, 1);
  const std::int32_t head = one.harness.send(
      one.backend, {.head = "HEAD / HTTP/1.1\r\n", .head_method = true, .idempotent = true});
  const std::int32_t behind = one.harness.get(one.backend);
  one.harness.settle();
  CHECK(one.peer().count("HEAD") == 0);
  one.answer(answer_with("0"));
  CHECK(one.peer().count("HEAD") == 1 && one.peer().count("GET") == 2);
  one.answer("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nwrong");
  CHECK(one.heard(head).whole() && one.heard(head).body.empty() && one.peer().ended);
  one.answer(kHello, 1);
  CHECK(one.heard(behind).whole() && one.heard(behind).body == "hello");
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
    if (aborted == 1) {
      // Its answer has begun and may never end: those behind go elsewhere.
      CHECK(one.peer().ended && one.server.peers.size() == 2);
      one.answer(answer_with("2", "connection: close\r\n"), 1);
      one.answer(answer_with("3"), 2);
    } else {
      one.answer("11");
      one.answer(answer_with("2") + answer_with("3"));
    }
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

// Nobody is left to read for: the connection closes, and a backend that is closed says so.
void all_aborted() {
  enum class State { kSilent, kInHeader, kInBody };
  for (const State state : {State::kSilent, State::kInHeader, State::kInBody}) {
    One one(deep());
    const std::vector<std::int32_t> calls = in_flight(one, 3);
    if (state == State::kInHeader) one.answer("HTTP/1.1 200 OK\r\nx: ");
    if (state == State::kInBody) one.answer("HTTP/1.1 200 OK\r\n\r\nendless");
    for (const std::size_t i : {2U, 0U, 1U}) one.harness.abort(calls[i]);
    one.harness.client().close_backend(one.backend);
    one.harness.settle();
    if (state == State::kInBody) {
      // The second was sent again when the first one's body was given up, and withdrawn after that.
      CHECK(one.server.peers.size() <= 2);
    }
    CHECK(one.peer().ended && one.harness.client().open_connections() == 0);
    CHECK(one.harness.backends_closed[one.backend] == 1);
  }
  // The last one is taken back before it is sent.
  One one(deep());
  const std::vector<std::int32_t> calls = in_flight(one, 1);
  const std::int32_t unsent = one.harness.get(one.backend);
  one.harness.abort(calls[0]);
  one.harness.abort(unsent);
  one.harness.settle();
  CHECK(one.peer().ended && one.harness.client().open_connections() == 0);
}

// While the body of the first comes, which nobody wants any more.
void aborted_within_the_body() {
  One one(deep(4, 2));
  const std::vector<std::int32_t> calls = in_flight(one, 3);
  one.answer("HTTP/1.1 200 OK\r\n\r\nendless");
  one.harness.abort(calls[0]);
  one.harness.settle();
  CHECK(one.peer().ended && one.server.peers.size() == 3);
  for (const std::size_t i : {1U, 2U}) {
    CHECK(one.peer(i).count("GET /" + std::to_string(i)) == 1);
    one.answer(answer_with(std::to_string(i)), i);
    CHECK(one.heard(calls[i]).body == std::to_string(i) && one.heard(calls[i]).whole());
  }
}

// The connection has room again when one is taken back unsent.
void taken_back_unsent() {
  for (const std::size_t taken : {0U, 1U}) {
    One one(deep(3));
    in_flight(one, 1);
    std::vector<std::int32_t> behind;
    for (int i = 0; i < 2; ++i) behind.push_back(one.harness.get(one.backend, "/behind"));
    one.harness.get(one.backend, "/waits");
    one.harness.abort(behind[taken]);
    one.harness.settle();
    CHECK(one.peer().count("/behind") == 1 && one.peer().count("/waits") == 1);
  }
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

// A connection each for the next calls, by which is told that nothing is pipelined any more.
bool spreads(One& one) {
  const std::size_t before = one.server.peers.size();
  one.warm_up();
  const std::size_t warm = one.server.peers.size();
  CHECK(warm <= before + 1);
  for (int i = 0; i < 3; ++i) one.harness.get(one.backend, "/spread");
  one.harness.settle();
  return one.server.peers.size() == warm + 2;
}

// A backend that says more than was asked, or what can't be told apart, could answer the wrong
// request.
void says_too_much() {
  CHECK(!spreads(*std::make_unique<One>(deep(4, 8))));
  for (const char* const surplus : {"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", "x"}) {
    {
      One one(deep(4, 8));
      in_flight(one, 2);
      one.answer(answer_with("0") + answer_with("1") + surplus);
      CHECK(spreads(one));
    }
    {
      // While nobody asks for anything.
      One one(deep(4, 8));
      one.warm_up();
      one.answer(surplus);
      CHECK(spreads(one));
    }
  }
  for (const std::size_t count : {1U, 2U}) {
    // Alone, nobody else's answer can be taken for it.
    One one(deep(4, 8));
    in_flight(one, count);
    one.answer("garbage\r\n\r\n");
    if (count > 1) one.answer(kHello, 1);
    CHECK(spreads(one) == (count > 1));
  }
}

// Another connection to it, that has room, takes no more either.
void says_too_much_elsewhere() {
  One one(deep(4, 3));
  const std::vector<std::int32_t> calls = {one.harness.get(one.backend),
                                           one.harness.get(one.backend)};
  one.harness.settle();
  one.answer(kHello, 0);
  one.answer(kHello, 1);
  one.harness.get(one.backend, "/busy");
  one.harness.settle();
  CHECK(one.peer(1).count("/busy") == 1);
  one.answer("surplus", 0);
  one.harness.get(one.backend, "/next");
  one.harness.settle();
  CHECK(one.peer(1).count("/next") == 0 && one.server.peers.size() == 3);
}

// Quick answers: a burst shares a connection. Slow ones: a connection each, as long as there may be
// more; then those with the fewest.
void bursts() {
  One one(deep(4, 3));
  one.warm_up();
  for (int i = 0; i < 4; ++i) one.harness.get(one.backend);
  one.harness.settle();
  CHECK(one.server.peers.size() == 1);
  one.answer(std::string(kHello) + std::string(kHello) + std::string(kHello) + std::string(kHello));
  for (int i = 0; i < 8; ++i) {
    one.harness.get(one.backend);
    one.harness.settle();
    one.harness.advance(20);
    one.answer(kHello);
  }
  for (int i = 0; i < 3; ++i) one.harness.get(one.backend);
  one.harness.settle();
  CHECK(one.server.peers.size() == 3);
  one.harness.advance(20);
  for (const std::size_t peer : {0U, 1U, 2U}) {
    one.answer(kHello, peer);
    one.peer(peer).received.clear();
  }
  for (int i = 0; i < 9; ++i) one.harness.get(one.backend);
  one.harness.settle();
  for (const std::size_t peer : {0U, 1U, 2U}) {
    CHECK(one.peer(peer).count("GET") == 3);
    one.answer(std::string(kHello) + std::string(kHello) + std::string(kHello), peer);
    one.peer(peer).received.clear();
  }
  // It has become quick again.
  for (int i = 0; i < 40; ++i) {
    one.harness.get(one.backend);
    one.harness.settle();
    one.answer(kHello, 2);
  }
  one.peer(2).received.clear();
  for (int i = 0; i < 4; ++i) one.harness.get(one.backend);
  one.harness.settle();
  std::size_t shared = 0;
  for (const std::size_t peer : {0U, 1U, 2U}) {
    shared = std::max(shared, one.peer(peer).count("GET"));
  }
  CHECK(shared == 4);
}

}  // namespace

int main() {
  order_and_depth();
  cut_anywhere();
  what_is_not_pipelined();
  head_is_not_pipelined();
  aborted_in_the_middle();
  all_aborted();
  aborted_within_the_body();
  taken_back_unsent();
  aborted_before_it_is_sent();
  ends_in_the_middle();
  extra_response();
  says_too_much();
  says_too_much_elsewhere();
  bursts();
  return finish();
}
