// Proves that nothing which a request is made of grows beyond the reader's bounds, that a bound is
// met at the same byte in whatever pieces it comes, and that reading allocates nothing once it has
// grown to the requests it meets and keeps nothing between requests that it was told to give back.
#include <chrono>
#include <cstdlib>
#include <new>
#include <span>
#include <string>

#include "check.h"
#include "front/request_checks.h"
#include "front/request_generator.h"

namespace {

std::size_t allocations = 0;

}  // namespace

// Not inlined: compilers would take malloc and operator delete for a pair.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++allocations;
  void* const memory = std::malloc(bytes);
  if (memory == nullptr) std::abort();
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

using weir::front::Event;
using weir::front::ReaderBounds;
using weir::front::RequestReader;
using weir::test::Conversation;
using weir::test::Transcript;

constexpr ReaderBounds kBounds{.head_bytes = 300, .target_bytes = 100, .lines = 8};
const std::string kHost = "host: a\r\n";
const std::string kGet = "GET / HTTP/1.1\r\n" + kHost;
const std::string kChunked = "POST / HTTP/1.1\r\n" + kHost + "transfer-encoding: chunked\r\n\r\n";

// In every way. @returns the refusal's status and sentence, or how many requests are complete
std::string outcome(const std::string& text, const ReaderBounds& bounds = kBounds) {
  const Conversation whole(text, {}, bounds, false);
  const std::string found = weir::test::every_way_complaint(whole, text, bounds);
  CHECK(found.empty());
  if (!found.empty()) weir::test::report_bytes(text, found);
  const Transcript& seen = whole.transcript();
  if (seen.status != 0) return std::to_string(seen.status) + " " + seen.sentence;
  std::size_t complete = 0;
  for (const auto& each : seen.requests) complete += each.ended ? 1 : 0;
  return std::to_string(complete);
}

// `begin`, as many x as it takes, and `end`: so many bytes in all.
std::string filled(const std::string& begin, std::size_t bytes, const std::string& end) {
  return begin + std::string(bytes - begin.size() - end.size(), 'x') + end;
}

void head_bytes() {
  const std::string large = "431 the header is larger than the bound";
  const std::string end = "\r\n\r\n";
  CHECK(outcome(filled(kGet + "x: ", 300, end)) == "1");
  CHECK(outcome(filled(kGet + "x: ", 300, end) + filled(kGet + "x: ", 300, end)) == "2");
  CHECK(outcome("\r\n\r\n" + filled(kGet + "x: ", 300, end)) == "1");
  CHECK(outcome(filled(kGet + "x: ", 301, end)) == large);
  CHECK(outcome(filled(kGet + "x: ", 299, "")) == "0");
  CHECK(outcome(filled(kGet + "x: ", 300, "")) == large);
  CHECK(outcome(filled(kGet, 300, "")) == large);
  CHECK(outcome(filled("", 300, "")) == large);
  CHECK(outcome(filled(kGet + "x: ", 300, "\r")) == large);
  CHECK(outcome(filled(kGet + "x: ", 300, "\r\n\r")) == large);
  // What is wrong within the bound is said as what it is, and what lies behind it isn't seen.
  CHECK(outcome(filled(kGet + "x: ", 300, std::string(1, '\0'))) ==
        "400 a field's value holds a control character");
  CHECK(outcome(filled(kGet + "x: ", 301, std::string(1, '\0'))) == large);
  // A head's bytes are not those of the body behind it.
  CHECK(outcome("POST / HTTP/1.1\r\ncontent-length: 400\r\n" + kHost + "\r\n" +
                std::string(400, 'x')) == "1");
}

void target_bytes() {
  const std::string large = "414 the request target is longer than the bound";
  const std::string end = " HTTP/1.1\r\n" + kHost + "\r\n";
  const auto target = [](std::size_t bytes) { return "GET " + filled("/", bytes, ""); };
  CHECK(outcome(target(100) + end) == "1");
  CHECK(outcome(target(101) + end) == large);
  CHECK(outcome(target(100)) == "0" && outcome(target(101)) == large);
  CHECK(outcome(target(100) + "\n") != large && outcome(target(101) + "\n") == large);
  CHECK(outcome(target(1000) + end) == large);
  const ReaderBounds even{.head_bytes = 105, .target_bytes = 100, .lines = 8};
  CHECK(outcome(target(101), even) == large);
  const ReaderBounds less{.head_bytes = 104, .target_bytes = 100, .lines = 8};
  CHECK(outcome(target(101), less) == "431 the header is larger than the bound");
}

void lines() {
  std::string many = kGet;
  for (std::size_t i = 1; i < kBounds.lines; ++i) many += "x:\r\n";
  CHECK(outcome(many + "\r\n") == "1");
  CHECK(outcome(many + many.substr(0, 16) + "\r\n") != "1");
  CHECK(outcome(many + "y:\r\n\r\n") == "431 the header has more lines than the bound");
  std::string empty;
  for (std::size_t i = 0; i < kBounds.lines; ++i) empty += "\r\n";
  CHECK(outcome(empty + kGet + "\r\n") == "1");
  CHECK(outcome(empty + kGet + "\r\n" + empty + kGet + "\r\n" + empty) == "2");
  CHECK(outcome(empty + "\r\n") == "400 too many empty lines before the request line");
}

void chunks() {
  std::string trailers = "0\r\n";
  for (std::size_t i = 0; i < kBounds.lines; ++i) trailers += "x:\r\n";
  CHECK(outcome(kChunked + trailers + "\r\n") == "1");
  CHECK(outcome(kChunked + trailers + "x:\r\n\r\n") ==
        "400 the trailers have more lines than the bound");
  CHECK(outcome(kChunked + "0\r\n" + filled("x:", 300, "\r\n\r\n")) == "1");
  CHECK(outcome(kChunked + "0\r\n" + filled("x:", 301, "\r\n\r\n")) ==
        "400 the trailers are larger than the bound");
  CHECK(outcome(kChunked + "0\r\n" + std::string(300, 'x')) ==
        "400 the trailers are larger than the bound");
  const std::string large = "400 a chunk's extensions are larger than the bound";
  const std::string extension = ";" + std::string(300, 'x');
  const std::string end = "0\r\n\r\n";
  CHECK(outcome(kChunked + "1" + extension + "\r\na\r\n" + end) == "1");
  CHECK(outcome(kChunked + "1" + extension + "x") == large);
  CHECK(outcome(kChunked + "0" + extension + "\r\n\r\n") == "1");
  // Behind it there is room for as many as the body has bytes.
  CHECK(outcome(kChunked + "1" + extension + "\r\na\r\n1;x\r\nb\r\n" + end) == "1");
  CHECK(outcome(kChunked + "1" + extension + "\r\na\r\n1;xx") == large);
  // A signature in every chunk of a long body.
  std::string signed_body;
  for (std::size_t i = 0; i < 40; ++i) {
    signed_body +=
        "64;chunk-signature=" + std::string(64, 'f') + "\r\n" + std::string(100, 'x') + "\r\n";
  }
  const Transcript seen =
      Conversation(kChunked + signed_body + end, {}, kBounds, false).transcript();
  CHECK(seen.status == 0 && seen.requests.size() == 1 && seen.requests.back().ended &&
        seen.requests.back().body.size() == 4000);
  // The next body's count begins anew.
  const std::string one = kChunked + "1" + extension + "\r\na\r\n" + end;
  CHECK(outcome(one + one) == "2");
}

// A body of tiny chunks is as few pieces as reads, where it may be moved; what ends it comes
// behind.
void pieces_together() {
  const auto events = [](std::string text) {
    RequestReader reader(kBounds);
    std::string told;
    std::span<char> rest(text);
    for (;;) {
      std::size_t consumed = 0;
      const Event event = reader.read_in_place(rest, consumed);
      rest = rest.subspan(event == Event::refused ? 0 : consumed);
      if (event == Event::head) told += "head ";
      if (event == Event::data) told += std::string(reader.data()) + " ";
      if (event == Event::end) told += "end ";
      if (event == Event::more) return told + (rest.empty() ? "more" : "more, with a rest");
      if (event == Event::refused) return told + std::to_string(reader.refusal().status);
    }
  };
  const std::string tiny = "1\r\na\r\n2;x\r\nbc\r\n1\r\nd\r\n";
  CHECK(events(kChunked + tiny + "0\r\n\r\n" + kGet + "\r\n") == "head abcd end head end more");
  CHECK(events(kChunked + tiny) == "head abcd more");
  CHECK(events(kChunked + tiny + "3\r\nef") == "head abcdef more");
  CHECK(events(kChunked + tiny + "x") == "head abcd 400");
  CHECK(events(kChunked + "0\r\n\r\n") == "head end more" && events(kChunked + "x") == "head 400");
}

// @returns how often memory was asked for
std::size_t allocations_of(RequestReader& reader, const std::string& text, std::size_t step) {
  const std::size_t before = allocations;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = std::min(step, text.size() - at);
    const std::string_view bytes = std::string_view(text).substr(at, size);
    std::size_t done = 0;
    for (;;) {
      std::size_t consumed = 0;
      const Event event = reader.read(bytes.substr(done), consumed);
      done += consumed;
      CHECK(event != Event::refused);
      if (event == Event::head) reader.keep();
      if (event == Event::more || event == Event::refused) break;
    }
    at += size;
  }
  return allocations - before;
}

void memory() {
  RequestReader reader(weir::test::kUsualReader);
  std::string text;
  for (int i = 0; i < 3; ++i) {
    text +=
        kChunked + "1\r\na\r\n0\r\n\r\n" + kGet + "cookie: " + std::string(500, 'x') + "\r\n\r\n";
  }
  CHECK(allocations_of(reader, text, 100) > 0);
  for (const std::size_t step : {text.size(), std::size_t{1}, std::size_t{7}, std::size_t{100}}) {
    CHECK(allocations_of(reader, text, step) == 0);
  }
  reader.release();
  CHECK(reader.head().empty() && reader.method().empty() && reader.fields().empty());
  CHECK(allocations_of(reader, text, 100) > 0);
}

// A byte at a time costs the same a byte, whatever came before: 1 MiB of one value, which would
// take hours if each byte were followed by a look at all before it.
void dripping() {
  const ReaderBounds bounds{.head_bytes = 1 << 20, .target_bytes = 100, .lines = 100};
  RequestReader reader(bounds);
  const std::string text = filled(kGet + "x: ", bounds.head_bytes, "\r\n\r\n");
  const auto start = std::chrono::steady_clock::now();
  Event last = Event::more;
  for (const char& byte : text) {
    std::size_t consumed = 0;
    last = reader.read({&byte, 1}, consumed);
  }
  CHECK(last == Event::head && reader.fields()[1].value_bytes > 1'000'000);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}

}  // namespace

int main() {
  head_bytes();
  target_bytes();
  lines();
  chunks();
  pieces_together();
  memory();
  dripping();
  return weir::test::finish();
}
