// Request bodies through the upstream client: their framing, announcements that are broken,
// push-back, answers that come before the body is over, and servers that take no more of it.
#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "upstream/one_server.h"

namespace {

using namespace weir::test;
using namespace weir::upstream;

void request_bodies() {
  for (const bool chunked : {false, true}) {
    for (const bool warm : {false, true}) {
      One one;
      if (warm) one.warm_up();
      const std::int32_t call = one.harness.post(one.backend, chunked ? -1 : 10);
      CHECK(one.heard(call).wanted_at_once == warm);
      one.harness.settle();
      CHECK(one.heard(call).order == (warm ? "" : "B"));
      CHECK(one.harness.write(call, "hello"));
      one.harness.settle();
      CHECK(one.harness.write(call, "world"));
      one.harness.client().finish(call);
      one.harness.client().finish(call);
      one.harness.settle();
      CHECK(one.peer().count(
                chunked ? "transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n5\r\nworld\r\n0\r\n\r\n"
                        : "content-length: 10\r\n\r\nhelloworld") == 1);
      one.answer(kHello);
      CHECK(one.heard(call).whole() && one.harness.client().open_connections() == 1);
    }
  }
}

void broken_announcements() {
  for (const bool longer : {true, false}) {
    for (const bool connected : {true, false}) {
      One one;
      if (connected) one.warm_up();
      const std::int32_t call = one.harness.post(one.backend, 4);
      CHECK(one.harness.write(call, "abc"));
      if (connected) one.harness.settle();
      if (longer) {
        CHECK(!one.harness.write(call, "de"));
      } else {
        one.harness.client().finish(call);
      }
      one.harness.settle();
      CHECK(one.heard(call).failed() && one.heard(call).count('r') == 0);
      CHECK(one.heard(call).text.find(longer ? "longer" : "shorter") != std::string::npos);
      if (connected) CHECK(one.peer().ended);
    }
  }
}

constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

// Told once, before there is anything of the body; other interim answers, and those behind its
// first byte or without a body, are not.
void asked_for() {
  One one;
  one.warm_up();
  const std::int32_t call = one.harness.post(one.backend, 3);
  one.harness.settle();
  one.answer("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n");
  CHECK(one.heard(call).order.empty());
  one.answer("HTTP/1.1 100 Con");
  CHECK(one.heard(call).order.empty());
  one.answer("tinue\r\n\r\n");
  CHECK(one.heard(call).order == "1");
  one.answer(kContinue);
  CHECK(one.heard(call).order == "1");
  one.harness.write(call, "abc");
  one.harness.client().finish(call);
  one.harness.settle();
  CHECK(one.peer().received.ends_with("content-length: 3\r\n\r\nabc"));
  one.answer(kHello);
  CHECK(one.heard(call).order == "1W" && one.harness.client().open_connections() == 1);

  const std::int32_t hasty = one.harness.post(one.backend, 3);
  one.harness.write(hasty, "a");
  one.harness.settle();
  one.answer(kContinue);
  CHECK(one.heard(hasty).order.empty());
  one.harness.write(hasty, "bc");
  one.harness.client().finish(hasty);
  one.harness.settle();
  one.answer(std::string(kContinue) + std::string(kHello));
  CHECK(one.heard(hasty).order == "W");

  const std::int32_t without = one.harness.get(one.backend);
  one.harness.settle();
  one.answer(std::string(kContinue) + std::string(kHello));
  CHECK(one.heard(without).order == "W");
}

// An answer before the body: the connection ends, for nobody knows whether it would come. So it
// does behind a whole body that the backend was to ask for and has not: it may not be read as one.
void answered_unasked() {
  for (const bool expects : {true, false}) {
    for (const bool asked : {true, false}) {
      for (const bool whole : {true, false}) {
        One one;
        one.warm_up();
        const std::int32_t call = one.harness.send(
            one.backend,
            {.head = "POST / HTTP/1.1\r\nhost: test\r\n", .expects = expects, .body_length = 3});
        one.harness.settle();
        if (asked) one.answer(kContinue);
        if (whole) {
          one.harness.write(call, "abc");
          one.harness.client().finish(call);
          one.harness.settle();
        }
        one.answer("HTTP/1.1 413 Content Too Large\r\ncontent-length: 2\r\n\r\nno");
        CHECK(one.heard(call).order == (asked ? "1W" : "W") && one.heard(call).status == 413);
        const bool goes_on = whole && (asked || !expects);
        CHECK(one.harness.client().open_connections() == (goes_on ? 1 : 0));
      }
    }
  }
}

// Who expects a 100 hears of each attempt that has a connection, others of the first alone.
void each_attempt() {
  for (const bool expects : {true, false}) {
    One one;
    one.warm_up();
    const std::int32_t call =
        one.harness.send(one.backend, {.head = "PUT / HTTP/1.1\r\nhost: test\r\n",
                                       .idempotent = true,
                                       .expects = expects,
                                       .body_length = 3});
    one.harness.settle();
    CHECK(one.heard(call).wanted_at_once && one.heard(call).order.empty());
    one.peer().close();
    one.harness.settle();
    CHECK(one.heard(call).count('B') == (expects ? 1 : 0) && one.heard(call).count('r') == 1);
  }
}

// A batch has room for as many at once as one event may bring.
void asked_and_answered_at_once() {
  One one;
  one.warm_up();
  const std::int32_t call = one.harness.post(one.backend, 9);
  one.harness.settle();
  one.answer(std::string(kContinue) + "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhe");
  CHECK(one.heard(call).order == "1RD" && one.heard(call).body == "he");
  one.answer("llo");
  CHECK(one.heard(call).order == "1RDDE" && one.heard(call).body == "hello");
}

// All is sent before the owner says that this was all: the connection serves on.
void answer_before_finish() {
  One one;
  one.warm_up();
  const std::int32_t call = one.harness.post(one.backend, 3);
  one.harness.write(call, "abc");
  one.harness.settle();
  one.answer(kHello);
  CHECK(one.heard(call).whole() && one.harness.client().open_connections() == 1);
  one.harness.client().finish(call);
  one.harness.settle();
}

void push_back() {
  One one;
  one.warm_up();
  one.peer().reads = false;
  const std::int32_t call = one.harness.post(one.backend, -1);
  const std::string piece(30000, 'x');
  std::size_t pieces = 0;
  while (one.harness.write(call, piece) && pieces < 10000) {
    ++pieces;
    one.harness.settle();
  }
  CHECK(pieces > 1 && pieces < 1000);
  CHECK(one.heard(call).count('d') == 0);
  one.peer().reads = true;
  one.harness.settle();
  CHECK(one.heard(call).order == "d");
  CHECK(one.harness.write(call, "end"));
  one.harness.client().finish(call);
  one.harness.settle();
  CHECK(one.peer().received.size() > (pieces + 1) * piece.size());
  CHECK(one.peer().received.ends_with("3\r\nend\r\n0\r\n\r\n"));
  one.answer(kHello);
  CHECK(one.heard(call).order == "dW");
}

// Until it holds; where the system's buffers are small it takes its time to move bytes on.
template <typename Condition>
void step_until(One& one, Condition holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!holds() && std::chrono::steady_clock::now() < end) one.harness.step();
  CHECK(holds());
}

// A client faster than its backend: the socket always takes some and never all.
void never_empty() {
  constexpr std::size_t kPieces = 40;
  for (const bool chunked : {false, true}) {
    One one;
    one.harness.reactor.send_buffer_bytes = 10'000;
    one.server.limit_receiving(10'000);
    one.warm_up();
    std::string piece;
    while (piece.size() < 65'536) piece += std::to_string(piece.size()) + " ";
    const std::int32_t call = one.harness.post(
        one.backend, chunked ? -1 : static_cast<std::int64_t>(kPieces * piece.size()));
    std::size_t drained = 0;
    std::size_t most = 0;
    for (std::size_t pieces = 0; pieces < kPieces; ++pieces) {
      if (!one.harness.write(call, piece) && pieces + 1 < kPieces) {
        ++drained;
        step_until(one, [&] { return one.heard(call).count('d') == drained; });
      }
      most = std::max(most, one.harness.client().kept_bytes());
    }
    CHECK(drained > kPieces / 2 && one.heard(call).count('d') == drained);
    CHECK(most < std::size_t{512} * 1024);
    one.harness.client().finish(call);
    const std::string& received = one.peer().received;
    const std::string_view last = chunked ? std::string_view("\r\n0\r\n\r\n") : piece;
    step_until(
        one, [&] { return received.size() >= kPieces * piece.size() && received.ends_with(last); });
    if (chunked) {
      CHECK(one.peer().count(piece) == kPieces && received.ends_with("\r\n0\r\n\r\n"));
    } else {
      std::string all;
      for (std::size_t i = 0; i < kPieces; ++i) all += piece;
      CHECK(received.ends_with("\r\n\r\n" + all));
    }
    one.answer(kHello);
    CHECK(one.heard(call).whole());
  }
}

// What large requests and response headers took is given back when they are over.
void memory_is_given_back() {
  constexpr std::size_t kCalls = 200;
  const std::string large(60'000, 'l');
  One one;
  std::vector<std::int32_t> calls;
  for (std::size_t i = 0; i < kCalls; ++i) {
    const std::string head = "PUT /" + large + " HTTP/1.1\r\n";
    const auto length = static_cast<std::int64_t>(large.size());
    calls.push_back(one.harness.send(one.backend, {.head = head, .body_length = length}));
    one.harness.write(calls.back(), large);
  }
  CHECK(one.harness.client().kept_bytes() > kCalls * 2 * large.size());
  one.harness.settle();
  for (const auto& peer : one.server.peers) {
    CHECK(peer->received.size() > 2 * large.size());
    peer->say("HTTP/1.1 200 OK\r\nx: " + std::string(10'000, 'x'));
  }
  one.harness.settle();
  for (const auto& peer : one.server.peers) peer->say("\r\ncontent-length: 0\r\n\r\n");
  one.harness.settle();
  for (const std::int32_t call : calls) CHECK(one.heard(call).whole());
  CHECK(one.harness.client().open_connections() == kCalls);
  CHECK(one.harness.client().kept_bytes() < kCalls * 200);
}

// Room for more, and the answer, in the same turn: told in this order.
void drained_and_answered() {
  One one;
  one.warm_up();
  one.peer().reads = false;
  const std::int32_t call = one.harness.post(one.backend, -1);
  while (one.harness.write(call, std::string(60'000, 'x'))) one.harness.settle();
  one.peer().reads = true;
  one.peer().say(kHello);
  one.peer().step();
  one.harness.settle();
  CHECK(one.heard(call).order == "dW");
}

void early_answers() {
  {
    // Complete before the body is: the call is over, the connection closed.
    One one;
    const std::int32_t call = one.harness.post(one.backend, -1);
    one.harness.settle();
    one.harness.write(call, "some");
    one.harness.settle();
    one.answer(kHello);
    CHECK(one.heard(call).order == "BW" && one.harness.client().open_connections() == 0);
  }
  {
    // A server that answers while it reads gets the rest.
    One one;
    const std::int32_t call = one.harness.post(one.backend, -1);
    one.harness.settle();
    one.harness.write(call, "some");
    one.harness.settle();
    one.answer("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nsome\r\n");
    CHECK(one.heard(call).order == "BRD");
    CHECK(one.harness.write(call, "more"));
    one.harness.client().finish(call);
    one.harness.settle();
    CHECK(one.peer().received.ends_with("4\r\nmore\r\n0\r\n\r\n"));
    one.answer("4\r\nmore\r\n0\r\n\r\n");
    CHECK(one.heard(call).order == "BRDDE" && one.heard(call).body == "somemore");
    CHECK(one.harness.client().open_connections() == 1);
  }
}

// A server that answers, and reads no more: its answer arrives though writing fails.
void answer_of_a_deaf_server() {
  One one;
  one.warm_up();
  const std::int32_t call = one.harness.post(one.backend, -1);
  one.harness.write(call, "some");
  one.harness.settle();
  one.peer().reads = false;
  for (int i = 0; i < 1000 && one.harness.write(call, std::string(60000, 'x')); ++i)
    one.harness.settle();
  one.peer().say("HTTP/1.1 413 Large\r\ncontent-length: 4\r\n\r\n");
  one.peer().step();
  one.harness.settle();
  one.peer().say("much");
  one.peer().step();
  one.peer().half_close();
  one.harness.settle();
  CHECK(one.heard(call).status == 413 && one.heard(call).body == "much" && one.heard(call).whole());
  CHECK(one.harness.client().open_connections() == 0);
}

// The system tells of a reset once, maybe to the one who writes; what is read then looks complete.
void reset_while_writing() {
  One one;
  const std::int32_t call = one.harness.post(one.backend, -1);
  one.harness.settle();
  one.harness.write(call, "some");
  one.harness.settle();
  one.answer("HTTP/1.1 200 OK\r\n\r\nhalf");
  one.peer().reset();
  // Enough to be written at once.
  one.harness.write(call, std::string(70'000, 'x'));
  one.harness.settle();
  CHECK(one.heard(call).failed() && one.heard(call).body == "half");
}

// The server has closed its connection before anything of the request is sent over it, and nobody
// has read that yet: all of the request goes over another one, however much came of its body before
// and after it was found out.
void reset_before_anything_is_sent() {
  for (const bool chunked : {false, true}) {
    for (const std::size_t size : {std::size_t{11}, std::size_t{70'000}, std::size_t{400'000}}) {
      One one;
      one.warm_up();
      one.peer().reset();
      const std::int32_t call =
          one.harness.post(one.backend, chunked ? -1 : static_cast<std::int64_t>(size));
      std::string sent;
      std::string expected;
      bool has_room = true;
      while (sent.size() < size) {
        const std::size_t count = std::min<std::size_t>(size - sent.size(), 35'000);
        const std::string piece(count, static_cast<char>('G' + sent.size() / 35'000));
        has_room = one.harness.write(call, piece);
        sent += piece;
        // As JS does: no more before it is told that there is room.
        if (!has_room) one.harness.settle();
      }
      one.harness.client().finish(call);
      one.harness.settle();
      CHECK(one.server.peers.size() == 2 && !one.heard(call).failed());
      std::string received = one.peer(1).received;
      received.erase(0, received.find("\r\n\r\n") + 4);
      if (!chunked) {
        CHECK(received == sent);
      } else {
        CHECK(received.ends_with("0\r\n\r\n") && received.size() > sent.size());
        std::string letters;
        for (const char c : received) {
          if (c == sent[letters.size()]) letters.push_back(c);
          if (letters.size() == sent.size()) break;
        }
        CHECK(letters == sent);
      }
      one.answer(kHello, 1);
      CHECK(one.heard(call).whole());
    }
  }
}

}  // namespace

int main() {
  request_bodies();
  asked_for();
  answered_unasked();
  each_attempt();
  asked_and_answered_at_once();
  broken_announcements();
  answer_before_finish();
  push_back();
  never_empty();
  memory_is_given_back();
  drained_and_answered();
  early_answers();
  answer_of_a_deaf_server();
  reset_while_writing();
  reset_before_anything_is_sent();
  return finish();
}
