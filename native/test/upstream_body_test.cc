// Request bodies through the upstream client: their framing, announcements that are broken,
// push-back, answers that come before the body is over, and servers that take no more of it.
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

}  // namespace

int main() {
  request_bodies();
  broken_announcements();
  answer_before_finish();
  push_back();
  drained_and_answered();
  early_answers();
  answer_of_a_deaf_server();
  reset_while_writing();
  return finish();
}
