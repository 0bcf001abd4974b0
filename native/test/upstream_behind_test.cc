// Several requests in flight on one connection of the upstream client, and the first one's response
// takes long: how long those behind it wait, and that none waits for ever.
#include <string>
#include <string_view>
#include <vector>

#include "upstream/in_flight.h"

namespace {

using namespace weir::test;
using namespace weir::upstream;

// Each waits for its answer from when the one before is complete.
void deadlines_in_turn() {
  BackendOptions options = deep();
  options.response_timeout_ms = 100;
  options.idle_timeout_ms = 1000;
  One one(options);
  const std::vector<std::int32_t> calls = in_flight(one, 3);
  one.harness.advance(90);
  one.answer("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\na");
  one.harness.advance(240);
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

constexpr std::string_view kEndless = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

// A stream of events, and two behind it.
void behind_an_endless_response() {
  One one(deep(4, 3));
  const std::vector<std::int32_t> calls = in_flight(one, 3);
  one.answer(kEndless);
  one.harness.advance(200);
  one.answer("1\r\na\r\n");
  one.harness.advance(49);
  CHECK(one.server.peers.size() == 1);
  one.harness.advance(1);
  CHECK(one.server.peers.size() == 3);
  for (const std::size_t i : {1U, 2U}) {
    CHECK(one.peer(i).count("GET /" + std::to_string(i)) == 1);
    one.answer(answer_with(std::to_string(i)), i);
    CHECK(one.heard(calls[i]).order == "rW" && one.heard(calls[i]).body == std::to_string(i));
  }
  for (int i = 0; i < 10; ++i) {
    one.harness.advance(10'000);
    one.answer("1\r\na\r\n");
  }
  // The answers to the others may be behind it.
  one.answer("0\r\n\r\n" + answer_with("1") + answer_with("2"));
  CHECK(one.heard(calls[0]).body == std::string(11, 'a') && one.heard(calls[0]).whole());
  CHECK(one.peer().ended);
}

// The others come in the very turn in which the response begins, and are not yet written then.
void joined_as_it_begins() {
  for (const bool first_is_taken_back : {false, true}) {
    One one(deep(4, 3));
    in_flight(one, 1);
    one.peer().say(kEndless);
    one.server.step();
    const std::int32_t first = one.harness.get(one.backend, "/first");
    const std::int32_t second = one.harness.get(one.backend, "/second");
    one.harness.on_record = [&](const Record&) {
      if (first_is_taken_back) one.harness.abort(first);
    };
    one.harness.settle();
    CHECK(one.server.peers.size() == 1 && one.peer().count("/second") == 1);
    one.harness.advance(250);
    CHECK(one.server.peers.size() == (first_is_taken_back ? 2 : 3));
    one.answer(answer_with("second"), one.server.peers.size() - 1);
    CHECK(one.heard(second).body == "second");
  }
}

// The time of those who wait behind one response is not that of those behind the next.
void behind_one_after_another() {
  One one(deep(4, 3));
  const std::vector<std::int32_t> calls = in_flight(one, 3);
  for (int i = 0; i < 2; ++i) {
    one.answer(kEndless);
    one.harness.advance(200);
    one.answer("0\r\n\r\n");
    one.harness.advance(200);
  }
  one.answer(answer_with("2"));
  CHECK(one.heard(calls[2]).order == "W" && one.server.peers.size() == 1);
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
  deadlines_in_turn();
  behind_a_long_response();
  behind_an_endless_response();
  joined_as_it_begins();
  behind_one_after_another();
  blocked_behind_an_answer();
  return finish();
}
