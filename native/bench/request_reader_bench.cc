// What reading a request costs, in nanoseconds of processor time: heads of 3, 14 and 40 fields,
// whole in one piece as nearly all are, in two pieces, and with a body in chunks. A figure is the
// lower quartile of 21 slices of 20 ms, in which the rows take turns, so that what else the machine
// does hits all of them and counts little. Usage: request_reader_bench. No test: `cmake --build …
// --target request_reader_bench`.
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "front/request_reader.h"

namespace {

using weir::front::Event;
using weir::front::RequestReader;

constexpr std::size_t kSlices = 21;
constexpr double kSliceNs = 20e6;

double processor_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

const std::string kThree =
    "GET /api/v1/things/42 HTTP/1.1\r\nHost: example.org\r\nUser-Agent: curl/8.5.0\r\n"
    "Accept: */*\r\n\r\n";

// As a browser sends it.
const std::string kFourteen =
    "GET /shop/articles/1234?colour=blue&size=42 HTTP/1.1\r\nHost: www.example.org\r\n"
    "Connection: keep-alive\r\nsec-ch-ua: \"Chromium\";v=\"126\", \"Not;A=Brand\";v=\"8\"\r\n"
    "sec-ch-ua-mobile: ?0\r\nsec-ch-ua-platform: \"Linux\"\r\nUpgrade-Insecure-Requests: 1\r\n"
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/126.0.0.0 Safari/537.36\r\n"
    "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
    "\r\nSec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: navigate\r\n"
    "Referer: https://www.example.org/shop/articles\r\nAccept-Encoding: gzip, deflate, br\r\n"
    "Accept-Language: de-DE,de;q=0.9,en;q=0.8\r\n"
    "Cookie: session=0123456789abcdef0123456789abcdef; theme=dark; consent=yes\r\n\r\n";

std::string forty() {
  std::string text = kFourteen.substr(0, kFourteen.size() - 2);
  for (int i = 14; i < 40; ++i) {
    text += "x-forwarded-thing-" + std::to_string(i) + ": some value of " + std::to_string(i) +
            " and more\r\n";
  }
  return text + "\r\n";
}

std::string in_chunks(std::size_t count, const std::string& chunk) {
  std::string text = "POST /upload HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n";
  for (; count > 0; --count) text += chunk;
  return text + "0\r\n\r\n";
}

// The same request never comes twice in a row to a server, and a processor that has learnt where
// each field of one ends would make it look cheap. So there are some, whose fields stand in another
// order and end elsewhere.
std::vector<std::string> variants(const std::string& text) {
  std::vector<std::string> made;
  std::mt19937 random(1);
  const std::size_t line_end = text.find("\r\n") + 2;
  for (int variant = 0; variant < 64; ++variant) {
    std::vector<std::string> lines;
    for (std::size_t at = line_end; at + 2 < text.size(); at = text.find("\r\n", at) + 2) {
      std::string line = text.substr(at, text.find("\r\n", at) - at);
      const std::size_t colon = line.find(':');
      const std::size_t from = colon + 2 + (line.size() - colon - 2) / 2;
      // As long as before on average. What frames a body, or the connection, stays as it is.
      const bool framing = line[0] == 't' || line[0] == 'C';
      if (!framing) line.insert(from, std::string(random() % 9, 'v'));
      if (!framing) line.erase(from, random() % 9);
      lines.push_back(line + "\r\n");
    }
    std::shuffle(lines.begin(), lines.end(), random);
    std::string request = text.substr(0, line_end);
    for (const std::string& line : lines) request += line;
    made.push_back(request + "\r\n");
  }
  return made;
}

struct Row {
  std::string name;
  std::vector<std::string> texts;
  // Each comes in two pieces.
  bool halved;
  std::vector<double> slices;
};

// @returns how many requests came to their end
std::size_t feed(RequestReader& reader, std::string_view bytes) {
  std::size_t ended = 0;
  for (;;) {
    std::size_t consumed = 0;
    const Event event = reader.read(bytes, consumed);
    bytes.remove_prefix(consumed);
    if (event == Event::end) ++ended;
    if (event == Event::more) return ended;
    if (event == Event::refused) std::abort();
  }
}

double measure(RequestReader& reader, const Row& row) {
  std::size_t requests = 0;
  const double begin = processor_ns();
  double taken = 0;
  do {
    for (const std::string_view text : row.texts) {
      const std::size_t first = row.halved ? text.size() / 2 : 0;
      if (row.halved) feed(reader, text.substr(0, first));
      if (feed(reader, text.substr(first)) != 1) std::abort();
    }
    requests += row.texts.size();
    taken = processor_ns() - begin;
  } while (taken < kSliceNs);
  return taken / static_cast<double>(requests);
}

}  // namespace

int main() {
  std::vector<Row> rows;
  const auto add = [&rows](const char* name, const std::vector<std::string>& texts, bool halved) {
    rows.push_back({.name = name, .texts = texts, .halved = halved, .slices = {}});
  };
  add("3 fields", variants(kThree), false);
  add("14 fields", variants(kFourteen), false);
  add("14 fields, always the same", std::vector<std::string>(64, kFourteen), false);
  add("14 fields, in two pieces", variants(kFourteen), true);
  add("40 fields", variants(forty()), false);
  const auto add_chunks = [&add](const char* name, std::size_t count, const std::string& chunk) {
    add(name, std::vector<std::string>(64, in_chunks(count, chunk)), false);
  };
  add_chunks("16 chunks of 1 KiB", 16, "400\r\n" + std::string(1024, 'x') + "\r\n");
  add_chunks("1024 chunks of a byte", 1024, "1\r\nx\r\n");
  RequestReader reader({.head_bytes = 65536, .target_bytes = 65536, .lines = 100});
  for (std::size_t slice = 0; slice <= kSlices; ++slice) {
    for (Row& row : rows) {
      const double each = measure(reader, row);
      if (slice > 0) row.slices.push_back(each);
    }
  }
  for (Row& row : rows) {
    std::sort(row.slices.begin(), row.slices.end());
    std::printf("%-28s %6zu bytes %8.1f ns (least %.1f, median %.1f)\n", row.name.c_str(),
                row.texts.front().size(), row.slices[kSlices / 4], row.slices.front(),
                row.slices[kSlices / 2]);
  }
  return 0;
}
