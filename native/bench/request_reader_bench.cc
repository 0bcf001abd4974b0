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
#include <string>
#include <string_view>
#include <vector>

#include "front/request_reader.h"

namespace {

using weir::front::Event;
using weir::front::RequestReader;

constexpr std::size_t kSlices = 21;
constexpr double kSliceNs = 20e6;
constexpr std::size_t kBatch = 200;

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

std::string in_chunks() {
  std::string text = "POST /upload HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n";
  for (int i = 0; i < 16; ++i) text += "400\r\n" + std::string(1024, 'x') + "\r\n";
  return text + "0\r\n\r\n";
}

struct Row {
  std::string name;
  std::string text;
  // bytes of the first piece
  std::size_t first;
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
  const std::string_view text = row.text;
  std::size_t requests = 0;
  const double begin = processor_ns();
  double taken = 0;
  do {
    for (std::size_t i = 0; i < kBatch; ++i) {
      if (row.first < text.size()) feed(reader, text.substr(0, row.first));
      if (feed(reader, row.first < text.size() ? text.substr(row.first) : text) != 1) std::abort();
    }
    requests += kBatch;
    taken = processor_ns() - begin;
  } while (taken < kSliceNs);
  return taken / static_cast<double>(requests);
}

}  // namespace

int main() {
  std::vector<Row> rows;
  const auto add = [&rows](const char* name, const std::string& text, std::size_t first) {
    rows.push_back({.name = name, .text = text, .first = first, .slices = {}});
  };
  add("3 fields", kThree, kThree.size());
  add("14 fields", kFourteen, kFourteen.size());
  add("40 fields", forty(), forty().size());
  add("14 fields in two pieces", kFourteen, kFourteen.size() / 2);
  add("16 chunks of 1 KiB", in_chunks(), in_chunks().size());
  RequestReader reader({.head_bytes = 65536, .target_bytes = 65536, .lines = 100});
  for (std::size_t slice = 0; slice <= kSlices; ++slice) {
    for (Row& row : rows) {
      const double each = measure(reader, row);
      if (slice > 0) row.slices.push_back(each);
    }
  }
  for (Row& row : rows) {
    std::sort(row.slices.begin(), row.slices.end());
    std::printf("%-24s %6zu bytes %8.1f ns (least %.1f, median %.1f)\n", row.name.c_str(),
                row.text.size(), row.slices[kSlices / 4], row.slices.front(),
                row.slices[kSlices / 2]);
  }
  return 0;
}
