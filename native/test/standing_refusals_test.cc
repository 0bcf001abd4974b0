// Proves what standing refusals answer and what they leave alone: the requests of their host and
// path that are quite usual, with the bytes they were given; the limit that is asked, by the key
// that JS would ask by, and not again where it has passed many; each of many hosts and paths by
// itself; counts and facts that are taken once, for each way to refuse. Through the front:
// pipelined requests in order, the others to JS, and a client that does not read. And that a
// limiter looked at says what it decides, also where there is no place for a key.
#include "front/standing_refusals.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "check.h"
#include "counters/random.h"
#include "counters/scene.h"
#include "front/address_text.h"
#include "front/fake_library.h"
#include "front/front.h"

namespace {

using namespace std::string_literals;
using namespace weir::front;
using weir::test::FakeContext;
using weir::test::FakeSocket;
using weir::test::kBounds;

// Rejects the keys that it is told to, for so long.
struct FakeLimits final : Limits {
  std::u16string wanted;
  std::uint64_t wait_ms = 0;
  std::vector<std::u16string> asked;

  LimitHandle limit(std::uint32_t number) const override { return {number, number + 1U}; }
  std::uint64_t rejected(const LimitHandle& limit, std::span<const unsigned char> key) override {
    CHECK(limit.serial == 5);
    std::u16string units(key.size() / 2, u'\0');
    for (std::size_t i = 0; i < units.size(); ++i) {
      units[i] = static_cast<char16_t>(key[2 * i] | key[2 * i + 1] << 8);
    }
    asked.push_back(units);
    return wanted.empty() || units == wanted ? wait_ms : 0;
  }
};

using Kind = Instruction::Kind;

AnswerRecipe recipe() {
  return {{"HTTP/1.1 403 Forbidden\r\n", "content-length: 2\r\n\r\nno"}, "d", 2, 0};
}

Standing standing_by(std::shared_ptr<Guard> guard, std::string host = "h", std::string path = "/",
                     bool exact = false) {
  CHECK(is_valid(guard->program, guard->refusals.size()));
  Standing made;
  made.host = std::move(host);
  made.normal_host = "host";
  made.path = std::move(path);
  made.exact = exact;
  made.guard = std::move(guard);
  return made;
}

// Of everybody.
Standing refusal(std::string host, std::string path, bool exact = false) {
  auto guard = std::make_shared<Guard>();
  guard->program.code = {{.kind = Kind::kRefuse}};
  guard->refusals.push_back({.answer = StandingAnswer(recipe())});
  return standing_by(std::move(guard), std::move(host), std::move(path), exact);
}

Refusing limited_by(std::vector<KeyRecipe> key) {
  return {.limited = true,
          .limit = {4, 5},
          .window_seconds = 60,
          .key = std::move(key),
          .answer = StandingAnswer({{"in ", ", length ", ": {", "}"}, "sls", 10, 1})};
}

Standing limited(std::vector<KeyRecipe> key) {
  auto guard = std::make_shared<Guard>();
  guard->program.code = {{.kind = Kind::kLimit}};
  guard->refusals.push_back(limited_by(std::move(key)));
  return standing_by(std::move(guard));
}

// One connection, whose requests are asked about.
struct Asking {
  Listener listener;
  Connection connection;
  std::string out;

  Asking() : listener{.bounds = kBounds}, connection(nullptr, listener) {
    connection.address = {192, 0, 2, 7};
    connection.address_bytes = 4;
  }

  bool answer(StandingRefusals& standing, const std::string& request) {
    // Of memory of exactly its size, as the address sanitizer wants it.
    const std::vector<char> bytes(request.begin(), request.end());
    std::size_t used = 0;
    const Event event = connection.reader.read({bytes.data(), bytes.size()}, used);
    CHECK(event == Event::head);
    connection.last = !connection.reader.keep_alive();
    out.clear();
    const bool answered = standing.answer(connection, out);
    CHECK(answered == !out.empty());
    while (used < bytes.size() || connection.reader.mid_message()) {
      std::size_t more = 0;
      const Event next = connection.reader.read({bytes.data() + used, bytes.size() - used}, more);
      used += more;
      if (next == Event::end || next == Event::more) break;
    }
    return answered;
  }
};

bool answers(StandingRefusals& standing, const std::string& request) {
  Asking asking;
  return asking.answer(standing, request);
}

std::string get(std::string_view target, std::string_view host = "h", std::string_view lines = "") {
  return "GET "s.append(target)
             .append(" HTTP/1.1\r\nHost: ")
             .append(host)
             .append("\r\n")
             .append(lines) +
         "\r\n";
}

std::string without_date(std::string text) {
  const std::size_t at = text.find("date: ");
  CHECK(at != std::string::npos);
  return text.erase(at, text.find('\n', at) + 1 - at);
}

void answers_the_usual_alone() {
  StandingRefusals standing;
  CHECK(!answers(standing, get("/a")));
  standing.put(3, refusal("h", "/a"));
  Asking asking;
  CHECK(asking.answer(standing, get("/a/b?x=y")));
  CHECK(without_date(asking.out) == "HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno");
  CHECK(answers(standing, get("/abc", "h", "X-Y: 1\r\nConnection: keep-alive\r\n")));
  CHECK(answers(standing, "POST /a HTTP/1.1\r\nhost: h\r\ncontent-length: 0\r\n\r\n"));
  for (const std::string& other : {
           get("/"),
           get("/b"),
           get("/a", "H"),
           get("/a", "h:80"),
           get("/a/../b"),
           get("/a/.b"),
           get("/a%61"),
           get("/a|"),
           get("/a?\xc3\xa9"),
           get("/a?#"),
           get("/a", "h", "Connection: close\r\n"),
           get("/a", "h", "Connection: x\r\n"),
           get("/a", "h", "Via: 1.1 x\r\n"),
           get("/a", "h", "X-Forwarded-For: 1.2.3.4\r\n"),
           get("/a", "h", "x_y: 1\r\n"),
           get("/a", "h", "x: \xc3\xa9\r\n"),
           get("/a", "h", "Upgrade: websocket\r\n"),
           get("/a", "h", "TE: trailers\r\n"),
           "HEAD /a HTTP/1.1\r\nHost: h\r\n\r\n"s,
           "get /a HTTP/1.1\r\nHost: h\r\n\r\n"s,
           "PURGE /a HTTP/1.1\r\nHost: h\r\n\r\n"s,
           "TRACE /a HTTP/1.1\r\nHost: h\r\n\r\n"s,
           "GET /a HTTP/1.0\r\nHost: h\r\nConnection: keep-alive\r\n\r\n"s,
           "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx"s,
           "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"s,
           "GET http://other/a HTTP/1.1\r\nHost: h\r\n\r\n"s,
       }) {
    CHECK(!answers(standing, other));
  }
  Standing elsewhere = refusal("h", "/a");
  elsewhere.listener = 1;
  standing.put(3, elsewhere);
  CHECK(!answers(standing, get("/a")));
}

void finds_each_of_many() {
  StandingRefusals standing;
  constexpr std::uint32_t kMany = 300;
  for (std::uint32_t i = 0; i < kMany; ++i) {
    standing.put(2 * i, refusal("h" + std::to_string(i), "/a", true));
    standing.put(2 * i + 1, refusal("p" + std::to_string(i % 20), "/" + std::to_string(i) + "/"));
  }
  for (std::uint32_t i = 0; i < kMany; ++i) {
    const std::string host = "h" + std::to_string(i);
    CHECK(answers(standing, get("/a", host)) && answers(standing, get("/a?b", host)));
    CHECK(!answers(standing, get("/a/", host)) && !answers(standing, get("/", host)));
    const std::string prefix = "p" + std::to_string(i % 20);
    CHECK(answers(standing, get("/" + std::to_string(i) + "/x", prefix)));
    CHECK(!answers(standing, get("/" + std::to_string(i), prefix)));
  }
  standing.drop(0);
  standing.drop(0);
  standing.drop(100'000);
  CHECK(!answers(standing, get("/a", "h0")) && answers(standing, get("/a", "h1")));
  standing.put(2, refusal("other", "/"));
  CHECK(!answers(standing, get("/a", "h1")) && answers(standing, get("/a", "other")));
  standing.clear();
  CHECK(standing.none() && !answers(standing, get("/a", "other")));
}

const std::vector<KeyRecipe> kKey{{KeyRecipe::Kind::kHost, "", 0},
                                  {KeyRecipe::Kind::kAddress, "", 64},
                                  {KeyRecipe::Kind::kHeader, "x-key", 0}};

void asks_by_the_key() {
  FakeLimits limits;
  StandingRefusals standing;
  standing.put(0, limited(kKey));
  // Nobody counts.
  CHECK(!answers(standing, get("/", "h", "X-Key: v\r\n")));
  standing.count_by(limits);
  limits.wait_ms = 1;
  const std::u16string before = u"\1\4\0host\1\x9\0"s + u"192.0.2.7";
  CHECK(answers(standing, get("/", "h", "X-Key:  v \r\n")));
  CHECK(limits.asked.back() == before + u"\1\1\0v"s);
  CHECK(answers(standing, get("/", "h", "X-Key:\r\n")));
  CHECK(limits.asked.back() == before + u"\1\0\0"s);
  CHECK(answers(standing, get("/")));
  CHECK(limits.asked.back() == before + u"\0\0\0"s);
  const std::size_t asked = limits.asked.size();
  CHECK(!answers(standing, get("/", "h", "X-Key: a\r\nX-KEY: b\r\n")));
  CHECK(limits.asked.size() == asked);
  Asking nowhere;
  nowhere.connection.address_bytes = 0;
  CHECK(!nowhere.answer(standing, get("/")));
}

void tells_the_seconds() {
  FakeLimits limits;
  StandingRefusals standing;
  standing.count_by(limits);
  standing.put(0, limited({}));
  Asking asking;
  const auto told = [&](std::uint64_t wait_ms) {
    limits.wait_ms = wait_ms;
    CHECK(asking.answer(standing, get("/")));
    return asking.out;
  };
  CHECK(told(1) == "in 1, length 11: {1}");
  CHECK(told(1000) == "in 1, length 11: {1}");
  CHECK(told(1001) == "in 2, length 11: {2}");
  CHECK(told(9001) == "in 10, length 12: {10}");
  CHECK(told(60'000) == "in 60, length 12: {60}");
  CHECK(told(99'000) == "in 60, length 12: {60}");
  StandingCount count;
  CHECK(standing.take(count));
  CHECK(count.number == 0 && count.requests == 6 && count.bytes == 3 * 11 + 3 * 12);
  CHECK(!standing.take(count));
}

void asks_no_more_where_all_pass() {
  FakeLimits limits;
  StandingRefusals standing;
  standing.count_by(limits);
  standing.put(0, limited({}));
  for (int i = 0; i < 100; ++i) CHECK(!answers(standing, get("/")));
  const std::size_t asked = limits.asked.size();
  CHECK(asked > 0 && asked < 100);
  limits.wait_ms = 5;
  CHECK(!answers(standing, get("/")));
  standing.wake(0);
  standing.wake(9);
  CHECK(answers(standing, get("/")) && limits.asked.size() == asked + 1);
}

void tells_what_it_refused_once() {
  StandingRefusals standing;
  standing.put(7, refusal("h", "/"));
  standing.put(8, refusal("i", "/"));
  CHECK(standing.take_facts(2).empty());
  Asking asking;
  for (const char* host : {"h", "i", "h", "h"}) CHECK(asking.answer(standing, get("/p?q", host)));
  std::uint64_t requests = 0;
  StandingCount count;
  while (standing.take(count)) requests += count.requests * (count.number == 7 ? 10 : 1);
  CHECK(requests == 31);
  const auto facts = standing.take_facts(0);
  CHECK(facts.size() == 2 && facts[0].number == 7 && facts[1].number == 8);
  CHECK(facts[0].method == "GET" && facts[0].path == "/p" && facts[0].address_bytes == 4);
  CHECK(facts[0].address[3] == 7 && facts[0].wall_ms > 1e12);
  CHECK(asking.answer(standing, get("/")) && standing.take_facts(0).empty());
  // What nobody has taken goes with it.
  standing.drop(7);
  CHECK(!standing.take(count));
  standing.put(7, refusal("h", "/"));
  CHECK(asking.answer(standing, get("/")) && standing.take(count) && count.requests == 1);
  CHECK(!standing.take(count));
}

// Refuses by the first of two rules, or by a limit behind a rule that lets some pass.
void counts_by_refusal_and_rule() {
  FakeLimits limits;
  limits.wait_ms = 1;
  StandingRefusals standing;
  standing.count_by(limits);
  auto guard = std::make_shared<Guard>();
  guard->program.texts = {"POST", "/in"};
  const Instruction first{.kind = Kind::kText, .first = 0, .count = 1, .then_at = 1, .else_at = 2};
  const Instruction second{.kind = Kind::kText,
                           .subject = Instruction::Subject::kPath,
                           .comparison = Instruction::Comparison::kStarts,
                           .first = 1,
                           .count = 1,
                           .then_at = 3,
                           .else_at = 5};
  guard->program.code = {first,
                         {.kind = Kind::kRefuse, .first = 0},
                         second,
                         {.kind = Kind::kPassed, .first = 7, .then_at = 4},
                         {.kind = Kind::kLimit, .first = 1},
                         {.kind = Kind::kAsk}};
  guard->refusals.push_back({.answer = StandingAnswer(recipe())});
  guard->refusals.push_back(limited_by({}));
  standing.put(1, standing_by(guard));
  standing.take_facts(9);
  CHECK(answers(standing, "POST /in HTTP/1.1\r\nhost: h\r\n\r\n"));
  CHECK(answers(standing, get("/in")) && answers(standing, get("/in/x")));
  CHECK(!answers(standing, get("/out")));
  limits.wait_ms = 0;
  CHECK(!answers(standing, get("/in")));
  std::vector<std::array<std::uint64_t, 4>> taken;
  StandingCount count;
  while (standing.take(count)) {
    CHECK(count.number == 1);
    taken.push_back({count.of, count.passed ? 1U : 0U, count.requests, count.bytes});
  }
  CHECK((taken ==
         std::vector<std::array<std::uint64_t, 4>>{{0, 0, 1, 2}, {1, 0, 2, 22}, {7, 1, 2, 0}}));
  const auto facts = standing.take_facts(0);
  CHECK(facts.size() == 3 && facts[0].refusal == 0 && facts[2].refusal == 1);
  CHECK(answers(standing, "POST / HTTP/1.1\r\nhost: h\r\n\r\n") && standing.take(count));
  CHECK(count.of == 0 && count.requests == 1 && !standing.take(count));
}

// What an expression may cost a request, JS bounds: looking for many texts in a long head is left
// to it.
void leaves_long_looks_to_js() {
  StandingRefusals standing;
  auto guard = std::make_shared<Guard>();
  guard->program.texts = {"user-agent"};
  for (int i = 0; i < 200; ++i) guard->program.texts.push_back("bot" + std::to_string(i));
  guard->program.code = {{.kind = Kind::kText,
                          .subject = Instruction::Subject::kField,
                          .comparison = Instruction::Comparison::kContains,
                          .name = 0,
                          .first = 1,
                          .count = 200,
                          .then_at = 1,
                          .else_at = 2},
                         {.kind = Kind::kRefuse, .first = 0},
                         {.kind = Kind::kAsk}};
  guard->refusals.push_back({.answer = StandingAnswer(recipe())});
  standing.put(1, standing_by(guard));
  const auto by = [](std::size_t length) {
    return get("/", "h", "user-agent: " + std::string(length, 'x') + "bot7\r\n");
  };
  CHECK(answers(standing, by(500)));
  CHECK(!answers(standing, by(3000)));
}

void makes_its_answer_anew_when_it_changes() {
  StandingAnswer answer({{"a ", " b ", "!"}, "ds", 7, 2});
  const auto text = [&answer](std::time_t now, std::uint64_t seconds, std::uint64_t content) {
    std::string out = "x";
    CHECK(answer.append(out, now, seconds) == content);
    return out;
  };
  CHECK(text(0, 5, 9) == "xa date: Thu, 01 Jan 1970 00:00:00 GMT\r\n b 5!");
  CHECK(text(0, 5, 9) == text(0, 5, 9));
  CHECK(text(0, 12, 11) == "xa date: Thu, 01 Jan 1970 00:00:00 GMT\r\n b 12!");
  CHECK(text(1, 12, 11) == "xa date: Thu, 01 Jan 1970 00:00:01 GMT\r\n b 12!");
}

void writes_addresses() {
  const auto text = [](std::vector<std::uint8_t> bytes, unsigned prefix) {
    std::string out;
    CHECK(append_counted_address(out, bytes, prefix));
    return out;
  };
  const std::vector<std::uint8_t> six{0x20, 1, 0xd, 0xb8, 0, 7, 0, 8, 0, 9, 0, 0, 0, 0, 0, 1};
  CHECK(text({192, 0, 2, 255}, 64) == "192.0.2.255");
  CHECK(text({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 0, 0, 1}, 64) == "10.0.0.1");
  CHECK(text(six, 128) == "2001:db8:7:8:9::1");
  CHECK(text(six, 64) == "2001:db8:7:8::/64");
  CHECK(text(six, 44) == "2001:db8::/44");
  CHECK(text(six, 46) == "2001:db8:4::/46");
  CHECK(text(six, 1) == "::/1");
  CHECK(text({0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0}, 128) == "0:0:1::1:0");
  CHECK(text({0, 1, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}, 128) == "1:0:1:1:1:1:1:1");
  CHECK(text({0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0}, 128) == "1:1:1:1:1:1::");
  CHECK(text(std::vector<std::uint8_t>(16), 128) == "::");
  std::string out;
  CHECK(!append_counted_address(out, {}, 64) && out.empty());
}

// --- through the front

std::uint64_t now = 1'000'000;
std::size_t takes = SIZE_MAX;

ConnectionApi api() {
  ConnectionApi api = weir::test::fake_library();
  api.sockets.on_data = [](int, void* to, OnData ours) {
    weir::test::context_at(to).on_data = ours;
  };
  api.on_timeout = [](int, void* to, OnEvent ours) {
    weir::test::context_at(to).on_timeout = ours;
  };
  api.write = [](int, void* socket, const char* data, int length, int) {
    const std::size_t taken = std::min(takes, static_cast<std::size_t>(length));
    weir::test::socket_at(socket).written.append(data, taken);
    return static_cast<int>(taken);
  };
  api.shutdown = [](int, void* socket) { weir::test::socket_at(socket).shut = true; };
  api.remote_port = [](int, void*) { return 4711; };
  api.poll_events = [](void* socket) { return weir::test::socket_at(socket).events; };
  api.poll_change = [](void* socket, void*, int wanted) {
    weir::test::socket_at(socket).events = wanted;
  };
  api.now_ms = [] { return now; };
  return api;
}

struct Js final : Owner {
  Front* front = nullptr;
  std::vector<std::string> targets;

  void requested(Connection& connection) override {
    targets.emplace_back(connection.reader.target());
    const Front::Gathering gathering(*front, connection);
    front->put(connection, "js;");
    if (front->answered(connection, false)) front->run();
  }
  void received(Connection&, std::string_view, bool) override {}
  void writable(Connection&) override {}
  void gone(Connection&) override {}
};

void goes_by_the_front_in_order() {
  static void* opaque = nullptr;
  FakeContext context;
  context.before.fill(&opaque);
  context.on_open = [](void* socket, int, char*, int) { return socket; };
  context.on_data = [](void* socket, char*, int) { return socket; };
  context.on_writable = [](void* socket) { return socket; };
  context.on_timeout = [](void* socket) { return socket; };
  context.on_close = [](void* socket, int, void*) { return socket; };
  FakeSocket listening{&context};
  std::array<std::uint8_t, 4> turns{};
  Js js;
  Front front{api(), js, turns};
  js.front = &front;
  CHECK(front.hook(&listening, false, false, kBounds) == 0);
  Standing stands = refusal("h", "/no");
  stands.guard->refusals[0].answer = StandingAnswer({{"no;"}, "", 0, 0});
  front.standing().put(0, stands);

  FakeSocket socket{&context};
  char ip[] = {127, 0, 0, 1};
  context.on_open(&socket, 0, ip, 4);
  const auto send = [&](const std::string& bytes) {
    std::vector<char> read(bytes.begin(), bytes.end());
    context.on_data(&socket, read.data(), static_cast<int>(read.size()));
  };
  send(get("/no") + get("/yes") + get("/no") + get("/no?x") + get("/no").substr(0, 9));
  CHECK(socket.written == "no;js;no;no;");
  send(get("/no").substr(9));
  CHECK(socket.written == "no;js;no;no;no;");
  CHECK(js.targets == std::vector<std::string>({"/yes"}));
  // An idle connection is given up in its time, as one that JS has answered.
  CHECK(front.beginning() == 0);
  for (int tick = 0; tick < 40; ++tick) {
    now += 100;
    front.tick();
  }
  CHECK(!socket.closed);
  // Who does not read gets no more answers than are on their way.
  socket.written.clear();
  takes = 1;
  send(get("/no") + get("/no"));
  CHECK(socket.written == "n");
  takes = SIZE_MAX;
  context.on_writable(&socket);
  CHECK(socket.written == "no;no;");
  for (int tick = 0; tick < 60 && !socket.closed; ++tick) {
    now += 100;
    front.tick();
  }
  CHECK(socket.closed && front.counts().silent == 1 && front.connections() == 0);
}

// --- the counters

void says_what_would_be_decided() {
  using namespace weir::test;
  Random random(11);
  const auto counters = open_or_exit(frozen_at(""));
  std::uint64_t clock = kBootMs;
  for (const std::uint64_t capacity : {1U, 3U, 61U, 200U}) {
    const auto limiter =
        counters->open_limiter("look " + std::to_string(capacity), capacity, 60'000, 100);
    std::uint64_t rejections = 0;
    for (int step = 0; step < 3000; ++step) {
      clock += random.between(0, 30'000 / capacity);
      counters->set_manual_clock(clock);
      const std::uint64_t name = random.between(1, 3);
      unsigned char bytes[8];
      weir::store_little_endian(name, bytes);
      const auto key = counters->hash(*limiter, bytes, sizeof bytes);
      if (random.one_in(50)) {
        counters->forget(*limiter, key);
        CHECK(limiter->wait_of(key, counters->now()) == 0);
      }
      const std::uint64_t looked = limiter->wait_of(key, counters->now());
      CHECK(limiter->wait_of(key, counters->now()) == looked);
      CHECK(counters->admit(*limiter, key).wait_ms == looked);
      rejections += looked > 0 ? 1 : 0;
    }
    CHECK(rejections > 100);
  }
}

// Where there is no place for more keys, a newcomer is told to wait as `admit` would tell it.
void says_when_there_is_no_place() {
  using namespace weir::test;
  const auto counters = open_or_exit(frozen_at(""));
  const auto limiter = counters->open_limiter("full", 1, 60'000, 16);
  std::uint64_t clock = kBootMs;
  std::uint64_t waits = 0;
  const auto key_of = [&](std::uint64_t name) {
    unsigned char bytes[8];
    weir::store_little_endian(name, bytes);
    return counters->hash(*limiter, bytes, sizeof bytes);
  };
  for (std::uint64_t name = 0; name < 400; ++name) {
    counters->set_manual_clock(clock += 100);
    const auto key = key_of(name);
    const std::uint64_t full = counters->statistics().full;
    const std::uint64_t looked = limiter->wait_of(key, counters->now());
    CHECK(counters->statistics().full == full + (looked > 0 ? 1 : 0));
    if (looked > 0) {
      ++waits;
      const auto verdict = counters->admit(*limiter, key);
      CHECK(verdict.wait_ms == looked);
    } else if (name % 2 == 0) {
      counters->admit(*limiter, key);
    }
  }
  CHECK(waits > 300);
  counters->set_manual_clock(clock + 60'000);
  CHECK(limiter->wait_of(key_of(999), counters->now()) == 0);
}

}  // namespace

int main() {
  answers_the_usual_alone();
  finds_each_of_many();
  asks_by_the_key();
  tells_the_seconds();
  asks_no_more_where_all_pass();
  tells_what_it_refused_once();
  counts_by_refusal_and_rule();
  leaves_long_looks_to_js();
  makes_its_answer_anew_when_it_changes();
  writes_addresses();
  goes_by_the_front_in_order();
  says_what_would_be_decided();
  says_when_there_is_no_place();
  return weir::test::finish();
}
